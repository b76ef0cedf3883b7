package a

import (
	"bufio"
	"io"
	"sync"
)

// What is nil on one path, and has a method called before it is put.

var lineReaders = sync.Pool{New: func() any { return new(bufio.Reader) }}

type lined struct {
	io.Reader
	lines *bufio.Reader
}

func linesOf(r io.Reader) *bufio.Reader {
	if l, ok := r.(*lined); ok {
		return l.lines
	}
	return nil
}

func doneWith(r io.Reader) {
	l := linesOf(r)
	l.Reset(nil) // it would end here
	lineReaders.Put(l)
}

func doneAtOnce(r io.Reader) {
	l := linesOf(r)
	lineReaders.Put(l) // want `nil is put in lineReaders on this path`
}
