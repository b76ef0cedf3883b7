// SPDX-License-Identifier: BSD-3-Clause

package storealias

import (
	"bytes"
	"sync"
)

// A reader that lets go of its buffer makes a new one after the old one was put.

var pageBufs = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, 512)) }}

type pageReader struct {
	buf  *bytes.Buffer
	last *bytes.Buffer
}

func (r *pageReader) start() { r.buf = pageBufs.Get().(*bytes.Buffer); r.buf.Reset() }

func (r *pageReader) Read(p []byte) (int, error) {
	n, err := r.buf.Read(p)
	if r.buf.Len() == 0 {
		r.buf = bytes.NewBuffer(nil)
		pageBufs.Put(r.buf) // want `r\.buf, put here, was just made for buf \(line 24\), and stays there`
	}
	return n, err
}

func (r *pageReader) readPutFirst(p []byte) (int, error) { // right
	n, err := r.buf.Read(p)
	if r.buf.Len() == 0 {
		pageBufs.Put(r.buf)
		r.buf = bytes.NewBuffer(nil)
	}
	return n, err
}

func (r *pageReader) readKeptFirst(p []byte) (int, error) { // right
	n, err := r.buf.Read(p)
	if old := r.buf; old.Len() == 0 {
		r.buf = new(bytes.Buffer)
		pageBufs.Put(old)
	}
	return n, err
}

func (r *pageReader) warm() { // right: the field does not keep it
	r.last = new(bytes.Buffer)
	r.last.Grow(512)
	pageBufs.Put(r.last)
	r.last = nil
}
