// SPDX-License-Identifier: BSD-3-Clause

package flow

import "golang.org/x/tools/go/ssa"

// net.Buffers.WriteTo takes the buffers that it wrote out of the slice: what is left in it are
// others.

// written sees a slice of buffers written, in a variable of the path.
func (a *analysis) written(st *state, i ssa.Instruction, target callee, args []*sym) {
	if target.method == nil || len(args) == 0 || target.method.Name() != "WriteTo" || funcKey(target.method) != "net.Buffers.WriteTo" {
		return
	}
	v := plain(args[0])
	was := st.mem[v]
	if v.kind != kAlloc || was == nil {
		return
	}
	for _, x := range a.elements(st, a.elemBase(st, was)) {
		if r := a.released(st, x); r != nil && !a.empty(st, x) {
			a.reportUse(st, i, x, r, "written")
		}
	}
	a.reach(st, was, func(x *sym) bool {
		if tracked(x) {
			st.handOver(x) // or it is left
		}
		return true
	})
	st.mem[v] = a.syms.fresh(kOpaque, was.typ)
}
