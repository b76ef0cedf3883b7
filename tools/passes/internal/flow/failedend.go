// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// An object takes a buffer when a message begins and it has none, and puts it when the message is over. Where writing fails, the
// message is over as well: a writer that remembers its error comes this way no more, and what the field holds stays there.

// judgeFailedEnds reports the ways on which a failed write leaves a buffer in its field.
func (c *custody) judgeFailedEnds() {
	for f, by := range c.putsField {
		if len(by) != 1 || f.Exported() || !c.takenLazily(f) {
			continue
		}
		for end, put := range by {
			if end.Signature.Recv() == nil || exportedRoot(end) || c.a.inTest(end) || c.clearedElsewhere(f, end) || !clearsBeside(put, f) {
				continue
			}
			if lost, write := c.failedEnd(end, put, f); lost != nil {
				taken := c.taker(f)
				c.a.reportFound(finding{
					pattern: missingPut, pos: instrPos(lost), fn: end,
					message: fmt.Sprintf("what field %s holds is put where all was written (%s), but not where that fails: the error is remembered, and nothing gets here again", f.Name(), c.a.line(instrPos(put))),
					related: []goanalysis.RelatedInformation{{Pos: instrPos(write), Message: "fails here"}, {Pos: instrPos(taken), Message: "taken here"}},
				})
			}
		}
	}
}

// clearsBeside reports whether a field is set to nil in the block of a Put of what it held.
func clearsBeside(put ssa.Instruction, f *types.Var) bool {
	return slices.ContainsFunc(put.Block().Instrs, func(i ssa.Instruction) bool {
		s, ok := i.(*ssa.Store)
		return ok && isNilConst(s.Val) && fieldOfAddr(s.Addr) == f
	})
}

// failedEnd finds the arm of a function in which the write of what a field holds failed, which remembers that and does not
// come to the Put: each caller asks first whether there was an error.
func (c *custody) failedEnd(end *ssa.Function, put ssa.Instruction, f *types.Var) (lost, write ssa.Instruction) {
	for _, b := range end.Blocks {
		w := failedWriteOf(b, f)
		if w == nil || mayFollow(b.Instrs[0], put) {
			continue
		}
		errs := c.remembers(b)
		if errs == nil || !slices.ContainsFunc(c.callsOf(end), func(i ssa.CallInstruction) bool { return !c.a.inTest(i.Parent()) }) {
			continue
		}
		if slices.ContainsFunc(c.callsOf(end), func(i ssa.CallInstruction) bool { return !c.a.inTest(i.Parent()) && !asksErrorFirst(i, errs) }) {
			continue
		}
		for _, i := range b.Instrs {
			if _, ok := i.(*ssa.Return); ok {
				return i, w
			}
		}
	}
	return nil, nil
}

// failedWriteOf is the call that writes what a field holds and that failed where a block is reached.
func failedWriteOf(b *ssa.BasicBlock, f *types.Var) ssa.CallInstruction {
	if !underFailure(b) {
		return nil
	}
	v := lastInstr(b.Preds[0]).(*ssa.If).Cond.(*ssa.BinOp).X
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	m := calledMethod(call)
	if m == nil || !hasPrefix(strings.ToLower(m.Name()), []string{"write", "send", "flush"}) {
		return nil
	}
	if !slices.ContainsFunc(call.Call.Args, func(x ssa.Value) bool {
		if s, ok := x.(*ssa.Slice); ok {
			x = s.X
		}
		return fieldOfValue(x) == f
	}) {
		return nil
	}
	return call
}

// remembers is the field in which a block, or a method that it calls, leaves an error.
func (c *custody) remembers(b *ssa.BasicBlock) *types.Var {
	stores := func(i ssa.Instruction) *types.Var {
		s, ok := i.(*ssa.Store)
		if !ok || !isError(s.Val.Type()) || isNilConst(s.Val) {
			return nil
		}
		return fieldOfAddr(s.Addr)
	}
	for _, i := range b.Instrs {
		if f := stores(i); f != nil {
			return f
		}
		call, ok := i.(*ssa.Call)
		if !ok {
			continue
		}
		if fn := c.a.calledFunction(call); fn != nil {
			for i := range instrsOf(fn) {
				if f := stores(i); f != nil {
					return f
				}
			}
		}
	}
	return nil
}

// asksErrorFirst reports whether a call is made only where a field was found to have no error.
func asksErrorFirst(i ssa.CallInstruction, errs *types.Var) bool {
	for b := i.Block(); b.Idom() != nil; b = b.Idom() {
		if isNil, _ := nilTestOf(b.Idom(), errs); isNil != nil && isNil.Dominates(i.Block()) && len(isNil.Preds) == 1 {
			return true
		}
	}
	return false
}
