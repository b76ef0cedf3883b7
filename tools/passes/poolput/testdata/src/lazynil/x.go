package lazynil

import (
	"errors"
	"io"
	"sync"
)

// What is taken on first use is not there where there was none.

var pages = sync.Pool{New: func() any { return new([4096]byte) }}

var errClosed = errors.New("closed")

type pageReader struct {
	r    io.Reader
	page *[4096]byte
	rest []byte
	big  bool
}

func (p *pageReader) Read(b []byte) (int, error) {
	if p.page == nil {
		p.page = pages.Get().(*[4096]byte)
	}
	if len(p.rest) == 0 {
		n, err := p.r.Read(p.page[:])
		if err != nil {
			return 0, err
		}
		p.rest = p.page[:n]
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func (p *pageReader) Close() error {
	pages.Put(p.page) // want `Close puts what page holds, which is nil where Read was not called before`
	return nil
}

type pageReaderRight struct {
	r    io.Reader
	page *[4096]byte
}

func (p *pageReaderRight) Read(b []byte) (int, error) {
	if p.page == nil {
		p.page = pages.Get().(*[4096]byte)
	}
	n, err := p.r.Read(p.page[:])
	return copy(b, p.page[:n]), err
}

func (p *pageReaderRight) Close() error {
	if p.page != nil {
		pages.Put(p.page)
		p.page = nil
	}
	return nil
}

// Told by another field.
type pageWriter struct {
	w    io.Writer
	page *[4096]byte
	buf  []byte
}

func (p *pageWriter) Write(b []byte) (int, error) {
	if p.buf == nil {
		p.page = pages.Get().(*[4096]byte)
		p.buf = p.page[:0]
	}
	p.buf = append(p.buf, b...)
	return len(b), nil
}

func (p *pageWriter) Release() {
	putPage(p.page) // want `Release puts what page holds, which is nil where Write was not called before`
	p.page, p.buf = nil, nil
}

func putPage(p *[4096]byte) { pages.Put(p) }

type pageWriterRight struct {
	w    io.Writer
	page *[4096]byte
	buf  []byte
}

func (p *pageWriterRight) Write(b []byte) (int, error) {
	if p.buf == nil {
		p.page = pages.Get().(*[4096]byte)
		p.buf = p.page[:0]
	}
	p.buf = append(p.buf, b...)
	return len(b), nil
}

func (p *pageWriterRight) Release() {
	if len(p.buf) == 0 {
		return
	}
	putPage(p.page)
	p.page, p.buf = nil, nil
}

// Each one is made with a page.
type pageOwner struct {
	page *[4096]byte
	n    int
}

func newPageOwner() *pageOwner { return &pageOwner{page: pages.Get().(*[4096]byte)} }

func (p *pageOwner) refill() {
	if p.page == nil {
		p.page = pages.Get().(*[4096]byte)
	}
	p.n++
}

func (p *pageOwner) Close() { pages.Put(p.page) }

// The helper asks.
type pageAsked struct{ page *[4096]byte }

func (p *pageAsked) fill(b []byte) {
	if p.page == nil {
		p.page = pages.Get().(*[4096]byte)
	}
	copy(p.page[:], b)
}

func (p *pageAsked) Close() { putPageUnlessNil(p.page) }

func putPageUnlessNil(p *[4096]byte) {
	if p != nil {
		pages.Put(p)
	}
}

// A helper that looks at what it puts, a flag that only Close sets, and a value that is
// replaced by a larger one.

type strip struct{ b []byte }

type stripPools struct {
	small, large sync.Pool
}

var strips = &stripPools{}

func (s *stripPools) get(n int) *strip {
	if n <= 512 {
		if x, ok := s.small.Get().(*strip); ok {
			return x
		}
		return &strip{b: make([]byte, 512)}
	}
	if x, ok := s.large.Get().(*strip); ok && cap(x.b) >= n {
		return x
	}
	return &strip{b: make([]byte, n)}
}

func (s *stripPools) put(x *strip) {
	if cap(x.b) == 512 {
		s.small.Put(x)
		return
	}
	s.large.Put(x)
}

type stripReader struct {
	r      io.Reader
	cur    *strip
	n      int
	closed bool
}

func (s *stripReader) next(n int) ([]byte, error) {
	if s.cur == nil || n > cap(s.cur.b) {
		if s.cur != nil {
			strips.put(s.cur)
		}
		s.cur = strips.get(n)
	}
	_, err := io.ReadFull(s.r, s.cur.b[:n])
	return s.cur.b[:n], err
}

func (s *stripReader) Close() error {
	if s.closed {
		return errClosed
	}
	s.closed = true
	strips.put(s.cur) // want `Close puts what cur holds, which is nil where next was not called before`
	s.cur = nil
	return nil
}

// The flag says that there is one.
type stripFlagged struct {
	r    io.Reader
	cur  *strip
	open bool
}

func (s *stripFlagged) next(n int) ([]byte, error) {
	if s.cur == nil {
		s.cur = strips.get(n)
		s.open = true
	}
	_, err := io.ReadFull(s.r, s.cur.b[:n])
	return s.cur.b[:n], err
}

func (s *stripFlagged) Close() error {
	if !s.open {
		return nil
	}
	s.open = false
	strips.put(s.cur)
	s.cur = nil
	return nil
}

// What is there is asked for.
type stripAsked struct {
	r      io.Reader
	cur    *strip
	closed bool
}

func (s *stripAsked) next(n int) ([]byte, error) {
	if s.cur == nil || n > cap(s.cur.b) {
		if s.cur != nil {
			strips.put(s.cur)
		}
		s.cur = strips.get(n)
	}
	_, err := io.ReadFull(s.r, s.cur.b[:n])
	return s.cur.b[:n], err
}

func (s *stripAsked) Close() error {
	if s.closed {
		return errClosed
	}
	s.closed = true
	if s.cur != nil {
		strips.put(s.cur)
		s.cur = nil
	}
	return nil
}

// One is there from the start, and replaced where it is too small.
type stripFirst struct {
	r   io.Reader
	cur *strip
}

func newStripFirst(r io.Reader) *stripFirst { return &stripFirst{r: r, cur: strips.get(64)} }

func (s *stripFirst) next(n int) ([]byte, error) {
	if s.cur == nil || n > cap(s.cur.b) {
		if s.cur != nil {
			strips.put(s.cur)
		}
		s.cur = strips.get(n)
	}
	_, err := io.ReadFull(s.r, s.cur.b[:n])
	return s.cur.b[:n], err
}

func (s *stripFirst) Close() error {
	strips.put(s.cur)
	s.cur = nil
	return nil
}
