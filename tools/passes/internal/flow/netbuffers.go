// SPDX-License-Identifier: BSD-3-Clause

package flow

// net.Buffers.WriteTo takes the buffers that it wrote out of the slice: what is left in it are
// others.

// written sees a slice of buffers written, in a variable of the path.
func (a *analysis) written(st *state, target callee, args []*sym) {
	if target.method == nil || len(args) == 0 || target.method.Name() != "WriteTo" || funcKey(target.method) != "net.Buffers.WriteTo" {
		return
	}
	v := plain(args[0])
	was := st.mem[v]
	if v.kind != kAlloc || was == nil {
		return
	}
	a.reach(st, was, func(x *sym) bool {
		if tracked(x) {
			st.handOver(x) // or it is left
		}
		return true
	})
	st.mem[v] = a.syms.fresh(kOpaque, was.typ)
}
