// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A pointer field that was not set since its object was made may be set by a round of a loop that nobody
// followed. Not so where the function that makes the object is the only one that sets the field, and does
// so outside of loops: on a path where it returned without, the field is nil for good, and a Put that
// nothing stands before puts nil.

// unsetForGood reports whether what a Put is given is such a field, or an element of what was written down with
// such fields.
func (a *analysis) unsetForGood(st *state, ev event) bool {
	if len(st.usedNil) > 0 {
		return false // it would have failed
	}
	var v ssa.Value
	for k := len(ev.stack) - 1; k >= 0; k-- {
		call, ok := ev.stack[k].(ssa.CallInstruction)
		if !ok || !inAnyCase(call.Block()) {
			return false
		}
		if v == nil {
			v = unboxed(lastArg(call.Common()))
		} else if p, ok := v.(*ssa.Parameter); ok {
			n := slices.Index(p.Parent().Params, p)
			if call.Common().IsInvoke() || call.Common().StaticCallee() != p.Parent() || n >= len(call.Common().Args) {
				return false
			}
			v = unboxed(call.Common().Args[n])
		}
	}
	if f := fieldOfValue(v); f != nil {
		return a.setWhereMade(f)
	}
	elems := writtenElements(v)
	for _, e := range elems {
		if f := fieldOfValue(e); f == nil || !a.setWhereMade(f) {
			return false
		}
	}
	return len(elems) > 0
}

// inAnyCase reports whether no test but those of loops and errors decides whether a block is come to.
func inAnyCase(b *ssa.BasicBlock) bool {
	for d := b.Idom(); d != nil; d = d.Idom() {
		t, ok := lastInstr(d).(*ssa.If)
		if !ok || strings.Contains(d.Comment, "loop") {
			continue
		}
		if c, ok := t.Cond.(*ssa.BinOp); ok && isError(c.X.Type()) {
			continue
		}
		for _, s := range d.Succs {
			if len(s.Preds) == 1 && s.Dominates(b) {
				return false
			}
		}
	}
	return true
}

// writtenElements are the values that were written down for the array or slice that an element is read from.
func writtenElements(v ssa.Value) (list []ssa.Value) {
	var from ssa.Value
	switch v := v.(type) {
	case *ssa.Index:
		from = v.X
	case *ssa.UnOp:
		if at, ok := v.X.(*ssa.IndexAddr); ok && v.Op == token.MUL {
			from = at.X
		}
	}
	switch x := from.(type) {
	case *ssa.UnOp:
		from = x.X
	case *ssa.Slice:
		from = x.X
	}
	al, ok := from.(*ssa.Alloc)
	if !ok {
		return nil
	}
	for _, r := range referrers(al) {
		at, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, u := range referrers(at) {
			if s, ok := u.(*ssa.Store); ok && s.Addr == ssa.Value(at) {
				list = append(list, s.Val)
			}
		}
	}
	return list
}

// setWhereMade reports whether a field of the package's own is only ever set, but to nil, in the
// functions that make its object, outside of loops.
func (a *analysis) setWhereMade(f *types.Var) bool {
	if f.Exported() || !isPtr(f.Type()) {
		return false
	}
	set := false
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.Store:
			if t, ok := i.Val.Type().Underlying().(*types.Struct); ok && hasField(t, f) {
				return false
			}
		case *ssa.FieldAddr:
			if nthField(i.X, i.Field) != f {
				continue
			}
			for _, r := range referrers(i) {
				switch r := r.(type) {
				case *ssa.UnOp, *ssa.DebugRef:
				case *ssa.Store:
					if isNilConst(r.Val) {
						continue
					}
					if _, made := i.X.(*ssa.Alloc); !made || r.Val == ssa.Value(i) || inLoop(r.Block()) {
						return false
					}
					set = true
				default:
					return false
				}
			}
		}
	}
	return set
}
