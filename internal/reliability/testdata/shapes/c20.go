// SPDX-License-Identifier: BSD-3-Clause

package main

// A slice that was never taken, nil, is put.
func c20() {
	var hists []byte
	arrays.Put(hists)
	b := arrays.Get(100)
	must(cap(b) >= 100, "a slice of too little capacity")
	arrays.Put(b)
}
