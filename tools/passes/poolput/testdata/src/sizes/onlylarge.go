// SPDX-License-Identifier: BSD-3-Clause

package sizes

import (
	"io"
	"sync"
)

// Slices below the smallest class are none of the pool's, so that only large ones are refused.

var spans = [...]int{1 << 18, 1 << 19, 1 << 20}

var sheets [len(spans)]sync.Pool

func sheet(n int) []byte {
	for k, size := range spans {
		if n > size {
			continue
		}
		if p, ok := sheets[k].Get().(*[]byte); ok {
			return (*p)[:n]
		}
		return make([]byte, n, size)
	}
	return make([]byte, n)
}

func unsheet(b []byte) {
	if c := cap(b); c < spans[0] || c > spans[len(spans)-1] {
		return
	}
	for k, size := range spans {
		if cap(b) == size {
			sheets[k].Put(&b) // want `address of the local variable b`
			return
		}
	}
	panic("not a sheet")
}

func framed(dst, src []byte) []byte {
	if len(dst) < len(src)+8 {
		dst = make([]byte, len(src)+8)
	}
	dst[0] = byte(len(src))
	return dst[:8+copy(dst[8:], src)]
}

func sendFramed(w io.Writer, src []byte) error {
	b := framed(sheet(len(src)), src)
	_, err := w.Write(b)
	unsheet(b) // want `unsheet panics here`
	return err
}
