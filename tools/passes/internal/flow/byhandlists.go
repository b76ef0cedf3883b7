// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A channel may serve as a pool without functions of its own: who needs a value receives one without waiting, or makes it,
// and sends it to the channel without waiting when it was used. That the two belong together shows where what was
// received or made is what is sent, by the same function, or by another one that it came to through a channel.

// A handUse is a receive from a channel, or a send to it, that does not wait and is in a function which does more.
type handUse struct {
	fn  *ssa.Function
	sel *ssa.Select
}

func (u handUse) sends() bool { return u.sel.States[0].Send != nil }

// takesAndPuts reports whether what a package does with a channel are takes and Puts, and there are both.
func (a *analysis) takesAndPuts(u *freeUse) bool {
	gets, puts := len(u.gets) > 0, len(u.puts) > 0
	both := gets && puts
	var taken []ssa.Value // by hand
	for _, h := range u.byHand {
		if !h.sends() {
			taken = append(taken, receivedOrMade(h.sel))
		}
	}
	isTaken := func(v ssa.Value) bool {
		c, ok := v.(*ssa.Call)
		return slices.Contains(taken, v) || ok && slices.Contains(u.gets, a.calledFunction(c))
	}
	for _, h := range u.byHand {
		if !h.sends() {
			continue
		}
		v := derivedFrom(h.sel.States[0].Send)
		switch {
		case isTaken(v), a.passedOn(v, isTaken):
			both = true
		case !usedBefore(v):
			return false // something new
		}
	}
	if both {
		return true
	}
	// What is taken by hand is given to a function that puts.
	return slices.ContainsFunc(taken, func(v ssa.Value) bool {
		return slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
			c, ok := r.(ssa.CallInstruction)
			return ok && slices.Contains(u.puts, a.calledFunction(c))
		})
	})
}

// usedBefore reports whether a value came to a function from elsewhere.
func usedBefore(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.UnOp, *ssa.Extract, *ssa.Phi:
		return true
	case *ssa.TypeAssert:
		return usedBefore(v.X)
	}
	return false
}

// passedOn reports whether a value was received from a channel of the package's on which a function sends one of others.
func (a *analysis) passedOn(v ssa.Value, one func(ssa.Value) bool) bool {
	if x, ok := v.(*ssa.Extract); ok && x.Index == 0 {
		v = x.Tuple
	}
	recv, ok := v.(*ssa.UnOp)
	if !ok || recv.Op != token.ARROW {
		return false
	}
	from, ok := recv.X.(*ssa.UnOp)
	if !ok || placeOf(from.X) == nil {
		return false
	}
	for _, i := range a.instrs() {
		s, ok := i.(*ssa.Send)
		if !ok || !one(derivedFrom(s.X)) {
			continue
		}
		if to, ok := s.Chan.(*ssa.UnOp); ok && placeOf(to.X) == placeOf(from.X) {
			return true
		}
	}
	return false
}

// receivedOrMade is what a function goes on with that receives without waiting, or else makes a value; nil where it does
// something else.
func receivedOrMade(sel *ssa.Select) ssa.Value {
	for _, r := range referrers(sel) {
		got, ok := r.(*ssa.Extract)
		if !ok || got.Index != 2 {
			continue
		}
		for _, r := range referrers(got) {
			phi, ok := r.(*ssa.Phi)
			if ok && slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool {
				switch e := derivedFrom(e).(type) {
				case *ssa.Alloc:
					return e.Heap
				case *ssa.MakeSlice, *ssa.Call:
					return true
				}
				return false
			}) {
				return phi
			}
		}
	}
	return nil
}
