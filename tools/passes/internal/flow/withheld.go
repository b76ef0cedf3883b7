// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A function that takes a value from a list, and returns it in an object of its own where it has something to
// return, loses it where it returns nil: callers learn of no value that they could put. That is so whoever puts the
// others, but where the value itself was asked before: what is of no use any more is left to the collector.

// returnedWithin reports whether a path returns something that leads to a value.
func (a *analysis) returnedWithin(e exit, t *sym) bool {
	found := false
	for _, x := range e.results {
		if plain(x) == t {
			continue // the function is one that takes values for others
		}
		a.reach(e.st, x, func(y *sym) bool {
			found = found || y == t
			return !found
		})
	}
	return found
}

// withholds reports whether a path returns nothing, and nothing that it learnt of a value led it there.
func (a *analysis) withholds(e exit, t *sym) bool {
	if e.ret == nil || len(e.results) == 0 {
		return false
	}
	pointer := false
	for k, x := range e.results {
		typ := e.ret.Results[k].Type()
		switch {
		case x.kind == kNil:
			pointer = pointer || !isError(typ)
		case x.kind == kConst && isBasicZero(x.val):
		default:
			return false
		}
	}
	if !pointer {
		return false
	}
	for c := range e.st.truth {
		if c != a.syms.nilTest(t) && c.mentions(func(x *sym) bool { return x == t || a.toldOfBy(x, t) }) {
			return false
		}
	}
	return true
}

// onlyError reports whether a path returns nothing but what a call gave as its error, if there was one: the path does not know.
func (a *analysis) onlyError(e exit) bool {
	n := len(e.results) - 1
	if n < 1 || e.ret == nil || !isError(e.ret.Results[n].Type()) || plain(e.results[n]).kind != kOpaque {
		return false
	}
	if _, known := a.known(e.st, a.syms.nilTest(e.results[n])); known {
		return false
	}
	for _, x := range e.results[:n] {
		if x.kind != kNil && (x.kind != kConst || !isBasicZero(x.val)) {
			return false
		}
	}
	return true
}

// onlyRead reports whether all calls that a value was lent to read into it.
func onlyRead(calls []ssa.Instruction) bool {
	return !slices.ContainsFunc(calls, func(i ssa.Instruction) bool {
		c, ok := i.(ssa.CallInstruction)
		return !ok || !c.Common().IsInvoke() || !readsInto(c.Common().Method)
	})
}

// toldOfBy reports whether a value is the result of a call that was given something of t's type.
func (a *analysis) toldOfBy(x, t *sym) bool {
	if x.kind != kOpaque || t.typ == nil {
		return false
	}
	i, _ := x.obj.(ssa.CallInstruction)
	if i == nil {
		return false
	}
	c := i.Common()
	of := func(v ssa.Value) bool { return types.Identical(unboxed(v).Type(), t.typ) }
	return c.IsInvoke() && of(c.Value) || slices.ContainsFunc(c.Args, of)
}

// isBasicZero reports whether a constant is the zero value of its type.
func isBasicZero(v constant.Value) bool {
	switch v.Kind() {
	case constant.Bool:
		return !constant.BoolVal(v)
	case constant.String:
		return constant.StringVal(v) == ""
	}
	return constant.Sign(v) == 0
}

// withheldFrom are the paths that lose a value of a list which others return in an object.
func (l *leak) withheldFrom(lost []lostPath) []lostPath {
	if !l.returned {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(lost), func(p lostPath) bool { return !p.withheld })
}
