package lostpaths

import (
	"errors"
	"io"
	"sync"
)

// Fields that are put one after the other, out of an array, and set to nil elsewhere.
type sheet struct{ cells []byte }

type sheets struct{ idle sync.Pool }

func (s *sheets) get() *sheet {
	if x, ok := s.idle.Get().(*sheet); ok {
		return x
	}
	return new(sheet)
}

func (s *sheets) put(x *sheet) {
	x.cells = x.cells[:0]
	s.idle.Put(x)
}

type book struct {
	pool        *sheets
	front, back *sheet
}

func (b *book) Start() {
	b.front = nil // want `field front is set to nil`
	b.back = nil  // want `field back is set to nil`
}

func (b *book) Add(x byte) {
	if b.front == nil {
		b.front, b.back = b.pool.get(), b.pool.get()
	}
	b.front.cells = append(b.front.cells, x)
	b.back.cells = append(b.back.cells, x)
}

func (b *book) Flush(w io.Writer) (err error) {
	if b.front == nil || b.back == nil {
		return errors.New("empty")
	}
	for _, s := range [2]*sheet{b.front, b.back} {
		if err == nil {
			_, err = w.Write(s.cells)
		}
		b.pool.put(s)
	}
	b.front, b.back = nil, nil
	return err
}

// The same, with a slice, and all is put before it is set.
type album struct {
	pool        *sheets
	left, right *sheet
}

func (a *album) Start() {
	for _, s := range []*sheet{a.left, a.right} {
		if s != nil {
			a.pool.put(s)
		}
	}
	a.left, a.right = nil, nil
}

func (a *album) Add(x byte) {
	if a.left == nil {
		a.left, a.right = a.pool.get(), a.pool.get()
	}
	a.left.cells = append(a.left.cells, x)
	a.right.cells = append(a.right.cells, x)
}

func (a *album) Flush(w io.Writer) error {
	_, err := w.Write(a.left.cells)
	for _, s := range []*sheet{a.left, a.right} {
		a.pool.put(s)
	}
	a.left, a.right = nil, nil
	return err
}
