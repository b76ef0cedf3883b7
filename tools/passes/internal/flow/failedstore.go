// SPDX-License-Identifier: BSD-3-Clause

package flow

import "golang.org/x/tools/go/ssa"

// What a call has stored in an object that it was given, and then failed, nobody reads: a message
// that could not be decoded is dropped by whoever asked for it. The function that stores is judged
// by itself.

// storedInVain reports whether memory was written by a call of the root that failed on this path.
func (a *analysis) storedInVain(st *state, addr *sym) bool {
	e := st.stores[addr]
	if e == nil {
		e = a.storedWith(st, addr)
	}
	if e == nil || len(e.stack) < 2 {
		return false
	}
	c, ok := e.stack[0].(*ssa.Call)
	if !ok || c.Parent() != st.f.fn {
		return false
	}
	err := st.f.env.get(c)
	if err == nil {
		return false
	}
	if n := c.Call.Signature().Results().Len(); n > 1 && err.kind == kAgg && len(err.list) == n {
		err = err.list[n-1]
	} else if n != 1 || !isError(c.Type()) {
		return false
	}
	isNil, known := a.known(st, a.syms.nilTest(err))
	return known && !isNil
}
