// SPDX-License-Identifier: BSD-3-Clause

package a

import "sync"

// The elements of a slice that is made and filled by copy are those of the other one.

var copiedLines sync.Pool

func giveCopied(b []byte) { copiedLines.Put(&b) } // want `the address of the local variable b`

func putCopied(lists [][]byte, use func([][]byte)) {
	all := make([][]byte, len(lists))
	copy(all, lists)
	use(lists)
	for i := range all {
		giveCopied(all[i])
	}
}

func putMade(n int) {
	all := make([][]byte, n)
	for i := range all {
		giveCopied(all[i]) // want `b, which is nil, is put in copiedLines`
	}
}
