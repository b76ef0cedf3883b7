// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"github.com/spare-go/spare"
)

type c31writer struct {
	w   func([]byte) error
	buf []byte
	err error
}

var c31pool spare.Pool[c31writer]

var errC31 = errors.New("closed")

func (f *c31writer) release() {
	f.w, f.buf = nil, f.buf[:0]
	c31pool.Put(f)
}

func (f *c31writer) Close() (int, error) {
	defer func() {
		if f.err == nil {
			f.err = errC31
		}
	}()
	n := len(f.buf)
	if f.err = f.w(f.buf); f.err != nil {
		return 0, f.err
	}
	f.release()
	return n, nil
}

func c31() {
	f := c31pool.Get()
	f.w = func([]byte) error { return nil }
	f.Close()
}
