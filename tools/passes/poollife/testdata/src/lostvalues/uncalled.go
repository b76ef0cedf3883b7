package lostvalues

import (
	"compress/flate"
	"io"
	"sync"
)

// Wrong: the function that puts is there, and nothing calls it.
var packers sync.Pool

func takePacker(w io.Writer) *flate.Writer {
	z, ok := packers.Get().(*flate.Writer) // want `only givePacker puts any back, and nothing calls that`
	if !ok {
		z, _ = flate.NewWriter(w, 1)
		return z
	}
	z.Reset(w)
	return z
}

func givePacker(z *flate.Writer) {
	z.Reset(nil)
	packers.Put(z)
}

func packing0(w io.Writer) io.WriteCloser { return takePacker(w) }

// Right: it is given to others as a value.
type packing struct {
	z    *flate.Writer
	done func(*flate.Writer)
}

var packersGiven sync.Pool

func takeGiven(w io.Writer) *flate.Writer {
	z, ok := packersGiven.Get().(*flate.Writer)
	if !ok {
		z, _ = flate.NewWriter(w, 1)
		return z
	}
	z.Reset(w)
	return z
}

func giveGiven(z *flate.Writer) {
	z.Reset(nil)
	packersGiven.Put(z)
}

func packLater(w io.Writer) *packing { return &packing{takeGiven(w), giveGiven} }

// Right: a method, of which a value is made.
type packStore struct{ p sync.Pool }

func (s *packStore) take(w io.Writer) *flate.Writer {
	z, ok := s.p.Get().(*flate.Writer)
	if !ok {
		z, _ = flate.NewWriter(w, 1)
		return z
	}
	z.Reset(w)
	return z
}

func (s *packStore) give(z *flate.Writer) {
	z.Reset(nil)
	s.p.Put(z)
}

func (s *packStore) later(w io.Writer) *packing { return &packing{s.take(w), s.give} }

// Right: neither is called yet.
var packersToCome sync.Pool

func takeToCome() *flate.Writer {
	z, _ := packersToCome.Get().(*flate.Writer)
	return z
}

func giveToCome(z *flate.Writer) {
	z.Reset(nil)
	packersToCome.Put(z)
}
