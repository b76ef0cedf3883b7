package sizes

import (
	"math/bits"
	"sync"
)

// Tests one after the other: what is put in the middle may be smaller than what is asked of it.

var low, high sync.Pool

func lend(n int) []byte {
	if n <= 4096 {
		if p, ok := low.Get().(*[]byte); ok {
			return (*p)[:n]
		}
		return make([]byte, n, 4096)
	}
	if p, ok := high.Get().(*[]byte); ok {
		return (*p)[:n]
	}
	return make([]byte, n, max(n, 1<<20))
}

func giveBack(p *[]byte) {
	switch {
	case cap(*p) <= 4096:
		low.Put(p) // want `a slice with a capacity of \d+ goes to a pool from which lend takes slices for up to 4096`
	default:
		high.Put(p)
	}
}

func join(parts ...string) string {
	b := lend(64)[:0]
	for _, s := range parts {
		b = append(b, s...)
	}
	defer giveBack(&b)
	return string(b)
}

// A loop that halves.

type shelf struct{ rows [16]sync.Pool }

func row(n int) (k int) {
	for size := 64; size < n; size *= 2 {
		k++
	}
	return k
}

func (s *shelf) get(n int) *[]uint32 {
	p, ok := s.rows[row(n)].Get().(*[]uint32)
	if !ok {
		v := make([]uint32, 64<<row(n))
		p = &v
	}
	*p = (*p)[:n]
	return p
}

func (s *shelf) put(p *[]uint32) {
	s.rows[row(cap(*p))].Put(p) // want `a slice with a capacity of \d+ goes to a pool from which get takes`
}

func (s *shelf) count(in []uint32) (n int) {
	p := s.get(16)
	*p = append((*p)[:0], in...)
	for _, x := range *p {
		n += bits.OnesCount32(x)
	}
	s.put(p)
	return n
}

// The pool's own slices are too small: New makes less than the function promises.

var pages = [...]sync.Pool{
	{New: func() any { b := make([]byte, 512); return &b }},
	{New: func() any { b := make([]byte, 2048); return &b }},
	{New: func() any { b := make([]byte, 16384); return &b }},
}

func page(n int) *[]byte {
	switch {
	case n <= 512:
		return pages[0].Get().(*[]byte)
	case n <= 4096:
		return pages[1].Get().(*[]byte)
	}
	return pages[2].Get().(*[]byte)
}

func drop(p *[]byte) {
	switch c := cap(*p); {
	case c < 2048:
		pages[0].Put(p)
	case c < 16384:
		pages[1].Put(p) // want `a slice with a capacity of 2048 goes to a pool from which page takes slices for up to`
	default:
		pages[2].Put(p)
	}
}

func repeat(c byte, n int) string {
	p := page(n)
	b := (*p)[:n]
	for i := range b {
		b[i] = c
	}
	s := string(b)
	drop(p)
	return s
}

// A table that is filled elsewhere, and a Put that looks at the length.

type table struct {
	sizes []int
	bySz  map[int]*sync.Pool
}

func (t *table) get(n int) *[]float32 {
	for _, s := range t.sizes {
		if s >= n {
			p := t.bySz[s].Get().(*[]float32)
			*p = (*p)[:n]
			return p
		}
	}
	v := make([]float32, n)
	return &v
}

func (t *table) put(p *[]float32) {
	if l := t.bySz[len(*p)]; l != nil { // want `the pool is picked by the length of what is put`
		l.Put(p)
	}
}

func (t *table) mean(in []float32) (m float32) {
	p := t.get(len(in))
	defer t.put(p)
	copy(*p, in)
	for _, x := range *p {
		m += x
	}
	return m / float32(len(in))
}

// Put panics on a capacity that no pool has, and the slice may be another by then.

var exact [12]sync.Pool

func exactly(n int) []byte {
	k := bits.Len(uint(n - 1))
	if p, ok := exact[k].Get().(*[]byte); ok {
		return (*p)[:n]
	}
	return make([]byte, n, 1<<k)
}

func free(b []byte) {
	n := cap(b)
	if n&(n-1) != 0 {
		panic("not of a pool")
	}
	exact[bits.Len(uint(n))-1].Put(&b) // want `address of the local variable b`
}

func quote(dst, src []byte) []byte {
	if len(dst) < len(src)+2 {
		dst = make([]byte, len(src)+2)
	}
	dst[0] = '"'
	n := copy(dst[1:], src)
	dst[n+1] = '"'
	return dst[:n+2]
}

func quoted(src []byte, send func([]byte)) {
	b := quote(exactly(len(src)), src)
	send(b)
	free(b) // want `free panics here`
}
