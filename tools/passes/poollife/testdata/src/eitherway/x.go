package eitherway // Paths that return pooled memory, or drop it, where others do not.

import (
	"bytes"
	"compress/gzip"
	"errors"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Render gives bytes of its own where they are compressed, and the pool's else.
func Render(write func(*bytes.Buffer), packed bool) []byte {
	b := buffers.Get().(*bytes.Buffer) // want `b, taken from buffers at line 14, is returned itself \(line 18\) where another path puts it and returns a copy`
	b.Reset()
	write(b)
	if !packed {
		return b.Bytes()
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(b.Bytes())
	w.Close()
	buffers.Put(b)
	return z.Bytes()
}

var slices = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}

func take() []byte {
	return (*slices.Get().(*[]byte))[:0]
}

func drop(b []byte) {
	if cap(b) <= 1<<16 {
		slices.Put(&b)
	}
}

func quote(b *[]byte, s string, check bool) error {
	*b = append(*b, '"')
	*b = append(*b, s...)
	*b = append(*b, '"')
	if check && bytes.IndexByte(*b, 0) >= 0 {
		clean := bytes.ReplaceAll(*b, []byte{0}, nil)
		drop(*b)
		*b = clean
	}
	return nil
}

// Quote takes it for granted that a check makes a copy.
func Quote(s string, check bool) ([]byte, error) {
	b := take() // want `b, taken from slices at line 54, is returned itself \(line 60\) where another path puts it and returns a copy`
	if err := quote(&b, s, check); err != nil {
		drop(b)
		return nil, err
	}
	if check {
		return b, nil
	}
	out := bytes.Clone(b)
	drop(b)
	return out, nil
}

// Right: callers give it back.

var lent = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}

func Escape(s string, own bool) []byte {
	p := lent.Get().(*[]byte)
	b := append((*p)[:0], s...)
	if !own {
		return b
	}
	out := bytes.Clone(b)
	*p = b
	lent.Put(p)
	return out
}

func Free(b []byte) {
	if cap(b) <= 1<<16 {
		lent.Put(&b)
	}
}

// Right: what is too large to keep is handed on.

var small = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}

func Encode(s string) []byte {
	p := small.Get().(*[]byte)
	b := append((*p)[:0], s...)
	if cap(b) > 1<<16 {
		return b
	}
	out := bytes.Clone(b)
	*p = b
	small.Put(p)
	return out
}

// Right: a caller in the package puts what it gets either way.

var own = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}

func Line(s string, copied bool) []byte {
	p := own.Get().(*[]byte)
	b := append((*p)[:0], s...)
	if !copied {
		return b
	}
	out := bytes.Clone(b)
	*p = b
	own.Put(p)
	return out
}

func lines(all []string, use func([]byte)) {
	for _, s := range all {
		b := Line(s, len(s) > 100)
		use(b)
		own.Put(&b)
	}
}

// Right: the end of the connection takes what was sent with it, and what was not sent yet.

var errGone = errors.New("gone")

type answer struct{ err chan error }

var answers = sync.Pool{New: func() any { return &answer{make(chan error, 1)} }}

type link struct {
	jobs chan *answer
	gone chan struct{}
}

func (l *link) serve(do func() error) {
	for a := range l.jobs {
		a.err <- do()
	}
}

func (l *link) call() error {
	a := answers.Get().(*answer)
	select {
	case l.jobs <- a:
	case <-l.gone:
		return errGone
	}
	select {
	case err := <-a.err:
		answers.Put(a)
		return err
	case <-l.gone:
		return errGone
	}
}

// An error of its own says that it had the value, and dropped it.

var errFull = errors.New("full")

func (l *link) try() error {
	a := answers.Get().(*answer) // want `a, taken from answers at line 169, is not put back on the path that ends here`
	select {
	case l.jobs <- a:
	default:
		return errFull
	}
	select {
	case err := <-a.err:
		answers.Put(a)
		return err
	case <-l.gone:
		return errGone
	}
}
