package outgrown

import (
	"io"
	"sync"
)

// All are bounded.

type goodBatch struct {
	labels  []label
	samples []sample
}

var goodBatches = sync.Pool{New: func() any { return new(goodBatch) }}

func (b *goodBatch) release() {
	clear(b.labels)
	if cap(b.labels) > 50 {
		b.labels = nil
	} else {
		b.labels = b.labels[:0]
	}
	if cap(b.samples) > 100 {
		b.samples = nil
	} else {
		b.samples = b.samples[:0]
	}
	goodBatches.Put(b)
}

func (b *goodBatch) add(ls []label, vs []sample) {
	for _, l := range ls {
		b.labels = append(b.labels, l)
	}
	b.samples = append(b.samples, vs...)
}

func takeGood() *goodBatch { return goodBatches.Get().(*goodBatch) }

// A limit on the whole value.

type limited struct{ rbuf []byte }

var limitedPool = sync.Pool{New: func() any { return new(limited) }}

func (x *limited) size() int { return cap(x.rbuf) }

func (x *limited) Next(n int) []byte {
	if cap(x.rbuf) < n {
		x.rbuf = make([]byte, n)
	}
	return x.rbuf[:n]
}

func (x *limited) Close() {
	if x.size() > 1<<16 {
		return
	}
	x.rbuf = x.rbuf[:0]
	limitedPool.Put(x)
}

func takeLimited() *limited { return limitedPool.Get().(*limited) }

// The buffer does not go back with the struct.

type owner struct{ rbuf []byte }

var owners = sync.Pool{New: func() any { return new(owner) }}

func (x *owner) Next(n int) []byte {
	x.rbuf = make([]byte, n)
	return x.rbuf
}

func (x *owner) Close() {
	x.rbuf = nil
	owners.Put(x)
}

func takeOwner() *owner { return owners.Get().(*owner) }

// Of one size.

type block struct{ buf []byte }

var blocks = sync.Pool{New: func() any { return new(block) }}

func Copy(w io.Writer, r io.Reader) {
	b := blocks.Get().(*block)
	if b.buf == nil {
		b.buf = make([]byte, 4096)
	}
	n, _ := r.Read(b.buf)
	w.Write(b.buf[:n])
	blocks.Put(b)
}

// What is appended is short.

type pair struct{ key []byte }

var pairs = sync.Pool{New: func() any { return new(pair) }}

func Key(a, b byte, use func([]byte)) {
	p := pairs.Get().(*pair)
	p.key = append(p.key[:0], a, b)
	use(p.key)
	pairs.Put(p)
}
