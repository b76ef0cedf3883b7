package givenown

import (
	"io"
	"sync"
)

// A Packer is made of any writer, unless that is one.
type Packer struct {
	w   io.Writer
	buf []byte
}

func (p *Packer) Reset(w io.Writer) { p.w, p.buf = w, p.buf[:0] }

func (p *Packer) Write(b []byte) (int, error) {
	p.buf = append(p.buf, b...)
	return len(b), nil
}

func (p *Packer) Flush() error {
	_, err := p.w.Write(p.buf)
	if p.buf = p.buf[:0]; cap(p.buf) > 1<<16 {
		p.buf = nil
	}
	return err
}

var packers = sync.Pool{New: func() any { return new(Packer) }}

func packerFor(w io.Writer) *Packer {
	if p, ok := w.(*Packer); ok {
		return p
	}
	p := packers.Get().(*Packer)
	p.Reset(w)
	return p
}

// A Packable can be packed.
type Packable interface{ PackTo(p *Packer) error }

// Pack packs x to w, and gives w back if it is a Packer.
func Pack(w io.Writer, x Packable) error {
	p := packerFor(w)
	err := x.PackTo(p)
	if err == nil {
		err = p.Flush()
	}
	p.Reset(nil)
	packers.Put(p)
	return err
}

// Release gives w back if it is a Packer.
func Release(w io.Writer) {
	if p, ok := w.(*Packer); ok {
		p.Reset(nil)
		packers.Put(p)
	}
}

func packAll(w io.Writer, all []Packable) error {
	for _, x := range all {
		if err := Pack(w, x); err != nil {
			return err
		}
	}
	return nil
}

func packBoth(w io.Writer, x, y Packable) error {
	if err := Pack(w, x); err != nil {
		return err
	}
	if err := Pack(w, y); err != nil {
		return err
	}
	_, err := w.Write(nil)
	return err
}

// Wrong: what it takes itself is used after it.
func packLate(w io.Writer, x Packable) error {
	p := packerFor(w)
	err := x.PackTo(p)
	packers.Put(p)
	if err != nil {
		return err
	}
	return p.Flush() // want `p is read after it was put in packers`
}

func releasedAny(w io.Writer) error {
	Release(w)
	_, err := w.Write(nil) // want `w is passed to Write after it was put in packers`
	return err
}
