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
	since *ssa.BasicBlock        // where the taker has its slot
	fails bool                   // who waits for a slot may be told that there is none
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
			if !i.Block().Dominates(c.Block()) || i.Block() == c.Block() && !precedes(i, c) {
				continue
			}
			add := func(s slotCount) {
				if s.ch != nil && !slices.ContainsFunc(list, func(o *slotCount) bool { return o.ch == s.ch }) {
					s.taker, s.gives = i, map[*ssa.Function]bool{}
					list = append(list, &s)
				}
			}
			switch x := i.(type) {
			case *ssa.Select:
				for k := range x.States {
					if to := caseOf(x, k); x.Blocking && to != nil && to.Dominates(c.Block()) {
						ch, sent := stateSlot(x.States[k])
						add(slotCount{ch: ch, sent: sent, since: to, fails: true})
					}
				}
			case *ssa.Call:
				if ch, sent := a.slotTakenBy(a.calledFunction(x)); ch != nil {
					add(slotCount{ch: ch, sent: sent, since: c.Block(), fails: true})
				}
			default:
				ch, sent := slotOp(i)
				add(slotCount{ch: ch, sent: sent, since: i.Block()})
			}
		}
	}
	return list
}

// caseOf is the block where a select goes when its k-th case was ready, if nothing else leads there.
func caseOf(x *ssa.Select, k int) *ssa.BasicBlock {
	if len(x.States) == 1 && x.Blocking {
		return x.Block()
	}
	for _, r := range referrers(x) {
		e, ok := r.(*ssa.Extract)
		if !ok || e.Index != 0 {
			continue
		}
		for _, r := range referrers(e) {
			o, ok := r.(*ssa.BinOp)
			if !ok || o.Op != token.EQL {
				continue
			}
			if n, ok := o.Y.(*ssa.Const); !ok || n.Int64() != int64(k) {
				continue
			}
			for _, r := range referrers(o) {
				if c, ok := r.(*ssa.If); ok && len(c.Block().Succs[0].Preds) == 1 {
					return c.Block().Succs[0]
				}
			}
		}
	}
	return nil
}

// slotTakenBy is the channel that a function waits for a slot of, be it until somebody ends the waiting, if it does nothing else with it.
func (a *analysis) slotTakenBy(fn *ssa.Function) (found types.Object, sent bool) {
	if fn == nil || len(fn.Blocks) > 12 {
		return nil, false
	}
	for i := range instrsOf(fn) {
		if _, isClosure := i.(*ssa.MakeClosure); isClosure {
			return nil, false // which may give it back
		}
		see := func(ch types.Object, s bool) bool {
			if ch == nil {
				return true
			}
			if found != nil {
				return false // a second time
			}
			found, sent = ch, s
			return true
		}
		if x, ok := i.(*ssa.Select); ok {
			sends := slices.ContainsFunc(x.States, func(st *ssa.SelectState) bool { return st.Dir == types.SendOnly })
			for _, st := range x.States {
				if sends && st.Dir != types.SendOnly {
					continue // something ends the waiting
				}
				if ch, s := stateSlot(st); !see(ch, s) || ch != nil && !x.Blocking {
					return nil, false
				}
			}
		} else if !see(slotOp(i)) {
			return nil, false
		}
	}
	return found, sent
}

// slotOp is the channel that an instruction sends a bare signal on, or receives one from, and waits until it can.
func slotOp(i ssa.Instruction) (ch types.Object, sent bool) {
	switch i := i.(type) {
	case *ssa.Send:
		return slotChan(i.Chan), true
	case *ssa.UnOp:
		if i.Op == token.ARROW && len(referrers(i)) == 0 {
			return slotChan(i.X), false
		}
	}
	return nil, false
}

// stateSlot is the same for a case of a select.
func stateSlot(st *ssa.SelectState) (ch types.Object, sent bool) {
	return slotChan(st.Chan), st.Dir == types.SendOnly
}

// slotChan is the field or variable that has a channel of bare signals.
func slotChan(v ssa.Value) types.Object {
	t, ok := v.Type().Underlying().(*types.Chan)
	if !ok {
		return nil
	}
	if s, ok := t.Elem().Underlying().(*types.Struct); !isBool(t.Elem()) && (!ok || s.NumFields() > 0) {
		return nil
	}
	if l, ok := v.(*ssa.UnOp); ok {
		return placeOf(l.X)
	}
	return nil
}

// givesBack reports whether an instruction gives a slot back.
func (s *slotCount) givesBack(a *analysis, i ssa.Instruction) bool {
	if ch, sent := slotOp(i); ch != nil {
		return ch == s.ch && sent != s.sent
	}
	if x, ok := i.(*ssa.Select); ok {
		return slices.ContainsFunc(x.States, func(st *ssa.SelectState) bool {
			ch, sent := stateSlot(st)
			return ch == s.ch && sent != s.sent
		})
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
		if _, isPtr := x.Type().Underlying().(*types.Pointer); !isPtr && !isSlice(x.Type()) || k == 0 && fn.Signature.Recv() != nil || !a.putsIt(fn, x) || a.madeWithoutSlot(s, x.Type()) {
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
			if n < len(c.Common().Args) && (unboxed(c.Common().Args[n]) == ssa.Value(x) || cutOf(unboxed(c.Common().Args[n])) == ssa.Value(x)) {
				return true
			}
		}
	}
	return false
}

// madeWithoutSlot reports whether those who take values of a type may return one that they did not take.
func (a *analysis) madeWithoutSlot(s *slotCount, t types.Type) bool {
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		var since *ssa.BasicBlock
		for i := range instrsOf(fn) {
			if i == s.taker {
				since = s.since
			} else if c, ok := i.(ssa.CallInstruction); ok && since == nil && a.calledFunction(c) == origin(s.taker.Parent()) {
				since = i.Block()
			}
		}
		if since == nil {
			continue
		}
		if s.fails && fn != s.taker.Parent() && a.makesOwn(fn, t) {
			return true
		}
		if fn.Signature.Results().Len() == 0 || !types.Identical(fn.Signature.Results().At(0).Type(), t) {
			continue
		}
		for _, b := range fn.Blocks {
			if r, ok := lastInstr(b).(*ssa.Return); ok && !since.Dominates(b) && !isNilConst(r.Results[0]) {
				return true
			}
		}
	}
	return false
}

// makesOwn reports whether a function makes values of a type itself.
func (a *analysis) makesOwn(fn *ssa.Function, t types.Type) bool {
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Alloc:
			if i.Heap && types.Identical(i.Type(), t) {
				return true
			}
		case *ssa.MakeSlice:
			if types.Identical(i.Type(), t) {
				return true
			}
		case *ssa.Call:
			f := calledMethod(i)
			if f != nil && f.Pkg() != nil && f.Pkg() != a.pkg.Pkg && types.Identical(i.Type(), t) {
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
	uses := slices.ContainsFunc(i.Operands(nil), func(o *ssa.Value) bool {
		return *o == ssa.Value(d.x) || *o != nil && isSlice(d.x.Type()) && cutOf(*o) == ssa.Value(d.x)
	})
	if !uses {
		return false
	}
	if v, ok := i.(ssa.Value); ok && isSlice(d.x.Type()) && (sizeCall(v) != "" || cutOf(v) == ssa.Value(d.x)) {
		return false // the variable, a cut of it, or its size
	}
	if st, ok := i.(*ssa.Store); ok && isSlice(d.x.Type()) && cutOf(st.Addr) == ssa.Value(d.x) {
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
		return isInteger(v.Type()) && leadsFrom(v, 0, func(y ssa.Value) bool {
			return y == ssa.Value(d.x) || isSlice(d.x.Type()) && cutOf(y) == ssa.Value(d.x)
		})
	}
	fixed := func(v ssa.Value) bool {
		return !leadsFrom(v, 0, func(y ssa.Value) bool {
			p, ok := y.(*ssa.Parameter)
			return ok && (p.Parent().Signature.Recv() == nil || p != p.Parent().Params[0])
		})
	}
	return of(o.X) && fixed(o.Y) || of(o.Y) && fixed(o.X)
}
