package undrained

import (
	"bytes"
	"sync"
)

// A pipe that puts its buffer when it was read to the end, and on the way out as it is.

type buffers struct{ pool *sync.Pool }

func newBuffers(size int) *buffers {
	return &buffers{&sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, size)) }}}
}

func (b *buffers) get() *bytes.Buffer { return b.pool.Get().(*bytes.Buffer) }

func (b *buffers) put(x *bytes.Buffer) { b.pool.Put(x) } // want `from keeps x`

type pipe struct {
	mu   sync.Mutex
	from *buffers
	buf  *bytes.Buffer
	err  error
}

func (p *pipe) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.buf == nil {
		p.buf = p.from.get()
	}
	return p.buf.Write(b)
}

func (p *pipe) Read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.buf == nil {
		return 0, p.err
	}
	n, _ := p.buf.Read(b)
	if p.buf.Len() == 0 {
		p.from.put(p.buf)
		p.buf = nil
	}
	return n, nil
}

func (p *pipe) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = err
	if p.buf != nil {
		p.from.put(p.buf) // want `field buf goes to pool with what is left in it, without a reset; it is written \(line [0-9]+\), and elsewhere put only when it was read to its end \(line [0-9]+\)`
		p.buf = nil
	}
}

// With a pool of the package.

var spills sync.Pool

type spool struct{ buf *bytes.Buffer }

func takeSpill() *bytes.Buffer {
	if b, ok := spills.Get().(*bytes.Buffer); ok {
		return b
	}
	return new(bytes.Buffer)
}

func (s *spool) add(b []byte) {
	if s.buf == nil {
		s.buf = takeSpill()
	}
	s.buf.Write(b)
}

func (s *spool) next(n int) string {
	text := string(s.buf.Next(n))
	if s.buf.Len() == 0 {
		spills.Put(s.buf) // want `spills keeps s.buf`
		s.buf = nil
	}
	return text
}

func (s *spool) drop() {
	spills.Put(s.buf) // want `field buf goes to spills with what is left in it, without a reset`
	s.buf = nil
}
