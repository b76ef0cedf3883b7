package wronglimit

import (
	"bytes"
	"io"
	"sync"
)

const most = 64 << 10

// The large ones are put.

var texts = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putText(b *bytes.Buffer) {
	b.Reset()
	if b.Cap() > most {
		texts.Put(b) // want `only what is large goes to texts, and what is small, as New makes it, is dropped: the comparison is the wrong way round \(line \d+\)`
	}
}

func Text(r io.Reader) (string, error) {
	b := texts.Get().(*bytes.Buffer)
	defer putText(b)
	if _, err := b.ReadFrom(r); err != nil {
		return "", err
	}
	return b.String(), nil
}

// The small ones are not.

var lines = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}

func putLine(b *[]byte) {
	if cap(*b) < most {
		return
	}
	*b = (*b)[:0]
	lines.Put(b) // want `only what is large goes to lines`
}

func Line(s []string) string {
	b := lines.Get().(*[]byte)
	for _, x := range s {
		*b = append(*b, x...)
	}
	r := string(*b)
	putLine(b)
	return r
}

// By a deferred literal, the limit first.

var notes = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, 256)) }}

func Note(w io.Writer, s []string) error {
	b := notes.Get().(*bytes.Buffer)
	defer func() {
		if most <= b.Cap() {
			b.Reset()
			notes.Put(b) // want `only what is large goes to notes`
		}
	}()
	for _, x := range s {
		b.WriteString(x)
	}
	_, err := b.WriteTo(w)
	return err
}
