// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A pooled struct may have its slice made at full length by New, and its user reads into it as far as it is
// long, and cuts it to what was read. When nothing makes it long again, the next user reads less each time:
// what shortened.go says of slices, said of a field.

// judgeShortFields reports such fields.
func (a *analysis) judgeShortFields() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		t := p.typ
		if t.TypeParams().Len() > 0 || f.ofTwoKinds(t) || a.foundIn(staleHeader, p.fn) {
			continue
		}
		collectFields(t, 0, func(v *types.Var, _ *types.Struct) {
			if !isBytes(v.Type()) || v.Exported() && t.Obj().Exported() && f.leavesPackage(t) {
				return
			}
			s := &shortField{forgotten: f, field: v}
			cut := s.onlyCut()
			if cut == nil || !s.madeFull() {
				return
			}
			filled := s.filledAsTaken()
			if filled == nil {
				return
			}
			a.reportFound(finding{
				pattern: staleHeader, pos: instrPos(p.instr), fn: p.fn,
				message: fmt.Sprintf("%s goes to the pool with field %s as long as its last use (%s), but who gets it fills the field at its length (%s): set it to its capacity again, b[:cap(b)]",
					a.putSaid(instrPos(p.instr), "the pooled "+t.Obj().Name()), v.Name(), a.line(instrPos(cut)), a.line(instrPos(filled))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(cut), Message: "shortened here"}, {Pos: instrPos(filled), Message: "filled at its length here"}},
			})
		})
	}
}

// A shortField asks what a package does with the slice in a field.
type shortField struct {
	*forgotten
	field *types.Var
}

// onlyCut is the first place that cuts the slice to a part, if that is all that is done to it in use.
func (s *shortField) onlyCut() ssa.Instruction {
	ff := s.facts[s.field]
	if ff == nil {
		return nil
	}
	var first ssa.Instruction
	for _, store := range ff.stores {
		if s.a.inTest(store.instr.Parent()) {
			continue
		}
		st, ok := store.instr.(*ssa.Store)
		if !ok {
			return nil
		}
		cut, ok := st.Val.(*ssa.Slice)
		if !ok || cut.Low != nil || cut.High == nil || cut.Max != nil || isConst(cut.High) || lenOfPool(cut.High) {
			return nil
		}
		if _, isCap := capOf(cut.High); isCap {
			return nil
		}
		if v, _ := fieldLoad(cut.X); v != s.field {
			return nil
		}
		if first == nil || instrPos(st) < instrPos(first) {
			first = st
		}
	}
	if first == nil || s.a.addressLeaves(s.field) {
		return nil
	}
	return first
}

// madeFull reports whether new objects have the slice at full length.
func (s *shortField) madeFull() bool {
	full, other := false, false
	for _, fn := range s.a.fns {
		eachStore(fn, func(st *ssa.Store) {
			fa, ok := st.Addr.(*ssa.FieldAddr)
			if !ok || fieldAt(fa) != s.field {
				return
			}
			if _, fresh := fa.X.(*ssa.Alloc); fresh {
				full = full || fullLength(st.Val)
				other = other || !fullLength(st.Val)
			}
		})
	}
	return full && !other
}

// fullLength reports whether a slice is made on the spot, with a length other than 0.
func fullLength(v ssa.Value) bool {
	n := ssa.Value(nil)
	switch x := v.(type) {
	case *ssa.MakeSlice:
		n = x.Len
	case *ssa.Slice: // make with a constant size is a slice of a new array
		if al, ok := x.X.(*ssa.Alloc); !ok || al.Comment != "makeslice" {
			return false
		}
		n = x.High
	default:
		return false
	}
	c, ok := n.(*ssa.Const)
	return !ok || c.Value != nil && !isZero(c.Value)
}

// filledAsTaken is a call that fills the slice at its length, in an object that the function took, before
// anything sets it there.
func (s *shortField) filledAsTaken() ssa.Instruction {
	for fn, i := range s.a.instrsBeyondTests() {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		for _, arg := range c.Common().Args {
			v, from := fieldLoad(arg)
			if v != s.field || !s.a.isTaken(from) || !fillsArg(c, arg) {
				continue
			}
			set := false
			eachStore(fn, func(st *ssa.Store) {
				set = set || fieldAt(st.Addr) == s.field && precedes(st, i)
			})
			if !set {
				return i
			}
		}
	}
	return nil
}
