// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A channel may be wrapped in a type that keeps values of any type: it gives nil where there is none, and who calls it makes one
// then. That is a pool as well, unlike a queue, whose users have nothing to do when they find nothing. It may be
// filled where it is made.

// tryLists adds the functions that receive and return nil if there is none to those that take from a list, if all
// who call them make a value then.
func (a *analysis) tryLists(uses tally[freeUse]) {
	some := false
	for _, u := range uses {
		some = some || len(u.tries) > 0
	}
	if !some {
		return
	}
	calls := map[*ssa.Function][]*ssa.Call{}
	for fn, i := range a.instrs() {
		if call, ok := i.(*ssa.Call); ok && !a.inTest(fn) {
			if callee := call.Call.StaticCallee(); callee != nil {
				calls[origin(callee)] = append(calls[origin(callee)], call)
			}
		}
	}
	for _, u := range uses {
		for _, fn := range u.tries {
			if makeWhereNone(calls, fn, 0) {
				u.gets = append(u.gets, fn)
			} else {
				u.other = true
			}
		}
	}
}

// makeWhereNone reports whether all who call a function that gives a value or nil make one where it gives nil, or pass on what
// it gives to who does.
func makeWhereNone(calls map[*ssa.Function][]*ssa.Call, fn *ssa.Function, depth int) bool {
	if depth > 2 || len(calls[fn]) == 0 {
		return false
	}
	for _, call := range calls[fn] {
		if !makesInstead(call) && !(onlyReturned(call) && makeWhereNone(calls, call.Parent(), depth+1)) {
			return false
		}
	}
	return true
}

// makesInstead reports whether a function uses what a call gives, or else something new.
func makesInstead(call *ssa.Call) bool {
	for _, v := range asserted(call) {
		if returnsOr(v, makesOne) {
			return true
		}
		for _, r := range referrers(v) {
			phi, ok := r.(*ssa.Phi)
			if !ok {
				continue
			}
			for _, e := range phi.Edges {
				if e != v && makesOne(e) {
					return true
				}
			}
		}
		// The variable may be one that the function has the address of.
		for _, r := range referrers(v) {
			s, ok := r.(*ssa.Store)
			if !ok || s.Val != v {
				continue
			}
			if cell, ok := s.Addr.(*ssa.Alloc); ok {
				for _, r := range referrers(cell) {
					if s, ok := r.(*ssa.Store); ok && s.Val != v && makesOne(s.Val) {
						return true
					}
				}
			}
		}
	}
	return false
}

// makesOne reports whether a value is made where it stands, by a constructor or by a function that somebody chose.
// What is called may as well wait for another one that is in the channel.
func makesOne(v ssa.Value) bool {
	call, ok := derivedFrom(v).(*ssa.Call)
	if !ok {
		return isNew(v)
	}
	fn := call.Call.StaticCallee()
	if fn == nil {
		_, chosen := call.Call.Value.(*ssa.UnOp) // a function in a field or a variable
		return chosen && len(call.Call.Args) == 0
	}
	list := returnedBy(fn)
	return len(list) > 0 && !slices.ContainsFunc(list, func(r ssa.Value) bool {
		_, calls := derivedFrom(r).(*ssa.Call)
		return calls || !isNew(r)
	})
}

// asserted are a value and what it is asserted to be.
func asserted(v ssa.Value) []ssa.Value {
	if _, ok := v.Type().(*types.Tuple); ok {
		if v = part(v, 0); v == nil { // beside whether there was one
			return nil
		}
	}
	list := []ssa.Value{v}
	for _, r := range referrers(v) {
		t, ok := r.(*ssa.TypeAssert)
		if !ok {
			continue
		}
		if !t.CommaOk {
			list = append(list, t)
			continue
		}
		if x := part(t, 0); x != nil {
			list = append(list, x)
		}
	}
	return list
}

// onlyReturned reports whether a function does nothing with what a call gives but return it.
func onlyReturned(call *ssa.Call) bool {
	for _, v := range asserted(call) {
		for _, r := range referrers(v) {
			if _, ok := r.(*ssa.Return); ok {
				return true
			}
		}
	}
	return false
}

// receivesOrNil reports whether a receive without waiting is that of a function which returns what it
// received, or else nil.
func receivesOrNil(sel *ssa.Select) bool {
	got := gotWithout(sel)
	if got == nil {
		return false
	}
	received, none := false, false
	other := false
	eachReturned(got, func(v ssa.Value) {
		switch {
		case v == got:
			received = true
		case isNilConst(v):
			none = true
		default:
			other = true
		}
	})
	return received && none && !other
}

// fillsNew reports whether a function sends something new on a channel that it just made.
func fillsNew(fn *ssa.Function, s *ssa.Send) bool {
	l, ok := s.Chan.(*ssa.UnOp)
	if !ok || l.Op != token.MUL || !isNew(s.X) {
		return false
	}
	obj := placeOf(l.X)
	for i := range instrsOf(fn) {
		if st, ok := i.(*ssa.Store); ok && obj != nil && placeOf(st.Addr) == obj {
			_, made := st.Val.(*ssa.MakeChan)
			return made
		}
	}
	return false
}

// onlyFilled reports whether nothing is done with a channel that was just made but store it, and send new values on it.
func onlyFilled(m *ssa.MakeChan) bool {
	stores := 0
	for _, r := range referrers(m) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			stores++
		case *ssa.Send:
			if !isNew(r.X) {
				return false
			}
		default:
			return false
		}
	}
	return stores == 1
}
