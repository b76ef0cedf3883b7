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

// A pool that counts in a channel what is out makes its takers wait when there is too much. Who gets a value back and
// drops it for its size, or for want of room elsewhere, must give back its slot as well: what the pool makes anew
// takes another one.

// A slotCount is a channel that is sent to, or received from, before a value is taken from a pool.
type slotCount struct {
	ch    types.Object
	sent  bool // by takers; those who put receive
	taker ssa.Instruction
	gives map[*ssa.Function]bool // functions that give a slot back
}

// judgeCountedSlots reports values that are dropped with their slots.
func (a *analysis) judgeCountedSlots() {
	for _, s := range a.slotCounts() {
		// Who gives back: by itself, or by a call.
		for range 3 {
			for _, fn := range a.fns {
				if s.gives[fn] || a.inTest(fn) || fn == s.taker.Parent() {
					continue
				}
				for i := range instrsOf(fn) {
					if s.givesBack(a, i) {
						s.gives[fn] = true
					}
				}
			}
		}
		for _, fn := range a.fns {
			if s.gives[fn] && !a.inTest(fn) && fn.Parent() == nil {
				a.slotDropped(s, fn)
			}
		}
	}
}

// slotCounts finds such channels.
func (a *analysis) slotCounts() (list []*slotCount) {
	for c := range a.poolCalls("Get") {
		fn := c.Parent()
		for i := range instrsOf(fn) {
			ch, sent := slotOp(i)
			if ch == nil || !i.Block().Dominates(c.Block()) || i.Block() == c.Block() && !precedes(i, c) {
				continue
			}
			if !slices.ContainsFunc(list, func(s *slotCount) bool { return s.ch == ch }) {
				list = append(list, &slotCount{ch, sent, i, map[*ssa.Function]bool{}})
			}
		}
	}
	return list
}

// slotOp is the channel that an instruction sends a bare signal on, or receives one from, and waits until it can.
func slotOp(i ssa.Instruction) (ch types.Object, sent bool) {
	var v ssa.Value
	switch i := i.(type) {
	case *ssa.Send:
		v, sent = i.Chan, true
	case *ssa.UnOp:
		if i.Op != token.ARROW || len(referrers(i)) > 0 {
			return nil, false
		}
		v = i.X
	default:
		return nil, false
	}
	t, ok := v.Type().Underlying().(*types.Chan)
	if !ok {
		return nil, false
	}
	if s, ok := t.Elem().Underlying().(*types.Struct); !isBool(t.Elem()) && (!ok || s.NumFields() > 0) {
		return nil, false
	}
	l, ok := v.(*ssa.UnOp)
	if !ok {
		return nil, false
	}
	switch at := l.X.(type) {
	case *ssa.FieldAddr:
		return fieldAt(at), sent
	case *ssa.Global:
		return at.Object(), sent
	}
	return nil, false
}

// givesBack reports whether an instruction gives a slot back.
func (s *slotCount) givesBack(a *analysis, i ssa.Instruction) bool {
	if ch, sent := slotOp(i); ch != nil {
		return ch == s.ch && sent != s.sent
	}
	if x, ok := i.(*ssa.Select); ok {
		for _, st := range x.States {
			l, ok := st.Chan.(*ssa.UnOp)
			if !ok {
				continue
			}
			if g, isGlobal := l.X.(*ssa.Global); fieldAt(l.X) != nil && types.Object(fieldAt(l.X)) == s.ch || isGlobal && g.Object() == s.ch {
				return true
			}
		}
	}
	c, ok := i.(ssa.CallInstruction)
	return ok && s.gives[a.calledFunction(c)]
}

// slotDropped reports a way through a function that only looks at the size of what it is given, and lets go of it.
func (a *analysis) slotDropped(s *slotCount, fn *ssa.Function) {
	if fn.Signature.Results().Len() > 0 {
		return
	}
	for k, x := range fn.Params {
		if _, isPtr := x.Type().Underlying().(*types.Pointer); !isPtr || k == 0 && fn.Signature.Recv() != nil || !a.putsIt(fn, x) || a.madeWithoutSlot(s, x.Type()) {
			continue
		}
		d := slotWalk{a: a, s: s, x: x, seen: map[*ssa.BasicBlock]bool{}}
		d.walk(fn.Blocks[0])
		if d.end == nil {
			continue
		}
		a.reportFound(finding{
			pattern: missingPut, pos: instrPos(d.end), fn: fn,
			message: fmt.Sprintf("%s is dropped here with its slot: who takes one waits for a slot of %s (%s), and this way gives none back", x.Name(), s.ch.Name(), a.line(instrPos(s.taker))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(s.taker), Message: "a slot is taken here"}},
		})
		return
	}
}

// putsIt reports whether a function puts a parameter, by a pool's method or a function of the package that puts.
func (a *analysis) putsIt(fn *ssa.Function, x *ssa.Parameter) bool {
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		for _, n := range a.uses().putArgs(a, c) {
			if n < len(c.Common().Args) && unboxed(c.Common().Args[n]) == ssa.Value(x) {
				return true
			}
		}
	}
	return false
}

// madeWithoutSlot reports whether those who take values of a type may return one that they did not take.
func (a *analysis) madeWithoutSlot(s *slotCount, t types.Type) bool {
	for _, fn := range a.fns {
		if a.inTest(fn) || fn.Signature.Results().Len() == 0 || !types.Identical(fn.Signature.Results().At(0).Type(), t) {
			continue
		}
		var take ssa.Instruction
		for i := range instrsOf(fn) {
			if c, ok := i.(ssa.CallInstruction); ok && take == nil && a.calledFunction(c) == origin(s.taker.Parent()) || i == s.taker {
				take = i
			}
		}
		if take == nil {
			continue
		}
		for _, b := range fn.Blocks {
			if _, ok := lastInstr(b).(*ssa.Return); ok && !take.Block().Dominates(b) {
				return true
			}
		}
	}
	return false
}

// A slotWalk looks for a way to a return that asks nothing but the size of x, and whether there is room in a channel.
type slotWalk struct {
	a    *analysis
	s    *slotCount
	x    *ssa.Parameter
	seen map[*ssa.BasicBlock]bool
	end  ssa.Instruction
}

func (d *slotWalk) walk(b *ssa.BasicBlock) {
	if d.seen[b] || d.end != nil {
		return
	}
	d.seen[b] = true
	for _, i := range b.Instrs {
		if d.s.givesBack(d.a, i) || d.keeps(i) {
			return
		}
		switch i := i.(type) {
		case *ssa.Return:
			d.end = i
		case *ssa.Jump:
			d.walk(b.Succs[0])
		case *ssa.If:
			if d.asksSize(i.Cond) {
				d.walk(b.Succs[0])
				d.walk(b.Succs[1])
			} else if next := d.joined(b); next != nil {
				d.walk(next)
			}
		}
	}
}

// joined is where the ways from a choice come together again, if nothing on them has to do with x or its slot.
func (d *slotWalk) joined(b *ssa.BasicBlock) (next *ssa.BasicBlock) {
	for k, arm := range b.Succs {
		to := arm
		if _, jumps := lastInstr(arm).(*ssa.Jump); jumps && len(arm.Preds) == 1 && arm.Succs[0] != b && b.Succs[1-k] != b {
			if slices.ContainsFunc(arm.Instrs, func(i ssa.Instruction) bool { return d.s.givesBack(d.a, i) || d.keeps(i) }) {
				return nil
			}
			to = arm.Succs[0]
		}
		if next != nil && next != to {
			return nil
		}
		next = to
	}
	return next
}

// keeps reports whether an instruction does more with x than to look at its size, or to empty it.
func (d *slotWalk) keeps(i ssa.Instruction) bool {
	if _, debug := i.(*ssa.DebugRef); debug {
		return false
	}
	uses := slices.ContainsFunc(i.Operands(nil), func(o *ssa.Value) bool { return *o == ssa.Value(d.x) })
	if !uses {
		return false
	}
	switch i := i.(type) {
	case *ssa.FieldAddr, *ssa.BinOp:
		return false
	case *ssa.Store:
		return i.Addr != ssa.Value(d.x)
	case *ssa.UnOp:
		return slices.ContainsFunc(referrers(i), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.BinOp:
				return false
			case *ssa.Call:
				return sizeCall(r) == ""
			case *ssa.Slice:
				return slices.ContainsFunc(referrers(r), func(q ssa.Instruction) bool {
					st, ok := q.(*ssa.Store)
					return !ok || st.Addr != ssa.Value(d.x)
				})
			}
			return true
		})
	case *ssa.Call:
		f := calledMethod(i)
		return i.Call.IsInvoke() || f == nil || f.Signature().Recv() == nil || i.Call.Args[0] != ssa.Value(d.x) || slices.Contains(i.Call.Args[1:], ssa.Value(d.x)) ||
			f.Name() != "Reset" && f.Signature().Results().Len() == 0
	}
	return true
}

// asksSize reports whether a condition compares a size of x with another number, or asks which way a select took.
func (d *slotWalk) asksSize(cond ssa.Value) bool {
	o, ok := cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	if e, ok := o.X.(*ssa.Extract); ok && o.Op == token.EQL {
		_, isSelect := e.Tuple.(*ssa.Select)
		return isSelect
	}
	switch o.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return false
	}
	of := func(v ssa.Value) bool {
		return isInteger(v.Type()) && leadsFrom(v, 0, func(y ssa.Value) bool { return y == ssa.Value(d.x) })
	}
	fixed := func(v ssa.Value) bool {
		return !leadsFrom(v, 0, func(y ssa.Value) bool {
			p, ok := y.(*ssa.Parameter)
			return ok && (p.Parent().Signature.Recv() == nil || p != p.Parent().Params[0])
		})
	}
	return of(o.X) && fixed(o.Y) || of(o.Y) && fixed(o.X)
}
