// SPDX-License-Identifier: BSD-3-Clause

package flow

// A slice that was swapped out of a pooled value, for another that is in its place, keeps
// nothing of the value: who has the slice does not have the value.

// swappedFor is v, or nothing where v is what a field of a pooled value held before the path
// put another slice there.
func (a *analysis) swappedFor(st *state, v *sym) *sym {
	x := memory(v)
	if x.kind != kLoad || !isSlice(x.typ) || x.a.kind != kField {
		return v
	}
	t, _ := a.tokenField(x.a)
	now := st.mem[x.a]
	if t == nil || now == nil || now.kind == kNil || memory(now) == x || !isSlice(now.typ) {
		return v
	}
	if m := memory(now); m.kind != kLoad && m.kind != kParam || passes(now, t) {
		return v
	}
	return a.syms.null()
}
