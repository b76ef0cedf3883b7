// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Two functions that share an object by its fields alone may run beside each other, in any order, unless what is in view
// says otherwise: one of them comes to the other, somebody runs both in turn or waits before, or one sets what the other asks.

// maxApartHops bounds the calls between a function and those that are asked whether they wait.
const maxApartHops = 3

// runsApart reports whether a function may run when another one has not come to its end.
func (c *custody) runsApart(fn, other *ssa.Function) bool {
	if c.reaches(fn)[other] || c.reaches(other)[fn] || c.a.waits(fn, 0) {
		return false
	}
	known := map[*ssa.Function]bool{fn: true}
	next := []*ssa.Function{fn}
	for range maxApartHops {
		var more []*ssa.Function
		for _, f := range next {
			for _, call := range c.a.callsOf(f) {
				if _, starts := call.(*ssa.Go); starts || c.a.inTest(call.Parent()) {
					continue
				}
				for by := call.Parent(); by != nil && !known[by]; by = by.Parent() {
					known[by] = true
					more = append(more, by)
					if c.a.waits(by, 0) || c.runsItself(by, other) {
						return false
					}
				}
			}
		}
		next = more
	}
	return true
}

// runsItself reports whether a function comes to another one in its own goroutine.
func (c *custody) runsItself(fn, other *ssa.Function) bool {
	for i := range instrsOf(fn) {
		call, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if _, starts := i.(*ssa.Go); starts {
			continue
		}
		if g := c.a.calledFunction(call); g != nil && c.reaches(g)[other] {
			return true
		}
	}
	return false
}

// tells reports whether a function sets a field that another one reads, sends on a channel that it has, or closes one; but
// for some fields, for locks and for those of structs of a type.
func (c *custody) tells(fn, other *ssa.Function, of types.Type, but ...*types.Var) bool {
	set := map[*types.Var]bool{}
	note := func(f *types.Var) {
		if f != nil {
			set[f] = true
		}
	}
	for g := range c.reaches(fn) {
		for i := range instrsOf(g) {
			switch i := i.(type) {
			case *ssa.Store:
				if fa, ok := i.Addr.(*ssa.FieldAddr); ok && !types.Identical(deref(fa.X.Type()), deref(of)) {
					note(fieldAt(fa))
				}
			case *ssa.MapUpdate:
				note(fieldOfAddr(i.Map))
			case *ssa.Send:
				note(fieldOfValue(i.Chan))
			case *ssa.Select:
				for _, s := range i.States {
					note(fieldOfValue(s.Chan))
				}
			case ssa.CallInstruction:
				for _, x := range i.Common().Args {
					if fa, ok := x.(*ssa.FieldAddr); ok && !isLockCall(i) && !types.Identical(deref(fa.X.Type()), deref(of)) {
						note(fieldAt(fa))
					}
					if isBuiltin(i, "close") || isBuiltin(i, "delete") {
						note(fieldOfAddr(x))
					}
				}
			}
		}
	}
	for _, f := range but {
		delete(set, f)
	}
	if len(set) == 0 {
		return false
	}
	for g := range c.reaches(other) {
		for i := range instrsOf(g) {
			if fa, ok := i.(*ssa.FieldAddr); ok && set[fieldAt(fa)] && !onlySet(fa) {
				return true
			}
		}
	}
	return false
}

// onlySet reports whether nothing is done with the address of a field but to store there.
func onlySet(fa *ssa.FieldAddr) bool {
	for _, r := range referrers(fa) {
		if s, ok := r.(*ssa.Store); !ok || s.Addr != ssa.Value(fa) {
			return false
		}
	}
	return true
}
