// SPDX-License-Identifier: BSD-3-Clause

package useafterput

import (
	"io"
	"sync"
)

var chunks = sync.Pool{New: func() any { return new([4096]byte) }}

// No bytes come with an error only.
func chunk(r io.Reader) (*[4096]byte, error) {
	c := chunks.Get().(*[4096]byte)
	n, err := io.ReadFull(r, c[:])
	if n == 0 {
		chunks.Put(c)
	}
	if err != nil && n == 0 {
		return nil, err
	}
	clear(c[n:])
	return c, nil
}

func chunkTwice(r io.Reader) error {
	c := chunks.Get().(*[4096]byte)
	n, err := io.ReadFull(r, c[:])
	if n == 0 {
		chunks.Put(c)
	}
	if err != nil {
		return err
	}
	clear(c[n:])
	chunks.Put(c)
	return nil
}

func chunkLate(r io.Reader) (int, error) {
	c := chunks.Get().(*[4096]byte)
	n, err := io.ReadFull(r, c[:])
	if n < 8 {
		chunks.Put(c)
	}
	if err != nil && n == 0 {
		return 0, err
	}
	clear(c[n:]) // want `after it was put`
	return n, nil
}
