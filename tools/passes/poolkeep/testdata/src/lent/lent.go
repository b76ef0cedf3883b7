package lent

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"sync"
)

// Readers and writers that go to the pool with what they were given.

var gzips = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

func pack(b []byte) ([]byte, error) {
	z := gzips.Get().(*gzip.Writer)
	defer gzips.Put(z) // want `z, the pooled gzip\.Writer, still leads to what it was given with Reset`
	var out bytes.Buffer
	z.Reset(&out)
	if _, err := z.Write(b); err != nil {
		return nil, err
	}
	err := z.Close()
	return out.Bytes(), err
}

// In a struct of the package, through functions.

type unzipper struct {
	zr  *gzip.Reader
	err error
}

var unzippers = sync.Pool{New: func() any { return &unzipper{zr: new(gzip.Reader)} }}

func newUnzipper(r io.Reader) *unzipper {
	u := unzippers.Get().(*unzipper)
	u.err = u.zr.Reset(r)
	return u
}

func (u *unzipper) Close() {
	unzippers.Put(u) // want `u, the pooled unzipper, still leads to what it was given with Reset`
}

func unpack(b []byte) ([]byte, error) {
	u := newUnzipper(bytes.NewReader(b))
	defer u.Close()
	if u.err != nil {
		return nil, u.err
	}
	return io.ReadAll(u.zr)
}

// A type of the package.

type splitter struct{ src io.Reader }

func (s *splitter) Reset(r io.Reader) { s.src = r }

type splitters struct{ p sync.Pool }

func (p *splitters) get(c net.Conn) *splitter {
	s, ok := p.p.Get().(*splitter)
	if !ok {
		s = new(splitter)
	}
	s.Reset(c)
	return s
}

func (p *splitters) put(s *splitter) {
	p.p.Put(s) // want `s, the pooled splitter, still leads to what it was given with Reset`
}

type lines struct{ src io.Reader }

func (s *lines) Reset(r io.Reader) { s.src = r }

type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, io.EOF }

var linePool = sync.Pool{New: func() any { return new(lines) }}

func getLines(c net.Conn) *lines {
	s := linePool.Get().(*lines)
	s.Reset(c)
	return s
}

func putLines(s *lines) {
	s.Reset(nothing{})
	linePool.Put(s)
}

// Given back over nothing.

var writers = sync.Pool{New: func() any { return bufio.NewWriter(nil) }}

func send(c net.Conn, b []byte) error {
	w := writers.Get().(*bufio.Writer)
	defer func() {
		w.Reset(io.Discard)
		writers.Put(w)
	}()
	w.Reset(c)
	if _, err := w.Write(b); err != nil {
		return err
	}
	return w.Flush()
}

// What the reader is given may be anything.

var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

func First(r io.Reader) (byte, error) {
	br := readers.Get().(*bufio.Reader)
	defer readers.Put(br)
	br.Reset(r)
	return br.ReadByte()
}

// Its own buffer lives with it.

type encoder struct {
	zw  *gzip.Writer
	buf bytes.Buffer
}

var encoders = sync.Pool{New: func() any {
	e := new(encoder)
	e.zw = gzip.NewWriter(&e.buf)
	return e
}}

func encode(b []byte, f func([]byte)) {
	e := encoders.Get().(*encoder)
	if e.buf.Cap() > 1<<16 {
		e.buf = bytes.Buffer{}
	}
	e.buf.Reset()
	e.zw.Reset(&e.buf)
	e.zw.Write(b)
	e.zw.Close()
	f(e.buf.Bytes())
	encoders.Put(e)
}
