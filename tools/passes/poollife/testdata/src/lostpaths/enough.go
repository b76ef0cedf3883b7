package lostpaths

import (
	"encoding/binary"
	"io"
	"sync"
)

// A buffer that was large enough where it was taken is not dropped for its size, also where the
// number that it was compared with is forgotten by the time that it is lost.

type frameBufs struct{ p sync.Pool }

func (f *frameBufs) get(n int) []byte {
	b, ok := f.p.Get().(*[]byte)
	if !ok || cap(*b) < n {
		return make([]byte, n)
	}
	return (*b)[:n]
}

func (f *frameBufs) put(b []byte) { f.p.Put(&b) }

type packetReader struct {
	r    io.Reader
	bufs *frameBufs
	head [4]byte
}

func (f *packetReader) next() ([]byte, error) {
	if _, err := io.ReadFull(f.r, f.head[:]); err != nil {
		return nil, err
	}
	b := f.bufs.get(int(binary.BigEndian.Uint32(f.head[:])))
	if _, err := io.ReadFull(f.r, b); err != nil {
		f.bufs.put(b)
		return nil, err
	}
	return b, nil
}

func (f *packetReader) text(packed bool, unpack func([]byte) ([]byte, error)) (string, error) {
	b, err := f.next() // want `not put back on the path that ends here`
	if err != nil {
		return "", err
	}
	if packed {
		b, err = unpackAll(b)
		if err != nil {
			return "", err
		}
		return string(b), nil
	}
	s := string(b)
	f.bufs.put(b)
	return s, nil
}

func unpackAll(b []byte) ([]byte, error) {
	if len(b) == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	return append([]byte(nil), b[1:]...), nil
}

func (f *packetReader) textRight(packed bool) (string, error) {
	b, err := f.next()
	if err != nil {
		return "", err
	}
	if packed {
		out, err := unpackAll(b)
		f.bufs.put(b)
		return string(out), err
	}
	s := string(b)
	f.bufs.put(b)
	return s, nil
}

// One that was too small is dropped, whatever becomes of the new one.
func (f *frameBufs) grown(n int) *[]byte {
	b, ok := f.p.Get().(*[]byte)
	if !ok {
		b = new([]byte)
	}
	if cap(*b) < n {
		c := make([]byte, n)
		return &c
	}
	*b = (*b)[:n]
	return b
}

func (f *frameBufs) sum(n int, r io.Reader) (total int) {
	b := f.grown(n)
	io.ReadFull(r, *b)
	for _, x := range *b {
		total += int(x)
	}
	f.p.Put(b)
	return total
}

// And one that is too large to be kept.
func (f *frameBufs) once(r io.Reader, n int) {
	b := f.grown(n)
	io.ReadFull(r, *b)
	if cap(*b) > 1<<20 {
		return
	}
	f.p.Put(b)
}
