// Package codecs has types that are not exported behind interfaces.
package codecs

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// Encoder encodes.
type Encoder interface {
	Encode(s string) []byte
	Release()
}

type encoder struct{ buf []byte }

var encoders = sync.Pool{New: func() any { return new(encoder) }}

// NewEncoder takes one from a pool.
func NewEncoder() Encoder {
	e := encoders.Get().(*encoder)
	e.buf = e.buf[:0]
	return e
}

func (e *encoder) Encode(s string) []byte {
	e.buf = append(e.buf, s...)
	return e.buf
}

func (e *encoder) Release() {
	if cap(e.buf) <= 1<<16 {
		encoders.Put(e)
	}
}

// plainEncoder has no pool.
type plainEncoder struct{}

func (plainEncoder) Encode(s string) []byte { return []byte(s) }
func (plainEncoder) Release()               {}

// Plain gives an encoder without a pool.
func Plain() Encoder { return plainEncoder{} }

// NewEncoderOr fails for negative numbers.
func NewEncoderOr(n int) (Encoder, error) {
	if n < 0 {
		return nil, errors.New("negative")
	}
	return NewEncoder(), nil
}

// Concrete is exported.
type Concrete struct{ buf []byte }

var concretes = sync.Pool{New: func() any { return new(Concrete) }}

// NewConcrete takes one from a pool.
func NewConcrete() *Concrete {
	e := concretes.Get().(*Concrete)
	e.buf = e.buf[:0]
	return e
}

// NewAsEncoder gives the same as an interface.
func NewAsEncoder() Encoder { return NewConcrete() }

// Encode encodes.
func (e *Concrete) Encode(s string) []byte {
	e.buf = append(e.buf, s...)
	return e.buf
}

// Release gives back.
func (e *Concrete) Release() {
	if cap(e.buf) <= 1<<16 {
		concretes.Put(e)
	}
}

// Lender lends buffers.
type Lender interface {
	Buf() *bytes.Buffer
	Done(b *bytes.Buffer)
	Name() string
}

type lender struct{ bufs sync.Pool }

// NewLender makes one.
func NewLender() Lender {
	l := &lender{}
	l.bufs.New = func() any { return new(bytes.Buffer) }
	return l
}

func (l *lender) Buf() *bytes.Buffer {
	b := l.bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func (l *lender) Done(b *bytes.Buffer) {
	if b.Cap() <= 1<<16 {
		l.bufs.Put(b)
	}
}

func (l *lender) Name() string { return "pooled" }

type maker struct{}

func (maker) Buf() *bytes.Buffer   { return new(bytes.Buffer) }
func (maker) Done(b *bytes.Buffer) {}
func (maker) Name() string         { return "" }

// Choose gives one of two.
func Choose(pooled bool) Lender {
	if pooled {
		return NewLender()
	}
	return maker{}
}

// Std is set once.
var Std = NewLender()

// Other may be set to something else.
var Other = NewLender()

// SetOther sets it.
func SetOther(l Lender) { Other = l }

var std = NewLender()

// Default gives the one that all share.
func Default() Lender { return std }

type reader struct {
	io.Reader
	buf *bytes.Buffer
}

var readBufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Open gives a reader whose Close gives its buffer back.
func Open(r io.Reader) io.ReadCloser {
	b := readBufs.Get().(*bytes.Buffer)
	b.Reset()
	return &reader{r, b}
}

func (r *reader) Read(p []byte) (int, error) { return r.buf.Read(p) }

func (r *reader) Close() error {
	if r.buf.Cap() <= 1<<16 {
		readBufs.Put(r.buf)
	}
	return nil
}

type reopened struct {
	io.Reader
	buf *bytes.Buffer
}

// OpenAgain gives a reader that begins anew after Close.
func OpenAgain(r io.Reader) io.ReadCloser {
	b := readBufs.Get().(*bytes.Buffer)
	b.Reset()
	return &reopened{r, b}
}

func (r *reopened) open() {
	if r.buf == nil {
		r.buf = readBufs.Get().(*bytes.Buffer)
		r.buf.Reset()
	}
}

func (r *reopened) Read(p []byte) (int, error) {
	r.open()
	return r.buf.Read(p)
}

func (r *reopened) Close() error {
	if r.buf.Cap() <= 1<<16 {
		readBufs.Put(r.buf)
	}
	r.buf = nil
	return nil
}

// Sized is exported.
type Sized struct {
	n   int
	buf *bytes.Buffer
}

// NewSized makes one.
func NewSized(r io.Reader) *Sized {
	b := readBufs.Get().(*bytes.Buffer)
	b.Reset()
	return &Sized{buf: b}
}

// Len does not need the buffer.
func (r *Sized) Len() int { return r.n }

// Read does only where there is something.
func (r *Sized) Read(p []byte) (int, error) {
	if r.n == 0 {
		return 0, io.EOF
	}
	return r.buf.Read(p)
}

// Peek does.
func (r *Sized) Peek(p []byte) (int, error) { return copy(p, r.buf.Bytes()), nil }

// Close gives the buffer back.
func (r *Sized) Close() error {
	if r.buf.Cap() <= 1<<16 {
		readBufs.Put(r.buf)
	}
	return nil
}

type guarded struct {
	io.Reader
	buf *bytes.Buffer
}

// OpenGuarded gives a reader that may be closed twice.
func OpenGuarded(r io.Reader) io.ReadCloser {
	b := readBufs.Get().(*bytes.Buffer)
	b.Reset()
	return &guarded{r, b}
}

func (r *guarded) Close() error {
	if b := r.buf; b != nil {
		r.buf = nil
		if b.Cap() <= 1<<16 {
			readBufs.Put(b)
		}
	}
	return nil
}
