// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A handle knows when it was given back: a second release does no harm, and
// nothing that is done to it reaches the next user. What it lent is in the pool,
// though, and what is written to it, or read from it, is lost: its methods
// return errors.

// endedField is the number of the field that stands for a handle being open.
const endedField = -6

func (t *symbols) ended(handle *sym) *sym { return t.field(handle, nil, endedField) }

// endLease follows the release of a handle.
func (a *analysis) endLease(st *state, i ssa.CallInstruction, x *sym, p *pool) {
	x = plain(x)
	mem := a.syms.lent(x)
	if st.rel[mem] != nil || x.kind == kNil {
		return
	}
	ev := st.here(i)
	a.checkGoroutines(st, []*sym{mem}, &ev, p)
	r := &release{event: ev, pool: p, deferred: st.f.inDefer, value: x}
	st.rel[mem], st.rel[a.syms.ended(x)] = r, r
	a.takeOver(st, mem)
}

// leaseUse sees a call of a function of a package of handles: of a method on a
// handle, or with one as an argument.
func (a *analysis) leaseUse(st *state, i ssa.CallInstruction, f *types.Func, args []*sym) {
	if f.Pkg() == nil || !strings.HasPrefix(f.Pkg().Path(), codec+"/") {
		return
	}
	switch f.Name() {
	case "Reset":
		if len(args) > 0 {
			x := plain(args[0])
			delete(st.rel, a.syms.ended(x))
			delete(st.rel, a.syms.lent(x))
		}
	case "Write", "Flush", "Read", "Bytes", "NewReader", "SetBody":
		for _, x := range args {
			if r := a.leaseEnded(st, x); r != nil {
				a.reportUse(st, i, x, r, "used by "+f.Name())
			}
		}
	}
}

// leaseEnded returns the release of a handle that x is, or is a reader or writer over.
func (a *analysis) leaseEnded(st *state, x *sym) *release {
	x = plain(x)
	if x.kind == kHold {
		for _, y := range x.list {
			if r := a.leaseEnded(st, y); r != nil {
				return r
			}
		}
		return nil
	}
	if x.kind != kToken && x.kind != kParam && x.kind != kLoad {
		return nil
	}
	if r := st.rel[a.syms.ended(x)]; r != nil && !st.gone[x] {
		return r
	}
	return nil
}

// streams reports whether a value of the type is there to be read from or written to.
func streams(t types.Type) bool {
	if t == nil {
		return false
	}
	it, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range it.Methods() {
		switch m.Name() {
		case "Read", "Write":
			return true
		}
	}
	return false
}
