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

// A list of values from a pool that is from a pool itself keeps its entries, for the next user to use them again where
// they are there. Who puts the entries, one by one, and then the list with the entries in it, gives each of them out twice.

// judgePutElems reports the Puts of such entries.
func (c *custody) judgePutElems() {
	for _, fn := range c.a.fns {
		if c.a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			for _, v := range c.putBy(i) {
				load, ok := unboxed(v).(*ssa.UnOp)
				if !ok || load.Op != token.MUL {
					continue
				}
				ia, ok := load.X.(*ssa.IndexAddr)
				if !ok || !inLoop(i.Block()) {
					continue
				}
				f := fieldOfValue(ia.X)
				if f == nil || !isSlice(f.Type()) || c.elementsLeave(fn, f) {
					continue
				}
				list, kept := c.listPut(i, f), c.usedIfThere(fn, f)
				if list == nil || kept == nil {
					continue
				}
				c.a.reportFound(finding{
					pattern: storeAlias, pos: instrPos(i), fn: fn, cause: instrPos(i),
					message: fmt.Sprintf("the entries of %s are put here, and stay in it when it is put as well (%s): who takes the list uses those that it finds there (%s); set each to nil", f.Name(), c.a.line(instrPos(list)), c.a.line(instrPos(kept))),
					related: []goanalysis.RelatedInformation{{Pos: instrPos(list), Message: "the list is put here"}, {Pos: instrPos(kept), Message: "used again here"}},
				})
			}
		}
	}
}

// elementsLeave reports whether a function sets elements of the list in a field, clears it, or passes it on as shorter.
func (c *custody) elementsLeave(fn *ssa.Function, f *types.Var) bool {
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Store:
			if ia, ok := i.Addr.(*ssa.IndexAddr); ok && fieldOfValue(ia.X) == f {
				return true
			}
		case *ssa.Slice:
			if fieldOfValue(i.X) == f && !(emptyCut(i) && c.onlyPut(i)) {
				return true
			}
		case *ssa.Call:
			if b, ok := i.Call.Value.(*ssa.Builtin); ok && b.Name() == "clear" && fieldOfValue(i.Call.Args[0]) == f {
				return true
			}
		}
	}
	return false
}

// onlyPut reports whether a slice goes nowhere but to its pool.
func (c *custody) onlyPut(v ssa.Value) bool {
	return !slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		if box, ok := r.(*ssa.MakeInterface); ok {
			return !c.onlyPut(box)
		}
		_, debug := r.(*ssa.DebugRef)
		return !debug && !slices.Contains(c.putBy(r), v)
	})
}

// listPut is a Put of the list in a field, as it is or cut to length 0, that may follow an instruction.
func (c *custody) listPut(i ssa.Instruction, f *types.Var) ssa.Instruction {
	for j := range instrsOf(i.Parent()) {
		if j == i || !mayFollow(i, j) {
			continue
		}
		for _, v := range c.putBy(j) {
			v = unboxed(v)
			if cut, ok := v.(*ssa.Slice); ok && emptyCut(cut) {
				v = cut.X
			}
			if fieldOfValue(v) == f {
				return j
			}
		}
	}
	return nil
}

// usedIfThere is where another function asks whether an element of the list in a field is nil, of a list that nobody cuts
// to length 0, or that the function makes as long again before: what a shorter slice leaves out is still there.
func (c *custody) usedIfThere(but *ssa.Function, f *types.Var) (at ssa.Instruction) {
	cut := false
	for fn, i := range c.a.instrsBeyondTests() {
		switch i := i.(type) {
		case *ssa.Slice:
			if _, made := i.X.(*ssa.Alloc); !made && emptyCut(i) && types.Identical(i.Type(), f.Type()) {
				cut = true
			}
		case *ssa.BinOp:
			load, ok := i.X.(*ssa.UnOp)
			if !ok || fn == but || at != nil || !isNilConst(i.Y) {
				continue
			}
			if ia, ok := load.X.(*ssa.IndexAddr); ok && fieldOfValue(ia.X) == f {
				at = i
			}
		}
	}
	if cut && at != nil && !lengthens(at.Parent(), f) {
		return nil
	}
	return at
}

// lengthens reports whether a function leaves in a field what was there, up to an end that is not a constant.
func lengthens(fn *ssa.Function, f *types.Var) bool {
	for i := range instrsOf(fn) {
		s, ok := i.(*ssa.Store)
		if !ok || fieldOfAddr(s.Addr) != f {
			continue
		}
		cut, ok := s.Val.(*ssa.Slice)
		if !ok || cut.Low != nil || cut.High == nil || fieldOfValue(cut.X) != f {
			continue
		}
		if _, fixed := cut.High.(*ssa.Const); !fixed {
			return true
		}
	}
	return false
}
