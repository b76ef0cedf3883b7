package forgottenput

import (
	"compress/gzip"
	"io"
	"sync"
)

// A Put under a test for success, and pools behind interfaces.

var (
	slabs   = sync.Pool{New: func() any { b := make([]byte, 512); return &b }}
	readers = sync.Pool{New: func() any { return new(gzip.Reader) }}
)

func writes(w io.Writer) error {
	b := get() // want `is not put back on the path that ends here`
	b.WriteString("x")
	_, err := w.Write(b.Bytes())
	if err == nil {
		put(b)
	}
	return err
}
func reads(r io.Reader, f func([]byte)) error {
	p := slabs.Get().(*[]byte)
	_, err := io.ReadFull(r, *p)
	if err == nil {
		f(*p)
		slabs.Put(p)
	}
	return err
}
func unknownState(r io.Reader) error {
	z := readers.Get().(*gzip.Reader)
	err := z.Reset(r)
	if err == nil {
		readers.Put(z)
	}
	return err
}
func sends(send func([]byte) error) error {
	b := get()
	b.WriteString("x")
	err := send(b.Bytes())
	if err == nil {
		put(b)
	}
	return err
}

type bytePool interface {
	GetBytes(n int) []byte
	PutBytes([]byte)
}

func suffixed(p bytePool, w io.Writer) error {
	b := p.GetBytes(10) // want `is not put back on the path that ends here`
	if _, err := w.Write(b); err != nil {
		return err
	}
	p.PutBytes(b)
	return nil
}

type alloc interface {
	Alloc(n int) []byte
	Free([]byte)
}

func otherVerbs(p alloc, w io.Writer) error {
	b := p.Alloc(10) // want `is not put back on the path that ends here`
	if _, err := w.Write(b); err != nil {
		return err
	}
	p.Free(b)
	return nil
}

func deferredFree(p alloc, w io.Writer) []byte {
	b := p.Alloc(10)
	defer p.Free(b)
	w.Write(b)
	return b // want `b is returned while the deferred call puts it`
}
func returned(p alloc, w io.Writer) []byte {
	b := p.Alloc(10)
	w.Write(b)
	return b
}
