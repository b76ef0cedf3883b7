// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Close that asks nothing puts what its object has each time that it is called. Where a goroutine calls it
// on all its ways and who started the goroutine calls it as well, the value is put twice, whoever comes first and whether
// or not one waits for the other.

// A goPut is a Put by a goroutine that comes to it in any case.
type goPut struct {
	x     *sym
	put   *release
	depth int // of the go statement in the Put's stack
}

// noteGoPut notes that a goroutine puts a value that it found in an object. ends are its ways.
func (a *analysis) noteGoPut(st *state, i ssa.CallInstruction, x *sym, ends []outcome) {
	if x.kind != kToken || len(ends) == 0 || hasChan(x) {
		return
	}
	n := len(st.f.stack)
	for _, o := range ends {
		if r := o.st.rel[x]; r == nil || r.async || len(r.stack) <= n+1 || r.stack[n] != ssa.Instruction(i) || !asksNothing(r.stack[n+1:]) {
			return
		}
	}
	g := goPut{x, ends[0].st.rel[x], n}
	if first := a.putByGo(st, []*sym{x}, &g.put.event); first != nil {
		a.reportDouble(st, x, first, &g.put.event, g.put.pool0())
		return
	}
	st.goPuts = append(slices.Clip(st.goPuts), g)
}

// putByGo is the Put by which a goroutine puts one of the targets as well as the event does, if neither asks whether the
// other was there.
func (a *analysis) putByGo(st *state, targets []*sym, ev *event) *release {
	for _, g := range st.goPuts {
		if !slices.Contains(targets, g.x) || st.rel[g.x] != nil {
			continue
		}
		n := 0
		for n < min(g.depth, len(ev.stack)-1) && ev.stack[n] == g.put.stack[n] {
			n++
		}
		if ev.stack[n].Parent() == g.put.stack[n].Parent() && asksNothing(ev.stack[n+1:]) && !a.askedOfGo(ev.stack[n], g.put.stack[g.depth]) {
			return g.put
		}
	}
	return nil
}

// asksNothing reports whether each of the instructions on the way to a Put runs whenever its function returns, be it for the second time.
func asksNothing(stack []ssa.Instruction) bool {
	return !slices.ContainsFunc(stack, func(i ssa.Instruction) bool {
		if f := calledMethod(i); f != nil && funcKey(f) == "sync.Once.Do" {
			return true
		}
		return slices.ContainsFunc(i.Parent().Blocks, func(b *ssa.BasicBlock) bool {
			_, returns := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
			return returns && b != i.Parent().Recover && !i.Block().Dominates(b)
		})
	})
}

// askedOfGo reports whether an instruction of the function that starts a goroutine, or of a literal in that, stands behind a test of what the
// goroutine changes: of a variable, but for an error, that it sets, or of a field or something else that both may have.
func (a *analysis) askedOfGo(i, start ssa.Instruction) bool {
	if i.Parent() != start.Parent() && i.Parent().Parent() != start.Parent() {
		return true
	}
	set := map[ssa.Value]bool{}
	if g, ok := start.(ssa.CallInstruction); ok {
		for _, v := range append(slices.Clone(g.Common().Args), g.Common().Value) {
			m, ok := v.(*ssa.MakeClosure)
			if !ok {
				continue
			}
			for k, b := range m.Bindings {
				if setsFree(m.Fn.(*ssa.Function).FreeVars[k], 0) && !isError(deref(b.Type())) {
					set[b] = true
				}
			}
		}
	}
	for b := i.Block(); b.Idom() != nil && b != start.Block(); b = b.Idom() {
		d := b.Idom()
		t, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if ok && (d.Parent() != start.Parent() || start.Block().Dominates(d)) && a.tellsOfOthers(t.Cond, set, 0) {
			return true
		}
	}
	return false
}

// tellsOfOthers reports whether a condition depends on a variable that another goroutine sets, on a field, or on what package
// sync/atomic gives.
func (a *analysis) tellsOfOthers(v ssa.Value, set map[ssa.Value]bool, depth int) bool {
	if depth > 8 {
		return true
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		switch addr := v.X.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Global:
			return !isError(v.Type())
		case *ssa.Alloc:
			return set[addr]
		case *ssa.FreeVar:
			n := slices.Index(addr.Parent().FreeVars, addr)
			return slices.ContainsFunc(a.closures[addr.Parent()], func(m *ssa.MakeClosure) bool { return set[m.Bindings[n]] })
		}
	case *ssa.Call:
		if f := calledMethod(v); f == nil || fromPackage(f, "sync/atomic", "sync") {
			return true
		}
	}
	i, ok := v.(ssa.Instruction)
	if !ok {
		return false
	}
	for _, op := range i.Operands(nil) {
		if *op != nil && a.tellsOfOthers(*op, set, depth+1) {
			return true
		}
	}
	return false
}

// toldByGo reports whether the second of two Puts, the first being a goroutine's, stands behind a test of what the goroutine changes.
func (a *analysis) toldByGo(first *release, ev *event) bool {
	n := len(first.stack) - 1
	start, ok := first.stack[n].(*ssa.Go)
	if !ok || n >= len(ev.stack) {
		return false
	}
	return slices.ContainsFunc(ev.stack[n:], func(i ssa.Instruction) bool {
		return (i.Parent() == start.Parent() || i.Parent().Parent() == start.Parent()) && a.askedOfGo(i, start)
	})
}

// keptIn reports whether some of the values that a goroutine was given are, or lead by fields that keep what their object was made with to, one value:
// it finds that there whenever it looks.
func (a *analysis) keptIn(st *state, given []*sym, x *sym) bool {
	seen := map[*sym]bool{}
	var leads func(y *sym) bool
	leads = func(y *sym) bool {
		if y = plain(y); y == nil || seen[y] || len(seen) > 64 {
			return false
		}
		seen[y] = true
		if memory(y) == x || st.mem[y] != nil && leads(st.mem[y]) {
			return true
		}
		if y.kind == kClosure && slices.ContainsFunc(y.list, leads) {
			return true
		}
		s := structOf(y.typ)
		if y.kind != kAlloc || s == nil {
			return false
		}
		for n := range s.NumFields() {
			if k := a.syms.field(y, s, n); k.fixed && st.mem[k] != nil && leads(st.mem[k]) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(given, leads)
}
