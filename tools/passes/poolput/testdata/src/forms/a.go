// SPDX-License-Identifier: BSD-3-Clause

// Package forms has one misuse in several forms.
package forms

import "sync"

var slabs = sync.Pool{New: func() any { b := make([]byte, 0, 64); return &b }}

func called(b []byte) error {
	return func() error {
		b = b[:0]
		slabs.Put(&b) // want `the address of the local variable b is put in slabs`
		return nil
	}()
}

func named(b []byte) {
	put := slabs.Put
	put(&b) // want `the address of the local variable b is put in slabs`
}

func kept(b *[]byte) {
	put := slabs.Put
	put(b)
}
