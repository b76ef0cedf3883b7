// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A reference count must be read by the operation that counts it down: read in a second
// step, two owners that let go at once both find it at zero, and both put.

// judgeCountRaces reports such puts.
func (a *analysis) judgeCountRaces() {
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if c, ok := i.(*ssa.Call); ok && countsDownUnread(c) && !locked(c) {
					a.judgeCountRace(c)
				}
			}
		}
	}
}

// countsDownUnread reports whether a call of sync/atomic subtracts from a number, and nobody
// looks at what is left.
func countsDownUnread(c *ssa.Call) bool {
	f := calledMethod(c)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync/atomic" || !strings.HasPrefix(f.Name(), "Add") || len(c.Call.Args) != 2 {
		return false
	}
	if slices.ContainsFunc(referrers(c), func(r ssa.Instruction) bool { _, dbg := r.(*ssa.DebugRef); return !dbg }) {
		return false
	}
	d, ok := c.Call.Args[1].(*ssa.Const)
	if !ok || d.Value == nil || d.Value.Kind() != constant.Int {
		return false
	}
	// Of an unsigned number, -1 is the largest one.
	return constant.Sign(d.Value) < 0 || constant.BitLen(d.Value) >= 32
}

func (a *analysis) judgeCountRace(down *ssa.Call) {
	fn := down.Parent()
	if len(a.callsOf(fn)) > 0 && !slices.ContainsFunc(a.callsOf(fn), func(c ssa.CallInstruction) bool { return !locked(c) }) {
		return // its callers see to it that there is one at a time
	}
	addr := down.Call.Args[0]
	for _, b := range fn.Blocks {
		i, ok := lastInstr(b).(*ssa.If)
		if !ok || !down.Block().Dominates(b) {
			continue
		}
		o, ok := i.Cond.(*ssa.BinOp)
		if !ok || !zeroConst(o.Y) {
			continue
		}
		l, ok := o.X.(*ssa.Call)
		if !ok || !loadsAtomic(l, addr) || !after(l, down) {
			continue
		}
		arm := b.Succs[0]
		switch o.Op {
		case token.EQL, token.LEQ:
		case token.NEQ, token.GTR:
			arm = b.Succs[1]
		default:
			continue
		}
		if put := a.putUnder(arm, ownerOf(addr)); put != nil {
			a.reportFound(finding{
				pattern: doublePut, pos: instrPos(put), fn: fn, cause: instrPos(put),
				message: "the count is counted down and read in two steps: two that let go at once both find it at zero, and both put (use what Add returns)",
				related: []goanalysis.RelatedInformation{{Pos: instrPos(down), Message: "counted down here"}, {Pos: instrPos(l), Message: "read here"}},
			})
		}
	}
}

func zeroConst(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Sign(c.Value) == 0
}

// loadsAtomic reports whether a call of sync/atomic reads the number at an address.
func loadsAtomic(c *ssa.Call, addr ssa.Value) bool {
	f := calledMethod(c)
	return f != nil && f.Pkg() != nil && f.Pkg().Path() == "sync/atomic" && strings.HasPrefix(f.Name(), "Load") && len(c.Call.Args) == 1 && sameAddr(c.Call.Args[0], addr)
}

// sameAddr reports whether two addresses are those of one field.
func sameAddr(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	f, ok := x.(*ssa.FieldAddr)
	g, ok2 := y.(*ssa.FieldAddr)
	if ok && ok2 {
		return f.Field == g.Field && sameAddr(f.X, g.X)
	}
	return false
}

// ownerOf is the object that a field's address leads to.
func ownerOf(addr ssa.Value) ssa.Value {
	for {
		f, ok := addr.(*ssa.FieldAddr)
		if !ok {
			return addr
		}
		addr = f.X
	}
}

// after reports whether i comes after j, which its block is dominated by.
func after(i, j ssa.Instruction) bool {
	if i.Block() != j.Block() {
		return j.Block().Dominates(i.Block())
	}
	return slices.Index(i.Block().Instrs, i) > slices.Index(j.Block().Instrs, j)
}

// putUnder is a call, in a block or those that it dominates, that puts x or what is in its fields.
func (a *analysis) putUnder(arm *ssa.BasicBlock, x ssa.Value) ssa.Instruction {
	s := a.uses().sites
	for _, b := range arm.Parent().Blocks {
		if len(arm.Preds) != 1 || !arm.Dominates(b) {
			continue
		}
		for _, i := range b.Instrs {
			c, ok := i.(ssa.CallInstruction)
			if !ok {
				continue
			}
			for _, n := range s.putArgs(a, c) {
				v := unboxed(c.Common().Args[n])
				if l, ok := v.(*ssa.UnOp); ok && l.Op == token.MUL {
					if _, isField := l.X.(*ssa.FieldAddr); isField && ownerOf(l.X) == x {
						return i
					}
				}
				if v == x {
					return i
				}
			}
		}
	}
	return nil
}
