package lostvalues

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
)

// A Close that returns early, and nobody else puts what the field holds.

var pages = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func page() *bytes.Buffer {
	b := pages.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

type target interface {
	io.Writer
	Open() (io.WriteCloser, error)
	Sync() error
}

type lostPage struct {
	to  target
	buf *bytes.Buffer
}

func (p *lostPage) Write(b []byte) (int, error) {
	if p.buf == nil {
		p.buf = page()
	}
	return p.buf.Write(b)
}

func (p *lostPage) Close() error {
	w, err := p.to.Open()
	if err != nil {
		return err // want `Close returns here without a Put of what field buf holds`
	}
	defer w.Close()
	if p.buf != nil {
		defer pages.Put(p.buf) // want `what field buf holds is put in pages here and left in the field`
		if _, err := p.buf.WriteTo(w); err != nil {
			return err
		}
	}
	return nil
}

// Another method puts it, too.
type abortedPage struct {
	to  target
	buf *bytes.Buffer
}

func newAbortedPage(to target) *abortedPage { return &abortedPage{to, page()} }

func (p *abortedPage) Close() error {
	if err := p.to.Sync(); err != nil {
		return err
	}
	p.Abort()
	return nil
}

func (p *abortedPage) Abort() {
	if p.buf != nil {
		pages.Put(p.buf)
		p.buf = nil
	}
}

// A step of its own puts it, on each path.
type steppedPage struct {
	to  target
	buf *bytes.Buffer
}

func newSteppedPage(to target) *steppedPage { return &steppedPage{to, page()} }

func (p *steppedPage) free() {
	pages.Put(p.buf)
	p.buf = nil
}

func (p *steppedPage) Close() error {
	if err := p.to.Sync(); err != nil {
		p.free()
		return fmt.Errorf("sync: %w", err)
	}
	_, err := p.buf.WriteTo(p.to)
	p.free()
	return err
}

// An error that stays in the object ends its life.
type lostLine struct {
	to  target
	buf *bytes.Buffer
	err error
}

func (l *lostLine) Add(s string) error {
	if l.err != nil {
		return l.err
	}
	if l.buf == nil {
		l.buf = page()
	}
	l.buf.WriteString(s)
	return nil
}

func (l *lostLine) Flush() error {
	if l.buf == nil {
		return nil
	}
	if _, err := l.to.Write(l.buf.Bytes()); err != nil {
		l.err = err
		return err // want `Flush returns here without a Put of what field buf holds`
	}
	pages.Put(l.buf)
	l.buf = nil
	return nil
}

// A Flush that can be tried again keeps it.
type keptLine struct {
	to  target
	buf *bytes.Buffer
}

func (l *keptLine) Add(s string) {
	if l.buf == nil {
		l.buf = page()
	}
	l.buf.WriteString(s)
}

func (l *keptLine) Flush() error {
	if l.buf == nil {
		return nil
	}
	if _, err := l.to.Write(l.buf.Bytes()); err != nil {
		return err
	}
	pages.Put(l.buf)
	l.buf = nil
	return nil
}

// A field that new objects have a value in is set to another.
type lostBody struct{ buf *bytes.Buffer }

func newLostBody() *lostBody { return &lostBody{page()} }

func (b *lostBody) Set(p []byte) {
	n := page()
	n.Write(p)
	b.buf = n // want `field buf is set while it may hold another value taken from pages`
}

func (b *lostBody) Free() {
	pages.Put(b.buf)
	b.buf = nil
}

type setBody struct{ buf *bytes.Buffer }

func newSetBody() *setBody { return &setBody{page()} }

func (b *setBody) Set(p []byte) {
	n := page()
	n.Write(p)
	old := b.buf
	b.buf = n
	if old != nil {
		pages.Put(old)
	}
}

func (b *setBody) Free() {
	pages.Put(b.buf)
	b.buf = nil
}

// The tail of a list tells of its head.
type link struct {
	buf  *bytes.Buffer
	next *link
}

var links = sync.Pool{New: func() any { return new(link) }}

type chain struct{ head, tail *link }

func newChain() *chain {
	l := links.Get().(*link)
	l.next = nil
	return &chain{l, l}
}

func (c *chain) push(b *bytes.Buffer) {
	l := links.Get().(*link)
	l.next = nil
	l.buf = b
	if c.tail == nil {
		c.head, c.tail = l, l
		return
	}
	c.tail.next = l
	c.tail = l
}

func (c *chain) Pop() *bytes.Buffer {
	l := c.head
	if l == nil {
		return nil
	}
	c.head = l.next
	if c.head == nil {
		c.tail = nil
	}
	b := l.buf
	l.buf = nil
	links.Put(l)
	return b
}

type pagePool interface {
	Get(int) *[]byte
	Put(*[]byte)
}

// Without a pool, the page is the writer's own.
type maybePooledPage struct {
	to   io.Writer
	pool pagePool
	own  []byte
	page *[]byte
	n    int
	err  error
}

func newMaybePooledPage(to io.Writer, pool pagePool) *maybePooledPage {
	if pool != nil {
		return &maybePooledPage{to: to, pool: pool}
	}
	p := &maybePooledPage{to: to, own: make([]byte, 512)}
	p.page = &p.own
	return p
}

func (p *maybePooledPage) Write(b []byte) (int, error) {
	if p.err != nil {
		return 0, p.err
	}
	if p.page == nil {
		p.page = p.pool.Get(512)
	}
	p.n = copy(*p.page, b)
	return p.n, nil
}

func (p *maybePooledPage) Flush() error {
	err := p.write()
	p.free()
	return err
}

func (p *maybePooledPage) free() {
	if p.pool != nil && p.page != nil {
		p.pool.Put(p.page)
		p.page = nil
	}
}

func (p *maybePooledPage) write() error {
	if p.err != nil {
		return p.err
	}
	if p.n == 0 {
		return nil
	}
	_, p.err = p.to.Write((*p.page)[:p.n])
	p.n = 0
	if p.err != nil {
		p.free()
		return p.err
	}
	return nil
}

// What lies in a box is there only with the box.
type source interface {
	io.Reader
	Sync() error
}

type boxedPage struct {
	to   source
	box  *[]byte
	page []byte
	err  error
}

var pageBoxes = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

func (p *boxedPage) Read(b []byte) (int, error) {
	if p.err != nil {
		return 0, p.err
	}
	if p.page == nil {
		p.box = pageBoxes.Get().(*[]byte)
		p.page = *p.box
		n, err := p.to.Read(p.page)
		if err != nil {
			p.err = err
			return 0, err
		}
		p.page = p.page[:n]
	}
	n := copy(b, p.page)
	p.page = p.page[n:]
	return n, nil
}

func (p *boxedPage) Close() error {
	if p.box != nil {
		pageBoxes.Put(p.box)
		p.box, p.page = nil, nil
	}
	p.err = errors.New("closed")
	return p.to.Sync()
}
