// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A generic pool is given a function that empties what is put. Such a function
// stands alone: it is judged by itself, when it is known what it is for.

// judgeEmptying reports functions that cut a slice which holds pointers, and
// clear nothing, where a pool calls them on what is put.
func (a *analysis) judgeEmptying() {
	seen := map[*ssa.Function]bool{}
	for c := range a.productCalls() {
		if !a.emptiesForPut(c) || a.foundIn(retainedRefs, c.Parent()) {
			continue
		}
		for _, f := range a.givenFunctions(c.Common().Value) {
			if seen[f] {
				continue
			}
			seen[f] = true
			a.checkEmptying(f)
		}
	}
}

// foundIn reports whether a path already showed a fault of a pattern in a function.
func (a *analysis) foundIn(pattern string, fn *ssa.Function) bool {
	for k, f := range a.found {
		if k.pattern == pattern && f.fn == fn {
			return true
		}
	}
	return false
}

// emptiesForPut reports whether a call of a function value prepares its
// argument for a sync.Pool: what it was given, or what it gives, is put next.
func (a *analysis) emptiesForPut(c ssa.CallInstruction) bool {
	cc := c.Common()
	if cc.IsInvoke() || cc.StaticCallee() != nil || len(cc.Args) != 1 {
		return false
	}
	if _, isBuiltin := cc.Value.(*ssa.Builtin); isBuiltin {
		return false
	}
	at := c.Block()
	for _, b := range c.Parent().Blocks {
		if b != at && !at.Dominates(b) {
			continue
		}
		for _, i := range b.Instrs {
			p, ok := i.(ssa.CallInstruction)
			if !ok || funcKey(calledMethod(p)) != "sync.Pool.Put" || p.Common().IsInvoke() || b == at && !precedes(c, p) {
				continue
			}
			put := unboxed(p.Common().Args[1])
			if put == cc.Args[0] || c.Value() != nil && put == ssa.Value(c.Value()) {
				return true
			}
			// Its address, or that of the variable it is kept in.
			al, ok := put.(*ssa.Alloc)
			if !ok {
				continue
			}
			for _, r := range referrers(al) {
				if st, ok := r.(*ssa.Store); ok && st.Addr == al && (st.Val == cc.Args[0] || c.Value() != nil && st.Val == ssa.Value(c.Value())) {
					return true
				}
			}
		}
	}
	return false
}

// givenFunctions are the functions of the package that a variable, field or
// parameter of function type is set to.
func (a *analysis) givenFunctions(v ssa.Value) []*ssa.Function {
	var out []*ssa.Function
	var follow func(v ssa.Value, depth int)
	field := func(obj types.Object, depth int) {
		for _, fn := range a.fns {
			eachStore(fn, func(s *ssa.Store) {
				switch addr := s.Addr.(type) {
				case *ssa.FieldAddr:
					if st := structOf(addr.X.Type()); st != nil && st.Field(addr.Field).Origin() == obj {
						follow(s.Val, depth+1)
					}
				case *ssa.Global:
					if addr.Object() == obj {
						follow(s.Val, depth+1)
					}
				}
			})
		}
	}
	follow = func(v ssa.Value, depth int) {
		if depth > 6 {
			return
		}
		switch x := v.(type) {
		case *ssa.Function:
			f := origin(x)
			if a.inPackage(f) && !slices.Contains(out, f) {
				out = append(out, f)
			}
		case *ssa.MakeClosure:
			follow(x.Fn, depth+1)
		case *ssa.ChangeType:
			follow(x.X, depth+1)
		case *ssa.UnOp:
			switch addr := x.X.(type) {
			case *ssa.FieldAddr:
				if st := structOf(addr.X.Type()); st != nil {
					field(st.Field(addr.Field).Origin(), depth)
				}
			case *ssa.Global:
				field(addr.Object(), depth)
			}
		case *ssa.Field:
			if st := structOf(x.X.Type()); st != nil {
				field(st.Field(x.Field).Origin(), depth)
			}
		case *ssa.Parameter:
			k := slices.Index(x.Parent().Params, x)
			for _, c := range a.callsOf(x.Parent()) {
				if !c.Common().IsInvoke() && k < len(c.Common().Args) {
					follow(c.Common().Args[k], depth+1)
				}
			}
		}
	}
	follow(v, 0)
	return out
}

// checkEmptying looks at a function that empties a slice, or a pointer to one.
func (a *analysis) checkEmptying(f *ssa.Function) {
	if len(f.Params) != 1 || slices.ContainsFunc(f.Blocks, inLoop) {
		return
	}
	p := f.Params[0]
	t := p.Type()
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	sl, ok := t.Underlying().(*types.Slice)
	if !ok || generic(sl.Elem()) || !leadsOut(sl.Elem()) || a.reslicesElsewhere(sl.Elem(), f) {
		return
	}
	of := func(v ssa.Value) bool {
		for {
			switch x := v.(type) {
			case *ssa.Slice:
				v = x.X
			case *ssa.UnOp:
				v = x.X
			default:
				return v == p
			}
		}
	}
	var cut *ssa.Slice
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Slice:
				if c, ok := i.High.(*ssa.Const); ok && c.Value != nil && isZero(c.Value) && of(i.X) && alwaysRuns(i) {
					cut = i
				}
			case *ssa.Return, *ssa.UnOp, *ssa.DebugRef, *ssa.If, *ssa.Jump, *ssa.BinOp:
			case *ssa.Store:
				if i.Addr != p && !isBasic(i.Val.Type()) {
					return
				}
			case ssa.CallInstruction:
				if b, ok := i.Common().Value.(*ssa.Builtin); ok && b.Name() != "cap" && b.Name() != "len" || !ok && !unrelated(i, p) {
					return
				}
			default:
				return
			}
		}
	}
	if cut == nil {
		return
	}
	pos := cut.Pos()
	if !pos.IsValid() {
		pos = f.Pos()
	}
	a.reportFound(finding{
		pattern: retainedRefs, pos: pos, fn: f,
		message: fmt.Sprintf("%s, which a pool calls on what is put, cuts %s to length 0 but does not clear it: its old elements keep what they point to alive", functionName(f), orElse(a.valueName(p), "the slice")),
		more:    []goanalysis.RelatedInformation{{Pos: p.Pos(), Message: "what is put"}},
	})
}

// reslicesElsewhere is reslices, for functions other than f.
func (a *analysis) reslicesElsewhere(elem types.Type, f *ssa.Function) bool {
	for _, fn := range a.fns {
		if fn == f {
			continue
		}
		for i := range instrsOf(fn) {
			s, ok := i.(*ssa.Slice)
			if !ok || s.High == nil || !sameElem(s.X.Type(), elem) {
				continue
			}
			if _, isCap := capOf(s.High); isCap && !clears(fn) {
				return true
			}
		}
	}
	return false
}

// clears reports whether a function calls clear.
func clears(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		if c, ok := i.(*ssa.Call); ok {
			if bi, ok := c.Call.Value.(*ssa.Builtin); ok && bi.Name() == "clear" {
				return true
			}
		}
	}
	return false
}
