// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A slice that is too small is made anew in a local copy of its header. Where the pool's slices
// have a size from the start, that one may be meant for once. Where all of them start
// empty, and nobody ever stores a larger one back, the pool never holds any memory.

// noteMadeBeside sees a slice made in place of one that was read from a pooled pointer.
func (a *analysis) noteMadeBeside(st *state, i *ssa.MakeSlice) {
	if a.quiet > 0 || len(st.toks) == 0 {
		return
	}
	l := besideLoad(i)
	if l == nil {
		return
	}
	m := a.val(st, l.X)
	if m.kind != kToken || !ofSync(m.pool) || st.mem[m] != nil {
		return
	}
	ev := st.here(i)
	set(&st.grown, a.remade(m), &ev)
}

// remade stands for the slice that was made in place of what a pooled pointer leads to.
func (a *analysis) remade(m *sym) *sym {
	return a.syms.intern(symKey{kind: kArith, a: m, val: "remade"}, nil)
}

// checkRemade reports a Put of the header that such a slice was not stored in.
func (a *analysis) checkRemade(st *state, m *sym, p *pool, ev event) {
	if m.kind != kToken || m.pool != p || m.typ == nil || st.mem[m] != nil {
		return
	}
	at := st.grown[a.remade(m)]
	if at == nil || !a.startEmpty(m.typ) {
		return
	}
	pos, fn := ev.outermost()
	a.report(finding{
		pattern: staleHeader, pos: pos, fn: fn,
		message: fmt.Sprintf("the slice of %s was too small and one was made in its place, which is not stored back before the Put: what is in the pool stays empty", apposed(a.putName(&ev, fn), "put in "+p.label()+" at "+a.line(ev.pos()), "the value put in "+p.label())),
		related: append(a.related(rel("made here", at)), a.acquired(m)...),
	})
}

// besideLoad is the read of a pointed-to slice in place of which one is made, as a test of its capacity or length
// found it too small.
func besideLoad(i *ssa.MakeSlice) *ssa.UnOp {
	for d := i.Block().Idom(); d != nil; d = d.Idom() {
		c, ok := lastInstr(d).(*ssa.If)
		if !ok {
			continue
		}
		o, ok := c.Cond.(*ssa.BinOp)
		if !ok {
			continue
		}
		switch o.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
		default:
			continue
		}
		for _, v := range []ssa.Value{o.X, o.Y} {
			if l := pointedTo(sizedBy(v)); l != nil && types.Identical(l.Type(), i.Type()) && meets(i, l) {
				return l
			}
		}
	}
	return nil
}

// sizedBy is the slice whose length or capacity a value is.
func sizedBy(v ssa.Value) ssa.Value {
	c, ok := unconverted(v).(*ssa.Call)
	if !ok || sizeCall(c) == "" || len(c.Call.Args) != 1 {
		return nil
	}
	return c.Call.Args[0]
}

// pointedTo is the read through a pointer that gave a slice, cut or not.
func pointedTo(v ssa.Value) *ssa.UnOp {
	for range 4 {
		switch x := v.(type) {
		case *ssa.Slice:
			v = x.X
		case *ssa.UnOp:
			switch x.X.(type) {
			case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Global, *ssa.Alloc:
				return nil
			}
			if x.Op == token.MUL && isSlice(x.Type()) {
				return x
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// meets reports whether a made slice takes the place of what was read: both come to one variable.
func meets(made ssa.Value, l *ssa.UnOp) bool {
	work := []ssa.Value{made}
	for k := 0; k < len(work) && k < 6; k++ {
		for _, r := range referrers(work[k]) {
			switch r := r.(type) {
			case *ssa.Slice:
				work = append(work, r)
			case *ssa.Phi:
				if slices.ContainsFunc(r.Edges, func(e ssa.Value) bool { return pointedTo(e) == l }) {
					return true
				}
			}
		}
	}
	return false
}

// startEmpty reports whether all that the package ever stores behind pointers to a type of slices is
// empty.
func (a *analysis) startEmpty(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok || !isSlice(p.Elem()) {
		return false
	}
	n := 0
	for _, i := range a.instrsBeyondTests() {
		switch i := i.(type) {
		case *ssa.Store:
			if !types.Identical(i.Addr.Type(), t) || isLocalVar(i.Addr) {
				continue
			}
			if _, inField := i.Addr.(*ssa.FieldAddr); inField {
				continue
			}
			if !emptySlice(i.Val) {
				return false
			}
		case *ssa.Alloc:
			if types.Identical(i.Type(), t) && !isLocalVar(i) {
				n++
			}
		case ssa.CallInstruction:
			// Who gets the pointer elsewhere may store through it.
			if f := i.Common().StaticCallee(); f != nil && a.inPackage(f) {
				continue
			}
			if slices.ContainsFunc(i.Common().Args, func(x ssa.Value) bool {
				return types.Identical(unboxed(x).Type(), t) && funcKey(calledMethod(i)) != "sync.Pool.Put"
			}) {
				return false
			}
		}
	}
	return n > 0
}

// isLocalVar reports whether an address is that of a variable that is only read, set and captured.
func isLocalVar(v ssa.Value) bool {
	al, ok := v.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, r := range referrers(al) {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.MakeClosure, *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != al {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// emptySlice reports whether a slice has no memory, or is one cut to nothing.
func emptySlice(v ssa.Value) bool {
	zero := func(n ssa.Value) bool {
		c, ok := n.(*ssa.Const)
		return ok && c.Value != nil && isZero(c.Value)
	}
	switch x := v.(type) {
	case *ssa.Const:
		return x.Value == nil
	case *ssa.MakeSlice:
		return zero(x.Cap)
	case *ssa.Slice:
		if al, ok := x.X.(*ssa.Alloc); ok {
			arr, ok := al.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
			return ok && arr.Len() == 0
		}
		return x.High != nil && zero(x.High) && pointedTo(x.X) != nil
	}
	return false
}
