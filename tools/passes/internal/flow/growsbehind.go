// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Who takes a struct from a pool may be out of view, or too much to follow; that a buffer
// in the struct grows with the input shows in the struct's own methods as well.

// growsBehind is where a method adds something of any size to a buffer in the struct that a Put
// gives back.
func (a *analysis) growsBehind(s *putSite) token.Pos {
	t := pointee(s.typ)
	if t == nil || t.Obj().Pkg() != a.pkg.Pkg || t.TypeParams().Len() > 0 {
		return token.NoPos
	}
	first := token.NoPos
	for c := range a.productCalls() {
		f := calledMethod(c)
		if f == nil || effects[funcKey(f)] != eWrite || c.Common().IsInvoke() || len(c.Common().Args) == 0 {
			continue
		}
		fa, ok := c.Common().Args[0].(*ssa.FieldAddr)
		if !ok || types.TypeString(deref(fa.Type()), nil) != "bytes.Buffer" || pointee(fa.X.Type()) == nil || pointee(fa.X.Type()).Obj() != t.Obj() {
			continue
		}
		if _, ok := fa.X.(*ssa.Parameter); !ok || !unbounded(c) || asksBuffer(c.Parent()) {
			continue
		}
		if pos := instrPos(c); !first.IsValid() || pos < first {
			first = pos
		}
	}
	return first
}

// asksBuffer reports whether a function asks for the size of a buffer.
func asksBuffer(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		if f := calledMethod(i); f != nil {
			switch funcKey(f) {
			case "bytes.Buffer.Len", "bytes.Buffer.Cap", "bytes.Buffer.Available":
				return true
			}
		}
	}
	return false
}

// growsInField is where a field grows whose slice a caller puts, or an element of the list in a field that a caller puts.
func (a *analysis) growsInField(p *pool) token.Pos {
	for _, s := range p.puts {
		held := deref(s.held)
		if !isSlice(held) {
			continue
		}
		for _, i := range s.ev.stack {
			c, ok := i.(ssa.CallInstruction)
			if !ok || a.testsSize(c.Parent()) {
				continue
			}
			for _, x := range c.Common().Args {
				if !types.Identical(x.Type().Underlying(), held.Underlying()) {
					continue
				}
				if pos := a.grownElement(x); pos.IsValid() {
					return pos
				}
				v, _ := fieldLoad(x)
				if v == nil {
					continue
				}
				ff := a.uses().facts[v]
				if ff == nil {
					continue
				}
				for _, st := range ff.stores {
					w, ok := st.instr.(*ssa.Store)
					if !ok || !st.more || a.inTest(w.Parent()) {
						continue
					}
					if c, ok := w.Val.(*ssa.Call); ok && unbounded(c) {
						return instrPos(w)
					}
				}
			}
		}
	}
	return token.NoPos
}

// grownElement is where a slice grew that was put in a list, of which a value is an element.
func (a *analysis) grownElement(v ssa.Value) (at token.Pos) {
	l, ok := v.(*ssa.UnOp)
	if !ok {
		return token.NoPos
	}
	a.elementStores(l, func(x ssa.Value, _ ssa.Instruction) {
		if c := a.grownBy(x, map[ssa.Value]bool{}); c != nil && !at.IsValid() {
			at = instrPos(c)
		}
	})
	return at
}

// grownBy is the append by which a slice became what it is, here or in the function of the package that gave it.
func (a *analysis) grownBy(v ssa.Value, seen map[ssa.Value]bool) *ssa.Call {
	if seen[v] || len(seen) > 30 {
		return nil
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Slice:
		return a.grownBy(x.X, seen)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if c := a.grownBy(e, seen); c != nil {
				return c
			}
		}
	case *ssa.Call:
		if fn := a.calledFunction(x); fn != nil {
			for _, r := range returnedBy(fn) {
				if c := a.grownBy(r, seen); c != nil {
					return c
				}
			}
			return nil
		}
		if m := calledMethod(x); isBuiltin(x, "append") || m != nil && fromPackage(m, "strconv", "encoding/binary", "unicode/utf8", "fmt") && strings.HasPrefix(m.Name(), "Append") {
			if unbounded(x) {
				return x
			}
			return a.grownBy(x.Call.Args[0], seen)
		}
	}
	return nil
}
