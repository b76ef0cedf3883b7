// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Who fills the elements of a slice may name each by its index time and again, in the arms of the tests that tell what
// applies, and read the slice each time: list[i].a in one arm and list[i].b in another are of one element, which all
// the tests are about.

// readsAgain reports whether two values are what one variable, parameter or field holds, read twice with nothing between that sets it.
func readsAgain(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	l, ok1 := x.(*ssa.UnOp)
	m, ok2 := y.(*ssa.UnOp)
	if !ok1 || !ok2 || l.Op != token.MUL || m.Op != token.MUL || !sameAddr(l.X, m.X) {
		return false
	}
	holder := l.X
	if fa, ok := holder.(*ssa.FieldAddr); ok {
		holder = fa.X
	}
	for i := range instrsOf(l.Parent()) {
		switch i := i.(type) {
		case *ssa.Store:
			if !sameAddr(i.Addr, l.X) && i.Addr != holder {
				continue
			}
		case ssa.CallInstruction:
			if !givenOneOf(i.Common(), holder, l.X, m.X) {
				continue
			}
		default:
			continue
		}
		if mayFollow(l, i) && mayFollow(i, m) {
			return false
		}
	}
	return true
}

// givenOneOf reports whether a call is given one of some values.
func givenOneOf(c *ssa.CallCommon, values ...ssa.Value) bool {
	for _, x := range c.Args {
		for _, v := range values {
			if x == v {
				return true
			}
		}
	}
	return false
}

// aboveAll is the last block that is on the way to all of some values.
func aboveAll(values []ssa.Value) *ssa.BasicBlock {
	top := values[0].(ssa.Instruction).Block()
	for _, v := range values[1:] {
		b := v.(ssa.Instruction).Block()
		for top != b && !top.Dominates(b) && top.Idom() != nil {
			top = top.Idom()
		}
	}
	return top
}

// dropSkipped leaves out the fields that are set wherever another one of the element is, on the way from a block round
// the loop: where none is set, the element may be passed over.
func (ps *partlySet) dropSkipped(start *ssa.BasicBlock) {
	var with []*types.Var
	for v, list := range ps.at {
		blocks := map[*ssa.BasicBlock]bool{}
		always := false
		for _, x := range list {
			blocks[x.block] = blocks[x.block] || !x.maybe
			always = always || x.always
		}
		if !always && !ps.othersSet(start, v, blocks) {
			with = append(with, v)
		}
	}
	for _, v := range with {
		delete(ps.at, v)
	}
}

// othersSet reports whether a way from a block round the loop, which leaves some blocks out, sets another field than v.
func (ps *partlySet) othersSet(start *ssa.BasicBlock, v *types.Var, but map[*ssa.BasicBlock]bool) bool {
	others := map[*ssa.BasicBlock]bool{}
	for w, list := range ps.at {
		for _, x := range list {
			if w != v && !but[x.block] {
				others[x.block] = true
			}
		}
	}
	type step struct {
		b   *ssa.BasicBlock
		set bool
	}
	seen := map[step]bool{}
	var walk func(s step) bool
	walk = func(s step) bool {
		s.set = s.set || others[s.b]
		if seen[s] || but[s.b] {
			return false
		}
		seen[s] = true
		for _, next := range s.b.Succs {
			if next == start || !start.Dominates(next) {
				if s.set {
					return true
				}
				continue
			}
			if walk(step{next, s.set}) {
				return true
			}
		}
		return len(s.b.Succs) == 0 && s.set
	}
	return walk(step{start, false})
}
