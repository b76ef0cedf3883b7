// SPDX-License-Identifier: BSD-3-Clause

package missingput

import (
	"errors"
	"io"
	"sync"
)

var blocks sync.Pool

// takeBlock drops what is too small; what is not, its caller has to put back.
func takeBlock(n int) []byte {
	if v := blocks.Get(); v != nil {
		if b := *v.(*[]byte); cap(b) >= n {
			return b[:n]
		}
	}
	return make([]byte, n)
}

func putBlock(b *[]byte) {
	if cap(*b) <= 1<<16 {
		blocks.Put(b)
	}
}

func checksum(r io.Reader, n int) (sum byte, err error) {
	b := takeBlock(n) // want `b, taken from blocks at line 30, is not put back on the path that ends here`
	if _, err := io.ReadFull(r, b); err != nil {
		return 0, err
	}
	for _, c := range b {
		sum += c
	}
	putBlock(&b)
	return sum, nil
}

func checksumRight(r io.Reader, n int) (sum byte, err error) {
	b := takeBlock(n)
	defer func() { putBlock(&b) }()
	if _, err := io.ReadFull(r, b); err != nil {
		return 0, err
	}
	for _, c := range b {
		sum += c
	}
	return sum, nil
}

var scraps = sync.Pool{New: func() any { return new([]byte) }}

// What is too small is left to the collector, and that is all that is lost.
func scrap(w io.Writer, s string) error {
	p := scraps.Get().(*[]byte)
	if cap(*p) < len(s) {
		b := make([]byte, 0, 2*len(s))
		p = &b
	}
	*p = append((*p)[:0], s...)
	_, err := w.Write(*p)
	scraps.Put(p)
	return err
}

var errLong = errors.New("too long")

// A limit where the value is put, told to the function that took it, is another matter.
func shout(w io.Writer, s string, limit int) error {
	p := scraps.Get().(*[]byte)
	*p = append((*p)[:0], s...)
	if _, err := w.Write(*p); err != nil {
		scraps.Put(p)
		return err
	}
	if cap(*p) > limit {
		return errLong
	}
	scraps.Put(p)
	return nil
}
