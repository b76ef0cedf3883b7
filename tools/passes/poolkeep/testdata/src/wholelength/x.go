package wholelength // What a pool gives as long as it was put, and a buffer that is made over it.

import (
	"bytes"
	"io"
	"sync"
)

type pages struct{ free sync.Pool }

func (p *pages) page(n int) []byte {
	if b, ok := p.free.Get().(*[]byte); ok {
		return *b
	}
	return make([]byte, n)
}

func (p *pages) done(b []byte) { p.free.Put(&b) }

func render(p *pages, src io.Reader, dst io.Writer) error {
	b := p.page(4096)
	defer p.done(b)
	out := bytes.NewBuffer(b) // want `a buffer is made over b, taken from free at line 21, without a cut to length 0, and where the pool is empty the slice is made full`
	if _, err := io.Copy(out, src); err != nil {
		return err
	}
	_, err := dst.Write(out.Bytes())
	return err
}

// One that is cut, one that is emptied, and one that was filled before.

type leaves struct{ free sync.Pool }

func (p *leaves) leaf(n int) []byte {
	if b, ok := p.free.Get().(*[]byte); ok {
		return *b
	}
	return make([]byte, n)
}

func (p *leaves) done(b []byte) { p.free.Put(&b) }

func cut(p *leaves, src io.Reader, dst io.Writer) error {
	b := p.leaf(4096)
	defer p.done(b)
	out := bytes.NewBuffer(b[:0])
	if _, err := io.Copy(out, src); err != nil {
		return err
	}
	_, err := dst.Write(out.Bytes())
	return err
}

func emptied(p *leaves, src io.Reader, dst io.Writer) error {
	b := p.leaf(4096)
	defer p.done(b)
	out := bytes.NewBuffer(b)
	out.Reset()
	if _, err := io.Copy(out, src); err != nil {
		return err
	}
	_, err := dst.Write(out.Bytes())
	return err
}

func filled(p *leaves, head [64]byte, src io.Reader, dst io.Writer) error {
	b := p.leaf(len(head))
	defer p.done(b)
	copy(b, head[:])
	out := bytes.NewBuffer(b)
	if _, err := io.Copy(out, src); err != nil {
		return err
	}
	_, err := dst.Write(out.Bytes())
	return err
}

// The Put cuts, and where the pool is empty there is none with a length.

type sheets struct{ free sync.Pool }

func (p *sheets) sheet(n int) []byte {
	if b, ok := p.free.Get().(*[]byte); ok {
		return *b
	}
	return make([]byte, 0, n)
}

func (p *sheets) done(b []byte) {
	b = b[:0]
	p.free.Put(&b)
}

func list(p *sheets, src io.Reader, dst io.Writer) error {
	b := p.sheet(4096)
	defer p.done(b)
	out := bytes.NewBuffer(b)
	if _, err := io.Copy(out, src); err != nil {
		return err
	}
	_, err := dst.Write(out.Bytes())
	return err
}
