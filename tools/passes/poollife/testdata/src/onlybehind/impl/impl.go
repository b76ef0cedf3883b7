// Package impl implements the interfaces of package decl.
package impl

import (
	"bytes"
	"sync"

	"onlybehind/decl"
)

type impl struct{ pool sync.Pool }

func (i *impl) Take() *bytes.Buffer {
	if b, ok := i.pool.Get().(*bytes.Buffer); ok {
		b.Reset()
		return b
	}
	return new(bytes.Buffer)
}

func (i *impl) Give(b *bytes.Buffer) {
	if b.Cap() <= 1<<16 {
		i.pool.Put(b)
	}
}

func (i *impl) TakeSome() *bytes.Buffer   { return i.Take() }
func (i *impl) GiveSome(b *bytes.Buffer)  { i.Give(b) }
func (i *impl) TakeSplit() *bytes.Buffer  { return i.Take() }
func (i *impl) GiveSplit(b *bytes.Buffer) { i.Give(b) }
func (i *impl) TakeMine() *bytes.Buffer   { return i.Take() }
func (i *impl) GiveMine(b *bytes.Buffer)  { i.Give(b) }
func (i *impl) String() string            { return "" }

type unpooled struct{}

func (unpooled) TakeSome() *bytes.Buffer  { return new(bytes.Buffer) }
func (unpooled) GiveSome(b *bytes.Buffer) {}
func (unpooled) String() string           { return "" }

// Service has a Far.
type Service struct{ F decl.Far }

// New makes one.
func New() *Service { return &Service{&impl{}} }
