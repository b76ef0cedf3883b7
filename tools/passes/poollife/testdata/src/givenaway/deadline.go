package givenaway

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

var bufs = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

type res struct {
	n   int
	err error
}

var errTime = errors.New("time")

// Wrong: direct
func readTimeout(r io.Reader, p []byte, d time.Duration) (int, error) {
	c := make(chan res, 1)
	go func() {
		n, err := r.Read(p)
		c <- res{n, err}
	}()
	select {
	case x := <-c:
		return x.n, x.err
	case <-time.After(d):
		return 0, errTime
	}
}
func dv1(r io.Reader, w io.Writer) error {
	b := bufs.Get().(*[]byte)
	defer bufs.Put(b) // want `b is put in bufs while the goroutine started at line .* may still use it`
	n, err := readTimeout(r, *b, time.Second)
	w.Write((*b)[:n])
	return err
}

// Wrong: ctx, method reader made in the same function
type ctxReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *ctxReader) Read(p []byte) (int, error) {
	ch := make(chan res, 1)
	go func() {
		n, err := c.r.Read(p)
		ch <- res{n, err}
	}()
	select {
	case x := <-ch:
		return x.n, x.err
	case <-c.ctx.Done():
		return 0, c.ctx.Err()
	}
}
func dv2(ctx context.Context, r io.Reader, w io.Writer) error {
	b := bufs.Get().(*[]byte)
	defer bufs.Put(b) // want `b is put in bufs while the goroutine started at line .* may still use it`
	_, err := io.CopyBuffer(w, &ctxReader{ctx, r}, *b)
	return err
}

// Wrong: passed as io.Reader to a helper
func dv3(ctx context.Context, r net.Conn, w io.Writer) error {
	return cp(w, &ctxReader{ctx, r})
}
func cp(w io.Writer, r io.Reader) error {
	b := bufs.Get().(*[]byte)
	defer bufs.Put(b) // want `b is put in bufs while the goroutine started at line .* may still use it`
	for {
		n, err := io.ReadFull(r, *b)
		w.Write((*b)[:n])
		if err != nil {
			return err
		}
	}
}

// Wrong: via interface value in a field
type store interface{ Save(r io.Reader) error }
type disk struct{ w io.Writer }

func (d *disk) Save(r io.Reader) error {
	b := bufs.Get().(*[]byte)
	n, err := r.Read(*b)
	d.w.Write((*b)[:n])
	bufs.Put(b) // want `b is put in bufs while the goroutine started at line .* may still use it`
	return err
}

type guarded struct {
	s   store
	ctx context.Context
}

func (g *guarded) Save(r io.Reader) error { return g.s.Save(&ctxReader{g.ctx, r}) }
