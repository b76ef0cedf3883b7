// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/ssa"
)

// readAgain runs a method that reads on from an object once more, after one that
// started it anew: what the first put at the end, and no one took again since,
// it finds in the fields.
func (a *analysis) readAgain(fn, restart *ssa.Function, recv *sym, restarted []exit) {
	before := maps.Clone(a.pending)
	for n, e := range restarted {
		if n >= maxSequenceExits {
			break
		}
		if a.refusedBy(e) || !a.leavesReleased(e.st, recv) {
			continue
		}
		s := e.st.clone()
		s.f = nil
		args := []*sym{recv}
		for _, p := range fn.Params[1:] {
			args = append(args, a.syms.fresh(kOpaque, p.Type()))
		}
		a.exec(s, fn, args, nil, nil)
	}
	for k, f := range a.pending {
		if _, old := before[k]; !old && (k.pattern == useAfterPut || k.pattern == doublePut) {
			f.message += ", when " + fn.Name() + " is called again after " + restart.Name()
			a.pending[k] = f
		}
	}
}

// refusedBy reports whether a method came to its exit with an error.
func (a *analysis) refusedBy(e exit) bool {
	for _, r := range e.results {
		if r.typ == nil || !types.Implements(r.typ, errorType) {
			continue
		}
		if isNil, ok := a.known(e.st, a.syms.nilTest(r)); ok && !isNil {
			return true
		}
	}
	return false
}

// takesMarkBack reports whether a method for callers clears a flag of its receiver that the
// path set when it came to the end: it starts anew, whatever its name.
func (a *analysis) takesMarkBack(st *state, recv *sym, m *ssa.Function) bool {
	if !token.IsExported(m.Name()) || m.Signature.Recv() == nil || hasPrefix(m.Name(), streamNames) || last(m.Name()) {
		return false
	}
	found := false
	eachStore(m, func(i *ssa.Store) {
		addr, ok := i.Addr.(*ssa.FieldAddr)
		if !ok || addr.X != ssa.Value(m.Params[0]) {
			return
		}
		c, ok := i.Val.(*ssa.Const)
		if !ok || c.Value == nil || c.Value.Kind() != constant.Bool || constant.BoolVal(c.Value) {
			return
		}
		was := st.mem[a.syms.field(recv, structOf(addr.X.Type()), addr.Field)]
		found = found || was != nil && was.kind == kConst && was.val.Kind() == constant.Bool && constant.BoolVal(was.val)
	})
	return found
}
