package classes

import (
	"math/bits"
	"sync"
)

var byLoop [8]sync.Pool

func class(n int) int {
	for i := range byLoop {
		if n <= 256<<i {
			return i
		}
	}
	return -1
}

func Get(n int) []byte {
	i := class(n)
	if i < 0 {
		return make([]byte, n)
	}
	if v, ok := byLoop[i].Get().(*[]byte); ok {
		return (*v)[:n]
	}
	return make([]byte, n, 256<<i)
}

func Put(b []byte) {
	if cap(b) == 0 {
		return
	}
	if i := class(cap(b)); i >= 0 {
		byLoop[i].Put(&b) // want `the capacity is rounded up to the size class of byLoop` `the address of the local`
	}
}

// By bits, in a struct, with a slice that append grew.
type Arena struct{ lists [32]*sync.Pool }

func (a *Arena) take(n int) []uint32 {
	v, _ := a.lists[bits.Len32(uint32(n-1))].Get().([]uint32)
	return v[:n]
}

func (a *Arena) give(s []uint32) {
	a.lists[bits.Len32(uint32(cap(s)-1))].Put(s) // want `the capacity is rounded up to the size class of lists` `by value`
}

func (a *Arena) Grow(s []uint32, x uint32) []uint32 {
	t := a.take(2 * len(s))
	copy(t, s)
	a.give(append(s, x))
	return t
}

// Rounded down.
var down [32]sync.Pool

func GetDown(n int) []byte {
	v, ok := down[bits.Len(uint(n-1))].Get().(*[]byte)
	if !ok {
		return make([]byte, n)
	}
	return (*v)[:n]
}

func PutDown(b *[]byte) { down[bits.Len(uint(cap(*b)))-1].Put(b) }

// Only capacities that fit exactly.
var exact [32]sync.Pool

func GetExact(n int) []byte {
	v, ok := exact[bits.Len(uint(n-1))].Get().(*[]byte)
	if !ok {
		return make([]byte, n)
	}
	return (*v)[:n]
}

func PutExact(b *[]byte) {
	c := cap(*b)
	if c&(c-1) != 0 {
		return
	}
	exact[bits.Len(uint(cap(*b)-1))].Put(b)
}

// The one who gets looks at the capacity.
var checked [32]sync.Pool

func GetChecked(n int) []byte {
	v, ok := checked[bits.Len(uint(n-1))].Get().(*[]byte)
	if !ok || cap(*v) < n {
		return make([]byte, n)
	}
	return (*v)[:n]
}

func PutChecked(b *[]byte) { checked[bits.Len(uint(cap(*b)-1))].Put(b) }

// Only what the pool itself made comes back.
var own [32]sync.Pool

func getOwn(n int) []byte {
	i := bits.Len(uint(n - 1))
	v, ok := own[bits.Len(uint(n-1))].Get().(*[]byte)
	if !ok {
		return make([]byte, n, 1<<i)
	}
	return (*v)[:n]
}

func putOwn(b []byte) { own[bits.Len(uint(cap(b)-1))].Put(&b) } // want `the address of the local`

func Sum(n int) (s int) {
	b := getOwn(n)
	for _, x := range b {
		s += int(x)
	}
	putOwn(b)
	return s
}

// The class is corrected.
var fixed [8]sync.Pool

func GetFixed(n int) []byte {
	i := class(n)
	if i < 0 {
		return make([]byte, n)
	}
	v, ok := fixed[i].Get().(*[]byte)
	if !ok {
		return make([]byte, n, 256<<i)
	}
	return (*v)[:n]
}

func PutFixed(b []byte) {
	i := class(cap(b))
	if i > 0 && cap(b) < 256<<i {
		i--
	}
	if i >= 0 && cap(b) >= 256 {
		fixed[i].Put(&b) // want `the address of the local`
	}
}
