// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A function without a result that puts its argument on some paths only has decided, where
// it has one Put, or is named for that. One that does something with the value, and puts it
// in the same pool at the end of several arms, forgot it in the one that does not. So did one that
// ends before it calls another function which puts the value when it is done with it, and is not
// named for that: whoever wrote the return did not think of the Put. One that sends its argument on a channel, or
// returns without a look at it, does not decide about the value, but about what is in it.

// putsInArms reports whether the exits of an activation put a value in one pool in several
// places, in a function that is not named for it.
func putsInArms(fn *ssa.Function, exits []exit, t *sym) bool {
	if givesBack(fn.Name()) {
		return false
	}
	var first ssa.Instruction
	var pool *pool
	several := false
	for _, e := range exits {
		r := e.st.rel[t]
		if r == nil {
			continue
		}
		n := len(e.st.f.stack)
		if r.async || r.deferred || r.pool == nil || pool != nil && r.pool != pool || len(r.stack) <= n || r.stack[n].Parent() != fn {
			return false
		}
		pool = r.pool
		if first == nil {
			first = r.stack[n]
		}
		several = several || r.stack[n].Block() != first.Block()
	}
	return several
}

// putsAside reports whether the exits of an activation put a value by a call of a function that does more with it,
// where neither is named for the Put, and what is asked before that call is not the value.
func putsAside(fn *ssa.Function, exits []exit, t *sym) bool {
	if givesBack(fn.Name()) {
		return false
	}
	found := false
	for _, e := range exits {
		r := e.st.rel[t]
		if r == nil {
			continue
		}
		n := len(e.st.f.stack)
		if r.async || r.deferred || len(r.stack) <= n+1 || r.stack[n].Parent() != fn {
			return false
		}
		call, ok := r.stack[n].(*ssa.Call)
		if !ok || call.Call.StaticCallee() == nil || givesBack(call.Call.StaticCallee().Name()) || onlyCallsOne(call.Call.StaticCallee()) || asksOfParams(call.Block()) {
			return false
		}
		found = true
	}
	return found
}

// onlyCallsOne reports whether a function calls no other than the one that puts.
func onlyCallsOne(fn *ssa.Function) bool {
	calls := 0
	for i := range instrsOf(fn) {
		if c, ok := i.(ssa.CallInstruction); ok {
			if _, builtin := c.Common().Value.(*ssa.Builtin); !builtin {
				calls++
			}
		}
	}
	return calls < 2
}

// asksOfParams reports whether one of the tests before a block asks a field of a parameter, its length, or whether it is
// there.
func asksOfParams(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(deciders(b, nil), func(c ssa.Value) bool {
		return leadsFrom(c, 0, func(x ssa.Value) bool {
			_, isParam := x.(*ssa.Parameter)
			return isParam
		}) && !answered(c, 0)
	})
}

// answered reports whether a condition is what a function of the program's user answers.
func answered(c ssa.Value, depth int) bool {
	switch c := c.(type) {
	case *ssa.UnOp:
		return c.Op == token.NOT && depth < 3 && answered(c.X, depth+1)
	case *ssa.Call:
		return !c.Call.IsInvoke() && c.Call.StaticCallee() == nil
	}
	return false
}

// inPlaceOfOne reports whether a value was made by a function that takes such values from a
// pool: the pool had none.
func inPlaceOfOne(v *sym) bool {
	i, ok := v.obj.(*ssa.Alloc)
	if !ok || v.kind != kAlloc {
		return false
	}
	for x := range instrsOf(i.Parent()) {
		if t, ok := x.(*ssa.TypeAssert); ok && types.Identical(t.AssertedType, i.Type()) {
			if c, ok := t.X.(*ssa.Call); ok && calledMethod(c) != nil {
				if pf, ok := poolFuncOf(calledMethod(c)); ok && pf.acquire {
					return true
				}
			}
		}
	}
	return false
}

// sendsElse reports whether the exits of an activation that give a value away do so by sending it on a channel, to
// who puts it, and nothing is asked of it before.
func sendsElse(fn *ssa.Function, exits []exit, t *sym) bool {
	found := false
	for _, e := range exits {
		r := e.st.rel[t]
		if r == nil {
			continue
		}
		n := len(e.st.f.stack)
		if !r.async || len(r.stack) <= n || r.stack[n].Parent() != fn {
			return false
		}
		var sent []ssa.Value
		switch i := r.stack[n].(type) {
		case *ssa.Send:
			sent = []ssa.Value{i.X}
		case *ssa.Select:
			for _, s := range i.States {
				if s.Dir == types.SendOnly {
					sent = append(sent, s.Send)
				}
			}
		default:
			return false
		}
		for _, p := range fn.Params {
			isIt := func(x ssa.Value) bool { return x == p || storedParam(x) == p }
			if slices.ContainsFunc(sent, func(v ssa.Value) bool { return leadsFrom(v, 0, isIt) }) &&
				slices.ContainsFunc(deciders(r.stack[n].Block(), nil), func(c ssa.Value) bool { return leadsFrom(c, 0, isIt) }) {
				return false
			}
		}
		found = true
	}
	return found
}

// storedParam is the parameter that a variable is set to, in the one place where it is.
func storedParam(v ssa.Value) ssa.Value {
	al, ok := v.(*ssa.Alloc)
	if !ok {
		return nil
	}
	p := storedOnce(al)
	if !isParam(p) {
		return nil
	}
	return p
}

// isSend reports whether an instruction sends something on a channel.
func isSend(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Send:
		return true
	case *ssa.Select:
		return slices.ContainsFunc(i.States, func(s *ssa.SelectState) bool { return s.Dir == types.SendOnly })
	}
	return false
}
