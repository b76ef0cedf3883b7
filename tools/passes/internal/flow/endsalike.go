// SPDX-License-Identifier: BSD-3-Clause

package flow

import "slices"

// A path that gives up because the connection is gone leaves a value to the collector that another goroutine may
// still have. The same end takes the value where nobody has it yet: whoever wrote that says so by the error.

// endsAlike reports whether a path ends with the error of one on which another has the value.
func (l *leak) endsAlike(p lostPath) bool {
	return p.result != nil && slices.ContainsFunc(l.ended, func(x *sym) bool { return sameError(x, p.result) })
}

// sameError reports whether two results are one error, say a variable of the package.
func sameError(x, y *sym) bool {
	if x.kind != kLoad || x.typ == nil || !isError(x.typ) {
		return false
	}
	return x == y || y.kind == kLoad && x.a == y.a && x.a.kind == kGlobal
}

// lastResult is the last result of a path.
func lastResult(e exit) *sym {
	if n := len(e.results); n > 0 {
		return e.results[n-1]
	}
	return nil
}
