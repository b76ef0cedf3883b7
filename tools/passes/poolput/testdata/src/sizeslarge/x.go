// SPDX-License-Identifier: BSD-3-Clause

// Package sizeslarge has pools for large slices only.
package sizeslarge

import (
	"io"
	"sync"
)

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

// Slices below the smallest size are none of the pools', so that only large ones are refused.
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

// Wrong: what is framed may be another slice.
func sendFramed(w io.Writer, src []byte) error {
	b := framed(sheet(len(src)), src)
	_, err := w.Write(b)
	unsheet(b) // want `unsheet panics here`
	return err
}

// Right: it is large enough.
func sendRoomy(w io.Writer, src []byte) error {
	b := framed(sheet(len(src)+8), src)
	_, err := w.Write(b)
	unsheet(b)
	return err
}

// Right: what the pool gave comes back, whatever was sent.
func sendEither(w io.Writer, src []byte) error {
	p := sheet(len(src))
	_, err := w.Write(framed(p, src))
	unsheet(p)
	return err
}
