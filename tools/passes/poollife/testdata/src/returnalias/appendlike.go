package returnalias

import (
	"encoding"
	"hash"
	"sync"
)

// Code that is chosen at run time appends to the slice of length 0 that it is given.

var scraps = sync.Pool{New: func() any { b := make([]byte, 0, 256); return &b }}

func binaryOf(x encoding.BinaryAppender) ([]byte, error) {
	p := scraps.Get().(*[]byte)
	defer scraps.Put(p)
	return x.AppendBinary((*p)[:0]) // want `memory of p is returned`
}

func binaryCopyOf(x encoding.BinaryAppender) ([]byte, error) {
	p := scraps.Get().(*[]byte)
	defer scraps.Put(p)
	b, err := x.AppendBinary((*p)[:0])
	if err != nil {
		return nil, err
	}
	*p = b
	return append([]byte(nil), b...), nil
}

type digest struct {
	sum  []byte
	hash func([]byte) []byte
}

var digests = sync.Pool{New: func() any { return new(digest) }}

func (d *digest) of(h hash.Hash) []byte {
	d.sum = h.Sum(d.sum[:0])
	return d.sum
}

func sumOf(h hash.Hash) string {
	d := digests.Get().(*digest)
	s := string(d.of(h))
	digests.Put(d)
	return s
}

func sumKept(h hash.Hash) []byte {
	d := digests.Get().(*digest)
	b := d.of(h)
	digests.Put(d)
	return b // want `memory of d is returned`
}

// It is given bytes, and gives others.
func mapped(f func([]byte) []byte, in []byte) []byte {
	p := scraps.Get().(*[]byte)
	*p = append((*p)[:0], in...)
	out := f(*p)
	scraps.Put(p)
	return out
}
