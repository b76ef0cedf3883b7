// SPDX-License-Identifier: BSD-3-Clause

package useafterput

import (
	"bufio"
	"compress/flate"
	"io"
	"sync"
)

var inflaters, bufferedIn sync.Pool

func takeInflater(r io.Reader) io.Reader {
	if f, ok := inflaters.Get().(io.Reader); ok {
		f.(flate.Resetter).Reset(r, nil)
		return f
	}
	return flate.NewReader(r)
}

func giveInflater(f io.Reader) { inflaters.Put(f) }

type from func(p []byte) (int, error)

func (f from) Read(p []byte) (int, error) { return f(p) }

// The inflater reads from next, which puts it at the end of its input.
type inflated struct {
	src io.Reader
	in  io.Reader
}

func (i *inflated) start() { i.in = takeInflater(from(i.next)) }

func (i *inflated) Read(p []byte) (int, error) { return i.in.Read(p) }

func (i *inflated) next(p []byte) (int, error) {
	n, err := i.src.Read(p)
	if err == io.EOF {
		i.done() // want `in is put in its pool by next, which it calls itself`
	}
	return n, err
}

func (i *inflated) done() {
	if i.in != nil {
		giveInflater(i.in)
		i.in = nil
	}
}

// Here the method that the user calls puts it.
type inflatedWell struct {
	src io.Reader
	in  io.Reader
}

func (i *inflatedWell) start() { i.in = takeInflater(from(i.next)) }

func (i *inflatedWell) Read(p []byte) (int, error) {
	n, err := i.in.Read(p)
	if err == io.EOF {
		giveInflater(i.in)
		i.in = eofReader{}
	}
	return n, err
}

func (i *inflatedWell) next(p []byte) (int, error) { return i.src.Read(p) }

type eofReader struct{}

func (eofReader) Read([]byte) (int, error) { return 0, io.EOF }

// The object itself is the source.
type counting struct {
	src io.Reader
	br  *bufio.Reader
	n   int
}

func newCounting(src io.Reader) *counting {
	c := &counting{src: src}
	c.br, _ = bufferedIn.Get().(*bufio.Reader)
	if c.br == nil {
		c.br = bufio.NewReader(c)
	} else {
		c.br.Reset(c)
	}
	return c
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.src.Read(p)
	if c.n += n; err != nil && c.br != nil {
		bufferedIn.Put(c.br) // want `br is put in its pool by Read, which it calls itself`
		c.br = nil
	}
	return n, err
}

// A source of another object puts its own.
type chained struct {
	src *inflatedWell
	br  *bufio.Reader
}

func (c *chained) open() {
	c.br, _ = bufferedIn.Get().(*bufio.Reader)
	if c.br == nil {
		c.br = bufio.NewReader(c.src)
	} else {
		c.br.Reset(c.src)
	}
}

func (c *chained) Close() {
	bufferedIn.Put(c.br)
	c.br = nil
}
