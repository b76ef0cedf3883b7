// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
)

// A slice that is cut to length 0 after Get, rather than before the Put, lies in the pool
// with all elements of its last user.

// checkUncut reports a slice of pointers that is put as full as it was used.
func (a *analysis) checkUncut(st *state, x *sym, p *pool, typ types.Type, ev event) {
	m := plain(x)
	if m.kind != kToken || m.pool != p || !ofSync(p) {
		return
	}
	for _, addr := range sortedKeys(st.mem) {
		if !inside(addr, m) {
			continue
		}
		sl, ok := fieldOrElem(addr, typ).(*types.Slice)
		if !ok || !pointsOut(sl.Elem()) || !cutAndFilled(st.mem[addr]) {
			continue
		}
		if a.clearsElements(ev, sl.Elem(), nil) || a.clearsAny(sl.Elem()) || a.reslices(sl.Elem()) {
			continue
		}
		// Not where somebody calls what both takes and puts it.
		n := 0
		for n < len(ev.stack)-1 && n < len(m.stack)-1 && instrPos(ev.stack[n]) == m.stack[n] {
			n++
		}
		pos, fn := instrPos(ev.stack[n]), ev.stack[n].Parent()
		if !pos.IsValid() {
			pos, fn = ev.outermost()
		}
		if a.foundIn(retainedRefs, fn) {
			return
		}
		a.report(finding{
			pattern: retainedRefs, pos: pos, fn: fn,
			message: fmt.Sprintf("%s goes to %s (%s) with its elements, and nothing clears them: the pool keeps what they point to alive; clear it before the Put", orElse(a.putName(&ev, fn), "the slice"), p.label(), a.line(ev.pos())),
			related: append(a.related(rel("filled here", st.stores[addr])), a.acquired(m)...),
			more:    a.related(rel("the Put", &ev)),
		})
		return
	}
}

// cutAndFilled reports whether a slice was cut to length 0 and appended to.
func cutAndFilled(v *sym) bool {
	filled := false
	for ; v != nil; v = v.a {
		switch v.kind {
		case kAppend:
			filled = true
		case kView:
			if v.idx == 1 {
				return filled
			}
		default:
			return false
		}
	}
	return false
}
