// Package wrapped puts through wrappers of another package, and through interfaces.
package wrapped

import (
	"bytes"
	"strings"
	"sync"

	"wrapped/pools"
)

var (
	buffers  = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	builders = sync.Pool{New: func() any { return new(strings.Builder) }}
)

func swapped(s string) int {
	b := pools.Take[*bytes.Buffer](&buffers)
	b.Reset()
	b.WriteString(s)
	n := b.Len()
	pools.Give(&builders, b) // want "b was taken from buffers but is put in builders"
	return n
}

func straight(s string) int {
	b := pools.Take[*strings.Builder](&builders)
	b.Reset()
	b.WriteString(s)
	n := b.Len()
	pools.Give(&builders, b)
	return n
}

var chunks = sync.Pool{New: func() any { return []byte(nil) }}

func boxed(n int) {
	b := pools.Take[[]byte](&chunks)
	b = append(b[:0], byte(n))
	pools.Give(&chunks, b) // want "is put in chunks by value"
}

var headers = pools.New(func() *[]byte { return new([]byte) })

func anew(data []byte) {
	b := *headers.Get()
	b = append(b[:0], data...)
	headers.Put(&b) // want "the address of the local variable b is put in headers"
}

func kept(data []byte) {
	b := headers.Get()
	*b = append((*b)[:0], data...)
	headers.Put(b)
}

type node struct{ next, prev *node }

var nodes = pools.New(func() *node { return new(node) })

func tested(m map[int]*node, k int) {
	n := m[k]
	nodes.Put(n) // want "n, put in nodes at line 63, may be nil"
	if n != nil {
		delete(m, k)
	}
}

// A wrapper that looks for nil may be given it.

var lazy pools.Lazy[node]

func given(m map[int]*node, k int) {
	n := m[k]
	lazy.Put(n)
	if n != nil {
		delete(m, k)
	}
}

// Two pools in one struct are two.

var pair pools.Pair

func both() {
	s, l := pair.Small(), pair.Large()
	s[0], l[0] = 1, 2
	pair.PutSmall(s)
	pair.PutLarge(l)
}

type cache interface {
	Get() any
	Put(any)
}

var held cache = &sync.Pool{New: func() any { return new(node) }}

func wrong() {
	n := held.Get().(*node)
	n.next = nil
	held.Put(*n) // want "by value" "\\*n, a node, is put in held, but its New makes"
}

func right() {
	n := held.Get().(*node)
	n.next = nil
	held.Put(n)
}
