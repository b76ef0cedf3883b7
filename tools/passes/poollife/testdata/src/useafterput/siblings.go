package useafterput

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// A frame holds a pooled buffer, and slices of its memory.
type frame struct {
	head, body []byte
	buf        *bytes.Buffer
}

var frameBufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func readFrame(r io.Reader) (*frame, error) {
	b := frameBufs.Get().(*bytes.Buffer)
	b.Reset()
	if _, err := io.Copy(b, r); err != nil || b.Len() < 4 {
		frameBufs.Put(b)
		return nil, errors.New("short frame")
	}
	p := b.Bytes()
	return &frame{p[:4], p[4:], b}, nil
}

func (f *frame) release() { frameBufs.Put(f.buf) }

func kindLate(f *frame) byte {
	f.release()
	return f.head[0] // want `f is read after it was put in frameBufs`
}

func bodyOf(f *frame) []byte {
	defer f.release()
	return f.body // want `memory of f is returned while the deferred call puts it in frameBufs`
}

func kind(f *frame) byte {
	k := f.head[0]
	f.release()
	return k
}

func bodyCopy(f *frame) []byte {
	defer f.release()
	return bytes.Clone(f.body)
}

type reader struct {
	frames chan *frame
	last   []byte
	byKind map[byte][]byte
}

func (r *reader) keepLast() {
	for f := range r.frames {
		r.last = f.body // want `field last keeps memory of f after the value was put in frameBufs`
		f.release()
	}
}

func (r *reader) keepCopies() {
	for f := range r.frames {
		r.byKind[f.head[0]] = bytes.Clone(f.body)
		f.release()
	}
}

func (r *reader) handOff(handle func([]byte)) {
	for f := range r.frames {
		go func() { handle(f.body) }()
		f.release() // want `f is put in frameBufs while the goroutine started at line 74 may still use it`
	}
}

// The goroutine looks at nothing of the buffer's.
func (r *reader) count(add func(*frame)) {
	for f := range r.frames {
		go func() { add(nil); _ = f == nil }()
		f.release()
	}
}

// The body of a letter may be its own.
type letter struct {
	body []byte
	buf  *bytes.Buffer
}

func copied(p []byte) *letter { return &letter{body: bytes.Clone(p)} }

func borrowed() *letter {
	b := frameBufs.Get().(*bytes.Buffer)
	b.Reset()
	return &letter{b.Bytes(), b}
}

func (l *letter) open() []byte {
	if l.buf != nil {
		frameBufs.Put(l.buf)
	}
	return l.body
}

// A page owns the buffer that it embeds: both are made together.
type page struct {
	*bytes.Buffer
	lines int
}

var pages = sync.Pool{New: func() any { return &page{Buffer: new(bytes.Buffer)} }}

func textOf(s string) []byte {
	p := pages.Get().(*page)
	p.Reset()
	defer pages.Put(p)
	p.WriteString(s)
	return p.Bytes() // want `memory of p is returned while the deferred call puts it in pages`
}

// The buffer of a sheet is somebody else's.
type sheet struct{ *bytes.Buffer }

var sheets = sync.Pool{New: func() any { return new(sheet) }}

func fill(b *bytes.Buffer, s string) []byte {
	p := sheets.Get().(*sheet)
	p.Buffer = b
	p.WriteString(s)
	p.Buffer = nil
	sheets.Put(p)
	return b.Bytes()
}

// The Once that guards the Put is in what is put: Do writes to it afterwards.
type session struct {
	once sync.Once
	data []byte
}

var sessions = sync.Pool{New: func() any { return new(session) }}

func open() *session {
	s := sessions.Get().(*session)
	s.once = sync.Once{}
	return s
}

func (s *session) Close() {
	s.once.Do(func() { sessions.Put(s) }) // want `s is unlocked by the Once in it after it was put in sessions`
}

// The Once is that of a handle.
type handle struct {
	once sync.Once
	s    *session
}

func (h *handle) Close() {
	h.once.Do(func() { sessions.Put(h.s) })
}
