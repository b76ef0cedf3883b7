// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// putByCount checks a put that another object's last reference brings about. The
// count says when that object ends; it does not make good that the value was put
// before, by who had it first.
func (a *analysis) putByCount(st *state, i ssa.CallInstruction, targets []*sym, p *pool) {
	owner := a.countedIn(st)
	if owner == nil || a.ofTurn(st) {
		return
	}
	for _, t := range targets {
		r := st.rel[t]
		if t.kind != kToken || r == nil || r.async || st.gone[t] || inside(owner, t) || inside(t, owner) {
			continue
		}
		if r.pool != p {
			continue
		}
		ev := st.here(i)
		a.reportDouble(st, t, r, &ev, p)
		return
	}
}

// checkStartedLast checks a put that the last reference brings about for goroutines that were started since the count was
// asked, and for receivers of what the path sent, if it has dropped all references that it had and gave no other away.
// They have none of the references, but slices of the object's memory.
func (a *analysis) checkStartedLast(st *state, targets []*sym, ev *event, p *pool) {
	all := st.gos
	dropped := slices.ContainsFunc(targets, func(t *sym) bool { return t.kind == kToken && allDropped(st, t) }) &&
		!slices.ContainsFunc(all, func(g *spawn) bool { return g.hasOne(targets) })
	st.gos = slices.DeleteFunc(slices.Clone(all), func(g *spawn) bool {
		return (!g.last || !g.hasSlices()) && !(dropped && g.sink == receiver && g.hasBytes())
	})
	if len(st.gos) > 0 {
		a.checkGoroutines(st, targets, ev, p)
	}
	st.gos = all
}

// hasSlices reports whether a goroutine has nothing but slices, and functions that were found in memory: it cannot ask the
// object that they are of.
func (g *spawn) hasSlices() bool {
	n := 0
	for _, h := range g.holds {
		if isSlice(h.typ) {
			n++
			continue
		}
		if h.typ == nil || h.kind != kLoad {
			return false
		}
		if _, ok := h.typ.Underlying().(*types.Signature); !ok {
			return false
		}
	}
	return g.body != nil && n > 0
}

// hasBytes reports whether all that another goroutine has is bytes, of a slice or of an array in an object.
func (g *spawn) hasBytes() bool {
	return !slices.ContainsFunc(g.holds, func(h *sym) bool { return h.kind != kField && (h.typ == nil || !isBytes(h.typ)) })
}

// hasOne reports whether one of some objects went to another goroutine.
func (g *spawn) hasOne(targets []*sym) bool {
	return slices.ContainsFunc(slices.Concat(g.with, g.holds), func(x *sym) bool { return slices.Contains(targets, plain(x)) })
}

// allDropped reports whether a path has dropped all references that it had to an object which it took from a pool.
func allDropped(st *state, t *sym) bool {
	if st.escaped[t] || st.handed[t] || st.gone[t] || st.rel[t] != nil {
		return false
	}
	for k := range st.mem {
		if k.kind == kField && k.idx == ownNone && k.base() == t {
			return true
		}
	}
	return false
}

// countedIn is the receiver of the method that found its count to be at an end.
func (a *analysis) countedIn(st *state) *sym {
	for f := st.f; f != nil && st.refcount >= 0; f = f.parent {
		if len(f.stack) != st.refcount {
			continue
		}
		if f.fn.Signature.Recv() == nil || len(f.fn.Params) == 0 {
			return nil
		}
		return memory(f.env.get(f.fn.Params[0]))
	}
	return nil
}

// byBackLink reports whether a Put stands under the pool that the value itself
// names: a value that keeps a pointer to its pool goes back where it came from.
func (a *analysis) byBackLink(st *state, i ssa.Instruction, x *sym) bool {
	c, ok := i.(ssa.CallInstruction)
	if !ok || len(c.Common().Args) < 2 || c.Parent() != st.f.fn {
		return false
	}
	y := a.val(st, c.Common().Args[0])
	return y != x && passes(y, x)
}

// countsAgain reports whether a reference is dropped by the function that dropped the last one
// before.
func countsAgain(r *release, fn *ssa.Function, delta *sym) bool {
	if delta == nil || delta.kind != kConst || delta.val.Kind() != constant.Int || constant.Sign(delta.val) >= 0 {
		return false
	}
	for _, i := range r.stack {
		if i.Parent() == fn {
			return true
		}
	}
	return false
}
