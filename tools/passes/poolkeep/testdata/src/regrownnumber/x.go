package regrownnumber

import (
	"encoding/binary"
	"errors"
	"io"
	"sync"
)

// A frame's body is as large as its head says.

type frame struct {
	head [4]byte
	body []byte
}

var frames = sync.Pool{New: func() any { return new(frame) }}

func (f *frame) read(r io.Reader) error {
	if _, err := io.ReadFull(r, f.head[:]); err != nil {
		return err
	}
	n := binary.LittleEndian.Uint32(f.head[:])
	if int(n) > cap(f.body) {
		f.body = make([]byte, n)
	}
	f.body = f.body[:n]
	_, err := io.ReadFull(r, f.body)
	return err
}

func sum(r io.Reader) (s int, err error) {
	f := frames.Get().(*frame)
	defer frames.Put(f) // want `keeps`
	if err := f.read(r); err != nil {
		return 0, err
	}
	for _, b := range f.body {
		s += int(b)
	}
	return s, nil
}

// The number is bounded.

type cell struct {
	head [4]byte
	body []byte
}

var (
	cells    = sync.Pool{New: func() any { return new(cell) }}
	errLarge = errors.New("too large")
)

func (c *cell) read(r io.Reader) error {
	if _, err := io.ReadFull(r, c.head[:]); err != nil {
		return err
	}
	n := binary.LittleEndian.Uint32(c.head[:])
	if n > 1<<16 {
		return errLarge
	}
	if int(n) > cap(c.body) {
		c.body = make([]byte, n)
	}
	c.body = c.body[:n]
	_, err := io.ReadFull(r, c.body)
	return err
}

func sumCell(r io.Reader) (s int, err error) {
	c := cells.Get().(*cell)
	defer cells.Put(c)
	if err := c.read(r); err != nil {
		return 0, err
	}
	for _, b := range c.body {
		s += int(b)
	}
	return s, nil
}

// A channel as the pool.

type parcel struct{ body []byte }

type parcels struct{ free chan *parcel }

func (p *parcels) get() *parcel {
	select {
	case x := <-p.free:
		return x
	default:
		return new(parcel)
	}
}

func (p *parcels) put(x *parcel) {
	select { // want `x, the pooled parcel, keeps body of any size`
	case p.free <- x:
	default:
	}
}

func (x *parcel) fill(head []byte, r io.Reader) error {
	n := int(binary.BigEndian.Uint64(head))
	if cap(x.body) < n {
		x.body = make([]byte, n)
	}
	x.body = x.body[:n]
	_, err := io.ReadFull(r, x.body)
	return err
}

func deliver(p *parcels, head []byte, r io.Reader, to func([]byte)) error {
	x := p.get()
	defer p.put(x)
	if err := x.fill(head, r); err != nil {
		return err
	}
	to(x.body)
	return nil
}

// What is too large is not put.

type crate struct{ body []byte }

type crates struct{ free chan *crate }

func (c *crates) get() *crate {
	select {
	case x := <-c.free:
		return x
	default:
		return new(crate)
	}
}

func (c *crates) put(x *crate) {
	if cap(x.body) > 1<<16 {
		return
	}
	select {
	case c.free <- x:
	default:
	}
}

func (x *crate) fill(head []byte, r io.Reader) error {
	n := int(binary.BigEndian.Uint64(head))
	if cap(x.body) < n {
		x.body = make([]byte, n)
	}
	x.body = x.body[:n]
	_, err := io.ReadFull(r, x.body)
	return err
}

func ship(c *crates, head []byte, r io.Reader, to func([]byte)) error {
	x := c.get()
	defer c.put(x)
	if err := x.fill(head, r); err != nil {
		return err
	}
	to(x.body)
	return nil
}
