// Package pickedbysize takes from one of two pools, by the size that is asked for.
package pickedbysize

import "sync"

const limit = 2048

var short = sync.Pool{New: func() any { b := make([]byte, limit); return &b }}
var long = sync.Pool{New: func() any { b := make([]byte, 16*limit); return &b }}

// Wrong: the one that was picked for the Get is forgotten
func frame(s string, write func([]byte)) {
	var b *[]byte
	if len(s) < limit {
		b = short.Get().(*[]byte)
	} else {
		b = long.Get().(*[]byte)
	}
	n := copy(*b, s)
	write((*b)[:n])
	long.Put(b) // want `b was taken from short but is put in long`
}

// Right: a pointer to the pool
func pointer(s string, write func([]byte)) {
	p := &short
	if len(s) >= limit {
		p = &long
	}
	b := p.Get().(*[]byte)
	n := copy(*b, s)
	write((*b)[:n])
	p.Put(b)
}

// Right: asked again
func again(s string, write func([]byte)) {
	var b *[]byte
	if len(s) < limit {
		b = short.Get().(*[]byte)
	} else {
		b = long.Get().(*[]byte)
	}
	n := copy(*b, s)
	write((*b)[:n])
	if cap(*b) == limit {
		short.Put(b)
	} else {
		long.Put(b)
	}
}

// Right: the answer is kept
func remembered(s string, write func([]byte)) {
	var b *[]byte
	isLong := len(s) >= limit
	if isLong {
		b = long.Get().(*[]byte)
	} else {
		b = short.Get().(*[]byte)
	}
	n := copy(*b, s)
	write((*b)[:n])
	if isLong {
		long.Put(b)
	} else {
		short.Put(b)
	}
}

// Right: what grew belongs to the other pool
func grown(s string, read func([]byte) []byte) {
	b := short.Get().(*[]byte)
	*b = read((*b)[:0])
	if cap(*b) > limit {
		long.Put(b)
		return
	}
	short.Put(b)
}
