package sizesright

import (
	"math/bits"
	"sync"
)

// What is put is at least as large as all that is asked of the pool.

var low, high sync.Pool

func lend(n int) []byte {
	if n <= 4096 {
		if p, ok := low.Get().(*[]byte); ok {
			return (*p)[:n]
		}
		return make([]byte, n, 4096)
	}
	if n <= 1<<20 {
		if p, ok := high.Get().(*[]byte); ok {
			return (*p)[:n]
		}
		return make([]byte, n, 1<<20)
	}
	return make([]byte, n)
}

func giveBack(p *[]byte) {
	switch {
	case cap(*p) < 4096:
	case cap(*p) < 1<<20:
		low.Put(p)
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

// Who takes asks for the capacity.

type shelf struct{ rows [16]sync.Pool }

func row(n int) (k int) {
	for size := 64; size < n; size *= 2 {
		k++
	}
	return k
}

func (s *shelf) get(n int) *[]uint32 {
	p, ok := s.rows[row(n)].Get().(*[]uint32)
	if !ok || cap(*p) < n {
		v := make([]uint32, 64<<row(n))
		p = &v
	}
	*p = (*p)[:n]
	return p
}

func (s *shelf) put(p *[]uint32) { s.rows[row(cap(*p))].Put(p) }

func (s *shelf) count(in []uint32) (n int) {
	p := s.get(16)
	*p = append((*p)[:0], in...)
	for _, x := range *p {
		n += bits.OnesCount32(x)
	}
	s.put(p)
	return n
}

// Only what the pool made comes back.

type own struct{ rows [16]sync.Pool }

func (o *own) get(n int) *[]byte {
	p, ok := o.rows[row(n)].Get().(*[]byte)
	if !ok {
		v := make([]byte, 64<<row(n))
		p = &v
	}
	*p = (*p)[:n]
	return p
}

func (o *own) put(p *[]byte) { o.rows[row(cap(*p))].Put(p) }

func (o *own) upper(s string) string {
	p := o.get(len(s))
	defer o.put(p)
	for i, c := range []byte(s) {
		(*p)[i] = c &^ 0x20
	}
	return string(*p)
}

// A table, and a Put that looks at the capacity.

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
	if l := t.bySz[cap(*p)]; l != nil {
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

// The slice has room for what comes: it is the one from the pool.

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
	b := quote(exactly(len(src)+2), src)
	send(b)
	free(b)
}

// The last class has no upper bound, and its own slices are no larger than what is put there: who takes keeps to that.

type page struct{ b []byte }

var (
	halfPages  = sync.Pool{New: func() any { return &page{make([]byte, 2<<10)} }}
	wholePages = sync.Pool{New: func() any { return &page{make([]byte, 16<<10)} }}
)

func takePage(n int) *page {
	if n <= 2<<10 {
		return halfPages.Get().(*page)
	}
	return wholePages.Get().(*page)
}

func leavePage(p *page) {
	n := cap(p.b)
	if n < 2<<10 || n > 16<<10 {
		return
	}
	if n < 16<<10 {
		halfPages.Put(p)
	} else {
		wholePages.Put(p)
	}
}

func pageSum(n int, fill func([]byte)) (sum uint32) {
	p := takePage(n)
	defer leavePage(p)
	fill(p.b[:n])
	for _, x := range p.b[:n] {
		sum += uint32(x)
	}
	return sum
}

func mergedSum(parts ...[]byte) (sum uint32) {
	p := &page{}
	for _, x := range parts {
		p.b = append(p.b, x...)
	}
	sum = uint32(len(p.b))
	leavePage(p)
	return sum
}
