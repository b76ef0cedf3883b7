// Package kegs has pooled memory in objects that are made anew.
package kegs

import "sync"

var staves = sync.Pool{New: func() any { return make([]byte, 2048) }}

type Keg struct {
	v   []byte
	end int
}

func New() *Keg {
	v := staves.Get().([]byte)
	if cap(v) >= 2048 {
		v = v[:2048]
	} else {
		v = make([]byte, 2048)
	}
	return &Keg{v: v}
}

func (k *Keg) Bytes() []byte { return k.v[:k.end] }

func (k *Keg) Release() {
	if k.v != nil {
		staves.Put(k.v)
		k.v = nil
	}
}

type Crate []*Keg

func Fill(n int) Crate {
	var c Crate
	for range n {
		c = append(c, New())
	}
	return c
}
