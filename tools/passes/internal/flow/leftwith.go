// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A goroutine that has a value when the path ends may put it later. One whose body is in
// view and only uses it does not: where other paths put the value, it is lost on this one.
// Where they do so after they started the same goroutine, and waited for it, a path that
// does not wait leaves the value to the collector on purpose.

// leftValues finds the values of a path that a goroutine, which it starts, uses and does not
// put or give away, given the states in which its body ends.
func (a *analysis) leftValues(st *state, outs []outcome) map[*sym]bool {
	var left map[*sym]bool
	for _, t := range st.toks {
		if len(outs) == 0 || st.handed[t] && st.lent[t] == nil || st.gone[t] || st.rel[t] != nil || st.sent[t] != nil || hasChan(t) {
			continue
		}
		if slices.ContainsFunc(outs, func(o outcome) bool { return a.takesOver(st, o.st, t) }) {
			continue
		}
		if left == nil {
			left = map[*sym]bool{}
		}
		left[t] = true
	}
	return left
}

// takesOver reports whether somebody may put a value for what the body of a goroutine did
// with it by its end.
func (a *analysis) takesOver(st, end *state, t *sym) bool {
	if end.sent[t] != nil || end.handed[t] && (!st.handed[t] || len(end.lent[t]) != len(st.lent[t])) || len(end.gos) > len(st.gos) {
		return true
	}
	for x := range end.rel {
		if st.rel[x] == nil && passes(x, t) {
			return true
		}
	}
	for x := range end.gone {
		if !st.gone[x] && passes(x, t) {
			return true
		}
	}
	found := false
	for _, addr := range sortedKeys(end.mem) { // in order: what is looked at is charged
		v := end.mem[addr]
		if b := addr.base(); st.mem[addr] == v || b.kind == kAlloc && !end.escaped[b] || b.kind == kToken {
			continue
		}
		a.reach(end, v, func(x *sym) bool { found = found || x == t; return !found })
	}
	return found
}

// A leftPath is a path on which only a goroutine has a value.
type leftPath struct {
	lostPath
	with *spawn
}

// leftAtExit finds the goroutine that alone has a value when a path ends, and leaves it.
func (a *analysis) leftAtExit(e exit, t *sym) (g *spawn) {
	st := e.st
	if st.handed[t] && st.lent[t] == nil || !slices.ContainsFunc(st.gos, func(g *spawn) bool { return g.leaves[t] }) {
		return nil
	}
	var rest []*spawn
	for _, x := range st.gos {
		if x.leaves[t] {
			g = x
		} else {
			rest = append(rest, x)
		}
	}
	all := st.gos
	st.gos = rest
	kept, _ := a.keptAt(e, st.lent[t] != nil)
	st.gos = all
	if kept[t] {
		return nil
	}
	return g
}

// reportLeft reports a value that paths leave with a goroutine that does not put it.
func (a *analysis) reportLeft(l *leak) {
	if !l.put {
		return
	}
	for _, p := range l.left {
		if slices.ContainsFunc(l.released, func(b *ssa.BasicBlock) bool {
			arm := passedBy(p.skipped, b)
			return arm != nil && !underSentinel(arm) && !whereLeft(arm, p.tok)
		}) {
			continue
		}
		if slices.ContainsFunc(p.loans, func(i ssa.Instruction) bool { return !slices.Contains(l.after, i) }) {
			continue // whoever had it before may have it still
		}
		if slices.ContainsFunc(l.released, func(b *ssa.BasicBlock) bool { return startedBefore(p.with, b) }) {
			continue
		}
		at := instrPos(p.at)
		a.report(finding{
			pattern: missingPut, pos: l.get.stack[0], fn: a.root, pool: l.get.pool,
			message: a.saidTaken(l.get.stack, l.get.pool.label()) + " is not put back on the path that ends here (" + a.line(at) + "), nor by the goroutine that has it then (" + a.line(p.with.pos()) + ")",
			more:    a.acquired(l.get),
			related: append([]goanalysis.RelatedInformation{{Pos: at, Message: "ends here"}}, a.related(rel("started here", &p.with.event))...),
		})
		return
	}
}

// whereLeft reports whether a block is the arm where a variable that may hold t is not nil: a
// path that passes by it set the variable to nil, as the goroutine has the value.
func whereLeft(b *ssa.BasicBlock, t *sym) bool {
	if len(b.Preds) != 1 {
		return false
	}
	i, ok := lastInstr(b.Preds[0]).(*ssa.If)
	if !ok {
		return false
	}
	c, ok := i.Cond.(*ssa.BinOp)
	if !ok || !isNilConst(c.X) && !isNilConst(c.Y) || t.typ == nil {
		return false
	}
	arm := 0
	if c.Op == token.EQL {
		arm = 1
	}
	return b == b.Preds[0].Succs[arm] && types.Identical(c.X.Type(), t.typ)
}

// startedBefore reports whether a goroutine is started on every way to a block.
func startedBefore(g *spawn, b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(g.stack, func(i ssa.Instruction) bool {
		return i.Parent() == b.Parent() && i.Block() != b && i.Block().Dominates(b)
	})
}
