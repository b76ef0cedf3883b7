// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Who was sent a value on a channel is done with it when it answers. A receive from another channel is no
// answer where those that receive the values have nothing to do with that channel, nor where it stands
// beside the receive of the answer: it is how the sender stops to wait.

// chanUsers are the functions that use the channel in a field.
type chanUsers struct {
	receive, signal []*ssa.Function // the second send on it, or close it
	open            bool            // it is given to others
}

// usersOfChan finds the functions that use the channel in a field of the package's own.
func (a *analysis) usersOfChan(f *types.Var) *chanUsers {
	if a.chanUsers0 == nil {
		a.chanUsers0 = map[*types.Var]*chanUsers{}
		for fn, i := range a.instrs() {
			l, ok := i.(*ssa.UnOp)
			if !ok || l.Op != token.MUL || !isChan(l.Type()) {
				continue
			}
			if f := fieldAt(l.X); f != nil && f.Pkg() == a.pkg.Pkg {
				u := a.chanUsers0[f]
				if u == nil {
					u = new(chanUsers)
					a.chanUsers0[f] = u
				}
				u.see(fn, l)
			}
		}
	}
	if u := a.chanUsers0[f]; u != nil {
		return u
	}
	return new(chanUsers)
}

// see looks at what a function does with the channel that it read.
func (u *chanUsers) see(fn *ssa.Function, l *ssa.UnOp) {
	for _, r := range referrers(l) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.UnOp:
			u.receive = append(u.receive, fn)
		case *ssa.Send:
			if r.Chan == l {
				u.signal = append(u.signal, fn)
			} else {
				u.open = true
			}
		case *ssa.Select:
			for _, s := range r.States {
				if s.Chan == l && s.Dir == types.RecvOnly {
					u.receive = append(u.receive, fn)
				} else if s.Chan == l {
					u.signal = append(u.signal, fn)
				}
				u.open = u.open || s.Send == l
			}
		case ssa.CallInstruction:
			switch {
			case isBuiltin(r, "close"):
				u.signal = append(u.signal, fn)
			case isBuiltin(r, "len"), isBuiltin(r, "cap"):
			default:
				u.open = true
			}
		default:
			u.open = true
		}
	}
}

// unanswered are the receivers of what the path sent that a receive does not wait for.
func (a *analysis) unanswered(st *state, i ssa.Instruction, ch *sym) (list []*spawn) {
	if !slices.ContainsFunc(st.gos, func(g *spawn) bool { return g.sink == receiver && g.on != nil }) {
		return nil
	}
	f := a.fieldReceivedFrom(st, i, ch)
	if f == nil {
		return nil
	}
	for _, g := range st.gos {
		if g.sink == receiver && g.on != nil && g.on != f && (a.unrelatedTo(g.on, f) || a.besideAnswer(st, i, ch, f, g)) {
			list = append(list, g)
		}
	}
	return list
}

// fieldReceivedFrom is the field with the channel that an instruction receives from, be it one that the path
// made.
func (a *analysis) fieldReceivedFrom(st *state, i ssa.Instruction, ch *sym) *types.Var {
	if f := a.chanField(ch); f != nil {
		return f
	}
	from := func(v ssa.Value) *types.Var {
		l, ok := v.(*ssa.UnOp)
		if !ok || l.Op != token.MUL {
			return nil
		}
		f := fieldAt(l.X)
		if f == nil || f.Exported() || f.Pkg() != a.pkg.Pkg {
			return nil
		}
		return f
	}
	switch i := i.(type) {
	case *ssa.UnOp:
		return from(i.X)
	case *ssa.Select:
		for _, s := range i.States {
			if s.Dir == types.RecvOnly && a.val(st, s.Chan) == ch {
				return from(s.Chan)
			}
		}
	}
	return nil
}

// unrelatedTo reports whether those that receive from one channel have nothing to do with the end of a wait
// on another one, which others bring about.
func (a *analysis) unrelatedTo(q, f *types.Var) bool {
	from, to := a.usersOfChan(q), a.usersOfChan(f)
	if from.open || to.open || len(from.receive) == 0 || len(to.signal) == 0 {
		return false
	}
	for _, fn := range from.receive {
		if met, known := a.callsAny(fn, to.signal); met || !known {
			return false
		}
	}
	return !a.anyWaits(to.signal)
}

// anyWaits reports whether one of some functions, or one that calls it, waits for others: for those that
// have the value, it may be.
func (a *analysis) anyWaits(fns []*ssa.Function) bool {
	waits := func(fn *ssa.Function) bool {
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.UnOp:
				if i.Op == token.ARROW {
					return true
				}
			case *ssa.Select:
				if i.Blocking {
					return true
				}
			case ssa.CallInstruction:
				if f := calledMethod(i); f != nil && f.Name() == "Wait" {
					return true
				}
			}
		}
		return false
	}
	return slices.ContainsFunc(fns, func(fn *ssa.Function) bool {
		return waits(fn) || slices.ContainsFunc(a.callsOf(origin(fn)), func(c ssa.CallInstruction) bool { return waits(c.Parent()) })
	})
}

// besideAnswer reports whether a receive is one case of a select of which another one receives from a channel
// that was sent with the value, and the receiver of the value has nothing to do with this one's.
func (a *analysis) besideAnswer(st *state, i ssa.Instruction, ch *sym, f *types.Var, g *spawn) bool {
	s, ok := i.(*ssa.Select)
	sent := func(ch *sym) bool {
		return slices.ContainsFunc(g.holds, func(h *sym) bool { return passes(ch, h) }) || a.leadsTo(st, g.with, ch)
	}
	if !ok || sent(ch) || !slices.ContainsFunc(s.States, func(c *ssa.SelectState) bool {
		return c.Dir == types.RecvOnly && sent(a.val(st, c.Chan))
	}) {
		return false
	}
	from, to := a.usersOfChan(g.on), a.usersOfChan(f)
	if from.open || len(from.receive) == 0 || a.anyWaits(to.signal) {
		return false
	}
	return !slices.ContainsFunc(from.receive, func(fn *ssa.Function) bool {
		met, _ := a.callsAny(fn, to.signal)
		return met
	})
}

// maxCallees bounds the search of callsAny.
const maxCallees = 64

// callsAny reports whether a function is or leads to one of others, and whether all that it does with what it
// has is known.
func (a *analysis) callsAny(fn *ssa.Function, others []*ssa.Function) (met, known bool) {
	seen := map[*ssa.Function]bool{fn: true}
	known = true
	for list := []*ssa.Function{fn}; len(list) > 0; list = list[1:] {
		if slices.Contains(others, list[0]) {
			return true, known
		}
		add := func(f *ssa.Function) {
			if f = origin(f); !seen[f] && a.inPackage(f) {
				seen[f] = true
				list = append(list, f)
			}
		}
		if len(seen) > maxCallees {
			return false, false
		}
		for i := range instrsOf(list[0]) {
			for _, o := range i.Operands(nil) {
				if f, ok := (*o).(*ssa.Function); ok {
					add(f)
				}
			}
			switch i := i.(type) {
			case *ssa.Send:
				known = false // somebody else may do the rest
			case *ssa.Select:
				known = known && !slices.ContainsFunc(i.States, func(s *ssa.SelectState) bool { return s.Dir == types.SendOnly })
			}
			c, ok := i.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if f := a.calledFunction(c); f != nil {
				add(f)
				continue
			}
			cc := c.Common()
			switch {
			case cc.IsInvoke():
				known = known && (cc.Method.Pkg() == nil || isStdPath(cc.Method.Pkg().Path()))
			case cc.StaticCallee() != nil:
			default:
				_, builtin := cc.Value.(*ssa.Builtin)
				_, closure := cc.Value.(*ssa.MakeClosure)
				known = known && (builtin || closure)
			}
		}
	}
	return false, known
}
