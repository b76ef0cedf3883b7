// SPDX-License-Identifier: BSD-3-Clause

package buffer_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/spare-go/spare/buffer"
)

// buf is what the two types have in common: all of it.
type buf interface {
	Available() int
	AvailableBuffer() []byte
	Bytes() []byte
	Cap() int
	Grow(n int)
	Len() int
	Next(n int) []byte
	Peek(n int) ([]byte, error)
	Read(p []byte) (n int, err error)
	ReadByte() (byte, error)
	ReadBytes(delim byte) (line []byte, err error)
	ReadFrom(r io.Reader) (n int64, err error)
	ReadRune() (r rune, size int, err error)
	ReadString(delim byte) (line string, err error)
	Reset()
	String() string
	Truncate(n int)
	UnreadByte() error
	UnreadRune() error
	Write(p []byte) (n int, err error)
	WriteByte(c byte) error
	WriteRune(r rune) (n int, err error)
	WriteString(s string) (n int, err error)
	WriteTo(w io.Writer) (n int64, err error)
}

var (
	_ buf = (*bytes.Buffer)(nil)
	_ buf = (*buffer.Buffer)(nil)
)

// script reads the bytes of a fuzz input, zeros after its end.
type script []byte

func (s *script) next() byte {
	if len(*s) == 0 {
		return 0
	}
	c := (*s)[0]
	*s = (*s)[1:]
	return c
}

// size is mostly small, at times around the sizes at which buffers grow.
func (s *script) size() int {
	c := int(s.next())
	switch c % 8 {
	case 0:
		return 60 + c/8
	case 1:
		return 500 + c/8
	case 2:
		return c * 40
	}
	return c / 8
}

// data returns n bytes that depend on the position.
func (s *script) data(n int) []byte {
	seed := s.next()
	p := make([]byte, n)
	for i := range p {
		p[i] = seed + byte(i)*7
	}
	return p
}

// chunkReader returns at most max bytes at a time, and then err.
type chunkReader struct {
	data []byte
	max  int
	err  error
}

func (r *chunkReader) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, r.err
	}
	n := copy(p, r.data[:min(r.max, len(r.data))])
	r.data = r.data[n:]
	return n, nil
}

// limitWriter accepts left bytes, and then fails. If lie is set it does not say
// so.
type limitWriter struct {
	got  []byte
	left int
	err  error
	over int
}

func (w *limitWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.left)
	w.got = append(w.got, p[:n]...)
	w.left -= n
	if n < len(p) {
		return n, w.err
	}
	return n + w.over, nil
}

var errTest = errors.New("test")

// play does the next operation of the script on b, and returns what can be seen
// of it.
func play(b buf, s *script) (seen string) {
	defer func() {
		if e := recover(); e != nil {
			if err, ok := e.(error); ok && err == bytes.ErrTooLarge {
				e = "identical ErrTooLarge"
			}
			if _, ok := e.(runtime.Error); ok {
				e = "runtime error" // the text shows offsets, which may differ
			}
			seen += fmt.Sprintf(" panic: %v", e)
		}
	}()
	op := s.next() % 29
	seen = fmt.Sprint("op ", op, ":")
	show := func(v ...any) { seen += fmt.Sprintf(" %q", v) }
	switch op {
	case 0, 24:
		n, err := b.Write(s.data(s.size()))
		show(n, err)
	case 1, 25:
		n, err := b.WriteString(string(s.data(s.size())))
		show(n, err)
	case 2:
		show(b.WriteByte(s.next()))
	case 3:
		n, err := b.WriteRune(rune(int8(s.next()))<<16 | rune(s.next())<<8 | rune(s.next()))
		show(n, err)
	case 4:
		p := make([]byte, s.size())
		n, err := b.Read(p)
		show(n, err, p)
	case 5:
		c, err := b.ReadByte()
		show(c, err)
	case 6:
		r, n, err := b.ReadRune()
		show(r, n, err)
	case 7:
		show(b.UnreadByte())
	case 8:
		show(b.UnreadRune())
	case 9:
		line, err := b.ReadBytes(s.next())
		show(line, err, line == nil)
	case 10:
		line, err := b.ReadString(s.next())
		show(line, err)
	case 11:
		show(b.Next(s.size() - 1)) // may be negative
	case 12:
		p, err := b.Peek(s.size() - 1)
		show(p, err)
	case 13:
		b.Truncate(s.size() - 1)
	case 14:
		b.Reset()
	case 15:
		n := s.size() - 1
		b.Grow(n)
		show(b.Available() >= n)
		b.Write(nil) // whether Grow leaves a byte to unread depends on whether it moves the contents
	case 16:
		b.Grow(int(^uint(0) >> 1)) // ErrTooLarge, unless there is nothing in the Buffer
	case 17:
		r := &chunkReader{data: s.data(s.size()), max: 1 + s.size(), err: io.EOF}
		n, err := b.ReadFrom(r)
		show(n, err)
	case 18:
		n, err := b.ReadFrom(&chunkReader{data: s.data(s.size()), max: 1 + s.size(), err: errTest})
		show(n, err)
	case 19:
		n, err := b.ReadFrom(bytes.NewReader(s.data(s.size())))
		show(n, err)
	case 20:
		n, err := b.ReadFrom(negativeReader{})
		show(n, err)
	case 21:
		w := &limitWriter{left: 1 << 20}
		n, err := b.WriteTo(w)
		show(n, err, w.got)
	case 22:
		w := &limitWriter{left: s.size()}
		if s.next()%2 == 0 {
			w.err = errTest
		}
		n, err := b.WriteTo(w)
		show(n, err, w.got)
	case 23:
		if s.next()%8 == 0 {
			w := &limitWriter{left: 1 << 20, over: 1}
			n, err := b.WriteTo(w)
			show(n, err)
			break
		}
		p := b.AvailableBuffer()
		show(len(p), cap(p) == b.Available())
		n, err := b.Write(append(p, s.data(s.size())...))
		show(n, err)
	case 26:
		b.Write(nil)
	case 27, 28: // some of these double it
		if op := selfOps[int(s.next())%len(selfOps)]; b.Len() < 20_000 {
			seen += " " + op.name
			op.f(b)
		}
	}
	return seen
}

type negativeReader struct{}

func (negativeReader) Read([]byte) (int, error) { return -1, nil }

// FuzzDifferential does the same operations on a bytes.Buffer and on Buffers of
// every kind, and compares results, contents, lengths, errors and panics. Where a
// Buffer reads its own memory, the bytes.Buffer reads a copy.
func FuzzDifferential(f *testing.F) {
	f.Add([]byte{0, 0, 1, 1, 2, 'x', 3, 0, 33, 172, 4, 30, 5, 6, 7, 8})
	f.Add([]byte{1, 2, 2, 2, 9, 'a', 10, 'b', 11, 40, 12, 40, 13, 24, 15, 2, 17, 2, 3, 255})
	f.Add([]byte{3, 0, 1, 7, 6, 8, 0, 250, 7, 5, 7, 7, 26, 7, 14, 16, 20, 21, 22, 40, 23, 8})
	f.Add(bytes.Repeat([]byte{0, 2, 9, 5, 6, 8, 19, 2, 21, 4, 255}, 8))
	for op := range selfOps {
		f.Add([]byte{byte(op), 0, 250, 7, 11, 16, 27, byte(op), 27, byte(op)})
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 1<<10 {
			return
		}
		s := script(in)
		kind := s.next() % 5
		var want *bytes.Buffer
		var got *buffer.Buffer
		switch kind {
		case 0:
			want, got = new(bytes.Buffer), new(buffer.Buffer)
		case 1:
			b := buffer.New()
			want, got = new(bytes.Buffer), &b
		case 2:
			want, got = new(bytes.Buffer), buffer.Get()
		case 3:
			n := s.size()
			p := s.data(n)
			want, got = bytes.NewBuffer(bytes.Clone(p)), buffer.NewBuffer(p)
		case 4:
			p := string(s.data(s.size()))
			want, got = bytes.NewBufferString(p), buffer.NewBufferString(p)
		}
		defer got.Release()
		if kind == 1 || kind == 2 {
			// bytes.Buffer has no room at first, and Grow(MaxInt) says so.
			want.Grow(1)
		}
		for len(s) > 0 {
			t1, t2 := s, s
			w, g := play(cloned{want}, &t1), play(got, &t2)
			s = t1
			if w != g {
				t.Fatalf("bytes.Buffer: %s\nbuffer.Buffer: %s", w, g)
			}
			if !bytes.Equal(want.Bytes(), got.Bytes()) || want.Len() != got.Len() || want.String() != got.String() {
				t.Fatalf("after %s: bytes.Buffer has %q, buffer.Buffer %q", w, want, got)
			}
			if got.Cap() < got.Len() || got.Available() < 0 {
				t.Fatalf("after %s: Cap %d, Available %d, Len %d", w, got.Cap(), got.Available(), got.Len())
			}
			if strings.Contains(w, "invalid Write count") {
				return // both are broken now
			}
		}
	})
}

// A holder is a Buffer in use and what must be in it.
type holder struct {
	b      *buffer.Buffer
	want   []byte
	family int // shared by copies
	pooled bool
}

// A detachment is what Detach returned.
type detachment struct {
	data, want []byte
	family     int
}

// FuzzOwnership has many Buffers of all kinds in use, copied, grown, detached
// and released, more than once if that is allowed, and checks that each shows
// what was written to it and that no two share memory, other than copies.
func FuzzOwnership(f *testing.F) {
	f.Add([]byte{0, 2, 1, 3, 2, 9, 3, 4, 0, 5, 0, 6, 1, 3, 0, 10, 5, 1, 7, 2})
	f.Add(bytes.Repeat([]byte{0, 1, 3, 0, 2, 4, 0, 5, 0, 3, 1, 10, 5, 1}, 9))
	f.Add(bytes.Repeat([]byte{1, 3, 0, 2, 4, 0, 3, 0, 18, 3, 1, 34, 5, 1, 5, 0, 2}, 9))
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 200 {
			return // what is checked after each operation takes long then
		}
		s := script(in)
		var live []*holder
		var gone []*buffer.Buffer // released, not of Get
		var detached []detachment
		families := 0
		add := func(b *buffer.Buffer, want []byte, pooled bool) {
			families++
			live = append(live, &holder{b, want, families, pooled})
		}
		pick := func() *holder {
			if len(live) == 0 {
				return nil
			}
			return live[int(s.next())%len(live)]
		}
		drop := func(keep func(*holder) bool) {
			kept := live[:0]
			for _, h := range live {
				if keep(h) {
					kept = append(kept, h)
				}
			}
			live = kept
		}
		defer func() {
			for _, h := range live {
				h.b.Release()
			}
		}()
		for len(s) > 0 {
			switch s.next() % 9 {
			case 0:
				add(buffer.Get(), nil, true)
			case 1:
				b := buffer.New()
				add(&b, nil, false)
			case 2:
				p := s.data(s.size())
				add(buffer.NewBuffer(p[:len(p):len(p)]), bytes.Clone(p), false)
			case 3, 4: // write; twice as likely
				h := pick()
				if h == nil {
					break
				}
				p := s.data(s.size())
				h.b.Write(p)
				h.want = append(h.want[:len(h.want):len(h.want)], p...)
				// As with bytes.Buffer, the copies that shared the array behind
				// the contents do not any more, or have lost to this one.
				drop(func(o *holder) bool { return o == h || o.family != h.family || bytes.Equal(o.b.Bytes(), o.want) })
				detached = slices.DeleteFunc(detached, func(d detachment) bool {
					return d.family == h.family && !bytes.Equal(d.data, d.want)
				})
			case 5: // release
				h := pick()
				if h == nil {
					break
				}
				h.b.Release()
				if !h.pooled || s.next()%2 == 0 {
					h.b.Release() // not handed out again: nothing happens
				}
				if !h.pooled {
					gone = append(gone, h.b)
				}
				// A Release ends all copies.
				drop(func(o *holder) bool { return o != h && (o.family != h.family || h.pooled) })
			case 6: // copy
				h := pick()
				if h == nil || h.pooled {
					break
				}
				c := *h.b
				live = append(live, &holder{&c, h.want, h.family, false})
			case 7: // detach
				h := pick()
				if h == nil {
					break
				}
				p := h.b.Detach()
				if !bytes.Equal(p, h.want) {
					t.Fatalf("Detach returned %q, want %q", p, h.want)
				}
				// The copies show the array still, as does whoever detached it.
				detached = append(detached, detachment{p, bytes.Clone(p), h.family})
				families++
				h.family = families
				h.want = nil
			case 8: // a stale Release of Buffers that are not Get's
				for _, b := range gone {
					b.Release()
				}
			}
			for i, h := range live {
				if !bytes.Equal(h.b.Bytes(), h.want) {
					t.Fatalf("Buffer %d of %d shows %q, want %q", i, len(live), h.b.Bytes(), h.want)
				}
				for _, o := range live[:i] {
					if o.family != h.family && overlap(memory(o.b), memory(h.b)) {
						t.Fatalf("two Buffers share memory")
					}
				}
				for _, d := range detached {
					if d.family != h.family && overlap(d.data[:cap(d.data)], memory(h.b)) {
						t.Fatalf("a Buffer has memory that was detached")
					}
				}
			}
			for _, d := range detached {
				if !bytes.Equal(d.data, d.want) {
					t.Fatalf("detached bytes changed from %q to %q", d.want, d.data)
				}
			}
		}
	})
}

// memory returns what b can show or write, other than what it read already.
func memory(b *buffer.Buffer) []byte {
	p := b.Bytes()
	return p[:cap(p)]
}

func overlap(p, q []byte) bool {
	if len(p) == 0 || len(q) == 0 {
		return false
	}
	p0, q0 := uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(unsafe.Pointer(unsafe.SliceData(q)))
	return p0 < q0+uintptr(len(q)) && q0 < p0+uintptr(len(p))
}
