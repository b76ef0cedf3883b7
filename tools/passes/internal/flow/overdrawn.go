// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Who has one reference to an object and sends it on a channel, or leaves it in a queue, has none left: what the
// function gives up after that, or by a deferred call, or gives to another receiver, is the reference of somebody else.

// A handing is where a function gives a reference to somebody else.
type handing struct {
	at     ssa.Instruction
	from   *ssa.BasicBlock // where the function goes on if not behind at
	callee *ssa.Function   // that hands it on, if not the function itself
	isChan bool
	home   types.Object // the field or variable with the channel or the container, if it is known
}

// sameWay reports whether two references are handed on to the same receivers, as far as is known.
func (h handing) sameWay(o handing) bool {
	if h.callee != nil && h.callee == o.callee {
		return true
	}
	if h.isChan != o.isChan {
		return false
	}
	if h.isChan && (h.home == nil || o.home == nil) {
		return true
	}
	return h.home != nil && h.home == o.home
}

// judgeOverdrawn reports references that a function gives up though it has handed them on.
func (r *refs) judgeOverdrawn() {
	for _, fn := range r.c.a.fns {
		if r.c.a.inTest(fn) || r.down[fn] || r.up[fn] {
			continue
		}
		for i := range instrsOf(fn) {
			v, ok := i.(ssa.Value)
			if !ok || r.counts[pointee(v.Type())] == nil || r.c.a.onlyCountedDown(r.counts[pointee(v.Type())]) {
				continue // what nobody shares is judged on the paths
			}
			if got := fromChannel(v); got || r.born(v) {
				r.judgeHanded(v, got)
			}
		}
	}
}

func (r *refs) judgeHanded(v ssa.Value, received bool) {
	steps, handings := r.handings(v)
	for _, h := range handings {
		if most, ok := r.mostBefore(v, steps, h); !ok || most != 1 {
			continue
		}
		second := r.overdraws(v, steps, h)
		if second == nil {
			continue
		}
		evident := r.handedBeside(v, h)
		if received && !evident {
			continue // it may be lent to those who receive it
		}
		evident = evident || r.takersGiveUp(v, h)
		if !evident && !h.isChan || r.waitsBehind(v, h, steps, evident) {
			continue
		}
		a := r.c.a
		name := pointee(v.Type()).Obj().Name()
		way := "left in " + r.homeName(h)
		if h.isChan {
			way = "sent"
		}
		message := fmt.Sprintf("the only reference to the %s was %s here", name, way)
		pos, related := instrPos(h.at), goanalysis.RelatedInformation{Pos: instrPos(second), Message: "given up here"}
		_, deferred := second.(*ssa.Defer)
		if deferred || second == h.at {
			message = fmt.Sprintf("the only reference to the %s is %s here", name, way)
			if deferred {
				message += fmt.Sprintf(", but the deferred call (%s) gives it up as well: who receives it may use it after it was put", a.line(instrPos(second)))
			} else {
				message += " in each turn: who receives it may use it after another one put it"
			}
		} else {
			pos, related = instrPos(second), goanalysis.RelatedInformation{Pos: instrPos(h.at), Message: "handed on here"}
			message = fmt.Sprintf("the only reference to the %s was %s before (%s) and is given up again here: who receives it may use it after it was put", name, way, a.line(instrPos(h.at)))
		}
		a.reportFound(finding{
			pattern: goroutineUse, pos: pos, fn: v.Parent(), cause: related.Pos, message: message,
			related: []goanalysis.RelatedInformation{related},
		})
		return
	}
}

func (r *refs) homeName(h handing) string {
	if h.home != nil {
		return h.home.Name()
	}
	return "a container"
}

// handings are the places where a function gives the references of an object to others, and what all that it does
// with the object does to its references; nil if that is not understood.
func (r *refs) handings(v ssa.Value) (steps map[ssa.Instruction]int, list []handing) {
	all := r.aliases(v)
	if all == nil {
		return nil, nil
	}
	steps = map[ssa.Instruction]int{}
	for x := range all {
		for _, i := range referrers(x) {
			if s, ok := i.(*ssa.Select); ok {
				for k, c := range s.States {
					if c.Send == x {
						if arm := armOfState(s, k); arm != nil {
							steps[arm.Instrs[0]]--
							list = append(list, handing{at: s, from: arm, isChan: true, home: r.channelHome(c.Chan)})
						} else {
							return nil, nil
						}
					}
				}
				continue
			}
			by, known := r.step(i, x, 0)
			if !known {
				return nil, nil
			}
			steps[i] += by
			switch i := i.(type) {
			case *ssa.Send:
				list = append(list, handing{at: i, isChan: true, home: r.channelHome(i.Chan)})
			case *ssa.MapUpdate:
				if home := shelfVar(r.c.a.pkg.Pkg, i.Map); home != nil {
					list = append(list, handing{at: i, home: home})
				}
			case *ssa.Store:
				if home := r.appendedTo(i); home != nil {
					list = append(list, handing{at: i, home: home})
				}
			case *ssa.Call:
				fn := r.c.a.calledFunction(i)
				if by != -1 || fn == nil || i.Call.IsInvoke() || r.down[fn] || r.up[fn] {
					continue
				}
				h := handing{at: i, callee: fn}
				k := slices.Index(i.Call.Args, x)
				if _, within := r.handings(fn.Params[k]); len(within) > 0 {
					h.isChan, h.home = within[0].isChan, within[0].home
					list = append(list, h)
				}
			}
		}
	}
	slices.SortFunc(list, func(x, y handing) int { return int(instrPos(x.at) - instrPos(y.at)) })
	return steps, list
}

// armOfState is where a function goes on when a select chose one of its states.
func armOfState(s *ssa.Select, k int) *ssa.BasicBlock {
	for _, u := range referrers(s) {
		x, ok := u.(*ssa.Extract)
		if !ok || x.Index != 0 {
			continue
		}
		for _, q := range referrers(x) {
			o, ok := q.(*ssa.BinOp)
			if !ok || o.Op != token.EQL {
				continue
			}
			c, ok := o.Y.(*ssa.Const)
			if !ok || int(c.Int64()) != k {
				continue
			}
			if t, ok := lastInstr(o.Block()).(*ssa.If); ok && t.Cond == ssa.Value(o) && len(o.Block().Succs[0].Preds) == 1 {
				return o.Block().Succs[0]
			}
		}
	}
	return nil
}

// channelHome is the field or variable of the package that a channel is in, be it an element of it.
func (r *refs) channelHome(ch ssa.Value) types.Object {
	if v := shelfVar(r.c.a.pkg.Pkg, ch); v != nil {
		return v
	}
	if l, ok := ch.(*ssa.UnOp); ok && l.Op == token.MUL {
		return placeOf(l.X)
	}
	return nil
}

// appendedTo is the container in a field to which a call of append adds what is stored for it.
func (r *refs) appendedTo(s *ssa.Store) types.Object {
	e, ok := s.Addr.(*ssa.IndexAddr)
	if !ok {
		return nil
	}
	al, ok := e.X.(*ssa.Alloc)
	if !ok || al.Comment != "varargs" {
		return nil
	}
	for _, u := range referrers(al) {
		cut, ok := u.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, q := range referrers(cut) {
			c, ok := q.(*ssa.Call)
			if !ok || !isBuiltin(c, "append") {
				continue
			}
			home := shelfVar(r.c.a.pkg.Pkg, c.Call.Args[0])
			for _, w := range referrers(c) {
				if st, ok := w.(*ssa.Store); ok && home != nil && placeOf(st.Addr) == home {
					return home
				}
			}
		}
	}
	return nil
}

// walkRefs follows the references that are left of an object from a place on, and calls see before each instruction.
// It stops where the object is another one, and is not ok where there are too many references.
func (r *refs) walkRefs(v ssa.Value, steps map[ssa.Instruction]int, b *ssa.BasicBlock, at, left int, see func(ssa.Instruction, int), end func(int)) bool {
	type point struct {
		b    *ssa.BasicBlock
		left int
	}
	seen := map[point]bool{}
	over := false
	var walk func(p point, at int)
	walk = func(p point, at int) {
		for _, i := range p.b.Instrs[at:] {
			if x, isValue := i.(ssa.Value); isValue && (x == v || isTupleOf(v, x)) {
				end(p.left)
				return
			}
			see(i, p.left)
			p.left = max(p.left+steps[i], minRefs)
			if _, isReturn := i.(*ssa.Return); isReturn {
				end(p.left)
			}
		}
		if p.left > maxRefs {
			over = true
			return
		}
		for _, s := range p.b.Succs {
			if next := (point{s, p.left}); !seen[next] {
				seen[next] = true
				walk(next, 0)
			}
		}
	}
	walk(point{b, left}, at)
	return !over
}

// first is where a handing is followed from, which is the arm of a select that was chosen for it.
func (h handing) first() (b *ssa.BasicBlock, at int) {
	if h.from != nil {
		return h.from, 0
	}
	return h.at.Block(), slices.Index(h.at.Block().Instrs, h.at) + 1
}

// mostBefore is how many references a function may have before it hands one on.
func (r *refs) mostBefore(v ssa.Value, steps map[ssa.Instruction]int, h handing) (most int, ok bool) {
	i, isInstr := v.(ssa.Instruction)
	if !isInstr {
		return 0, false
	}
	at := h.at
	if h.from != nil {
		at = h.from.Instrs[0]
	}
	most = minRefs - 1
	ok = r.walkRefs(v, steps, i.Block(), slices.Index(i.Block().Instrs, i)+1, 1, func(i ssa.Instruction, left int) {
		if i == at {
			most = max(most, left+deferredBefore(v, steps, at))
		}
	}, func(int) {})
	return most, ok
}

// deferredBefore is how many references are given up by deferred calls that are made whenever an instruction is: those
// that are counted where they stand are there still.
func deferredBefore(v ssa.Value, steps map[ssa.Instruction]int, at ssa.Instruction) (n int) {
	for i, by := range steps {
		if d, ok := i.(*ssa.Defer); ok && by < 0 && precedes(d, at) {
			n -= by
		}
	}
	return n
}

// overdraws is where a function gives up or hands on more references than it has, if it does on all ways on which
// it has handed one on.
func (r *refs) overdraws(v ssa.Value, steps map[ssa.Instruction]int, h handing) ssa.Instruction {
	at := h.at
	if h.from != nil {
		at = h.from.Instrs[0]
	}
	left := -deferredBefore(v, steps, at)
	if h.from != nil {
		left++ // the first instruction there counts it
	}
	var second ssa.Instruction
	ends, all := 0, true
	b, n := h.first()
	ok := r.walkRefs(v, steps, b, n, left, func(i ssa.Instruction, _ int) {
		if (steps[i] < -1 || steps[i] < 0 && (h.from == nil || i != at)) && instrPos(i).IsValid() && (second == nil || second == h.at || instrPos(i) < instrPos(second) && i != h.at) {
			second = i
		}
	}, func(n int) {
		ends++
		all = all && n < 0
	})
	if !ok || !all || ends == 0 {
		return nil
	}
	if second == nil || second == h.at {
		for i, by := range steps {
			if d, ok := i.(*ssa.Defer); ok && by < 0 && precedes(d, at) {
				return d
			}
		}
	}
	return second
}

// handedBeside reports whether another function counts a reference for those that it hands an object on to in the
// same way, and gives up its own: they give up theirs.
func (r *refs) handedBeside(v ssa.Value, h handing) bool {
	t := pointee(v.Type())
	for _, fn := range r.c.a.fns {
		if fn == v.Parent() || r.c.a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			w, ok := i.(ssa.Value)
			if !ok || pointee(w.Type()) != t || !r.born(w) || len(r.given(w)) == 0 {
				continue
			}
			steps, list := r.handings(w)
			if !slices.ContainsFunc(list, h.sameWay) {
				continue
			}
			right, ups, downs := true, 0, 0
			for _, by := range steps {
				ups, downs = ups+max(by, 0), downs+max(-by, 0)
			}
			ends := 0
			known := r.walkRefs(w, steps, i.Block(), slices.Index(i.Block().Instrs, i)+1, 1, func(ssa.Instruction, int) {}, func(left int) {
				ends++
				right = right && left == 0
			})
			if known && right && ends > 0 && ups == 1 && downs > len(list) {
				return true
			}
		}
	}
	return false
}

// takersGiveUp reports whether those who take an object out of what it was handed on in give it up: all who receive it
// from the channel, or who empty the container.
func (r *refs) takersGiveUp(v ssa.Value, h handing) bool {
	t := pointee(v.Type())
	found := false
	for _, fn := range r.c.a.fns {
		if r.c.a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			w, ok := i.(ssa.Value)
			if !ok || pointee(w.Type()) != t {
				continue
			}
			if h.isChan {
				if !fromChannel(w) {
					continue
				}
				if from := receivedFrom(w); from != nil && h.home != nil && from != h.home {
					continue
				}
				if !r.givesUpAll(w) {
					return false
				}
				found = true
				continue
			}
			l, ok := i.(*ssa.UnOp)
			if !ok || l.Op != token.MUL || fn == v.Parent() || h.home == nil {
				continue
			}
			e, ok := l.X.(*ssa.IndexAddr)
			if !ok || shelfVar(r.c.a.pkg.Pkg, e.X) != h.home || !r.givesUpAll(w) {
				continue
			}
			eachStore(fn, func(s *ssa.Store) { found = found || placeOf(s.Addr) == h.home })
		}
	}
	return found
}

// givesUpAll reports whether a function gives up the reference to an object on each path.
func (r *refs) givesUpAll(w ssa.Value) bool {
	ends, ok := r.ends(w, 0)
	return ok && len(ends) > 0 && !slices.ContainsFunc(ends, func(e refEnd) bool { return e.left > 0 })
}

// waitsBehind reports whether a function may wait for those that it has handed an object on to, or take that back.
func (r *refs) waitsBehind(v ssa.Value, h handing, steps map[ssa.Instruction]int, evident bool) bool {
	waits := false
	see := func(i ssa.Instruction) {
		switch i := i.(type) {
		case *ssa.UnOp:
			waits = waits || i.Op == token.ARROW
		case *ssa.Select:
			waits = waits || i != h.at && slices.ContainsFunc(i.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly })
		case ssa.CallInstruction:
			if _, starts := i.(*ssa.Go); !starts && steps[i] == 0 {
				waits = waits || r.mayTakeBack(i, h, evident)
			}
		}
	}
	b, n := h.first()
	r.walkRefs(v, nil, b, n, 0, func(i ssa.Instruction, _ int) { see(i) }, func(int) {})
	for i := range instrsOf(v.Parent()) {
		if d, ok := i.(*ssa.Defer); ok {
			see(d)
		}
	}
	return waits
}

// mayTakeBack reports whether a call may wait for other goroutines, or take something out of a container.
func (r *refs) mayTakeBack(c ssa.CallInstruction, h handing, evident bool) bool {
	if _, ok := c.Common().Value.(*ssa.Builtin); ok {
		return false
	}
	if m := calledMethod(c); m != nil && strings.Contains(m.Name(), "Wait") {
		return true
	}
	fn := r.c.a.calledFunction(c)
	switch {
	case fn != nil && (r.up[fn] || r.down[fn]):
		return false
	case fn != nil && !h.isChan:
		home, _ := h.home.(*types.Var)
		return home == nil || !home.IsField() || touchesField(fn, home, 0)
	case fn != nil:
		return r.c.a.mayWait(fn, 0)
	}
	return !evident && !neverWaits(c)
}
