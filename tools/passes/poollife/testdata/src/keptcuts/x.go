package keptcuts // Lists of parts of buffers that a goroutine is sent, and puts.

import (
	"bytes"
	"io"
	"sync"
)

var pieces = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// The keys are parts of buffers that the goroutine puts.

type table struct {
	buf  *bytes.Buffer
	out  chan *bytes.Buffer
	keys [][]byte
	done chan struct{}
}

func newTable(w io.Writer) *table {
	t := &table{buf: pieces.Get().(*bytes.Buffer), out: make(chan *bytes.Buffer), keys: make([][]byte, 0, 8), done: make(chan struct{})}
	go t.run(w)
	return t
}

func (t *table) run(w io.Writer) {
	defer close(t.done)
	for b := range t.out {
		w.Write(b.Bytes())
		b.Reset()
		pieces.Put(b)
	}
}

func (t *table) add(key, value string) {
	if t.buf.Len() > 1<<12 {
		t.out <- t.buf
		t.buf = pieces.Get().(*bytes.Buffer)
	}
	start := t.buf.Len()
	t.buf.WriteString(key)
	t.keys = append(t.keys, t.buf.Bytes()[start:]) // want `keys keeps a part of the buffer in buf, which who receives it puts`
	t.buf.WriteString(value)
}

func (t *table) close() [][]byte {
	t.out <- t.buf
	t.buf = nil
	close(t.out)
	<-t.done
	return t.keys
}

// These are copied.

type index struct {
	buf  *bytes.Buffer
	out  chan *bytes.Buffer
	keys [][]byte
}

func newIndex(w io.Writer) *index {
	t := &index{buf: pieces.Get().(*bytes.Buffer), out: make(chan *bytes.Buffer)}
	go func() {
		for b := range t.out {
			w.Write(b.Bytes())
			b.Reset()
			pieces.Put(b)
		}
	}()
	return t
}

func (t *index) add(key, value string) {
	start := t.buf.Len()
	t.buf.WriteString(key)
	t.keys = append(t.keys, bytes.Clone(t.buf.Bytes()[start:]))
	t.buf.WriteString(value)
	if t.buf.Len() > 1<<12 {
		t.out <- t.buf
		t.buf = pieces.Get().(*bytes.Buffer)
	}
}

func (t *index) close() [][]byte {
	t.out <- t.buf
	t.buf = nil
	close(t.out)
	return t.keys
}

// These are of the buffer that is there: the list is emptied with it.

type page struct {
	buf  *bytes.Buffer
	out  chan *bytes.Buffer
	keys [][]byte
}

func newPage(w io.Writer) *page {
	t := &page{buf: pieces.Get().(*bytes.Buffer), out: make(chan *bytes.Buffer)}
	go func() {
		for b := range t.out {
			w.Write(b.Bytes())
			b.Reset()
			pieces.Put(b)
		}
	}()
	return t
}

func (t *page) add(key, value string) {
	start := t.buf.Len()
	t.buf.WriteString(key)
	t.keys = append(t.keys, t.buf.Bytes()[start:])
	t.buf.WriteString(value)
	if t.buf.Len() > 1<<12 {
		t.out <- t.buf
		t.buf, t.keys = pieces.Get().(*bytes.Buffer), nil
	}
}

func (t *page) current() [][]byte { return t.keys }

func (t *page) close() {
	t.out <- t.buf
	t.buf, t.keys = nil, nil
	close(t.out)
}
