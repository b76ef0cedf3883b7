// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A test of a size tells the pools of different sizes apart where it is made of what was taken from one. A test that comes
// before the Get only picks the pool that is taken from, by what is asked for: it does not say where the value goes.

// picksGetOnly reports whether all sizes that a function compares are compared before it takes a value from its pool,
// and a value is put, by what stands there, whatever they are.
func (a *analysis) picksGetOnly(put ssa.Instruction, m *sym) bool {
	fn := put.Parent()
	get, ok := m.obj.(ssa.Instruction)
	if !ok || get.Parent() != fn || inLoop(get.Block()) {
		return false
	}
	decides := func(i *ssa.If) bool {
		for _, arm := range i.Block().Succs {
			if len(arm.Preds) == 1 && arm.Dominates(put.Block()) {
				return true
			}
		}
		return i.Block() == get.Block() && !precedes(i, get) || i.Block() != get.Block() && reaches(get.Block(), i.Block())
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.BinOp:
			switch i.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			default:
				continue
			}
			if !a.limits(i) {
				continue
			}
			for _, u := range referrers(i) {
				switch u := u.(type) {
				case *ssa.DebugRef:
				case *ssa.If:
					if decides(u) {
						return false
					}
				default:
					return false // remembered
				}
			}
		case *ssa.If:
			if answersSize(i.Cond) && decides(i) {
				return false
			}
		}
	}
	return true
}
