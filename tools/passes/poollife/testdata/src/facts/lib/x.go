// Package lib wraps pools for the package facts.
package lib

import (
	"bytes"
	"sync"
	"unsafe"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func Get() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func Put(b *bytes.Buffer) {
	if b == nil || b.Cap() > 1<<16 {
		return
	}
	bufs.Put(b)
}

type Reader struct{ buf *bytes.Buffer }

func NewReader() (*Reader, error) { return &Reader{buf: Get()}, nil }

func (r *Reader) Bytes() []byte { return r.buf.Bytes() }

func (r *Reader) Close() error {
	if r.buf == nil {
		return nil
	}
	Put(r.buf)
	r.buf = nil
	return nil
}

type Node struct {
	ID int
	b  []byte
}

var nodes sync.Pool

func (n *Node) Free() {
	n.b = nil
	nodes.Put(n)
}

// Text shares the memory of b.
func Text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Async puts n when it is done with it.
func Async(n *Node, f func(*Node)) {
	go func() {
		f(n)
		n.Free()
	}()
}
