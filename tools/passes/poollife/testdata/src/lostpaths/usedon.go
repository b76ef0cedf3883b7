package lostpaths

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// A value whose size was tested and that is used all the same was not dropped for its size.

var chunks sync.Pool

func chunkOf(n int) []byte {
	if v := chunks.Get(); v != nil {
		if p := *v.(*[]byte); cap(p) >= n {
			return p[:n]
		}
	}
	return make([]byte, n)
}

func freeChunk(p []byte) { chunks.Put(&p) }

func copyOver(w io.Writer, r io.Reader, n int) error {
	p := chunkOf(n) // want `p, taken from chunks at line 26, is not put back on the path that ends here`
	if _, err := io.ReadFull(r, p); err != nil {
		return err
	}
	_, err := w.Write(p)
	freeChunk(p)
	return err
}

func copyOverRight(w io.Writer, r io.Reader, n int) error {
	p := chunkOf(n)
	if _, err := io.ReadFull(r, p); err != nil {
		freeChunk(p)
		return err
	}
	_, err := w.Write(p)
	freeChunk(p)
	return err
}

// The other way round: what is too small is dropped, whoever takes it.
type chunkAlloc struct{ p sync.Pool }

func (c *chunkAlloc) get(n int) *[]byte {
	b, ok := c.p.Get().(*[]byte)
	if !ok || cap(*b) < n {
		s := make([]byte, n)
		return &s
	}
	*b = (*b)[:n]
	return b
}

func (c *chunkAlloc) put(b *[]byte) { c.p.Put(b) }

type later struct {
	closed bool
	list   []func()
}

func (l *later) run(f func()) bool {
	if l.closed {
		return false
	}
	l.list = append(l.list, f)
	return true
}

func (c *chunkAlloc) queue(l *later, w io.Writer, data []byte) {
	b := c.get(len(data)) // want `b, taken from p at line 75, is not put back on the path that ends here`
	copy(*b, data)
	l.run(func() {
		w.Write(*b)
		c.put(b)
	})
}

func (c *chunkAlloc) queueRight(l *later, w io.Writer, data []byte) {
	b := c.get(len(data))
	copy(*b, data)
	if !l.run(func() {
		w.Write(*b)
		c.put(b)
	}) {
		c.put(b)
	}
}

// A length that decides on what is done with the content is no bound on what is kept.

var errLong = errors.New("too long")

const maxMessage = 64 << 10

var messages = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func sendMessage(w io.Writer, fill func(io.Writer)) error {
	b := messages.Get().(*bytes.Buffer) // want `b, taken from messages at line 103, is not put back on the path that ends here`
	b.Reset()
	fill(b)
	if b.Len() > maxMessage {
		return errLong
	}
	_, err := w.Write(b.Bytes())
	messages.Put(b)
	return err
}

func sendMessageRight(w io.Writer, fill func(io.Writer)) error {
	b := messages.Get().(*bytes.Buffer)
	b.Reset()
	fill(b)
	_, err := w.Write(b.Bytes())
	if b.Len() > maxMessage {
		return err // too large to be kept
	}
	messages.Put(b)
	return err
}

func sendChunk(w io.Writer, name string) error {
	b := chunkBoxes.Get().(*[]byte) // want `b, taken from chunkBoxes at line 127, is not put back on the path that ends here`
	p := append((*b)[:0], name...)
	if len(p) > maxMessage {
		return errLong
	}
	_, err := w.Write(p)
	*b = p
	chunkBoxes.Put(b)
	return err
}

func sendChunkRight(w io.Writer, name string) error {
	b := chunkBoxes.Get().(*[]byte)
	p := append((*b)[:0], name...)
	_, err := w.Write(p)
	if len(p) > maxMessage {
		return err
	}
	*b = p[:0]
	chunkBoxes.Put(b)
	return err
}

var chunkBoxes = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}
