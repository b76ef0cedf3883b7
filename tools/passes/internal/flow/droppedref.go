// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Who counts a reference down gives up its own: from then on another one may be the last, and put
// what the references are to. What the function does with it later, it does too late, unless it was
// the last itself.

// judgeDroppedRefs reports such uses.
func (a *analysis) judgeDroppedRefs() { a.eachCountDown(a.judgeDroppedRef) }

// eachCountDown visits the calls of sync/atomic, made without a lock, that take from a number.
func (a *analysis) eachCountDown(do func(*ssa.Call)) {
	for _, i := range a.instrsBeyondTests() {
		if c, ok := i.(*ssa.Call); ok && countsDown(c) && !locked(c) {
			do(c)
		}
	}
}

// countsDown reports whether a call of sync/atomic takes from a number.
func countsDown(c *ssa.Call) bool {
	f := calledMethod(c)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync/atomic" || !strings.HasPrefix(f.Name(), "Add") || len(c.Call.Args) != 2 {
		return false
	}
	d, ok := c.Call.Args[1].(*ssa.Const)
	// Of an unsigned number, -1 is the largest one.
	return ok && d.Value != nil && d.Value.Kind() == constant.Int && (constant.Sign(d.Value) < 0 || constant.BitLen(d.Value) >= 32)
}

func (a *analysis) judgeDroppedRef(down *ssa.Call) {
	fn := down.Parent()
	for _, r := range referrers(down) {
		o, ok := r.(*ssa.BinOp)
		if !ok || !zeroConst(o.Y) {
			continue
		}
		arm := 0
		switch o.Op {
		case token.EQL, token.LEQ:
		case token.NEQ, token.GTR:
			arm = 1
		default:
			continue
		}
		var lastArms []*ssa.BasicBlock
		for _, b := range fn.Blocks {
			if i, ok := lastInstr(b).(*ssa.If); ok && a.isCondition(i.Cond, o) && len(b.Succs[arm].Preds) == 1 {
				lastArms = append(lastArms, b.Succs[arm])
			}
		}
		inLast := func(b *ssa.BasicBlock) bool {
			return slices.ContainsFunc(lastArms, func(l *ssa.BasicBlock) bool { return l.Dominates(b) })
		}
		for _, b := range fn.Blocks {
			if !inLast(b) {
				continue
			}
			for _, i := range b.Instrs {
				put, ok := i.(*ssa.Call)
				if !ok {
					continue
				}
				for _, v := range a.valuesPut(put) {
					p := a.whereKept(v)
					if p.of == nil || !pointery(v.Type()) && p.field == nil {
						continue
					}
					if use := a.usedAfter(down, put, p, inLast); use != nil {
						a.reportFound(finding{
							pattern: goroutineUse, pos: instrPos(use), fn: fn, cause: instrPos(put),
							message: fmt.Sprintf("%s is used after the reference to it was counted down (%s): by then another goroutine may have dropped the last one, and put it (%s)", orElse(a.valueName(v), "this"), a.line(instrPos(down)), a.line(instrPos(put))),
							related: []goanalysis.RelatedInformation{{Pos: instrPos(down), Message: "counted down here"}, {Pos: instrPos(put), Message: "the Put"}},
						})
						return
					}
				}
			}
		}
	}
}

// isCondition reports whether a condition is a value, or a variable that is set to it alone.
func (a *analysis) isCondition(c ssa.Value, o *ssa.BinOp) bool {
	return c == ssa.Value(o) || a.whereKept(c).of == ssa.Value(o)
}

// usedAfter finds a use of what is kept in a place that may come after a call, and is not in the
// arms that are left out.
func (a *analysis) usedAfter(down, put *ssa.Call, p keptIn, leftOut func(*ssa.BasicBlock) bool) ssa.Instruction {
	seen := map[*ssa.BasicBlock]bool{}
	var find func(b *ssa.BasicBlock, from int) ssa.Instruction
	find = func(b *ssa.BasicBlock, from int) ssa.Instruction {
		for _, i := range b.Instrs[from:] {
			if i == ssa.Instruction(down) {
				return nil // of the next round
			}
			if i != ssa.Instruction(put) && instrPos(i).IsValid() && a.usesPlace(i, p) {
				return i
			}
			if st, ok := i.(*ssa.Store); ok && a.placeAt(st.Addr) == p {
				return nil // something else
			}
		}
		for _, s := range b.Succs {
			if seen[s] || leftOut(s) {
				continue
			}
			seen[s] = true
			if use := find(s, 0); use != nil {
				return use
			}
		}
		return nil
	}
	return find(down.Block(), slices.Index(down.Block().Instrs, ssa.Instruction(down))+1)
}
