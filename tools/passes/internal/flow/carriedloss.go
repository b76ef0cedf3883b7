// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// What goes over a channel may be an event, made for the send, that has the pooled value in a field. Where every sender sends
// such events, the receiver of one has the value, as if it had been sent by itself.

// eventField is the field of an object that was made on the path in which it has the one live pooled value that it has;
// nil if there is none.
func (a *analysis) eventField(st *state, v *sym) (in *types.Var) {
	if v.kind != kAlloc {
		return nil
	}
	for _, k := range sortedKeys(st.mem) {
		if k.kind != kField || k.a != v {
			continue
		}
		x := plain(st.mem[k])
		if x.kind != kToken {
			continue
		}
		f, ok := k.obj.(*types.Var)
		if !ok || in != nil || x.pool == nil || !x.pool.known || st.rel[x] != nil || st.handed[x] || f.Exported() && f.Pkg() != a.pkg.Pkg {
			return nil
		}
		in = f.Origin()
	}
	return in
}

// noteCarried sees an object with a pooled value in a field sent; false if others have that in another field.
func (a *analysis) noteCarried(on, in *types.Var) bool {
	if a.carried == nil {
		a.carried = map[*types.Var]*types.Var{}
	}
	if old := a.carried[on]; old != nil && old != in {
		return false
	}
	a.carried[on] = in
	return true
}

// fieldTo is the field through which a value is reached from what was received, if that is a pointer to its struct.
func fieldTo(x, v *sym) *types.Var {
	for ; x != nil && x != v; x = x.a {
		if x.kind == kField && x.a == v {
			f, _ := x.obj.(*types.Var)
			return f.Origin()
		}
	}
	return nil
}

// partsAway reports whether a path found that a part of what it received is nil, gave a part to somebody, or to code that
// may put it.
func (a *analysis) partsAway(st *state, v *sym, kept map[*sym]bool) bool {
	part := func(x *sym) bool { return x == v || passes(x, v) }
	for c, is := range st.truth {
		if is && c.kind == kCmp && token.Token(c.idx) == token.EQL && (c.a.kind == kNil && part(c.b) || c.b.kind == kNil && part(c.a)) {
			return true
		}
	}
	for _, of := range []map[*sym]bool{kept, st.handed, st.gone} {
		for x, is := range of {
			if is && part(x) {
				return true
			}
		}
	}
	for x := range st.lent {
		if part(x) {
			return true
		}
	}
	for x := range st.sent {
		if part(x) {
			return true
		}
	}
	return false
}

// allCarry reports whether all that is sent on a field's channel is made for it with the field in set, as far as
// the source tells: also functions that are no roots send.
func (a *analysis) allCarry(on, in *types.Var) bool {
	var made func(v ssa.Value, depth int) bool
	made = func(v ssa.Value, depth int) bool {
		switch x := v.(type) {
		case *ssa.Alloc:
			return slices.ContainsFunc(referrers(x), func(r ssa.Instruction) bool {
				fa, ok := r.(*ssa.FieldAddr)
				return ok && fieldAt(fa).Origin() == in && slices.ContainsFunc(referrers(fa), func(q ssa.Instruction) bool {
					st, ok := q.(*ssa.Store)
					return ok && st.Addr == fa && !isNilConst(st.Val)
				})
			})
		case *ssa.Parameter:
			f := a.uses()
			fn := x.Parent()
			k := slices.Index(fn.Params, x)
			calls := f.callers[fn]
			return depth < 3 && len(calls) > 0 && !f.taken[fn] && !slices.ContainsFunc(calls, func(c ssa.CallInstruction) bool {
				return c.Common().IsInvoke() || k >= len(c.Common().Args) || !made(c.Common().Args[k], depth+1)
			})
		}
		return false
	}
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.Send:
			if v, _ := fieldLoad(i.Chan); v != nil && v.Origin() == on && !made(i.X, 0) {
				return false
			}
		case *ssa.Select:
			for _, s := range i.States {
				if v, _ := fieldLoad(s.Chan); s.Dir == types.SendOnly && v != nil && v.Origin() == on && !made(s.Send, 0) {
					return false
				}
			}
		}
	}
	return true
}
