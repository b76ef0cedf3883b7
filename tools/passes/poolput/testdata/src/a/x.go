package a

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// put-by-value and put-local-addr

var (
	boxed   sync.Pool
	headers = sync.Pool{New: func() any { return new([]byte) }}
	arrays  = sync.Pool{New: func() any { return new([64]byte) }}
	maps    = sync.Pool{New: func() any { return map[string]int{} }}
	structs sync.Pool
)

type pair struct{ a, b int }

type single struct{ p *pair }

func values(b []byte, p pair) {
	boxed.Put(b)   // want `b, a \[\]byte, is put in boxed by value`
	structs.Put(p) // want `p, a pair, is put in structs by value`
}

func pointers(m map[string]int, p *pair, a *[64]byte) {
	maps.Put(m)
	arrays.Put(a)
	structs.Put(single{p})
}

func free(b []byte) {
	headers.Put(&b) // want `the address of the local variable b is put in headers`
}

func freeRight(p *[]byte) {
	*p = (*p)[:0]
	headers.Put(p)
}

func warm(n int) {
	for range n {
		b := make([]byte, 0, 64)
		headers.Put(&b)
	}
}

func toArray(b []byte) {
	if cap(b) >= 64 {
		arrays.Put((*[64]byte)(b[:64]))
	}
}

// put-nil

type state struct{ n int }

var states = sync.Pool{New: func() any { return new(state) }}

func acquire(n int) (s *state, err error) {
	s = states.Get().(*state)
	defer func() {
		if err != nil {
			states.Put(s) // want `s, which is nil, is put in states \(line 67\) on this path`
		}
	}()
	if n < 0 {
		return nil, errors.New("negative")
	}
	s.n = n
	return s, nil
}

func acquireRight(n int) (s *state, err error) {
	got := states.Get().(*state)
	defer func() {
		if err != nil {
			states.Put(got)
		}
	}()
	if n < 0 {
		return nil, errors.New("negative")
	}
	got.n = n
	return got, nil
}

func putState(s *state) {
	if s != nil {
		states.Put(s)
	}
}

func maybeNil(n int) {
	var s *state
	if n > 0 {
		s = states.Get().(*state)
	}
	putState(s)
}

func surelyNil(n int) {
	var s *state
	if n > 0 {
		s = states.Get().(*state)
	}
	states.Put(s) // want `s, which is nil, is put in states \(line 110\) on this path`
}

// wrong-type and wrong-pool

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func wrongType(b *[]byte) {
	buffers.Put(b) // want `b, a \*\[\]byte, is put in buffers, but its New makes \*bytes\.Buffer`
}

func wrongAssert() *bytes.Reader {
	return readers.Get().(*bytes.Reader) // want `a \*bytes.Reader is asserted on what comes from readers, but its New makes \*bytes.Buffer`
}

var readers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var noNew sync.Pool

func noNewGet() *state {
	if s, ok := noNew.Get().(*state); ok {
		return s
	}
	return new(state)
}

func noNewPut(s *pair) {
	noNew.Put(s) // want `s, a \*pair, is put in noNew, but Get's caller asserts \*state`
}

var heads, bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}, sync.Pool{New: func() any { return new(bytes.Buffer) }}

func otherPool() {
	b := heads.Get().(*bytes.Buffer)
	b.Reset()
	bodies.Put(b) // want `b was taken from heads but is put in bodies`
}

// chosenPool takes from the pool that it puts back in, whichever that is.
func chosenPool(n int, w io.Writer) {
	var from *sync.Pool
	switch n {
	case 0:
		from = &heads
	case 1:
		from = &bodies
	default:
		from = &buffers
	}
	b := from.Get().(*bytes.Buffer)
	defer from.Put(b)
	b.Reset()
	w.Write(b.Bytes())
}

func otherThanChosen(n int) {
	from := &heads
	if n > 0 {
		from = &bodies
	}
	b := from.Get().(*bytes.Buffer)
	b.Reset()
	heads.Put(b) // want `b was taken from bodies but is put in heads`
}

func samePool() {
	h, b := heads.Get().(*bytes.Buffer), bodies.Get().(*bytes.Buffer)
	heads.Put(h)
	bodies.Put(b)
}

var small, large = sync.Pool{New: func() any { return new(bytes.Buffer) }}, sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Classes by size: the value may have grown.
func bySize(r io.Reader) {
	b := small.Get().(*bytes.Buffer)
	b.Reset()
	b.ReadFrom(r)
	if b.Cap() > 1024 {
		large.Put(b)
	} else {
		small.Put(b)
	}
}

// stale-header

func lostGrowth(s string, w io.Writer) {
	p := headers.Get().(*[]byte)
	b := append((*p)[:0], s...)
	w.Write(b)
	headers.Put(p) // want `the slice of p, put in headers, was appended to \(line 199\), but the grown slice is not stored back`
}

func keptGrowth(s string, w io.Writer) {
	p := headers.Get().(*[]byte)
	b := append((*p)[:0], s...)
	w.Write(b)
	*p = b
	headers.Put(p)
}

type frame struct{ data []byte }

var frames = sync.Pool{New: func() any { return new(frame) }}

func lostField(s string, w io.Writer) {
	f := frames.Get().(*frame)
	b := append(f.data[:0], s...)
	w.Write(b)
	frames.Put(f) // want `the slice of f, put in frames, was appended to \(line 218\)`
}

func keptField(s string, w io.Writer) {
	f := frames.Get().(*frame)
	f.data = append(f.data[:0], s...)
	w.Write(f.data)
	frames.Put(f)
}

func advanced(b []byte, n int) {
	for len(b) > n {
		b = b[n:]
	}
	free(b) // want `&b, put in headers at line 36, no longer begins at the start of its array`
}

func getSlab() []byte { return *headers.Get().(*[]byte) }

func bound(s string, save func([]byte)) {
	b := getSlab()[:0]
	defer free(b) // want `the deferred call puts b as it is here, but it is appended to later`
	b = append(b, s...)
	save(b)
}

func boundLate(s string, save func([]byte)) {
	b := getSlab()[:0]
	defer func() { free(b) }()
	b = append(b, s...)
	save(b)
}

// An object without a slice is no nil; a box made for the Put, around nil, is.

type lines struct{ rs []int }

var linesPool sync.Pool

func getLines() *lines {
	v := linesPool.Get()
	if v == nil {
		return &lines{}
	}
	return v.(*lines)
}

func putLines(t *lines) {
	t.rs = t.rs[:0]
	linesPool.Put(t)
}

func fill(in []int) {
	t := getLines()
	defer putLines(t)
	if len(in) > 0 {
		t.rs = append(t.rs, in...)
	}
}

type slab struct{ rs []int }

var slabPool sync.Pool

func putSlab(rs []int) { slabPool.Put(&slab{rs[:0]}) }

func fillSlab(in []int) {
	var rs []int
	if len(in) > 0 {
		if s, ok := slabPool.Get().(*slab); ok {
			rs = s.rs
		}
		rs = append(rs, in...)
	}
	putSlab(rs) // want `rs, which is nil, is put in slabPool \(line 284\) on this path`
}

// What a test found to be nil.

func putTested(s *state) {
	if s == nil {
		states.Put(s) // want `s, which is nil, is put in states \(line 301\) on this path`
		return
	}
	s.n = 0
	states.Put(s)
}

func putOther(s *state) {
	if s == nil {
		states.Put(new(state))
		return
	}
	states.Put(s)
}

// Boxes go from one pool to the other and back: the full ones and the empty ones.
type shuttle[T any] struct{ items, boxes sync.Pool }

func (p *shuttle[T]) get() (x T) {
	b, ok := p.items.Get().(*T)
	if !ok {
		return x
	}
	x = *b
	*b = *new(T)
	p.boxes.Put(b)
	return x
}

func (p *shuttle[T]) put(x T) {
	b, ok := p.boxes.Get().(*T)
	if !ok {
		b = new(T)
	}
	*b = x
	p.items.Put(b)
}
