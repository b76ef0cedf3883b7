package doubleput

import "sync"

// A pool's methods by their values.

var boxed = sync.Pool{New: func() any { return new([64]byte) }}

func methodValues() byte {
	get, put := boxed.Get, boxed.Put
	b := get().(*[64]byte)
	c := b[0]
	put(b)
	put(b) // want `b is put in boxed a second time`
	return c
}

func methodValueOnce(fail bool) byte {
	put := boxed.Put
	b := boxed.Get().(*[64]byte)
	c := b[0]
	if fail {
		put(b)
		return 0
	}
	put(b)
	return c
}

func methodValueDeferred() byte {
	b := boxed.Get().(*[64]byte)
	put := boxed.Put
	defer put(b)
	return b[0]
}
