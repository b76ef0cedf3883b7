package undrained

import (
	"bytes"
	"io"
	"sync"
)

// Reset where it is put.

type resetting struct{ pool sync.Pool }

func (r *resetting) get() *bytes.Buffer {
	if b, ok := r.pool.Get().(*bytes.Buffer); ok {
		return b
	}
	return new(bytes.Buffer)
}

func (r *resetting) put(b *bytes.Buffer) {
	b.Reset()
	r.pool.Put(b) // want `from keeps b`
}

type tube struct {
	from *resetting
	buf  *bytes.Buffer
}

func (t *tube) write(b []byte) {
	if t.buf == nil {
		t.buf = t.from.get()
	}
	t.buf.Write(b)
}

func (t *tube) read(b []byte) int {
	n, _ := t.buf.Read(b)
	if t.buf.Len() == 0 {
		t.from.put(t.buf)
		t.buf = nil
	}
	return n
}

func (t *tube) close() {
	t.from.put(t.buf)
	t.buf = nil
}

// Read to the end by whoever puts it.

var flushes = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type flusher struct{ buf *bytes.Buffer }

func (f *flusher) write(b []byte) {
	if f.buf == nil {
		f.buf = flushes.Get().(*bytes.Buffer)
	}
	f.buf.Write(b)
}

func (f *flusher) read(b []byte) int {
	n, _ := f.buf.Read(b)
	if f.buf.Len() == 0 {
		flushes.Put(f.buf) // want `flushes keeps f.buf`
		f.buf = nil
	}
	return n
}

func (f *flusher) flush(w io.Writer) error {
	_, err := f.buf.WriteTo(w)
	if err == nil {
		flushes.Put(f.buf)
	}
	f.buf = nil
	return err
}

// Whoever gives up lets go of what is left, and of the buffer.

var halves = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type half struct{ buf *bytes.Buffer }

func (h *half) write(b []byte) {
	if h.buf == nil {
		h.buf = halves.Get().(*bytes.Buffer)
	}
	h.buf.Write(b)
}

func (h *half) read(b []byte) int {
	n, _ := h.buf.Read(b)
	if h.buf.Len() == 0 {
		halves.Put(h.buf) // want `halves keeps h.buf`
		h.buf = nil
	}
	return n
}

func (h *half) giveUp() {
	if h.buf.Len() == 0 {
		halves.Put(h.buf)
	}
	h.buf = nil
}
