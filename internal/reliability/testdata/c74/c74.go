// SPDX-License-Identifier: BSD-3-Clause

// Package c74 is the shape of a bug that does not compile.
package c74

import "github.com/spare-go/spare"

var pool spare.Pool[[]byte]

// put stores the address of its parameter, which is a pointer already.
func put(b *[]byte) {
	pool.Put(&b)
}
