// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// What a goroutine sends, or uses, and then puts itself is at fault wherever it was started. Its
// body is walked where it is started to see what it takes over; that its variables
// are parts of one another shows there only.

// sameGoroutine reports whether two events are in the body of one goroutine that the
// root starts.
func sameGoroutine(x, y *event) bool {
	for n := 0; n < len(x.stack)-1 && n < len(y.stack)-1 && x.stack[n] == y.stack[n]; n++ {
		if _, ok := x.stack[n].(*ssa.Go); ok {
			return true
		}
		if c, ok := x.stack[n].(*ssa.Call); ok && calledMethod(c) != nil && startsFunc(calledMethod(c)) {
			return true
		}
	}
	return false
}

// aloud lets a fault be reported that is within one goroutine, while the root that starts it is
// followed. The result is to be called after the report.
func (a *analysis) aloud(x, y *event) func() {
	if a.quiet != 1 || !sameGoroutine(x, y) {
		return func() {}
	}
	a.quiet = 0
	return func() { a.quiet = 1 }
}

// maxParts bounds how many parts of what is sent are looked into.
const maxParts = 32

// contentsOf are the values in the fields of a struct that was made on the path and is
// sent by its address, or as part of another one.
func (a *analysis) contentsOf(st *state, x *sym) []*sym {
	x = plain(x)
	if x.kind == kAgg {
		return x.list
	}
	if x.kind != kAlloc && x.kind != kToken || varargs(x) {
		return nil
	}
	var list []*sym
	for _, k := range sortedKeys(st.mem) {
		if k.kind == kField && inside(k, x) {
			list = append(list, plain(st.mem[k]))
		}
	}
	return list
}

// heldByReceiver is the memory that the receiver of a value has then, and the parts of the value that lead to it. If
// it puts what it gets, that is its own, and what counts is memory of something else: it does not know of that.
func (a *analysis) heldByReceiver(st *state, v *sym, puts bool) (holds, parts []*sym) {
	parts = []*sym{v}
	if v.kind == kAgg {
		parts = v.list
	}
	for n, whole := 0, len(parts); n < len(parts) && n < maxParts; n++ {
		x := parts[n]
		parts = append(parts, a.contentsOf(st, x)...)
		parts = append(parts, a.sentElements(st, x)...)
		parts = append(parts, st.madeOf(x)...)
		if n < whole {
			parts = append(parts, a.capturedBy(st, x)...)
		}
	}
	for _, x := range parts {
		m := memory(x)
		if !inTwoHands(x, m) || puts && (x.typ == nil || !isBytes(x.typ) || m.base().kind != kToken || slices.ContainsFunc(parts, func(y *sym) bool { return plain(y) == m.base() })) {
			continue
		}
		holds = append(holds, m)
	}
	return holds, parts
}

// madeOf is what an object of package net/http, or a reader, was made over or was given in a field since.
func (st *state) madeOf(x *sym) []*sym {
	x = plain(x)
	if x.kind != kHold {
		return nil
	}
	list := slices.Clone(x.list)
	for _, k := range sortedKeys(st.mem) {
		if k.kind == kField && k.a == x {
			list = append(list, st.mem[k])
		}
	}
	return list
}

// sentElements are the slices of pooled memory, pooled values, and pointers into them, in a slice that the path
// made and sends: the receiver reads them.
func (a *analysis) sentElements(st *state, x *sym) []*sym {
	whole := plain(x)
	x = memory(whole)
	if al, ok := x.obj.(*ssa.Alloc); (x.kind != kAlloc && x.kind != kAppend || x.typ == nil || !isSlice(x.typ)) && !(ok && al.Comment == "slicelit") {
		return nil
	}
	var list []*sym
	for _, s := range grownFrom(whole) {
		for _, v := range a.elements(st, s) {
			if v.typ != nil && isBytes(v.typ) || v.root().kind == kToken || plain(v).kind == kAlloc {
				list = append(list, v)
			}
		}
	}
	return list
}

// grownFrom are a slice as it was made, and as it is after all appends, with the elements that those added.
func grownFrom(x *sym) []*sym {
	made := memory(x)
	for ; x != made; x = x.a {
		if x.kind == kAppend {
			return []*sym{made, x}
		}
	}
	return []*sym{made}
}

// sentField is what a field holds of a struct that was made on the path.
func (a *analysis) sentField(st *state, x *sym, n int) *sym {
	for _, k := range sortedKeys(st.mem) {
		if k.kind == kField && k.a == x && k.idx == n {
			return st.mem[k]
		}
	}
	return x
}

// givesAway reports whether a function sends on a channel whose receiver puts what it
// gets: what the function does with that afterwards matters, also where it takes nothing
// from a pool and puts nothing.
func (a *analysis) givesAway(fn *ssa.Function) bool {
	if len(a.consumers) == 0 || len(fn.Blocks) == 0 || synthetic(fn) {
		return false
	}
	consumed := func(ch ssa.Value) bool {
		obj := a.localChans[ch]
		if l, ok := ch.(*ssa.UnOp); ok {
			if obj = placeOf(l.X); obj == nil {
				obj = a.localChans[l.X]
			}
		}
		if obj == nil {
			return false
		}
		_, ok := a.consumers[obj]
		return ok
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Send:
			if consumed(i.Chan) {
				return true
			}
		case *ssa.Select:
			if slices.ContainsFunc(i.States, func(c *ssa.SelectState) bool { return c.Dir == types.SendOnly && consumed(c.Chan) }) {
				return true
			}
		}
	}
	return false
}
