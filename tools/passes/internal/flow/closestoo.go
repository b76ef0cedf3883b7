// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// The transport closes the body of a request when it likes, and may still read it when it has returned.
// Who closes the body as well, with a Close that puts and nothing that lets one in at a time, puts what the
// transport reads, or puts it at the same time as the transport.

// ofTransport is what is known on a path of a body that a transport has, and whose Close puts.
func (a *analysis) ofTransport(b *sym) *sym {
	return a.syms.intern(symKey{kind: kArith, a: b, val: "in transport"}, types.Typ[types.Bool])
}

// closesToo sees a call of a method of the package's own on a path, and reports the Close of a body that
// a transport has.
func (a *analysis) closesToo(st *state, i ssa.CallInstruction, fn *ssa.Function, args []*sym) {
	if fn.Name() != "Close" || len(args) != 1 || !st.truth[a.ofTransport(plain(args[0]))] || syncs(fn) {
		return
	}
	for _, k := range sortedKeys(st.rel) {
		r := st.rel[k]
		if !r.closed || len(r.stack) == 0 {
			continue
		}
		ev := st.here(i)
		pos, in := ev.outermost()
		a.report(finding{
			pattern: goroutineUse, pos: pos, fn: in, cause: r.pos(),
			message: fmt.Sprintf("the body is closed here, which puts its memory in %s (%s), while the transport that the request was given to may still read it, or close it at the same time", r.pool.label(), a.line(r.pos())),
			related: a.related(rel("the Put", &r.event)),
		})
		return
	}
}

// syncs reports whether a function uses something of package sync or sync/atomic.
func syncs(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if f := calledMethod(c); f != nil && f.Pkg() != nil && (f.Pkg().Path() == "sync/atomic" || f.Pkg().Path() == "sync" && funcKey(f) != "sync.Pool.Put") {
			return true
		}
	}
	return false
}
