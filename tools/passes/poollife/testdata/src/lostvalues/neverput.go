package lostvalues

import (
	"compress/gzip"
	"errors"
	"io"
	"sync"
)

// A pool that nobody puts to.

var unfilled = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

type unfilledWriter struct{ w *gzip.Writer }

func newUnfilled(w io.Writer) *unfilledWriter {
	z := unfilled.Get().(*gzip.Writer) // want `values are taken from unfilled, but nothing in the package puts any back`
	z.Reset(w)
	return &unfilledWriter{z}
}

func (u *unfilledWriter) Close() error { return u.w.Close() }

// Its users may put to one that they can reach.
var Filled = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

func newFilled() *gzip.Writer { return Filled.Get().(*gzip.Writer) }

var filledElsewhere = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

func newElsewhere() *gzip.Writer { return filledElsewhere.Get().(*gzip.Writer) }

func register(add func(*sync.Pool)) { add(&filledElsewhere) }

// An interface with the methods of a pool is one.
type buffers interface {
	Get() []byte
	Put([]byte)
}

type relay struct{ pool buffers }

func (r *relay) lost(w io.Writer, from io.Reader) error {
	b := r.pool.Get() // want `b, taken from pool at line 44, is not put back on the path that ends here`
	n, err := from.Read(b)
	if err != nil {
		return err
	}
	_, err = w.Write(b[:n])
	r.pool.Put(b)
	return err
}

func (r *relay) put(w io.Writer, from io.Reader) error {
	b := r.pool.Get()
	defer r.pool.Put(b)
	n, err := from.Read(b)
	if err != nil {
		return err
	}
	_, err = w.Write(b[:n])
	return err
}

// A store of numbers, or with more methods, is none.
type shop interface {
	Get() *query
	Put(*query)
	Delete(*query)
}

func fromShop(s shop) error {
	q := s.Get()
	if q.id == 0 {
		return errors.New("no query")
	}
	s.Put(q)
	return nil
}

type gauge interface {
	Get() int
	Put(int)
}

func fromGauge(g gauge) error {
	if g.Get() == 0 {
		return errors.New("zero")
	}
	g.Put(1)
	return nil
}
