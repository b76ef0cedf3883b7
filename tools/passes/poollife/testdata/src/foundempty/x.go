// Package foundempty starts goroutines that have slices of pools.
package foundempty

import "sync"

var pool = sync.Pool{New: func() any { return new(packet) }}

type packet struct{ data []byte }

type sink interface{ Write(b []byte) }

var copies = sync.Pool{New: func() any { return new(packet) }}

// A slice that was found empty gives the goroutine nothing to read.
func send(s sink, p *packet) {
	data := p.data
	if len(data) > 0 {
		data = append([]byte(nil), data...)
	}
	go func() { s.Write(data) }()
	pool.Put(p)
}

// Of the others it reads what is the next user's by then.
func sendAll(s sink) {
	p := pool.Get().(*packet)
	data := p.data
	if len(data) > 1 {
		data = append([]byte(nil), data...)
	}
	go func() { s.Write(data) }()
	pool.Put(p) // want `goroutine .* may still use it`
}
