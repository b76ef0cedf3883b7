// SPDX-License-Identifier: BSD-3-Clause

package main

type c73buffer struct{ buf []byte }

func (b *c73buffer) resized(n int) []byte {
	if len(b.buf)+n <= cap(b.buf) {
		return b.buf[:len(b.buf)+n]
	}
	nb := arrays.Get(len(b.buf) + n)[:len(b.buf)+n]
	copy(nb, b.buf)
	return nb
}

func (b *c73buffer) Write(p []byte) int {
	m := len(b.buf)
	old := b.buf
	b.buf = b.resized(len(p))
	arrays.Put(old)
	return copy(b.buf[m:], p)
}

func c73() {
	b := c73buffer{buf: arrays.Get(100)}
	b.Write([]byte("hello"))
}
