package testedlate

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

type text struct{ b []byte }

var (
	texts    = sync.Pool{New: func() any { return new(text) }}
	bounded  = sync.Pool{New: func() any { return new(text) }}
	pieces   = sync.Pool{New: func() any { return new(text) }}
	errLarge = errors.New("too large")
)

func all(b []byte, r io.Reader) ([]byte, error) {
	var part [512]byte
	for {
		n, err := r.Read(part[:])
		b = append(b, part[:n]...)
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
}

// The Put is deferred: the test comes when the buffer has grown.
func whole(r io.Reader, most int, use func([]byte)) (err error) {
	t := texts.Get().(*text)
	defer texts.Put(t) // want `keeps t, put at line 36, whatever its size`
	t.b, err = all(t.b[:0], r)
	if err != nil {
		return err
	}
	if len(t.b) > most {
		return errLarge
	}
	use(t.b)
	return nil
}

// What has grown is not put.
func some(r io.Reader, most int, use func([]byte)) (err error) {
	t := bounded.Get().(*text)
	defer func() {
		if cap(t.b) <= 1<<16 {
			bounded.Put(t)
		}
	}()
	t.b, err = all(t.b[:0], r)
	if err != nil {
		return err
	}
	if len(t.b) > most {
		return errLarge
	}
	use(t.b)
	return nil
}

// The test is before each piece.
func piecewise(list [][]byte, most int, use func([]byte)) error {
	t := pieces.Get().(*text)
	defer pieces.Put(t)
	t.b = t.b[:0]
	for _, p := range list {
		if len(t.b)+len(p) > most {
			return errLarge
		}
		t.b = append(t.b, p...)
	}
	use(t.b)
	return nil
}

// Whether an index is in a list says nothing of the size of what is written.

type writers[E any] struct {
	p     sync.Pool
	empty func(E)
}

func (w *writers[E]) take() E { return w.p.Get().(E) }

func (w *writers[E]) give(v E) {
	w.empty(v)
	w.p.Put(v) // want `lineWriters keeps v, put at line 93, whatever its size`
}

var lineWriters = &writers[*bytes.Buffer]{p: sync.Pool{New: func() any { return new(bytes.Buffer) }}, empty: (*bytes.Buffer).Reset}

func pick(args []string, k int) string {
	b := lineWriters.take()
	defer lineWriters.give(b)
	if k < 1 || k > len(args) {
		return ""
	}
	b.WriteString(args[k-1])
	return b.String()
}
