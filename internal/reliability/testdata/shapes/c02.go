// SPDX-License-Identifier: BSD-3-Clause

package main

// The size of a slice is read after its Put. The header is the caller's own.
func c02() {
	b := arrays.Get(600)
	want := cap(b)
	arrays.Put(b)
	nextUser(300)
	must(cap(b) == want, "the capacity changed")
}
