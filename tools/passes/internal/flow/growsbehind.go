// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

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

// growsInField is where a field grows whose slice a caller puts.
func (a *analysis) growsInField(p *pool) token.Pos {
	for _, s := range p.puts {
		if !isSlice(s.held) {
			continue
		}
		for _, i := range s.ev.stack {
			c, ok := i.(ssa.CallInstruction)
			if !ok || a.testsSize(c.Parent()) {
				continue
			}
			for _, x := range c.Common().Args {
				v, _ := fieldLoad(x)
				if v == nil || !types.Identical(v.Type().Underlying(), s.held.Underlying()) {
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
