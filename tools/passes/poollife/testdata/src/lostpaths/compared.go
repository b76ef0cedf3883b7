// SPDX-License-Identifier: BSD-3-Clause

package lostpaths

import (
	"bytes"
	"compress/flate"
	"io"
	"sync"
)

// Whether a slice is the one from the pool is told by where it starts.

const leafSize = 1 << 16

var (
	leafArrays = sync.Pool{New: func() any { return new([leafSize]byte) }}
	leafSlices = sync.Pool{New: func() any { b := make([]byte, leafSize); return &b }}
)

type leafPage struct {
	read func([]byte) error
	body []byte
}

func dropLeaf(b []byte) {
	if cap(b) == leafSize {
		leafArrays.Put((*[leafSize]byte)(b[:leafSize]))
	}
}

func (l *leafPage) load() error { // right
	raw := leafArrays.Get().(*[leafSize]byte)[:]
	err := l.read(raw)
	body := raw
	if err == nil && raw[0] != 0 {
		body, err = io.ReadAll(flate.NewReader(bytes.NewReader(raw[1:])))
	}
	if err != nil {
		dropLeaf(raw)
		return err
	}
	if len(body) == 0 || &body[0] != &raw[0] {
		dropLeaf(raw)
	}
	l.body = body
	return nil
}

func (l *leafPage) loadSlice() error { // right: of a slice in a box
	p := leafSlices.Get().(*[]byte)
	raw := *p
	if err := l.read(raw); err != nil {
		leafSlices.Put(p)
		return err
	}
	body, err := io.ReadAll(flate.NewReader(bytes.NewReader(raw)))
	if len(body) == 0 || &raw[0] != &body[0] {
		leafSlices.Put(p)
	}
	l.body = body
	return err
}

// Wrong: where they start is not asked on the way of an empty one, which has another start.
func (l *leafPage) loadFull() error {
	raw := leafArrays.Get().(*[leafSize]byte)[:] // want `raw, taken from leafArrays at line \d+, is not put back on the path that ends here`
	err := l.read(raw)
	body := raw
	if err == nil && raw[0] != 0 {
		body, err = io.ReadAll(flate.NewReader(bytes.NewReader(raw[1:])))
	}
	if err != nil {
		dropLeaf(raw)
		return err
	}
	if len(body) == 0 {
		l.body = nil
		return nil
	}
	if &body[0] != &raw[0] {
		dropLeaf(raw)
	}
	l.body = body
	return nil
}
