// Package decl declares interfaces.
package decl

import (
	"bytes"
	"sync"
)

// Scratch has one type, in this package.
type Scratch interface {
	Buf(n int) *bytes.Buffer
	Done(b *bytes.Buffer)
	Name() string
}

// Far has one type, in package impl.
type Far interface {
	Take() *bytes.Buffer
	Give(b *bytes.Buffer)
	String() string
}

// Several has two types, in package impl.
type Several interface {
	TakeSome() *bytes.Buffer
	GiveSome(b *bytes.Buffer)
	String() string
}

// Split has one type in each package.
type Split interface {
	TakeSplit() *bytes.Buffer
	GiveSplit(b *bytes.Buffer)
	String() string
}

// Mine has a second type in the package that uses it.
type Mine interface {
	TakeMine() *bytes.Buffer
	GiveMine(b *bytes.Buffer)
	String() string
}

type scratch struct{}

var raws = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func (scratch) Buf(n int) *bytes.Buffer {
	b := raws.Get().(*bytes.Buffer)
	b.Reset()
	b.Grow(n)
	return b
}

func (scratch) Done(b *bytes.Buffer) {
	if b.Cap() <= 1<<16 {
		raws.Put(b)
	}
}

func (scratch) Name() string { return "" }

type split struct{}

func (split) TakeSplit() *bytes.Buffer  { return new(bytes.Buffer) }
func (split) GiveSplit(b *bytes.Buffer) {}
func (split) String() string            { return "" }

// Server has a scratch.
type Server struct{ S Scratch }

// NewServer makes one.
func NewServer() *Server { return &Server{scratch{}} }
