package lostvalues

import (
	"context"
	"errors"
	"io"
	"sync"
)

type slab struct {
	data []byte
	home *slabs
}

func (s *slab) release() {
	if s.home == nil || cap(s.data) > s.home.size {
		return
	}
	s.home.pool.Put(s)
}

type slabs struct {
	pool sync.Pool
	size int
}

func (p *slabs) get() *slab { return p.pool.Get().(*slab) }

type uploads interface {
	upload(ctx context.Context, b []byte, done func(int, error))
}

type splitter struct{ r io.Reader }

func (c *splitter) next(p []byte) ([]byte, error) {
	n, err := io.ReadFull(c.r, p[:cap(p)])
	if n > 0 && err == io.ErrUnexpectedEOF {
		err = nil
	}
	return p[:n], err
}

// A loop with many ways through it: what one round loses is seen.
func upload(ctx context.Context, p *slabs, up uploads, f io.ReadCloser, finish func(int, error)) {
	var once sync.Once
	var wg sync.WaitGroup
	var mu sync.Mutex
	sum := 0
	fail := func(err error) { once.Do(func() { finish(0, errors.Join(err, io.ErrNoProgress)) }) }
	c := splitter{f}
	for i := 0; ; i++ {
		b := p.get() // want `is not put back on the path that ends here`
		part, err := c.next(b.data)
		if err == io.EOF {
			b.release()
			break
		}
		if err != nil {
			f.Close()
			fail(err)
			return
		}
		b.data = part
		if ctx.Err() != nil {
			f.Close()
			fail(ctx.Err())
			return
		}
		wg.Add(1)
		up.upload(ctx, b.data, func(n int, err error) {
			defer wg.Done()
			defer b.release()
			if err != nil {
				fail(err)
				return
			}
			mu.Lock()
			sum += n
			mu.Unlock()
		})
	}
	wg.Wait()
	once.Do(func() { finish(sum, nil) })
}

func uploadRight(ctx context.Context, p *slabs, up uploads, f io.ReadCloser, finish func(int, error)) {
	var once sync.Once
	var wg sync.WaitGroup
	var mu sync.Mutex
	sum := 0
	fail := func(err error) { once.Do(func() { finish(0, errors.Join(err, io.ErrNoProgress)) }) }
	c := splitter{f}
	for i := 0; ; i++ {
		b := p.get()
		part, err := c.next(b.data)
		if err == io.EOF {
			b.release()
			break
		}
		if err != nil {
			b.release()
			f.Close()
			fail(err)
			return
		}
		b.data = part
		if ctx.Err() != nil {
			b.release()
			f.Close()
			fail(ctx.Err())
			return
		}
		wg.Add(1)
		up.upload(ctx, b.data, func(n int, err error) {
			defer wg.Done()
			defer b.release()
			if err != nil {
				fail(err)
				return
			}
			mu.Lock()
			sum += n
			mu.Unlock()
		})
	}
	wg.Wait()
	once.Do(func() { finish(sum, nil) })
}
