// Package goneforward has fields whose buffers goroutines take over.
package goneforward

import (
	"bytes"
	"compress/flate"
	"io"
	"sync"
)

type writer struct {
	to      io.Writer
	size    int
	current []byte
	results chan chan []byte
	blocks  sync.Pool
}

func newWriter(w io.Writer, size int) *writer {
	z := &writer{to: w, size: size, results: make(chan chan []byte, 4)}
	z.blocks.New = func() any { return make([]byte, 0, size) }
	z.current = z.block()
	go z.drain()
	return z
}

func (z *writer) block() []byte { return z.blocks.Get().([]byte)[:0] }

func (z *writer) drain() {
	for r := range z.results {
		b := <-r
		z.to.Write(b)
		z.blocks.Put(b)
	}
}

func (z *writer) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		k := min(len(p), z.size-len(z.current))
		z.current = append(z.current, p[:k]...)
		if len(z.current) == z.size {
			z.next()
		}
		p = p[k:]
	}
	return n, nil
}

func (z *writer) next() {
	r := make(chan []byte, 1)
	z.results <- r
	go z.compress(z.current, r) // want `what field current has from blocks goes to compress, which only reads it`
	z.current = z.block()
}

func (z *writer) compress(p []byte, r chan []byte) {
	out := bytes.NewBuffer(z.block())
	f, _ := flate.NewWriter(out, flate.DefaultCompression)
	f.Write(p)
	f.Flush()
	r <- out.Bytes()
}

// This one puts what it was given.

type putter struct{ writer }

func (z *putter) next() {
	r := make(chan []byte, 1)
	z.results <- r
	go z.compressed(z.current, r)
	z.current = z.block()
}

func (z *putter) compressed(p []byte, r chan []byte) {
	z.compress(p, r)
	z.blocks.Put(p)
}

// This one is waited for, and the field goes on with the same.

type waiter struct{ writer }

func (z *waiter) next() {
	r := make(chan []byte, 1)
	go z.compress(z.current, r)
	z.to.Write(<-r)
	z.current = z.current[:0]
}

// This one hands it on.

type passer struct {
	writer
	used chan []byte
}

func (z *passer) next() {
	r := make(chan []byte, 1)
	z.results <- r
	go z.passed(z.current, r)
	z.current = z.block()
}

func (z *passer) passed(p []byte, r chan []byte) {
	z.compress(p, r)
	z.used <- p
}
