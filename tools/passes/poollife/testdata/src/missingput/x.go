package missingput

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"unsafe"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func get() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func onError(r io.Reader) (string, error) {
	b := get() // want `not put back on the path that ends here \(line 24\)`
	if _, err := b.ReadFrom(r); err != nil {
		return "", err
	}
	s := b.String()
	bufs.Put(b)
	return s, nil
}

func onErrorRight(r io.Reader) (string, error) {
	b := get()
	defer bufs.Put(b)
	if _, err := b.ReadFrom(r); err != nil {
		return "", err
	}
	return b.String(), nil
}

var never = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

func compress(w io.Writer, p []byte) error {
	z := never.Get().(*gzip.Writer) // want `z, taken from never at line 43, is not put back on any path`
	z.Reset(w)
	if _, err := z.Write(p); err != nil {
		return err
	}
	return z.Close()
}

func inLoop(rs []io.Reader) error {
	for _, r := range rs {
		b := get() // want `not put back`
		if _, err := b.ReadFrom(r); err != nil {
			continue
		}
		bufs.Put(b)
	}
	return nil
}

func handedOn(ch chan *bytes.Buffer) {
	b := get()
	b.WriteString("x")
	ch <- b
}

func notQueued(ch chan *bytes.Buffer) {
	b := get() // want `not put back`
	select {
	case ch <- b:
	default:
	}
}

func queued(ch chan *bytes.Buffer) {
	b := get()
	select {
	case ch <- b:
	default:
		bufs.Put(b)
	}
}

func returned() *bytes.Buffer { return get() }

type owner struct{ b *bytes.Buffer }

func stored(o *owner) { o.b = get() }

func constructor(r io.Reader) (*owner, error) {
	o := &owner{b: get()} // want `not put back on the path that ends here`
	if _, err := o.b.ReadFrom(r); err != nil {
		return nil, err
	}
	return o, nil
}

func constructorRight(r io.Reader) (*owner, error) {
	o := &owner{b: get()}
	if _, err := o.b.ReadFrom(r); err != nil {
		bufs.Put(o.b)
		return nil, err
	}
	return o, nil
}

// Dropping what grew too large is a decision.
func dropsLarge(r io.Reader) string {
	b := get()
	b.ReadFrom(r)
	s := b.String()
	if b.Cap() < 1<<16 {
		bufs.Put(b)
	}
	return s
}

// So is a test around the Put alone.
func dropsBroken(r io.Reader) error {
	b := get()
	_, err := b.ReadFrom(r)
	if err == nil {
		bufs.Put(b)
	}
	return err
}

func panics(r io.Reader) string {
	b := get()
	if _, err := b.ReadFrom(r); err != nil {
		panic(err)
	}
	s := b.String()
	bufs.Put(b)
	return s
}

// The callee puts on one of its paths only.
func flush(w io.Writer, b *bytes.Buffer) error {
	if _, err := b.WriteTo(w); err != nil {
		return err
	}
	bufs.Put(b)
	return nil
}

func flushes(w io.Writer) error {
	b := get() // want `not put back`
	b.WriteString("x")
	return flush(w, b)
}

var errClosed = errors.New("closed")

type stream struct {
	cur  *bytes.Buffer
	list []*bytes.Buffer
}

func (s *stream) Write(p []byte) {
	if s.cur == nil {
		s.cur = get()
	}
	s.cur.Write(p)
	s.list = append(s.list, get())
}

func (s *stream) Flush() {
	bufs.Put(s.cur)
	s.cur = nil
	for _, b := range s.list {
		bufs.Put(b)
	}
	s.list = nil
}

func (s *stream) Abort() {
	s.cur = nil  // want `field cur is set to nil while it may hold a value taken from bufs`
	s.list = nil // want `Abort lets go of values in list that were taken from bufs \(line 16\) and puts none`
}

// Maybe nothing was taken at all.
var plain sync.Pool

func maybe(r io.Reader) error {
	v := plain.Get()
	if v == nil {
		return errClosed
	}
	b := v.(*bytes.Buffer)
	_, err := b.ReadFrom(r)
	plain.Put(b)
	return err
}

// A count of references decides, and a method between does not matter.

type counted struct {
	refs atomic.Int32
	n    int
}

var countedPool = sync.Pool{New: func() any { return new(counted) }}

func (c *counted) Release() {
	if c.refs.Add(-1) == 0 {
		countedPool.Put(c)
	}
}

func count() int {
	c := countedPool.Get().(*counted)
	c.refs.Store(1)
	n := c.n
	c.Release()
	return n
}

func countForgotten(fail bool) int {
	c := countedPool.Get().(*counted) // want `c, taken from countedPool at line 221, is not put back`
	c.refs.Store(1)
	if fail {
		return 0
	}
	n := c.n
	c.Release()
	return n
}

// The closure puts what the field holds before it sets it to nil.

type runner struct{ body *bytes.Buffer }

func giveBack(b *bytes.Buffer) {
	if b != nil {
		bufs.Put(b)
	}
}

func (r *runner) prepare() { r.body = bufs.Get().(*bytes.Buffer) }

func (r *runner) run(f func([]byte)) {
	r.prepare()
	defer func() {
		giveBack(r.body)
		r.body = nil
	}()
	f(r.body.Bytes())
}

var slabs = sync.Pool{New: func() any { return new([]byte) }}

func freeSlab(b *[]byte) { slabs.Put(b) }

// What is filled by code that is not in view may come back in its result.
func filled(fill func([]byte) ([]byte, error)) ([]byte, error) {
	return fill(*slabs.Get().(*[]byte))
}

// The part that the handle keeps leads back to the slot.

type slot struct{ *engine }

type engine struct{ slot *slot }

var slots = sync.Pool{New: func() any { return newSlot() }}

func newSlot() *slot {
	e := new(engine)
	e.slot = &slot{e}
	return e.slot
}

type handle struct{ e *engine }

func (h *handle) open()  { h.e = slots.Get().(*slot).engine }
func (h *handle) close() { slots.Put(h.e.slot) }

// A queue that is chosen at run time has the pointer.
type queue interface{ Set(unsafe.Pointer) }

func enqueue(q queue, p []byte) {
	b := slabs.Get().(*[]byte)
	*b = append((*b)[:0], p...)
	q.Set(unsafe.Pointer(b))
}
