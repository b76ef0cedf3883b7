package fixedsizesright // Which pool takes what memory, by its size or type, where pools are lists or of one size.

import (
	"io"
	"sync"
)

const chunk = 16 << 10

var chunks = sync.Pool{New: func() any { b := make([]byte, chunk); return &b }}

func lend() *[]byte { return chunks.Get().(*[]byte) }

// What is smaller is dropped.
func back(b *[]byte) {
	if cap(*b) < chunk {
		return
	}
	*b = (*b)[:chunk]
	chunks.Put(b)
}

func transfer(w io.Writer, r io.Reader, left int) error {
	var b *[]byte
	if left < chunk {
		own := make([]byte, left)
		b = &own
	} else {
		b = lend()
	}
	defer back(b)
	n, err := io.ReadFull(r, *b)
	if err == nil {
		_, err = w.Write((*b)[:n])
	}
	return err
}

// Larger memory is as good.

var lines = sync.Pool{New: func() any { b := make([]byte, 512); return &b }}

func line() []byte { return *lines.Get().(*[]byte) }

func drop(b []byte) { lines.Put(&b) } // want `the address of the local variable b`

func read(r io.Reader, n int) error {
	var b []byte
	if n > 512 {
		b = make([]byte, n)
	} else {
		b = line()
	}
	_, err := io.ReadFull(r, b[:8])
	drop(b)
	return err
}

// A flag tells which is whose.

var pages = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

type conn struct {
	buf    *[]byte
	pooled bool
}

func dial(n int) *conn {
	if n == 0 {
		return &conn{buf: pages.Get().(*[]byte), pooled: true}
	}
	own := make([]byte, n)
	return &conn{buf: &own}
}

func (c *conn) fill(r io.Reader) { io.ReadFull(r, *c.buf) }

func (c *conn) close() {
	if c.pooled {
		pages.Put(c.buf)
	}
	c.buf = nil
}

func page(r io.Reader) {
	b := pages.Get().(*[]byte)
	io.ReadFull(r, *b)
	pages.Put(b)
}

// A pool that is filled when it is made, with slices of its size, and puts them back at that.

type ring struct {
	free  chan []byte
	width int
}

func newRing(n, width int) *ring {
	r := &ring{make(chan []byte, n), width}
	for range n {
		r.Put(make([]byte, width))
	}
	return r
}

func (r *ring) Get() (b []byte) {
	select {
	case b = <-r.free:
	default:
		b = make([]byte, r.width)
	}
	return b
}

func (r *ring) Put(b []byte) {
	select {
	case r.free <- b[:r.width]:
	default:
	}
}

func pump(r *ring, src io.Reader, use func([]byte)) error {
	b := r.Get()
	defer func() { r.Put(b) }()
	n, err := src.Read(b)
	b = b[:n]
	use(b)
	return err
}

// Nobody relies on a size.

var texts = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}

func text() []byte { return (*texts.Get().(*[]byte))[:0] }

func release(b []byte) {
	if cap(b) <= 1<<16 {
		texts.Put(&b) // want `the address of the local variable b`
	}
}

func say(s string, use func([]byte)) {
	b := append(text(), s...)
	use(b)
	release(b)
}

func sayAll(r io.Reader, use func([]byte)) error {
	b, err := io.ReadAll(r)
	use(b)
	release(b)
	return err
}
