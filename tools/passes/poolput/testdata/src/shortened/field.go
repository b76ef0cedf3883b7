package shortened

import (
	"io"
	"net"
	"sync"
)

// Datagrams are read into the slice of a struct, which is cut to what came.

type arrival struct {
	from net.Addr
	data []byte
}

var arrivals = sync.Pool{New: func() any { return &arrival{data: make([]byte, 1500)} }}

func (d *arrival) release() {
	d.from = nil
	arrivals.Put(d) // want `d, the pooled arrival, goes to the pool with field data as long as its last use \(line 32\), but who gets it fills the field at its length`
}

func receive(c net.PacketConn, handle func(*arrival)) error {
	for {
		d := arrivals.Get().(*arrival)
		n, from, err := c.ReadFrom(d.data)
		if err != nil {
			d.release()
			return err
		}
		d.from = from
		d.data = d.data[:n]
		handle(d)
		d.release()
	}
}

// The same, and made long again where it is put.

type parcel struct {
	from net.Addr
	data []byte
}

var parcels = sync.Pool{New: func() any { return &parcel{data: make([]byte, 1500)} }}

func (p *parcel) release() {
	p.from = nil
	p.data = p.data[:cap(p.data)]
	parcels.Put(p)
}

func receiveParcel(c net.PacketConn, handle func(*parcel)) error {
	p := parcels.Get().(*parcel)
	defer p.release()
	n, from, err := c.ReadFrom(p.data)
	if err != nil {
		return err
	}
	p.from = from
	p.data = p.data[:n]
	handle(p)
	return nil
}

// Made long where it is filled.

type letter struct{ data []byte }

var letters = sync.Pool{New: func() any { return &letter{data: make([]byte, 1500)} }}

func readLetter(r io.Reader, handle func([]byte)) error {
	l := letters.Get().(*letter)
	defer letters.Put(l)
	n, err := r.Read(l.data[:cap(l.data)])
	if err != nil {
		return err
	}
	l.data = l.data[:n]
	handle(l.data)
	return nil
}

// Made without length, and to the length that is asked for.

type chunk struct{ data []byte }

var chunks = sync.Pool{New: func() any { return &chunk{data: make([]byte, 0, 1500)} }}

func readChunk(r io.Reader, n int, handle func([]byte)) error {
	c := chunks.Get().(*chunk)
	defer chunks.Put(c)
	if n > cap(c.data) {
		return io.ErrShortBuffer
	}
	c.data = c.data[:n]
	if _, err := io.ReadFull(r, c.data); err != nil {
		return err
	}
	handle(c.data)
	return nil
}

// Cut in a view of it only.

type slab struct{ data []byte }

var slabs = sync.Pool{New: func() any { return &slab{data: make([]byte, 1500)} }}

func readSlab(r io.Reader, handle func([]byte)) error {
	s := slabs.Get().(*slab)
	defer slabs.Put(s)
	n, err := r.Read(s.data)
	if err != nil {
		return err
	}
	handle(s.data[:n])
	return nil
}
