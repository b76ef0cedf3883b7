// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A goroutine that was given an object works on what the object has by then: that the
// field is emptied before the memory in it is put does not take the memory away from the
// goroutine. And where it only reads the object, the references to that stay its owner's to
// count.

// A heldPart is memory that a goroutine could find in a field when it was started.
type heldPart struct {
	field *types.Var
	value *sym
}

// partsOf are the parts of the objects that a goroutine has when it starts.
func (a *analysis) partsOf(st *state, holds []*sym) []heldPart {
	reached := map[*sym]bool{}
	a.reachAll(st, holds, func(x *sym) bool { reached[x] = true; return true })
	var parts []heldPart
	for _, k := range sortedKeys(st.mem) {
		f, ok := k.obj.(*types.Var)
		if !ok || k.kind != kField || !reached[k.root()] || k.root().kind != kAlloc {
			continue
		}
		if m := memory(plain(st.mem[k])); m.kind == kToken || m.kind == kLoad {
			parts = append(parts, heldPart{f, m})
		}
	}
	return parts
}

// hadPart reports whether a goroutine started with memory that is among the targets in a
// field that it reads, which was set to nil since.
func (a *analysis) hadPart(st *state, g *spawn, targets []*sym) bool {
	for _, p := range g.had {
		if slices.ContainsFunc(targets, func(t *sym) bool { return foundEmpty(st, t) && memory(t) == p.value }) {
			continue
		}
		if slices.ContainsFunc(targets, func(t *sym) bool { return memory(t) == p.value || t == p.value }) {
			for _, fn := range a.codeOf(st, g) {
				if touchesField(fn, p.field, 0) {
					return true
				}
			}
		}
	}
	return false
}

// codeOf are the functions in view that a goroutine runs: its own, and the closures that
// it has.
func (a *analysis) codeOf(st *state, g *spawn) []*ssa.Function {
	var list []*ssa.Function
	if g.body != nil {
		list = append(list, g.body)
	}
	a.reachAll(st, g.holds, func(x *sym) bool {
		if fn, _ := x.function(); fn != nil && len(fn.Blocks) > 0 && a.inPackage(fn) && !slices.Contains(list, fn) {
			list = append(list, fn)
		}
		return true
	})
	return list
}

// bystander reports whether a goroutine that has an object does not count its references:
// no code of it in view touches the counter, or passes the object on to code out of view.
func (a *analysis) bystander(st *state, g *spawn, t, counter *sym) bool {
	if counter.kind == kField && counter.idx == cellField {
		counter = counter.a
	}
	f, ok := counter.obj.(*types.Var)
	if !ok || counter.kind != kField || g.body == nil || g.sink != "" || t.typ == nil {
		return false
	}
	code := a.codeOf(st, g)
	for _, fn := range code {
		if touchesField(fn, f, 0) || passesOn(fn, t.typ, 0) {
			return false
		}
	}
	return len(code) > 0
}

// passesOn reports whether a function gives a value of a type to code out of view, or keeps
// or sends one.
func passesOn(fn *ssa.Function, t types.Type, depth int) bool {
	is := func(v ssa.Value) bool {
		return v != nil && (types.Identical(v.Type(), t) || isPtr(t) && types.Identical(v.Type(), deref(t))) // a copy leads to the same
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Store:
			if is(i.Val) {
				return true
			}
		case *ssa.Send:
			if is(i.X) {
				return true
			}
		case *ssa.MapUpdate:
			if is(i.Value) {
				return true
			}
		case *ssa.MakeInterface:
			if is(i.X) {
				return true
			}
		case *ssa.MakeClosure:
			if depth > 2 || passesOn(i.Fn.(*ssa.Function), t, depth+1) {
				return true
			}
		case ssa.CallInstruction:
			c := i.Common()
			f := c.StaticCallee()
			if f != nil && f.Pkg == fn.Pkg && len(f.Blocks) > 0 {
				if slices.ContainsFunc(c.Args, is) && (depth > 2 || passesOn(f, t, depth+1)) {
					return true
				}
				continue
			}
			if slices.ContainsFunc(c.Args, is) || is(c.Value) {
				return true
			}
		}
	}
	return false
}
