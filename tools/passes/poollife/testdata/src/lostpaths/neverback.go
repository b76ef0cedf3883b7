package lostpaths

import (
	"bytes"
	"io"
	"net"
	"sync"
)

// What only a field holds, and nobody puts, is lost where the field is set to nil.

var relays = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

func relayBuf() []byte { return *relays.Get().(*[]byte) }

func relayFree(b []byte) {
	if cap(b) == 4096 {
		b = b[:4096]
		relays.Put(&b)
	}
}

type tail struct {
	net.Conn
	rest []byte
	off  int
	open bool
}

func (t *tail) Read(p []byte) (int, error) {
	if t.rest != nil {
		n := copy(p, t.rest[t.off:])
		t.off += n
		if t.off == len(t.rest) {
			t.rest = nil // want `field rest is set to nil here; what it held was taken from relays`
		}
		return n, nil
	}
	if t.open {
		return t.Conn.Read(p)
	}
	b := relayBuf()
	n, err := t.Conn.Read(b)
	if err != nil {
		relayFree(b)
		return 0, err
	}
	t.open = true
	if m := copy(p, b[:n]); m < n {
		t.rest, t.off = b[:n], m
		return m, nil
	}
	relayFree(b)
	return n, nil
}

type tailRight struct {
	net.Conn
	rest []byte
	off  int
}

func (t *tailRight) Read(p []byte) (int, error) {
	if t.rest != nil {
		n := copy(p, t.rest[t.off:])
		t.off += n
		if t.off == len(t.rest) {
			relayFree(t.rest)
			t.rest = nil
		}
		return n, nil
	}
	b := relayBuf()
	n, err := t.Conn.Read(b)
	if err != nil {
		relayFree(b)
		return 0, err
	}
	if m := copy(p, b[:n]); m < n {
		t.rest, t.off = b[:n], m
		return m, nil
	}
	relayFree(b)
	return n, nil
}

// A buffer instead of a slice, advanced as it is read.
var frames = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type frameReader struct {
	r   io.Reader
	cur *bytes.Buffer
}

func (f *frameReader) fill() error {
	b := frames.Get().(*bytes.Buffer)
	b.Reset()
	if _, err := io.CopyN(b, f.r, 512); err != nil {
		frames.Put(b)
		return err
	}
	f.cur = b
	return nil
}

func (f *frameReader) ReadByte() (byte, error) {
	if f.cur == nil {
		if err := f.fill(); err != nil { // want `err, taken from frames at line 108, is not put back on the path that ends here`
			return 0, err
		}
	}
	c, err := f.cur.ReadByte()
	if f.cur.Len() == 0 {
		f.cur = nil // want `field cur is set to nil here; what it held was taken from frames`
	}
	return c, err
}

// The memory goes on to who asks for it.
type frameGiver struct {
	r   io.Reader
	cur *bytes.Buffer
}

func (f *frameGiver) fill() {
	b := frames.Get().(*bytes.Buffer)
	b.Reset()
	io.CopyN(b, f.r, 512)
	f.cur = b
}

func (f *frameGiver) take() *bytes.Buffer {
	b := f.cur
	f.cur = nil
	return b
}

// A function that takes and puts has it in a field meanwhile.
type frameUser struct {
	r   io.Reader
	cur *bytes.Buffer
}

func (f *frameUser) use() {
	b := frames.Get().(*bytes.Buffer)
	b.Reset()
	f.cur = b
	io.CopyN(f.cur, f.r, 512)
	f.cur = nil
	frames.Put(b)
}

// It lives as long as the object.
type frameOwner struct {
	r   io.Reader
	cur *bytes.Buffer
}

func newFrameOwner(r io.Reader) *frameOwner {
	return &frameOwner{r: r, cur: frames.Get().(*bytes.Buffer)}
}

func (f *frameOwner) n() int { return f.cur.Len() }
