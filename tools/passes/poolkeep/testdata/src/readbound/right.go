package readbound // Buffers that readers fill which end after so many bytes.

import (
	"bytes"
	"io"
	"net/http"
	"sync"
)

var heads = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func head(r io.Reader) (int, error) {
	b := heads.Get().(*bytes.Buffer)
	defer heads.Put(b)
	b.Reset()
	_, err := b.ReadFrom(io.LimitReader(r, 512))
	return b.Len(), err
}

var counted = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func count(r io.Reader) (int, error) {
	b := counted.Get().(*bytes.Buffer)
	defer counted.Put(b)
	b.Reset()
	_, err := io.CopyN(b, r, 512)
	return b.Len(), err
}

var copied = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func copies(r io.Reader) (int, error) {
	b := copied.Get().(*bytes.Buffer)
	defer copied.Put(b)
	b.Reset()
	_, err := io.Copy(b, &io.LimitedReader{R: r, N: 512})
	return b.Len(), err
}

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func body(w http.ResponseWriter, r *http.Request) (int, error) {
	b := bodies.Get().(*bytes.Buffer)
	defer bodies.Put(b)
	b.Reset()
	_, err := b.ReadFrom(http.MaxBytesReader(w, r.Body, 1<<12))
	return b.Len(), err
}

// Through a reader over such a one.

var teed = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func tee(w io.Writer, r io.Reader) (int, error) {
	b := teed.Get().(*bytes.Buffer)
	defer teed.Put(b)
	b.Reset()
	_, err := io.Copy(b, io.TeeReader(io.LimitReader(r, 512), w))
	return b.Len(), err
}

// In a field, by a method.

type reader struct {
	buf bytes.Buffer
	n   int
}

var readers = sync.Pool{New: func() any { return new(reader) }}

func read(r io.Reader) (int, error) {
	d := readers.Get().(*reader)
	defer readers.Put(d)
	d.buf.Reset()
	err := d.fill(r)
	return d.buf.Len(), err
}

func (d *reader) fill(r io.Reader) error {
	_, err := d.buf.ReadFrom(io.LimitReader(r, 512))
	return err
}

// In a loop that empties it each time.

var each = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func all(list []io.Reader) (n int, err error) {
	b := each.Get().(*bytes.Buffer)
	defer each.Put(b)
	for _, r := range list {
		b.Reset()
		if _, err = io.CopyN(b, r, 512); err != nil {
			break
		}
		n += b.Len()
	}
	b.Reset()
	return n, err
}

// In a loop that takes another one each time.

var others = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func one(list []io.Reader) (n int) {
	for _, r := range list {
		b := others.Get().(*bytes.Buffer)
		l := io.LimitedReader{R: r, N: 512}
		if _, err := b.ReadFrom(&l); err == nil {
			n += b.Len()
		}
		b.Reset()
		others.Put(b)
	}
	return n
}

// By a function that is called in a loop and takes one itself.

var inner = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func outer(list []io.Reader) (n int) {
	for _, r := range list {
		n += single(r)
	}
	return n
}

func single(r io.Reader) int {
	b := inner.Get().(*bytes.Buffer)
	defer inner.Put(b)
	b.Reset()
	if _, err := b.ReadFrom(io.LimitReader(r, 512)); err != nil {
		return 0
	}
	return b.Len()
}

// In a loop that empties it, in a field, each time.

var rows = sync.Pool{New: func() any { return new(reader) }}

func readRows(list []io.Reader) (n int) {
	d := rows.Get().(*reader)
	defer rows.Put(d)
	for _, r := range list {
		d.buf.Reset()
		if d.fill(r) == nil {
			n += d.buf.Len()
		}
	}
	return n
}
