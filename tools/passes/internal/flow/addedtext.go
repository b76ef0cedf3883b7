// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A builder of text that comes from a pool has methods that append what their callers give to a
// slice in it. No path need take it, have it grow and put it: one function makes it, others add to it, the last one puts it.
// Where nothing in the package asks how large the slice is, or lets go of it, the pool keeps it at any size.

// judgeAddedText reports the pools of such builders.
func (a *analysis) judgeAddedText() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		t := p.typ
		at := f.putOf(t)
		if at == nil || a.foundIn(oversizeRetention, at.Parent()) {
			continue
		}
		if slices.ContainsFunc(f.puts, func(q poolSite) bool {
			return q.typ == t && (a.testsSize(q.fn) || a.foundIn(oversizeRetention, q.fn) ||
				slices.ContainsFunc(f.callers[q.fn], func(c ssa.CallInstruction) bool { return a.testsSize(c.Parent()) }))
		}) {
			continue
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for v := range s.Fields() {
			v := v.Origin()
			ff := f.facts[v]
			if ff == nil || !isBytes(v.Type()) || slices.ContainsFunc(ff.stores, func(s fieldStore) bool {
				return s.what != wDerived && !(s.what == wZero && cutsOnly(s.instr))
			}) {
				continue // let go of, or of another home
			}
			add := f.addsText(ff)
			if add == nil || a.asksSize(v) {
				continue
			}
			a.reportFound(finding{
				pattern: oversizeRetention, pos: instrPos(at), fn: at.Parent(),
				message: fmt.Sprintf("%s keeps %s of any size: what one large input made it grow to stays in the pool; drop what is above a limit before the Put", a.putIn(at, t), v.Name()),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(add), Message: "grows here"}},
			})
			break
		}
	}
}

// addsText is the first store of what a field had and what a caller gave, of any length, after it.
func (f *forgotten) addsText(ff *fieldFacts) ssa.Instruction {
	var list []ssa.Instruction
	for _, s := range ff.stores {
		st, ok := s.instr.(*ssa.Store)
		if !ok || f.a.inTest(st.Parent()) || f.a.testsSize(st.Parent()) {
			continue
		}
		if f.endsInText(st.Val, ff.field) || addsInChain(st, ff.field) {
			list = append(list, st)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return slices.MinFunc(list, func(x, y ssa.Instruction) int { return cmp.Compare(instrPos(x), instrPos(y)) })
}

// addsInChain reports whether a store, in an exported method that returns its receiver for the next call, leaves in a field
// of that what the field had, with something after it: however little it is, callers make as many such calls as they like.
func addsInChain(st *ssa.Store, field *types.Var) bool {
	fn := st.Parent()
	fa, ok := st.Addr.(*ssa.FieldAddr)
	recv := fn.Signature.Recv()
	if !ok || recv == nil || len(fn.Params) < 2 || fa.X != fn.Params[0] || !token.IsExported(fn.Name()) || pointee(recv.Type()) == nil || !pointee(recv.Type()).Obj().Exported() {
		return false
	}
	for _, b := range fn.Blocks {
		if r, ok := lastInstr(b).(*ssa.Return); ok && (len(r.Results) != 1 || r.Results[0] != fn.Params[0]) {
			return false
		}
	}
	c, ok := st.Val.(*ssa.Call)
	if !ok {
		return false
	}
	if !appendsTo(c) {
		return false
	}
	had, _ := fieldLoad(c.Call.Args[0])
	return had == field
}

// appendsTo reports whether a call gives its first argument with something after it.
func appendsTo(c *ssa.Call) bool {
	if isBuiltin(c, "append") {
		return true
	}
	m := calledMethod(c)
	return m != nil && effectOf(m) == eAppend && m.Signature().Recv() == nil
}

// endsInText reports whether a slice is what a field had, with text after it that the function was given.
func (f *forgotten) endsInText(v ssa.Value, field *types.Var) bool {
	text := false
	for range 6 {
		switch x := v.(type) {
		case *ssa.Call:
			args := x.Call.Args
			if !appendsTo(x) {
				return false
			}
			text = text || slices.ContainsFunc(args[1:], func(y ssa.Value) bool { return f.isText(y, 0) })
			v = args[0]
		case *ssa.Slice:
			if x.High != nil {
				return false // set anew: one value, such as a name, rather than all that was added
			}
			v = x.X
		default:
			had, _ := fieldLoad(v)
			return text && had == field
		}
	}
	return false
}

// isText reports whether a value is a string, or bytes, of a length that is the caller's choice.
func (f *forgotten) isText(v ssa.Value, depth int) bool {
	switch x := v.(type) {
	case *ssa.Convert:
		return f.isText(x.X, depth)
	case *ssa.ChangeType:
		return f.isText(x.X, depth)
	case *ssa.Parameter:
		if !isString(x.Type()) && !isBytes(x.Type()) {
			return false
		}
		fn := x.Parent()
		if token.IsExported(fn.Name()) {
			return true
		}
		k := slices.Index(fn.Params, x)
		return depth < 3 && slices.ContainsFunc(f.callers[fn], func(c ssa.CallInstruction) bool {
			return !f.a.inTest(c.Parent()) && !c.Common().IsInvoke() && k < len(c.Common().Args) && !f.a.testsSize(c.Parent()) && f.isText(c.Common().Args[k], depth+1)
		})
	}
	return false
}

// asksSize reports whether the package asks how large the slice in a field is, but for whether there is anything in
// it yet, or lets its address go where that may be asked.
func (a *analysis) asksSize(v *types.Var) bool {
	for _, i := range a.instrs() {
		fa, ok := i.(*ssa.FieldAddr)
		if !ok || fieldAt(fa) != v {
			continue
		}
		for _, r := range referrers(fa) {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Addr != ssa.Value(fa) {
					return true
				}
			case *ssa.UnOp:
				for _, q := range referrers(r) {
					c, ok := q.(*ssa.Call)
					if ok && (isBuiltin(c, "cap") || isBuiltin(c, "len") && comparesSize(c, 0) || a.calleeLimits(c, r, 0)) {
						return true
					}
				}
			case *ssa.DebugRef:
			default:
				return true
			}
		}
	}
	return false
}

// calleeLimits reports whether a call gives a slice to a function of the package that has a limit on its size.
func (a *analysis) calleeLimits(c *ssa.Call, v ssa.Value, depth int) bool {
	fn := a.calledFunction(c)
	if fn == nil || len(fn.Params) != len(c.Call.Args) || depth > 2 {
		return false
	}
	for k, x := range c.Call.Args {
		if x != v {
			continue
		}
		for _, r := range referrers(fn.Params[k]) {
			size, ok := r.(*ssa.Call)
			if !ok {
				continue
			}
			if sizeCall(size) == "" {
				if a.calleeLimits(size, fn.Params[k], depth+1) {
					return true
				}
				continue
			}
			if slices.ContainsFunc(referrers(size), func(q ssa.Instruction) bool {
				o, ok := q.(*ssa.BinOp)
				if !ok {
					return false
				}
				_, compares := smallArm(o)
				return compares && a.limits(o) && !returnsMeasured(o)
			}) {
				return true
			}
		}
	}
	return false
}

// comparesSize reports whether a length is compared with more than a few, or is told to somebody else.
func comparesSize(v ssa.Value, depth int) bool {
	if depth > 3 {
		return true
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.BinOp:
			switch r.Op {
			case token.ADD, token.SUB, token.MUL, token.QUO:
				if comparesSize(r, depth+1) {
					return true
				}
			default:
				if few(r.X) || few(r.Y) || loopBound(r) {
					continue
				}
				return true
			}
		case *ssa.Slice, *ssa.IndexAddr, *ssa.DebugRef:
		case *ssa.Return:
			if exportedFunc(r.Parent()) {
				return true // for those who use the package to ask
			}
		default:
			return true
		}
	}
	return false
}

// few reports whether a number is a small constant, which is no limit.
func few(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64() < 16
}
