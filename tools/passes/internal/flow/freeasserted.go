// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// What a pool gave as an interface and the same by its type are often two variables, and a goroutine may have both: it
// works with one and puts the other.

// freeAsserted tells the path of a function that is followed by itself which of its free variables have one value.
func (a *analysis) freeAsserted(st *state, fn *ssa.Function) {
	if len(fn.FreeVars) < 2 || len(a.closures[fn]) != 1 {
		return
	}
	made := a.closures[fn][0]
	for k, cell := range made.Bindings {
		al, ok := cell.(*ssa.Alloc)
		if !ok {
			continue
		}
		assert, ok := storedOnce(al).(*ssa.TypeAssert)
		if !ok || assert.CommaOk {
			continue
		}
		of, ok := assert.X.(*ssa.UnOp)
		if !ok || of.Op != token.MUL {
			continue
		}
		n := slices.Index(made.Bindings, of.X)
		if n < 0 || slices.ContainsFunc(referrers(of.X), func(r ssa.Instruction) bool {
			s, ok := r.(*ssa.Store)
			return ok && s.Addr == of.X && (precedes(assert, s) || reaches(assert.Block(), s.Block()))
		}) {
			continue
		}
		v := a.syms.fresh(kOpaque, assert.AssertedType)
		st.mem[st.f.env.get(fn.FreeVars[k])] = v
		st.mem[st.f.env.get(fn.FreeVars[n])] = a.syms.iface(v, assert.AssertedType)
	}
}
