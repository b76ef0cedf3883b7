package doubleput

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func twice(b *bytes.Buffer) {
	bufs.Put(b)
	bufs.Put(b) // want `b is put in bufs a second time`
}

func deferredToo(r io.Reader) error {
	b := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(b) // want `b is put in bufs a second time`
	b.Reset()
	if _, err := b.ReadFrom(r); err != nil {
		bufs.Put(b)
		return err
	}
	return nil
}

func onePerPath(r io.Reader) error {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	if _, err := b.ReadFrom(r); err != nil {
		bufs.Put(b)
		return err
	}
	bufs.Put(b)
	return nil
}

// The callee consumes on failure, and its caller does not know.
func consume(b *bytes.Buffer, fail bool) error {
	if fail {
		bufs.Put(b)
		return errors.New("fail")
	}
	return nil
}

func callerPuts(fail bool) error {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	err := consume(b, fail)
	bufs.Put(b) // want `b is put in bufs a second time`
	return err
}

func callerKnows(fail bool) error {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	if err := consume(b, fail); err != nil {
		return err
	}
	bufs.Put(b)
	return nil
}

type file struct {
	buf    *bytes.Buffer
	closed bool
}

// Close puts each time that it is called.
func (f *file) Close() error {
	bufs.Put(f.buf)
	return nil
}

func closeTwice(f *file) error {
	defer f.Close() // want `is put in bufs a second time`
	return f.Close()
}

type nilled struct{ buf *bytes.Buffer }

func (f *nilled) Close() error {
	if f.buf != nil {
		bufs.Put(f.buf)
		f.buf = nil
	}
	return nil
}

func closeNilled(f *nilled) error {
	defer f.Close()
	return f.Close()
}

func (f *file) CloseFlag() error {
	if f.closed {
		return errors.New("closed")
	}
	f.closed = true
	bufs.Put(f.buf)
	return nil
}

func closeFlagged(f *file) error {
	defer f.CloseFlag()
	return f.CloseFlag()
}

type swapped struct {
	done atomic.Bool
	flag uint32
	once sync.Once
	buf  *bytes.Buffer
	refs int32
}

func (s *swapped) Close() {
	if s.done.Swap(true) {
		return
	}
	bufs.Put(s.buf)
}

func (s *swapped) CloseCAS() {
	if atomic.CompareAndSwapUint32(&s.flag, 0, 1) {
		bufs.Put(s.buf)
	}
}

func (s *swapped) CloseOnce() { s.once.Do(func() { bufs.Put(s.buf) }) }

func (s *swapped) Unref() {
	if atomic.AddInt32(&s.refs, -1) == 0 {
		bufs.Put(s.buf)
	}
}

func (s *swapped) Dec() {
	s.refs--
	if s.refs > 0 {
		return
	}
	bufs.Put(s.buf)
}

func guarded(s *swapped) {
	s.Close()
	s.Close()
}

func guardedCAS(s *swapped) {
	s.CloseCAS()
	s.CloseCAS()
}

func guardedOnce(s *swapped) {
	s.CloseOnce()
	s.CloseOnce()
}

func counted(s *swapped) {
	s.Unref()
	s.Unref()
	s.Dec()
	s.Dec()
}

// Two fields hold one value.
type pair struct{ a, b *bytes.Buffer }

func newPair(same bool) *pair {
	p := &pair{a: bufs.Get().(*bytes.Buffer)}
	p.b = p.a
	if !same {
		p.b = bufs.Get().(*bytes.Buffer)
	}
	return p
}

func (p *pair) Close() {
	bufs.Put(p.a)
	bufs.Put(p.b) // want `is put in bufs a second time`
}

// The release function is called by the caller and by a deferred call.
func borrow() (*bytes.Buffer, func()) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b, func() { bufs.Put(b) }
}

func borrowTwice(fail bool) {
	b, release := borrow()
	defer release() // want `is put in bufs a second time`
	if fail {
		release()
		return
	}
	b.WriteString("x")
}

func borrowOnce(fail bool) {
	b, release := borrow()
	defer release()
	if fail {
		return
	}
	b.WriteString("x")
}

// An interface with one implementation behind it.
type closer interface{ shut() }

type body struct{ b *bytes.Buffer }

func (x *body) shut() { bufs.Put(x.b) }

func shutTwice(c closer) {
	c.shut()
	c.shut() // want `is put in bufs a second time`
}

// Slices of the same array.
var slabs = sync.Pool{New: func() any { return new([]byte) }}

func putSlab(b []byte) { slabs.Put(&b) }

func reslice(n int) {
	p := slabs.Get().(*[]byte)
	b := append((*p)[:0], make([]byte, n)...)
	putSlab(b)
	putSlab(b[:0]) // want `is put in slabs a second time`
}

func different(a, b *bytes.Buffer) {
	bufs.Put(a)
	bufs.Put(b)
}

func overwritten(b *bytes.Buffer) {
	bufs.Put(b)
	b = bufs.Get().(*bytes.Buffer)
	bufs.Put(b)
}

// Two flags tell the kinds of an object apart.

var left, right sync.Pool

type either struct {
	b               *bytes.Buffer
	isLeft, isRight bool
}

func (e *either) close() {
	if e.isLeft && e.b != nil {
		left.Put(e.b)
	}
	if e.isRight && e.b != nil {
		right.Put(e.b)
	}
}

func (e *either) closeBoth() {
	if e.isLeft {
		left.Put(e.b)
	}
	right.Put(e.b) // want `e.b is put in right a second time`
}

// A handle is put once for each turn of what it leads to.

type turns struct {
	gen uint64
	buf *bytes.Buffer
}

type handle struct {
	t   *turns
	gen uint64
}

func (h *handle) release() {
	if h.t.gen != h.gen {
		return
	}
	h.t.gen++
	bufs.Put(h.t.buf)
}

func twiceByTurn(h *handle) {
	defer h.release()
	h.release()
}

func (h *handle) releaseAlways() {
	if h.t.gen == h.gen {
		h.t.buf.Reset()
	}
	bufs.Put(h.t.buf)
}

func twiceAlways(h *handle) {
	h.releaseAlways()
	h.releaseAlways() // want `is put in bufs a second time`
}
