// SPDX-License-Identifier: BSD-3-Clause

package flow

import "golang.org/x/tools/go/ssa"

// What a goroutine sends and then puts itself is at fault wherever it was started. Its
// body is walked where it is started to see what it takes over; that its variables
// are parts of one another shows there only.

// sameGoroutine reports whether two events are in the body of one goroutine that the
// root starts.
func sameGoroutine(x, y *event) bool {
	for n := 0; n < len(x.stack)-1 && n < len(y.stack)-1 && x.stack[n] == y.stack[n]; n++ {
		if _, ok := x.stack[n].(*ssa.Go); ok {
			return true
		}
	}
	return false
}

// contentsOf are the values in the fields of a struct that was made on the path and is
// sent by its address.
func (a *analysis) contentsOf(st *state, x *sym) []*sym {
	if x = plain(x); x.kind != kAlloc || varargs(x) {
		return nil
	}
	var list []*sym
	for _, k := range sortedKeys(st.mem) {
		if k.kind == kField && inside(k, x) {
			list = append(list, plain(st.mem[k]))
		}
	}
	return list
}
