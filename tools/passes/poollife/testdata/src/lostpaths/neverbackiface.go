package lostpaths

import (
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
	"sync"
)

// What a field of an interface type holds: calls of methods of the standard library put nothing.

var packers = struct{ zips, flates sync.Pool }{
	zips:   sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }},
	flates: sync.Pool{New: func() any { w, _ := flate.NewWriter(io.Discard, 6); return w }},
}

func takeZip(w io.Writer) *gzip.Writer {
	z := packers.zips.Get().(*gzip.Writer)
	z.Reset(w)
	return z
}

func FreeZip(z *gzip.Writer) {
	z.Reset(io.Discard)
	packers.zips.Put(z)
}

func takeFlate(w io.Writer) *flate.Writer {
	f := packers.flates.Get().(*flate.Writer)
	f.Reset(w)
	return f
}

func FreeFlate(f *flate.Writer) {
	f.Reset(io.Discard)
	packers.flates.Put(f)
}

var errShut = errors.New("shut")

type packedWriter struct{ to io.WriteCloser }

func newPackedWriter(w io.Writer, how string) *packedWriter {
	p := &packedWriter{}
	switch how {
	case "gzip":
		p.to = takeZip(w)
	case "flate":
		p.to = takeFlate(w)
	}
	return p
}

func (p *packedWriter) Write(b []byte) (int, error) {
	if p.to == nil {
		return 0, errShut
	}
	return p.to.Write(b)
}

func (p *packedWriter) Close() error {
	err := p.to.Close()
	p.to = nil // want `field to is set to nil here; what it held was taken from`
	return err
}

type packedWriterRight struct{ to io.WriteCloser }

func newPackedWriterRight(w io.Writer) *packedWriterRight {
	return &packedWriterRight{to: takeZip(w)}
}

func (p *packedWriterRight) Write(b []byte) (int, error) { return p.to.Write(b) }

func (p *packedWriterRight) Close() error {
	err := p.to.Close()
	if z, ok := p.to.(*gzip.Writer); ok {
		FreeZip(z)
	}
	p.to = nil
	return err
}

// Its Close puts what it is called on.
type ownZip struct{ z *gzip.Writer }

func (o *ownZip) Write(b []byte) (int, error) { return o.z.Write(b) }

func (o *ownZip) Close() error {
	err := o.z.Close()
	FreeZip(o.z)
	o.z = nil
	return err
}

type packedByOwn struct{ to io.WriteCloser }

func newPackedByOwn(w io.Writer) *packedByOwn { return &packedByOwn{to: &ownZip{takeZip(w)}} }

func (p *packedByOwn) Close() error {
	err := p.to.Close()
	p.to = nil
	return err
}

// Somebody else may be called through the field, and end what it has.
type packedByAny struct{ to io.WriteCloser }

func newPackedByAny(w io.Writer, wrap func(*gzip.Writer) io.WriteCloser) *packedByAny {
	if wrap == nil {
		return &packedByAny{to: takeZip(w)}
	}
	return &packedByAny{to: wrap(takeZip(w))}
}

// What the caller's function was given may be in what it returned.
func wrapped(w io.Writer, wrap func(*gzip.Writer) io.WriteCloser) io.WriteCloser {
	return wrap(takeZip(w))
}

// An error has nothing of it.
func finished(w io.Writer, finish func(*gzip.Writer) error) error {
	return finish(takeZip(w)) // want `z, taken from zips at line 19, is not put back on any path`
}

func (p *packedByAny) Close() error {
	err := p.to.Close()
	p.to = nil
	return err
}
