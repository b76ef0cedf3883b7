// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A struct may have a bufio.Writer that writes to the struct itself, so that one Write passes on what many gathered.
// Where its own Write is another method's name, a small struct that leads to it stands between.

// A selfWriter is what all that the package ever has the bufio.Writer in a field write to: the object that the field is
// in, or a struct made for the call that leads to it.
type selfWriter struct {
	around  *ssa.Alloc // of the struct between, nil where there is none
	field   int        // of that, which holds the object
	pointer bool       // its address is what is written to
}

func (w selfWriter) same(v selfWriter) bool {
	if (w.around == nil) != (v.around == nil) || w.field != v.field || w.pointer != v.pointer {
		return false
	}
	return w.around == nil || types.Identical(w.around.Type(), v.around.Type())
}

// writesToOwner is what a bufio.Writer writes to, in an interface, if that is always the object that it is in.
func (a *analysis) writesToOwner(st *state, w *sym) *sym {
	if w.kind != kLoad || w.a.kind != kField {
		return nil
	}
	owner := w.a.a
	f, ok := w.a.obj.(*types.Var)
	if !ok || owner.kind != kToken && owner.kind != kLoad && owner.kind != kParam || !concrete(owner.typ) {
		return nil
	}

	to, ok := a.selfWriters()[f.Origin()]
	if !ok {
		return nil
	}
	if to.around == nil {
		return a.syms.iface(owner, owner.typ)
	}
	t := deref(to.around.Type())
	s := t.Underlying().(*types.Struct)
	if !to.pointer {
		between := a.syms.fresh(kAgg, t)
		for n := range s.NumFields() {
			v := owner
			if n != to.field {
				v = a.syms.fresh(kOpaque, s.Field(n).Type())
			}
			between.list = append(between.list, v)
		}
		return a.syms.iface(between, t)
	}
	between := a.make(st, kAlloc, to.around, 0, to.around.Type())
	for n := range s.NumFields() {
		v := owner
		if n != to.field {
			v = a.syms.fresh(kOpaque, s.Field(n).Type())
		}
		a.write(st, a.syms.field(between, s, n), v)
	}
	return a.syms.iface(between, to.around.Type())
}

// selfWriters are the fields that hold a bufio.Writer which writes to the struct that it is in.
func (a *analysis) selfWriters() map[*types.Var]selfWriter {
	if a.selfWriting != nil {
		return a.selfWriting
	}
	a.selfWriting = map[*types.Var]selfWriter{}
	other := map[*types.Var]bool{}
	for c := range a.productCalls() {
		m := calledMethod(c)
		if m == nil || funcKey(m) != "bufio.Writer.Reset" || len(c.Common().Args) != 2 {
			continue
		}
		l, ok := c.Common().Args[0].(*ssa.UnOp)
		if !ok {
			continue
		}
		fa, ok := l.X.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		f, target := fieldAt(fa), c.Common().Args[1]
		if w, ok := leadsToOwner(target, fa.X); ok {
			if was, known := a.selfWriting[f]; known && !was.same(w) {
				other[f] = true
			} else if !known {
				a.selfWriting[f] = w
			}
		} else if g, ok := loaded(unboxed(target)).(*ssa.Global); !isNilConst(target) && !(ok && g.Name() == "Discard") {
			other[f] = true
		}
	}
	for f := range other {
		delete(a.selfWriting, f)
	}
	return a.selfWriting
}

// hasWriterOf reports whether a receiver has the buffer of a bufio.Writer that writes to one of the targets, and that was
// made with it: the bytes go to the pool with the target.
func (a *analysis) hasWriterOf(g *spawn, targets []*sym) bool {
	return g.sink == receiver && slices.ContainsFunc(g.holds, func(h *sym) bool {
		if h.kind != kLoad || h.a.kind != kField || !slices.Contains(targets, h.a.a) || !a.goesAlong(h) {
			return false
		}
		f, ok := h.a.obj.(*types.Var)
		if !ok {
			return false
		}
		_, ok = a.selfWriters()[f.Origin()]
		return ok
	})
}

// leadsToOwner tells how what a bufio.Writer is to write to leads to the struct at base, if it does.
func leadsToOwner(target, base ssa.Value) (w selfWriter, ok bool) {
	v := unboxed(target)
	if v == base {
		return w, true
	}
	al, isAlloc := v.(*ssa.Alloc)
	w.pointer = isAlloc
	if l, ok := v.(*ssa.UnOp); ok && l.Op == token.MUL {
		al, isAlloc = l.X.(*ssa.Alloc)
	}
	if !isAlloc || al.Comment != "complit" {
		return w, false
	}
	found, set := false, 0
	for _, r := range referrers(al) {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, u := range referrers(fa) {
			s, ok := u.(*ssa.Store)
			if !ok || s.Addr != fa {
				continue
			}
			set++
			switch {
			case s.Val == base:
				found, w.around, w.field = true, al, fa.Field
			case isConst(s.Val), !pointery(s.Val.Type()):
				return w, false // which may decide what the Write does
			}
		}
	}
	t, ok := deref(al.Type()).Underlying().(*types.Struct)
	return w, found && ok && set == t.NumFields()
}
