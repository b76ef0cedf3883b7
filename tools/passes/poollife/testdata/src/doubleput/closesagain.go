// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

var pageBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func takePage() *bytes.Buffer {
	b := pageBuffers.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func givePage(b *bytes.Buffer) {
	if b.Cap() > 1<<16 {
		return
	}
	pageBuffers.Put(b)
}

type bufferPage struct {
	b   *bytes.Buffer
	err error
}

func (p *bufferPage) Read(d []byte) (int, error) { return p.b.Read(d) }

func (p *bufferPage) Close() error {
	if p.b != nil {
		givePage(p.b)
		p.b = nil
	}
	return nil
}

// openPage gives its buffer back where it failed, and goes on.
func openPage(r io.Reader) io.ReadCloser {
	b := takePage()
	if _, err := b.ReadFrom(io.LimitReader(r, 10)); err != nil {
		givePage(b)
	}
	return &bufferPage{b: b} // want `b is returned in the bufferPage after it was put in pageBuffers .*: Close of that puts it a second time`
}

func pageAtEnd(r io.Reader) *bufferPage {
	b := takePage()
	defer givePage(b)
	b.ReadFrom(io.LimitReader(r, 10))
	return &bufferPage{b: b} // want `b is returned in the bufferPage after it was put in pageBuffers .*: Close of that puts it a second time`
}

type pageLease[T any] struct {
	b *bytes.Buffer
	v T
}

func (l pageLease[T]) Release() { pageBuffers.Put(l.b) }

func borrowPage[T any](v T, bad bool) pageLease[T] {
	b := takePage()
	if bad {
		pageBuffers.Put(b)
		return pageLease[T]{b, v} // want `b is returned in the pageLease after it was put in pageBuffers .*: Release of that puts it a second time`
	}
	return pageLease[T]{b, v}
}

func newBufferPage(b *bytes.Buffer) *bufferPage { return &bufferPage{b: b} }

func madePage(r io.Reader, n int) (*bufferPage, error) {
	b := takePage()
	if n == 0 {
		givePage(b)
		return newBufferPage(b), nil // want `b is returned in the bufferPage after it was put in pageBuffers .*: Close of that puts it a second time`
	}
	return newBufferPage(b), nil
}

func pageOfError(r io.Reader) *bufferPage {
	b := takePage()
	if _, err := b.ReadFrom(io.LimitReader(r, 10)); err != nil {
		givePage(b)
		return &bufferPage{err: err}
	}
	return &bufferPage{b: b}
}

func pageClosed(r io.Reader) *bufferPage {
	b := takePage()
	p := &bufferPage{b: b}
	if _, err := b.ReadFrom(io.LimitReader(r, 10)); err != nil {
		p.Close()
		p.err = err
	}
	return p
}

func pageOfNone(r io.Reader) *bufferPage {
	b := takePage()
	if _, err := b.ReadFrom(io.LimitReader(r, 10)); err != nil {
		givePage(b)
		b = nil
	}
	return &bufferPage{b: b, err: errors.New("x")}
}

func pageOfAnother(r io.Reader) *bufferPage {
	b := takePage()
	if _, err := b.ReadFrom(io.LimitReader(r, 10)); err != nil {
		givePage(b)
		b = takePage()
	}
	return &bufferPage{b: b}
}

// returned viewPage whose Close does not givePage
type pageView struct{ b *bytes.Buffer }

func (v *pageView) Close() { v.b = nil }

func viewPage(r io.Reader) *pageView {
	b := takePage()
	defer givePage(b)
	return &pageView{b} // want `memory of b is returned while the deferred call puts it`
}
