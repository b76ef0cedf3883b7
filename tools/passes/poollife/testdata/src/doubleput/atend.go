package doubleput

import (
	"io"
	"strings"
	"sync"
)

// Wrong: who asks once more at the end makes the reader put itself again.
type selfReader struct {
	*strings.Reader
	pool *sync.Pool
}

func openSelf(p *sync.Pool, s string) io.Reader {
	r, ok := p.Get().(*selfReader)
	if !ok {
		return &selfReader{strings.NewReader(s), p}
	}
	r.Reader.Reset(s)
	return r
}

func (r *selfReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if err == io.EOF {
		r.pool.Put(r) // want `put`
	}
	return n, err
}

// Right: the part that works goes to the pool, and only once.
type onceReader struct {
	r    *strings.Reader
	pool *sync.Pool
}

func openOnce(p *sync.Pool, s string) io.Reader {
	r, ok := p.Get().(*strings.Reader)
	if !ok {
		r = strings.NewReader(s)
	}
	r.Reset(s)
	return &onceReader{r, p}
}

func (r *onceReader) Read(b []byte) (int, error) {
	if r.r == nil {
		return 0, io.EOF
	}
	n, err := r.r.Read(b)
	if err == io.EOF {
		r.pool.Put(r.r)
		r.r = nil
	}
	return n, err
}
