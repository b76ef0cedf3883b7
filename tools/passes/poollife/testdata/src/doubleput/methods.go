package doubleput

import (
	"bytes"
	"io"
	"sync"
)

var chunks = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Read puts at the end of the input, and whoever reads closes as well.
type reader struct{ buf *bytes.Buffer }

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.buf.Read(p)
	if err == io.EOF {
		chunks.Put(r.buf)
	}
	return n, err
}

func (r *reader) Close() error {
	chunks.Put(r.buf) // want `r.buf is put in chunks a second time`
	return nil
}

type nilReader struct{ buf *bytes.Buffer }

func (r *nilReader) Read(p []byte) (int, error) {
	if r.buf == nil {
		return 0, io.EOF
	}
	n, err := r.buf.Read(p)
	if err == io.EOF {
		chunks.Put(r.buf)
		r.buf = nil
	}
	return n, err
}

func (r *nilReader) Close() error {
	if r.buf != nil {
		chunks.Put(r.buf)
		r.buf = nil
	}
	return nil
}

type flagReader struct {
	buf  *bytes.Buffer
	done bool
}

func (r *flagReader) Read(p []byte) (int, error) {
	n, err := r.buf.Read(p)
	if err == io.EOF && !r.done {
		r.done = true
		chunks.Put(r.buf)
	}
	return n, err
}

func (r *flagReader) Close() error {
	if !r.done {
		r.done = true
		chunks.Put(r.buf)
	}
	return nil
}

type context struct{ path string }

type engine struct {
	pool   sync.Pool
	routes map[string]func(*context)
}

// serve and redirect are recursive: the context of the inner call is that of the
// outer one.
func (e *engine) serve(path string) {
	c := e.pool.Get().(*context)
	c.path = path
	e.handle(c)
	e.pool.Put(c) // want `is put in pool a second time`
}

func (e *engine) redirect(c *context) {
	c.path = "/"
	e.handle(c)
	e.pool.Put(c)
}

func (e *engine) handle(c *context) {
	if h := e.routes[c.path]; h != nil {
		h(c)
		return
	}
	if c.path != "/" {
		e.redirect(c)
	}
}

func (e *engine) serveRight(path string) {
	c := e.pool.Get().(*context)
	c.path = path
	e.handleRight(c)
	e.pool.Put(c)
}

func (e *engine) handleRight(c *context) {
	if h := e.routes[c.path]; h != nil {
		h(c)
		return
	}
	if c.path != "/" {
		c.path = "/"
		e.handleRight(c)
	}
}
