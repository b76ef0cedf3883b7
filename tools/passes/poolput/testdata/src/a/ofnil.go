package a

import (
	"io"
	"sync"

	"github.com/valyala/bytebufferpool"
)

// What is nil on one path, and has a method called before it is put.

var lineReaders = sync.Pool{New: func() any { return new(bytebufferpool.ByteBuffer) }}

type lined struct {
	io.Reader
	lines *bytebufferpool.ByteBuffer
}

func linesOf(r io.Reader) *bytebufferpool.ByteBuffer {
	if l, ok := r.(*lined); ok {
		return l.lines
	}
	return nil
}

func doneWith(r io.Reader) {
	l := linesOf(r)
	l.Reset() // it would end here
	lineReaders.Put(l)
}

func doneAtOnce(r io.Reader) {
	l := linesOf(r)
	lineReaders.Put(l) // want `l, which is nil, is put in lineReaders \(line 34\) on this path`
}
