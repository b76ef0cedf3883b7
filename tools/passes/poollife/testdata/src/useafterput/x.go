package useafterput

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type item struct {
	id   int
	name string
	data []byte
	next *item
}

var items = sync.Pool{New: func() any { return new(item) }}

func direct() int {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	bufs.Put(b)
	return b.Len() // want `b is used by Len after it was put in bufs`
}

func scalarFirst() int {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	n := b.Len()
	bufs.Put(b)
	return n
}

func field(it *item) int {
	items.Put(it)
	return it.id // want `it is read after it was put in items`
}

// A wrapper puts; its caller goes on.
func (it *item) release() {
	it.data = it.data[:0]
	items.Put(it)
}

func afterWrapper(w io.Writer) error {
	it := items.Get().(*item)
	it.data = append(it.data[:0], "x"...)
	it.release()
	_, err := w.Write(it.data) // want `it is passed to Write after it was put in items`
	return err
}

func beforeWrapper(w io.Writer) error {
	it := items.Get().(*item)
	it.data = append(it.data[:0], "x"...)
	_, err := w.Write(it.data)
	it.release()
	return err
}

// The list is walked through what was just put.
func freeList(head *item) {
	for it := head; it != nil; it = it.next { // want `it is read after it was put in items`
		it.release()
	}
}

func freeListRight(head *item) {
	for it := head; it != nil; {
		next := it.next
		it.release()
		it = next
	}
}

// Only one path puts before the use.
func onePath(fail bool) (string, error) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString("x")
	if fail {
		bufs.Put(b)
	}
	s := b.String() // want `b is used by String after it was put in bufs`
	if !fail {
		bufs.Put(b)
	}
	return s, nil
}

func onePathRight(fail bool) (string, error) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString("x")
	if fail {
		bufs.Put(b)
		return "", errors.New("fail")
	}
	s := b.String()
	bufs.Put(b)
	return s, nil
}

// The same condition, tested twice, guards both.
func correlated(keep bool, it *item) int {
	if !keep {
		items.Put(it)
	}
	if keep {
		return it.id
	}
	return 0
}

// Identity is no use.
func identity(it, other *item) bool {
	items.Put(it)
	return it == other
}

// What is put is the old value; the variable holds a new one.
func replaced(it *item) int {
	old := it
	it = new(item)
	items.Put(old)
	return it.id
}

// Memory taken out of the value before the Put stays with its new owner.
func takenOut() []byte {
	it := items.Get().(*item)
	data := it.data
	it.data = nil
	items.Put(it)
	return data
}

// A slice obtained before the Put leads to what was put.
func view(w io.Writer) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString("x")
	p := b.Bytes()
	bufs.Put(b)
	w.Write(p) // want `b is passed to Write after it was put in bufs`
}

type conn struct {
	buf *bytes.Buffer
}

func (c *conn) flush(w io.Writer) {
	w.Write(c.buf.Bytes())
	bufs.Put(c.buf)
}

func (c *conn) flushAll(w io.Writer) {
	c.flush(w)
	c.buf.Reset() // want `c is used by Reset after it was put in bufs`
}

func (c *conn) flushRight(w io.Writer) {
	c.flush(w)
	c.buf = bufs.Get().(*bytes.Buffer)
	c.buf.Reset()
}

// A helper that takes a function: what the function keeps outlives the Put.
func withBuffer(f func(*bytes.Buffer)) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	f(b)
	bufs.Put(b)
}

func leakOut() int {
	var kept *bytes.Buffer
	withBuffer(func(b *bytes.Buffer) { kept = b })
	return kept.Len() // want `is used by Len after it was put in bufs`
}

func copyOut() string {
	var s string
	withBuffer(func(b *bytes.Buffer) { s = b.String() })
	return s
}

// A loop puts in one turn and uses in the next.
func loop(r io.Reader, n int) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	bufs.Put(b)
	for range n {
		b.Reset() // want `b is used by Reset after it was put in bufs`
		io.Copy(b, r)
	}
}

func loopRight(r io.Reader, n int) {
	for range n {
		b := bufs.Get().(*bytes.Buffer)
		b.Reset()
		io.Copy(b, r)
		bufs.Put(b)
	}
}

// The deferred function runs after the Put.
func deferred(it *item) {
	defer func() {
		it.id = 0 // want `it is written after it was put in items`
	}()
	it.id++
	items.Put(it)
}

func deferredRight(it *item) {
	defer items.Put(it)
	defer func() {
		it.id = 0
	}()
	it.id++
}

// A cache is no pool: its Put proves nothing.
type cache struct{ m map[string]*item }

func (c *cache) Put(k string, it *item) { c.m[k] = it }

func cached(c *cache, it *item) int {
	c.Put("x", it)
	return it.id
}
