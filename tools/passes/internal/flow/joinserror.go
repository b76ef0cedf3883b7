// SPDX-License-Identifier: BSD-3-Clause

package flow

import "slices"

// errors.Join gives nil if all that it is given is nil: an error that is declared, or one that the path knows to be there, is not.

// joinsError reports whether one of the errors that are joined is one for sure.
func (a *analysis) joinsError(st *state, args []*sym) bool {
	if len(args) != 1 {
		return false
	}
	base := a.elemBase(st, plain(args[0]))
	if !varargs(base) {
		return false
	}
	return slices.ContainsFunc(a.elements(st, base), func(x *sym) bool {
		isNil, known := a.known(st, a.syms.nilTest(x))
		return known && !isNil
	})
}
