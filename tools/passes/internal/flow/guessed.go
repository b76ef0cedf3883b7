// SPDX-License-Identifier: BSD-3-Clause

package flow

// When code out of view has had a pooled object, its fields are not known any more, and a test of one
// goes both ways. One of these is often no way of the program's: an object whose parent was set, say, and
// that ends its life only if it has none.

// guessedOf reports whether the path went a way that hangs on such a test, of an object that leads to
// a pooled value.
func (a *analysis) guessedOf(st *state, tok *sym) bool {
	for _, c := range sortedKeys(st.truth) {
		if c.mentions(func(x *sym) bool {
			return x.kind == kLoad && x.idx > 0 && x.a.base().kind == kToken && a.leadsTo(st, []*sym{x.a.base()}, tok)
		}) {
			return true
		}
	}
	return false
}
