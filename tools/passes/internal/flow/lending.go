// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Code that is chosen at run time, behind an interface or a function value, may put a
// pointer that it is given. Where the function itself puts the value after the call
// on one path, the code does not: on a path that meets an error after the same call
// the value is lost. So it is where it was given in a slice of the function's own, and the function
// takes it out of that after the call on another path, to return it; what gave an error that is
// returned may have kept the slice.

// lend gives a token to code chosen at run time, in a call.
func (st *state) lend(t *sym, call ssa.Instruction) {
	if st.handed[t] && st.lent[t] == nil {
		return // somebody has it already
	}
	set(&st.handed, t, true)
	if !slices.Contains(st.lent[t], call) {
		set(&st.lent, t, append(slices.Clip(st.lent[t]), call))
	}
}

// handOver gives a token to somebody who may put it.
func (st *state) handOver(t *sym) {
	set(&st.handed, t, true)
	delete(st.lent, t)
}

// inOwnSlice reports whether a value is an element of a slice that the path made.
func inOwnSlice(st *state, x, y *sym) bool {
	c := shelfOf(x)
	if c == nil || x == y || y.kind != kToken || !isSlice(x.typ) {
		return false
	}
	for addr, v := range st.mem {
		if addr.kind == kElem && passes(plain(v), y) && shelfOf(addr) == c {
			return true
		}
	}
	return false
}

// escape notes that somebody may keep an object of the path's own.
func (st *state) escape(x *sym) {
	set(&st.escaped, x, true)
	delete(st.lent, x)
}

// escapesBy notes that a call may keep an object of the path's own. One that is only a slice made for
// the call is lent like what is in it.
func (st *state) escapesBy(x *sym, call ssa.Instruction, lent bool) {
	if !lent || st.escaped[x] && st.lent[x] == nil {
		st.escape(x)
		return
	}
	set(&st.escaped, x, true)
	if !slices.Contains(st.lent[x], call) {
		set(&st.lent, x, append(slices.Clip(st.lent[x]), call))
	}
}

// givenInSlice are the calls that were given a slice of the path's own with t in it.
func (st *state) givenInSlice(t *sym) (calls []ssa.Instruction) {
	for _, addr := range keysOf(st.mem, func(x *sym) bool { return x.kind == kElem }) {
		if c := shelfOf(addr); c != nil && passes(plain(st.mem[addr]), t) {
			calls = append(calls, st.lent[c]...)
		}
	}
	return calls
}

// noteGiven records the calls after which a path returns a value that it gave them in a slice.
func (l *leak) noteGiven(e exit, t *sym) {
	if len(e.st.lent[t]) > 0 && slices.ContainsFunc(e.results, func(x *sym) bool { return passes(plain(x), t) }) {
		l.given = append(l.given, e.st.givenInSlice(t)...)
	}
}

// unlent are the paths on which the value was lent only to code after which other
// paths put it.
func (l *leak) unlent() []lostPath {
	if !l.put && len(l.given) == 0 {
		return nil
	}
	var list []lostPath
	for _, p := range l.lent {
		if !slices.ContainsFunc(p.loans, func(i ssa.Instruction) bool { return !slices.Contains(l.after, i) && !slices.Contains(l.given, i) }) {
			list = append(list, p)
		}
	}
	return list
}

// ranIntoError reports whether a path ends because a call gave an error, and nothing
// that it found in t, or was told by the code that had it, led it there.
func (a *analysis) ranIntoError(e exit, t *sym) bool {
	st := e.st
	if a.broken(e) && len(st.givenInSlice(t)) > 0 {
		return false
	}
	failed := false
	for c, v := range st.truth {
		switch {
		case c.kind == kCmp && isErrorTest(c):
			if x := errorOf(c); !v && x.kind == kOpaque {
				failed = true
			}
		case c.mentions(func(x *sym) bool { return x.kind == kLoad && passes(x, t) }):
			return false
		case c.mentions(func(x *sym) bool {
			return isAnswer(x) && slices.ContainsFunc(st.lent[t], func(i ssa.Instruction) bool { return x.obj == any(i) })
		}):
			return false
		}
	}
	return failed
}

// isErrorTest reports whether a condition compares an error with nil.
func isErrorTest(c *sym) bool {
	x := errorOf(c)
	return x != nil && c.a != c.b && x.typ != nil && isError(x.typ)
}

// errorOf is what a condition compares with nil.
func errorOf(c *sym) *sym {
	switch {
	case c.kind != kCmp || c.b == nil:
		return nil
	case c.a.kind == kNil:
		return c.b
	case c.b.kind == kNil:
		return c.a
	}
	return nil
}

// isAnswer reports whether a value is what a call says of what it was given: a flag, or one of the constants of a type.
func isAnswer(x *sym) bool {
	if isFlag(x) {
		return true
	}
	if x.kind != kOpaque || x.typ == nil || !isInteger(x.typ) {
		return false
	}
	_, named := types.Unalias(x.typ).(*types.Named)
	return named
}

func isFlag(x *sym) bool { return x.kind == kOpaque && x.typ != nil && isBool(x.typ) }
