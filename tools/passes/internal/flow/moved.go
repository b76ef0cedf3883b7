// SPDX-License-Identifier: BSD-3-Clause

package flow

import "golang.org/x/tools/go/ssa"

// letGo sees some values on their way to a pool, by the path itself or by a goroutine.
// Contents that were replaced or cleared before stay with who has them, and so do those
// that the next user clears first of all.
func (a *analysis) letGo(st *state, targets []*sym) {
	for _, s := range a.syms.all {
		if s.kind != kLoad || st.detached[s] {
			continue
		}
		for _, t := range targets {
			if s != t && passes(s.a, t) && (st.blank[t] || a.takenOut(st, s)) {
				set(&st.detached, s, true)
			}
		}
	}
}

// sentWithout sees a value on its way to another goroutine, by a channel: slices and maps that the path
// replaced in it before stay with who has them.
func (a *analysis) sentWithout(st *state, x *sym) {
	for _, s := range a.syms.all {
		if s.kind == kLoad && owned(s.typ) && s != x && passes(s.a, x) && overwritten(st, s) {
			set(&st.detached, s, true)
		}
	}
}

// overwritten sees the elements of a slice give way to those further on in the same slice: what
// is found at an index from now on is not what was found there before.
func (a *analysis) overwritten(st *state, dst, src *sym) {
	base := a.elemBase(st, dst)
	if src.kind != kAdv || memory(src) != memory(dst) {
		return
	}
	for k := range st.mem {
		if k.kind == kElem && k.a == base {
			delete(st.mem, k)
		}
	}
	set(&st.epoch, base, st.epoch[base]+1)
}

// takesFor reports whether all that one function takes from a pool another one does: it is that
// function, or the only one that calls it.
func (a *analysis) takesFor(fn, taker *ssa.Function, depth int) bool {
	if fn == taker || taker == nil {
		return fn == taker
	}
	calls := a.callsOf(taker)
	if depth > 2 || len(calls) == 0 || exportedFunc(taker) || taker.Parent() != nil {
		return false
	}
	for _, c := range calls {
		if c.Parent() != calls[0].Parent() {
			return false
		}
	}
	return a.takesFor(fn, calls[0].Parent(), depth+1)
}
