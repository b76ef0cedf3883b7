// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Code that is chosen at run time, behind an interface or a function value, may put a
// pointer that it is given. Where the function itself puts the value after the call
// on one path, the code does not: on a path that meets an error after the same call
// the value is lost.

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

// unlent are the paths on which the value was lent only to code after which other
// paths put it.
func (l *leak) unlent() []lostPath {
	if !l.put {
		return nil
	}
	var list []lostPath
	for _, p := range l.lent {
		if !slices.ContainsFunc(p.loans, func(i ssa.Instruction) bool { return !slices.Contains(l.after, i) }) {
			list = append(list, p)
		}
	}
	return list
}

// ranIntoError reports whether a path ends because a call gave an error, and nothing
// that it found in t, or was told by the code that had it, led it there.
func (a *analysis) ranIntoError(e exit, t *sym) bool {
	st := e.st
	failed := false
	for c, v := range st.truth {
		switch {
		case c.kind == kCmp && isErrorTest(c):
			if x := errorOf(c); !v && x.kind == kOpaque {
				failed = true
			}
		case c.mentions(func(x *sym) bool { return x.kind == kLoad && passes(x, t) }):
			return false
		case isFlag(c) && slices.ContainsFunc(st.lent[t], func(i ssa.Instruction) bool { return c.obj == any(i) }):
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

func isFlag(x *sym) bool { return x.kind == kOpaque && x.typ != nil && isBool(x.typ) }
