// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A receive waits for the goroutine that sends, or closes the channel. Which
// goroutines that leaves running shows where each of them has a channel and does
// nothing with it but send or close.

// A signal is what a goroutine does with a channel.
type signal uint8

const (
	noSignal signal = iota // it does not have the channel
	sends1                 // it sends on it
	closes                 // it closes it
	unclear                // it may wait itself, or hand the channel on
)

// awaited removes the goroutines that a receive from ch waits for.
func (a *analysis) awaited(st *state, i ssa.Instruction, ch *sym) {
	var senders, closers int
	does := make([]signal, len(st.gos))
	for n, g := range st.gos {
		if g.sink != "" || !a.leadsTo(st, g.holds, ch) {
			continue
		}
		does[n] = g.signal(ch)
		switch does[n] {
		case sends1:
			senders++
		case closes:
			closers++
		}
	}
	if senders+closers == 0 || slices.Contains(does, unclear) || slices.ContainsFunc(st.gos, func(g *spawn) bool { return g.body == nil && g.sink == "" }) {
		st.gos = a.goOnPast(st, i, ch) // of the others nothing is known
		return
	}
	one := !inLoop(i.Block())
	// Which of several has sent is not known: all of them may run on until each was received from.
	answers := 1
	for n, g := range st.gos {
		if does[n] == sends1 {
			answers = max(answers, g.answers+1)
		}
	}
	var left []*spawn
	for n, g := range st.gos {
		switch does[n] {
		case closes:
			continue
		case sends1:
			if !one && (senders > 1 || g.often()) {
				if h := awaitedLoop(i.Block()); h != nil {
					waited := *g
					waited.inTurn = h
					left = append(left, &waited)
					continue
				}
			}
			if !one || answers >= senders && !g.often() {
				continue
			}
			one := *g
			one.answers = answers
			g = &one
		}
		if g.sink != "" {
			continue
		}
		left = append(left, g)
	}
	st.gos = left
}

// join notes that the path waited for others: who was handed a value before may be done with it,
// and have emptied its fields.
// on is what is waited for: others have come to the value that it is a part of.
func (st *state) join(on *sym) {
	for on != nil && on.kind == kLoad {
		on = on.a
	}
	if on != nil {
		on = on.base()
	}
	part := on != nil && on.kind == kToken
	if len(st.handed) == 0 && !part {
		return
	}
	st.joined = maps.Clone(st.handed)
	if part {
		set(&st.joined, on, true)
	}
}

// cameTo reports whether the path waited for others to come to a value that it had left in an element of a
// slice, a queue that they may have taken it out of.
func (st *state) cameTo(addr, v *sym) bool {
	if addr.kind == kField {
		addr = addr.a
	}
	return addr.kind == kElem && (addr.a.kind == kAppend || addr.a.typ != nil && isSlice(addr.a.typ)) && st.joined[memory(plain(v))]
}

// awaitedWith removes the goroutines that share an object with what a waiting function of
// another package is given: who is waited for is its affair.
func (a *analysis) awaitedWith(st *state, args []*sym) {
	st.join(nil)
	st.running = nil
	st.gos = slices.DeleteFunc(slices.Clone(st.gos), func(g *spawn) bool {
		return g.sink == "" && slices.ContainsFunc(args, func(x *sym) bool {
			for ; x != nil; x = x.a {
				if hasPointers0(x) && x.kind != kGlobal && a.leadsTo(st, g.holds, x) {
					return true
				}
			}
			return false
		})
	})
}

// closed removes the goroutines that a function of another package started when what it returned is closed: whether
// that waits for them is not in view.
func (a *analysis) closed(st *state, method string, args []*sym) {
	switch method {
	case "Close", "Stop", "Shutdown", "Wait":
	default:
		return
	}
	if len(args) == 0 {
		return
	}
	of := plain(args[0])
	st.gos = slices.DeleteFunc(slices.Clone(st.gos), func(g *spawn) bool {
		return slices.ContainsFunc(g.from, func(r *sym) bool { return plain(r) == of })
	})
}

// waits reports whether a function, or one that it calls, waits for others.
func (a *analysis) waits(fn *ssa.Function, depth int) bool {
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.UnOp:
			if i.Op == token.ARROW {
				return true
			}
		case *ssa.Select:
			if i.Blocking && slices.ContainsFunc(i.States, func(c *ssa.SelectState) bool { return c.Dir == types.RecvOnly }) {
				return true
			}
		case ssa.CallInstruction:
			if _, ok := i.(*ssa.Go); ok {
				continue
			}
			if f := i.Common().StaticCallee(); f != nil && a.inPackage(f) && len(f.Blocks) > 0 {
				if depth < 3 && a.waits(f, depth+1) {
					return true
				}
				continue
			}
			if m := calledMethod(i); m != nil {
				if s := a.summaryOf(m); m.Name() == "Wait" || s != nil && s.Waits {
					return true
				}
			}
		}
	}
	return false
}

// often reports whether the goroutine is started in a loop, time and again.
func (g *spawn) often() bool {
	i := g.stack[len(g.stack)-1]
	return inLoop(i.Block())
}

// leadsTo reports whether some of the values keep x reachable.
func (a *analysis) leadsTo(st *state, from []*sym, x *sym) bool {
	found := false
	a.reachAll(st, from, func(y *sym) bool {
		found = found || y == x
		return !found
	})
	return found
}

// signal tells what a goroutine that has the channel does with it.
func (g *spawn) signal(ch *sym) signal {
	if g.body == nil {
		return unclear
	}
	s, ok := noSignal, true
	signals(g.body, ch.typ, 0, func(is signal) {
		if s != noSignal {
			is = unclear
		}
		s = is
		ok = ok && is != unclear
	})
	if !ok || s == noSignal {
		return unclear
	}
	return s
}

// signals visits what a function does with channels like the given one, in the
// literals and functions that it calls, too.
func signals(fn *ssa.Function, typ types.Type, depth int, visit func(signal)) {
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Send:
				switch {
				case !sameType(i.Chan.Type(), typ):
				case inLoop(b):
					visit(unclear)
				default:
					visit(sends1)
				}
			case *ssa.Select:
				visit(unclear)
			case *ssa.UnOp:
				if i.Op == token.ARROW {
					visit(unclear)
				}
			case ssa.CallInstruction:
				c := i.Common()
				if bi, ok := c.Value.(*ssa.Builtin); ok {
					if bi.Name() == "close" {
						visit(closes)
					}
					continue
				}
				f := c.StaticCallee()
				if f != nil && len(f.Blocks) > 0 && (f.Pkg == fn.Pkg || f.Parent() == fn) {
					if depth > 2 {
						visit(unclear)
					} else {
						signals(f, typ, depth+1, visit)
					}
					continue
				}
				m := calledMethod(i)
				if m == nil || m.Name() == "Wait" || m.Pkg() != nil && m.Pkg().Path() == "sync/atomic" {
					visit(unclear)
					continue
				}
				for _, x := range append(slices.Clone(c.Args), c.Value) {
					if _, isChan := x.Type().Underlying().(*types.Chan); isChan {
						visit(unclear)
					}
				}
			}
		}
	}
}

func sameType(x, y types.Type) bool {
	if x == nil || y == nil {
		return true
	}
	cx, ok := x.Underlying().(*types.Chan)
	cy, ok2 := y.Underlying().(*types.Chan)
	return ok && ok2 && types.Identical(cx.Elem(), cy.Elem())
}

// answered reports whether a value is a channel that the root receives from: who holds it
// to send on it has done so then, or is told not to.
func (a *analysis) answered(v *sym) bool {
	if v == nil || plain(v).typ == nil {
		return false
	}
	if _, isChan := plain(v).typ.Underlying().(*types.Chan); !isChan {
		return false
	}
	return slices.ContainsFunc(a.syms.all, func(x *sym) bool { return x.kind == kRecv && plain(x.a) == plain(v) })
}

// answeredInList reports whether a list's node has a value on whose own channel the root received the
// answer: who answered had taken the node off the list, which shows in nothing but the answer.
func (a *analysis) answeredInList(addr, v *sym, r *release) bool {
	if addr.kind != kField || plain(v).kind != kAlloc || plain(v) == plain(r.value) {
		return false
	}
	t := memory(r.value)
	return slices.ContainsFunc(a.syms.all, func(x *sym) bool {
		c := x.a
		return x.kind == kRecv && c != nil && plain(c).kind == kLoad && plain(c).a.kind == kField && plain(c).a.a == t
	})
}

// ofCommand reports whether an address is that of a stream of a command that nobody uses any more once it has
// run: its maker has it, or it was made here and is not kept.
func (a *analysis) ofCommand(e exit, addr *sym) bool {
	v, ok := addr.obj.(*types.Var)
	if !ok || addr.kind != kField || v.Pkg() == nil || v.Pkg().Path() != "os/exec" {
		return false
	}
	b := addr.base()
	if b.kind == kParam {
		return true
	}
	kept := false
	visit := func(x *sym) bool {
		kept = kept || x == b
		return !kept
	}
	a.reachAll(e.st, e.results, visit)
	for _, k := range sortedKeys(e.st.mem) { // in order: what is looked at is charged
		switch o := k.base(); o.kind {
		case kParam, kFree, kGlobal, kOpaque, kRecv:
			if o != b {
				a.reach(e.st, e.st.mem[k], visit)
			}
		}
	}
	return !kept
}
