// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function literal that is given a value to take back, and releases another one of the
// same type, which it captured: what it is given is lost each time.

// judgeOwnArgument reports literals that release what they captured in place of their
// parameter.
func (a *analysis) judgeOwnArgument() {
	for _, i := range a.instrsBeyondTests() {
		if m, ok := i.(*ssa.MakeClosure); ok {
			a.ownArgument(m)
		}
	}
}

func (a *analysis) ownArgument(m *ssa.MakeClosure) {
	fn := m.Fn.(*ssa.Function)
	if fn.Synthetic != "" {
		return
	}
	for k, p := range fn.Params {
		if len(referrers(p)) > 0 || !pools0(p.Type()) {
			continue
		}
		name := fn.Signature.Params().At(k).Name()
		ignored := name == "" || name == "_"
		for i := range instrsOf(fn) {
			c, ok := i.(ssa.CallInstruction)
			if !ok {
				continue
			}
			x := a.releasedBy(c)
			if x == nil {
				continue
			}
			v := a.captured(x, m)
			if v == nil || !ofType(v, p.Type(), 0) || a.taken0(v) || ignored && !prototype(v) {
				continue
			}
			if ignored {
				name = "a value"
			}
			a.reportFound(finding{
				pattern: missingPut, pos: instrPos(c), fn: fn,
				message: fmt.Sprintf("the function is given %s to release, but releases a value that it captured (%s): what it is given is never put back", name, a.line(capturedAt(v))),
				related: []goanalysis.RelatedInformation{{Pos: p.Pos(), Message: "not used"}, {Pos: capturedAt(v), Message: "captured"}},
			})
			return
		}
	}
}

// pools0 reports whether values of a type can be put in a pool to be used again.
func pools0(t types.Type) bool {
	if isTypeParam(t) {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Slice:
		return !isError(t)
	}
	return false
}

// releasedBy is the value that a call puts: by a known Put, or by a method that in this
// package puts what its receiver holds.
func (a *analysis) releasedBy(c ssa.CallInstruction) ssa.Value {
	cc := c.Common()
	if cc.IsInvoke() {
		name := cc.Method
		if name.Signature().Params().Len() == 0 && slices.ContainsFunc(a.fns, func(fn *ssa.Function) bool {
			return fn.Name() == name.Name() && fn.Signature.Recv() != nil && a.relevant[fn] && a.putsInside(fn, 0)
		}) {
			return cc.Value
		}
		return nil
	}
	for _, k := range a.uses().putArgs(a, c) {
		return unboxed(cc.Args[k])
	}
	if fn := a.calledFunction(c); fn != nil && fn.Signature.Recv() != nil && fn.Signature.Params().Len() == 0 && len(cc.Args) > 0 && a.putsInside(fn, 0) {
		return cc.Args[0]
	}
	return nil
}

// putsInside reports whether a function puts something.
func (a *analysis) putsInside(fn *ssa.Function, depth int) bool {
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if len(a.uses().putArgs(a, c)) > 0 {
			return true
		}
		if g := a.calledFunction(c); g != nil && depth < 2 && a.putsInside(g, depth+1) {
			return true
		}
	}
	return false
}

// captured is the value that a captured variable was set to, once, where a closure was made.
func (a *analysis) captured(v ssa.Value, m *ssa.MakeClosure) ssa.Value {
	if l, ok := v.(*ssa.UnOp); ok && l.Op == token.MUL {
		v = l.X
	}
	fv, ok := v.(*ssa.FreeVar)
	if !ok {
		return nil
	}
	k := slices.Index(m.Fn.(*ssa.Function).FreeVars, fv)
	if k < 0 {
		return nil
	}
	al, ok := m.Bindings[k].(*ssa.Alloc)
	if !ok {
		return m.Bindings[k]
	}
	var only ssa.Value
	for _, r := range referrers(al) {
		if st, ok := r.(*ssa.Store); ok && st.Addr == al {
			if only != nil {
				return nil
			}
			only = st.Val
		}
	}
	return only
}

// ofType reports whether a value is, under boxes and assertions, one of a type.
func ofType(v ssa.Value, t types.Type, depth int) bool {
	if depth > 6 || v == nil {
		return false
	}
	if types.Identical(v.Type(), t) {
		return true
	}
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return ofType(x.X, t, depth+1)
	case *ssa.ChangeInterface:
		return ofType(x.X, t, depth+1)
	case *ssa.ChangeType:
		return ofType(x.X, t, depth+1)
	case *ssa.MultiConvert:
		return ofType(x.X, t, depth+1)
	case *ssa.TypeAssert:
		return ofType(x.X, t, depth+1)
	case *ssa.Extract:
		return x.Index == 0 && ofType(x.Tuple, t, depth+1)
	case *ssa.UnOp:
		al, ok := x.X.(*ssa.Alloc)
		if !ok {
			return false
		}
		for _, r := range referrers(al) {
			if st, ok := r.(*ssa.Store); ok && st.Addr == al && ofType(st.Val, t, depth+1) {
				return true
			}
		}
	}
	return false
}

// taken0 reports whether a value came from a pool: to release it is what its taker does.
func (a *analysis) taken0(v ssa.Value) bool {
	for range 6 {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.MultiConvert:
			v = x.X
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.Parameter, *ssa.FreeVar:
			return true // whoever gave it
		case *ssa.Call:
			return a.uses().gets0(a, x)
		default:
			return false
		}
	}
	return true
}

// capturedAt is where a value that was captured comes from.
func capturedAt(v ssa.Value) token.Pos {
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	return v.Pos()
}

// prototype reports whether a value was made only to be asked what it can do, and captured:
// nobody else has it, so that it is not what a function will be called with.
func prototype(v ssa.Value) bool {
	asked := false
	for range 6 {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.MultiConvert:
			v = x.X
		case *ssa.TypeAssert:
			v, asked = x.X, true
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.Call:
			return asked && askedOnly(v, 0)
		default:
			return false
		}
	}
	return false
}

// askedOnly reports whether a value is only asserted, compared and captured.
func askedOnly(v ssa.Value, depth int) bool {
	if depth > 8 || v.Referrers() == nil {
		return false
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.If, *ssa.MakeClosure:
		case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.MultiConvert, *ssa.TypeAssert, *ssa.Extract:
			if !askedOnly(r.(ssa.Value), depth+1) {
				return false
			}
		case *ssa.UnOp:
			if !askedOnly(r, depth+1) {
				return false
			}
		case *ssa.Store:
			al, ok := r.Addr.(*ssa.Alloc)
			if !ok || r.Val == v && !askedOnly(al, depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
