package givenaway

import (
	"context"
	"io"
	"sync"
)

var bufsOk = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

type resOk struct {
	n   int
	err error
}
type storeOk interface{ Keep(r io.Reader) error }
type diskOk struct{ w io.Writer }

func (d *diskOk) Keep(r io.Reader) error {
	b := bufsOk.Get().(*[]byte)
	n, err := r.Read(*b)
	d.w.Write((*b)[:n])
	bufsOk.Put(b)
	return err
}

// Right: waits
type waitReader struct {
	ctx context.Context
	r   io.ReadCloser
}

func (c *waitReader) Read(p []byte) (int, error) {
	ch := make(chan resOk, 1)
	go func() {
		n, err := c.r.Read(p)
		ch <- resOk{n, err}
	}()
	select {
	case x := <-ch:
		return x.n, x.err
	case <-c.ctx.Done():
		c.r.Close()
		<-ch
		return 0, c.ctx.Err()
	}
}

// Right: a buffer of its own
type ownReader struct {
	ctx context.Context
	r   io.ReadCloser
}

func (c *ownReader) Read(p []byte) (int, error) {
	ch := make(chan []byte, 1)
	q := make([]byte, len(p))
	go func() {
		n, _ := c.r.Read(q)
		ch <- q[:n]
	}()
	select {
	case x := <-ch:
		return copy(p, x), nil
	case <-c.ctx.Done():
		return 0, c.ctx.Err()
	}
}

// Right: leaves p, but is given to nobody with a pool
type deadReader struct {
	ctx context.Context
	r   io.ReadCloser
}

func (c *deadReader) Read(p []byte) (int, error) {
	ch := make(chan resOk, 1)
	go func() {
		n, err := c.r.Read(p)
		ch <- resOk{n, err}
	}()
	select {
	case x := <-ch:
		return x.n, x.err
	case <-c.ctx.Done():
		return 0, c.ctx.Err()
	}
}

func okDeadline(s storeOk, ctx context.Context, r io.ReadCloser) {
	s.Keep(&waitReader{ctx, r})
	s.Keep(&ownReader{ctx, r})
	io.ReadAll(&deadReader{ctx, r})
}
