package unclearedbeside

import (
	"sort"
	"sync"
)

// Buffers of classes are cleared when they are taken, those beyond are not.

type BufferPool interface {
	Get(n int) *[]byte
	Put(*[]byte)
}

type sizedPool struct {
	pool sync.Pool
	size int
}

func (p *sizedPool) Get(n int) *[]byte {
	buf, ok := p.pool.Get().(*[]byte)
	if !ok {
		b := make([]byte, n, p.size)
		return &b
	}
	b := *buf
	clear(b[:cap(b)])
	*buf = b[:n]
	return buf
}

func (p *sizedPool) Put(b *[]byte) {
	if cap(*b) < p.size || cap(*b) > p.size {
		return
	}
	p.pool.Put(b)
}

type anyPool struct{ pool sync.Pool }

func (p *anyPool) Get(n int) *[]byte {
	bs, ok := p.pool.Get().(*[]byte)
	if ok && cap(*bs) >= n {
		*bs = (*bs)[:n] // want `anyPool.Get gives a slice with what its last user left in it, while those of sizedPool.Get, which tieredPool.pick chooses for other sizes, are cleared \(line \d+\): who counts on zeros does not get them for every size`
		return bs
	}
	if ok {
		p.pool.Put(bs)
	}
	b := make([]byte, n)
	return &b
}

func (p *anyPool) Put(b *[]byte) { p.pool.Put(b) }

type tieredPool struct {
	pools []*sizedPool
	rest  anyPool
}

func NewTiered(sizes ...int) BufferPool {
	t := &tieredPool{}
	sort.Ints(sizes)
	for _, s := range sizes {
		t.pools = append(t.pools, &sizedPool{size: s})
	}
	return t
}

func (t *tieredPool) Get(n int) *[]byte { return t.pick(n).Get(n) }
func (t *tieredPool) Put(b *[]byte)     { t.pick(cap(*b)).Put(b) }

func (t *tieredPool) pick(n int) BufferPool {
	k := sort.Search(len(t.pools), func(i int) bool { return t.pools[i].size >= n })
	if k == len(t.pools) {
		return &t.rest
	}
	return t.pools[k]
}

// Functions; the first pool's values are cleared by a loop when they are put.

const pageSize = 4096

var (
	pagePool = sync.Pool{New: func() any { b := make([]byte, pageSize); return &b }}
	hugePool sync.Pool
)

func GetPage(n int) *[]byte {
	if n <= pageSize {
		return smallPage(n)
	}
	return hugePage(n)
}

func smallPage(n int) *[]byte {
	bs := pagePool.Get().(*[]byte)
	*bs = (*bs)[:n]
	return bs
}

func hugePage(n int) *[]byte {
	if v := hugePool.Get(); v != nil {
		bs := v.(*[]byte)
		if cap(*bs) >= n {
			*bs = (*bs)[:n] // want `hugePage gives a slice with what its last user left in it, while those of smallPage, which GetPage chooses for other sizes, are cleared`
			return bs
		}
	}
	b := make([]byte, n)
	return &b
}

func PutPage(b *[]byte) {
	if cap(*b) == pageSize {
		putSmallPage(b)
		return
	}
	if cap(*b) <= 1<<20 {
		hugePool.Put(b)
	}
}

func putSmallPage(b *[]byte) {
	*b = (*b)[:pageSize]
	for i := range *b {
		(*b)[i] = 0
	}
	pagePool.Put(b)
}

// The one that clears stands in the function that chooses, and clears by a helper.

var (
	wordPool  = sync.Pool{New: func() any { return &words{w: make([]uint64, 64)} }}
	wordsPool = sync.Pool{New: func() any { return new(words) }}
)

type words struct{ w []uint64 }

func zeroWords(w []uint64) {
	for i := range w {
		w[i] = 0
	}
}

func Words(n int) *words {
	if n > 64 {
		return manyWords(n)
	}
	x := wordPool.Get().(*words)
	x.w = x.w[:n]
	zeroWords(x.w)
	return x
}

func manyWords(n int) *words {
	x := wordsPool.Get().(*words)
	if cap(x.w) < n {
		x.w = make([]uint64, n)
	} else {
		x.w = x.w[:n] // want `manyWords gives a slice with what its last user left in it, while those of Words, which Words chooses for other sizes, are cleared`
	}
	return x
}

func PutWords(x *words) {
	switch n := cap(x.w); {
	case n <= 64:
		wordPool.Put(x)
	case n <= 1<<16:
		wordsPool.Put(x)
	}
}
