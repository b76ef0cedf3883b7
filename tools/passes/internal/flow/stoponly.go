// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A function that starts a goroutine and then waits for the signal to stop, which its caller gives it as a channel that it
// can only receive from, has not waited for the goroutine, where that does not have the channel, goes on until another one is
// closed and tells nobody that it came to its end.

// goOnPast are the goroutines that a receive does not wait for although it is not known who is waited for.
func (a *analysis) goOnPast(st *state, i ssa.Instruction, ch *sym) (list []*spawn) {
	if _, ok := i.(*ssa.UnOp); !ok || ch.kind != kParam || !isStop(ch.typ) {
		return nil
	}
	for _, g := range st.gos {
		if g.sink == "" && g.body != nil && !a.leadsTo(st, g.holds, ch) && worksOff(g.body) {
			list = append(list, g)
		}
	}
	return list
}

// isStop reports whether a type is that of a channel which others close, or send bare signals on.
func isStop(t types.Type) bool {
	if t == nil {
		return false
	}
	c, ok := t.Underlying().(*types.Chan)
	if !ok || c.Dir() != types.RecvOnly {
		return false
	}
	s, ok := c.Elem().Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// worksOff reports whether a function is a loop over what it receives from a channel, which is left when that is closed
// and not before, and does nothing after it: whatever it calls in the loop or before it, it goes on then.
func worksOff(fn *ssa.Function) bool {
	var turn *ssa.BasicBlock
	for i := range instrsOf(fn) {
		r, ok := i.(*ssa.UnOp)
		if !ok || r.Op != token.ARROW {
			continue
		}
		iff, isIf := lastInstr(r.Block()).(*ssa.If)
		if !r.CommaOk || !isIf || turn != nil || !inLoop(r.Block()) {
			return false
		}
		if open, ok := iff.Cond.(*ssa.Extract); !ok || open.Tuple != ssa.Value(r) || open.Index != 1 {
			return false
		}
		turn = r.Block().Succs[0]
	}
	if turn == nil {
		return false
	}
	for _, b := range fn.Blocks {
		in := b == turn || turn.Dominates(b)
		if in && slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return s != turn.Idom() && s != turn && !turn.Dominates(s) }) {
			return false
		}
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Return, *ssa.Panic:
				if in {
					return false
				}
			case *ssa.Send, *ssa.Select, *ssa.Defer:
				return false
			case ssa.CallInstruction:
				if !in && !b.Dominates(turn) || isBuiltin(i, "close") {
					return false
				}
			}
		}
	}
	return true
}
