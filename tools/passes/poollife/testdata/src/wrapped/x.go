// Package wrapped uses pools through wrappers of another package, and through interfaces.
package wrapped

import (
	"bytes"
	"errors"
	"sync"

	"wrapped/pools"
)

var errEmpty = errors.New("empty")

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func lost(s string) (int, error) {
	b := pools.Take[*bytes.Buffer](&buffers) // want "is not put back on the path"
	b.Reset()
	if s == "" {
		return 0, errEmpty
	}
	n, _ := b.WriteString(s)
	pools.Give(&buffers, b)
	return n, nil
}

func put(s string) (int, error) {
	b := pools.Take[*bytes.Buffer](&buffers)
	defer pools.Give(&buffers, b)
	b.Reset()
	if s == "" {
		return 0, errEmpty
	}
	return b.WriteString(s)
}

var never = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func taken() *bytes.Buffer {
	return pools.Take[*bytes.Buffer](&never) // want "nothing in the package puts any back"
}

var typed = pools.New(func() *bytes.Buffer { return new(bytes.Buffer) })

func alias(s string) []byte {
	b := typed.Get()
	defer typed.Put(b)
	b.Reset()
	b.WriteString(s)
	return b.Bytes() // want "returned"
}

func twice(s string) int {
	b := typed.Get()
	defer typed.Put(b) // want "put in typed a second time"
	b.Reset()
	n, err := b.WriteString(s)
	if err != nil {
		typed.Put(b)
	}
	return n
}

func clone(s string) []byte {
	b := typed.Get()
	defer typed.Put(b)
	b.Reset()
	b.WriteString(s)
	return bytes.Clone(b.Bytes())
}

func after(s string) int {
	b := pools.GetBuffer()
	b.Reset()
	b.WriteString(s)
	pools.PutBuffer(b)
	return b.Len() // want "after"
}

type cache interface {
	Get() any
	Put(any)
}

type server struct{ pool cache }

func newServer() *server {
	return &server{pool: &sync.Pool{New: func() any { return new(bytes.Buffer) }}}
}

func (v *server) serve(s string) []byte {
	b := v.pool.Get().(*bytes.Buffer)
	defer v.pool.Put(b)
	b.Reset()
	b.WriteString(s)
	return b.Bytes() // want "returned"
}

// Of typed pools as well, unless something else is done with them.

var unput = pools.New(func() *bytes.Buffer { return new(bytes.Buffer) })

func takeUnput() *bytes.Buffer {
	return unput.Get() // want "values are taken from unput, but nothing in the package puts any back"
}

var passed = pools.New(func() *bytes.Buffer { return new(bytes.Buffer) })

func all() []*pools.Typed[*bytes.Buffer] { return []*pools.Typed[*bytes.Buffer]{passed} }

func takePassed() *bytes.Buffer { return passed.Get() }

var bound = pools.New(func() *bytes.Buffer { return new(bytes.Buffer) })

var giveBound = bound.Put

func takeBound() *bytes.Buffer { return bound.Get() }
