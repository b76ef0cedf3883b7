// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A method that ends the use of an object puts what one field holds, and leaves it there, but sets another
// field to nil: the object is begun with again. Where the method that does so sets only the other field, the
// next end puts what was put before.

// playReopened begins anew with an object whose use has ended, and ends it again.
func (a *analysis) playReopened(fn *ssa.Function, e exit, play func(func())) bool {
	if fn.Signature.Recv() == nil || len(fn.Params) != 1 || !token.IsExported(fn.Name()) || !last(fn.Name()) {
		return false
	}
	recv := a.syms.intern(symKey{kind: kParam, obj: fn.Params[0]}, fn.Params[0].Type())
	s := structOf(recv.typ)
	if s == nil || !a.leavesReleased(e.st, recv) {
		return false
	}
	cleared, left := map[*sym]bool{}, map[*sym]bool{}
	for n := range s.NumFields() {
		k := a.syms.field(recv, s, n)
		if v := e.st.mem[k]; v != nil && v.kind == kNil && v.idx == 0 && isPtr(s.Field(n).Type()) {
			cleared[k] = true
		}
	}
	if len(cleared) == 0 {
		return false
	}
	for x, r := range e.st.rel {
		if r.async || e.st.gone[x] || !stays(e.st, x) {
			continue
		}
		for ; x != nil && x.a != nil; x = x.a {
			if x.kind == kField && x.a == recv && isPtr(fieldType(x)) {
				left[x] = true
			}
		}
	}
	played := false
	for sel := range types.NewMethodSet(recv.typ).Methods() {
		m := a.prog.MethodValue(sel)
		if m == nil || m.Pkg != a.pkg || len(m.Blocks) == 0 || !token.IsExported(m.Name()) || last(m.Name()) || !a.relevant[m] || !setsBoth(m, cleared, left) {
			continue
		}
		played = true
		play(func() {
			a.methodOn(e.st, m, recv, func(exits []exit) {
				for _, again := range exits {
					st := again.st
					if a.refusedBy(again) || !anyOf(cleared, func(k *sym) bool { v := st.mem[k]; return v != nil && v.kind != kNil && v != e.st.mem[k] }) ||
						!anyOf(left, func(k *sym) bool { return st.mem[k] == e.st.mem[k] }) {
						continue
					}
					st.f = nil
					a.exec(st, fn, []*sym{recv}, nil, nil)
				}
			}, func(k findingKey, f *finding) bool {
				f.message += ", when " + fn.Name() + " is called again after " + m.Name()
				return k.pattern == doublePut
			})
		})
	}
	return played
}

// playRestarted begins anew, by the method that is there for it, with an object whose use has ended: that is the order of
// these calls. What the first put and left in a field or in a list must not be put by the second.
func (a *analysis) playRestarted(fn *ssa.Function, e exit, play func(func())) bool {
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 || !token.IsExported(fn.Name()) || !last(fn.Name()) {
		return false
	}
	recv := a.syms.intern(symKey{kind: kParam, obj: fn.Params[0]}, fn.Params[0].Type())
	if recv.typ == nil || !a.leavesReleased(e.st, recv) {
		return false
	}
	played := false
	for sel := range types.NewMethodSet(recv.typ).Methods() {
		m := a.prog.MethodValue(sel)
		if m == nil || m.Pkg != a.pkg || len(m.Blocks) == 0 || !token.IsExported(m.Name()) || !strings.HasPrefix(m.Name(), "Reset") || !a.relevant[m] {
			continue
		}
		played = true
		play(func() {
			a.methodOn(e.st, m, recv, nil, func(k findingKey, f *finding) bool {
				f.message += ", when " + m.Name() + " is called after " + fn.Name()
				return k.pattern == doublePut
			})
		})
	}
	return played
}

func anyOf(set map[*sym]bool, is func(*sym) bool) bool {
	for k := range set {
		if is(k) {
			return true
		}
	}
	return false
}

// setsBoth reports whether a method sets a field of each of two kinds.
func setsBoth(m *ssa.Function, first, second map[*sym]bool) bool {
	sets := func(fields map[*sym]bool) (found bool) {
		eachStore(m, func(i *ssa.Store) {
			fa, ok := i.Addr.(*ssa.FieldAddr)
			found = found || ok && fa.X == ssa.Value(m.Params[0]) && !isNilConst(i.Val) && anyOf(fields, func(k *sym) bool { return k.idx == fa.Field })
		})
		return found
	}
	return sets(first) && sets(second)
}
