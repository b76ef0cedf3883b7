// SPDX-License-Identifier: BSD-3-Clause

package flow

import "golang.org/x/tools/go/ssa"

// Once a path has received from a context's Done, the context's Err is an error.

// expired is the condition that a context has ended.
func (t *symbols) expired(ctx *sym) *sym {
	return t.intern(symKey{kind: kOk, a: ctx, val: "ended"}, nil)
}

// isContextMethod reports whether a call is of a method of that name through package context's interface.
func isContextMethod(c *ssa.CallCommon, name string) bool {
	return c.IsInvoke() && c.Method.Name() == name && c.Method.Pkg() != nil && c.Method.Pkg().Path() == "context"
}

// noteEnded sees a receive from ch.
func (a *analysis) noteEnded(st *state, ch *sym) {
	if i, ok := ch.obj.(*ssa.Call); ok && ch.kind == kOpaque && isContextMethod(&i.Call, "Done") && i.Parent() == st.f.fn {
		st.truth[a.syms.expired(plain(a.val(st, i.Call.Value)))] = true
	}
}

// errAfterEnd sees the results of a call.
func (a *analysis) errAfterEnd(c *ssa.CallCommon, recv *sym, outs []outcome) {
	if !isContextMethod(c, "Err") {
		return
	}
	for _, o := range outs {
		if o.st.truth[a.syms.expired(plain(recv))] && o.result != nil {
			o.st.truth[a.syms.nilTest(o.result)] = false
		}
	}
}
