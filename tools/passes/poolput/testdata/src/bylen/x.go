package bylen

import (
	"bytes"
	"strings"
	"sync"
)

// Get cuts to the size asked for, and Put asks for the size of the class.

var (
	limits = [...]int{64, 1024}
	lists  [2]sync.Pool
)

func take(n int) []byte {
	for i, m := range limits {
		if n <= m {
			if v, ok := lists[i].Get().([]byte); ok {
				return v[:n]
			}
			return make([]byte, n, m)
		}
	}
	return make([]byte, n)
}

func give(b []byte) {
	for i, m := range limits {
		if len(b) == m { // want `only slices whose length is that of the class go to lists`
			lists[i].Put(b) // want `by value`
		}
	}
}

func use(s string) int {
	b := take(len(s))
	defer give(b)
	return copy(b, s)
}

// One size only.

type fixedSize struct {
	size int
	pool sync.Pool
}

func (f *fixedSize) take(n int) []byte {
	if n > f.size {
		return make([]byte, n)
	}
	if p, ok := f.pool.Get().(*[]byte); ok {
		return (*p)[:n]
	}
	return make([]byte, f.size)[:n]
}

func (f *fixedSize) give(b []byte) {
	if len(b) != f.size { // want `only slices whose length is that of the class go to pool`
		return
	}
	f.pool.Put(&b) // want `the address of the local`
}

// Right: by the capacity.

type byCap struct {
	size int
	pool sync.Pool
}

func (f *byCap) take(n int) []byte {
	if p, ok := f.pool.Get().(*[]byte); ok && n <= f.size {
		return (*p)[:n]
	}
	return make([]byte, n, max(n, f.size))
}

func (f *byCap) give(b []byte) {
	if cap(b) != f.size {
		return
	}
	b = b[:f.size]
	f.pool.Put(&b) // want `the address of the local`
}

// Right: Get gives the whole length.

type whole struct {
	size int
	pool sync.Pool
}

func (f *whole) take() []byte {
	if p, ok := f.pool.Get().(*[]byte); ok {
		return *p
	}
	return make([]byte, f.size)
}

func (f *whole) give(b []byte) {
	if len(b) != f.size {
		return
	}
	f.pool.Put(&b) // want `the address of the local`
}

// Right: who puts extends first.

type extended struct {
	size int
	pool sync.Pool
}

func (f *extended) take(n int) []byte {
	if p, ok := f.pool.Get().(*[]byte); ok {
		return (*p)[:n]
	}
	return make([]byte, n, f.size)
}

func (f *extended) give(b []byte) {
	if len(b) != f.size {
		return
	}
	f.pool.Put(&b) // want `the address of the local`
}

func (f *extended) use(s string) int {
	b := f.take(len(s))
	n := copy(b, s)
	f.give(b[:cap(b)])
	return n
}

// Right: nothing to put.

type nonempty struct{ pool sync.Pool }

func (f *nonempty) take(n int) []byte {
	if p, ok := f.pool.Get().(*[]byte); ok && n <= cap(*p) {
		return (*p)[:n]
	}
	return make([]byte, n)
}

func (f *nonempty) give(b []byte) {
	if len(b) == 0 {
		return
	}
	f.pool.Put(&b) // want `the address of the local`
}

// A value in the pool of another type, which has one of its own.

var (
	parsers  sync.Pool
	printers sync.Pool
)

func parse(s string) int {
	r, ok := parsers.Get().(*strings.Reader)
	if !ok {
		r = new(strings.Reader)
	}
	r.Reset(s)
	n := r.Len()
	r.Reset("")
	parsers.Put(r)
	return n
}

func print(s string) int {
	b, ok := printers.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	}
	b.Reset()
	b.WriteString(s)
	n := b.Len()
	if b.Cap() < 1<<16 {
		keepBuffer(b)
	}
	return n
}

func keepBuffer(b *bytes.Buffer) {
	parsers.Put(b) // want `b, a \*bytes\.Buffer, is put in parsers, but Get's caller asserts \*strings\.Reader, and the pool of \*bytes\.Buffer is printers`
}

// The same, of a pool that belongs to a function.
func handler() func(string) int {
	var pool sync.Pool
	return func(s string) int {
		b, ok := pool.Get().(*strings.Builder)
		if !ok {
			b = new(strings.Builder)
		}
		b.WriteString(s)
		n := b.Len()
		b.Reset()
		if b.Cap() < 1<<16 {
			keepBuilder(b)
		}
		return n
	}
}

func keepBuilder(b *strings.Builder) {
	parsers.Put(b) // want `the pool of \*strings.Builder is pool`
}
