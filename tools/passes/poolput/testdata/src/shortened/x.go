package shortened

import (
	"io"
	"net"
	"sync"
)

// Through a channel of structs.

type msg struct {
	from net.Addr
	body []byte
}

var frames = sync.Pool{New: func() any { return make([]byte, 2048) }}

func listen(c net.PacketConn, out chan<- msg) {
	for {
		b := frames.Get().([]byte)
		n, from, err := c.ReadFrom(b)
		if err != nil {
			return
		}
		out <- msg{from, b[:n]}
	}
}

func handle(in <-chan msg) {
	for m := range in {
		println(len(m.body))
		frames.Put(m.body) // want `m\.body goes to frames with the length of its last use` `by value`
	}
}

// In one function, with a wrapper for each side.

type source struct {
	pool sync.Pool
	r    io.Reader
}

func newSource(r io.Reader, size int) *source {
	return &source{r: r, pool: sync.Pool{New: func() any { return make([]byte, size) }}}
}

func (s *source) get() []byte  { return s.pool.Get().([]byte) }
func (s *source) put(b []byte) { s.pool.Put(b) } // want `b goes to pool with the length of its last use` `by value`

func (s *source) step(use func([]byte)) error {
	b := s.get()
	n, err := s.r.Read(b)
	b = b[:n]
	use(b)
	s.put(b)
	return err
}

// Extended when it comes.

var resliced = sync.Pool{New: func() any { return make([]byte, 2048) }}

func readAll(r io.Reader) int {
	b := resliced.Get().([]byte)
	b = b[:cap(b)]
	n, _ := r.Read(b)
	b = b[:n]
	m := len(b)
	resliced.Put(b) // want `by value`
	return m
}

// Extended when it goes.

var whole = sync.Pool{New: func() any { return make([]byte, 2048) }}

func readWhole(r io.Reader) int {
	b := whole.Get().([]byte)
	n, _ := r.Read(b)
	b = b[:n]
	m := len(b)
	whole.Put(b[:cap(b)]) // want `by value`
	return m
}

// The variable is not the one that was cut.

var kept = sync.Pool{New: func() any { return make([]byte, 2048) }}

func readKept(r io.Reader, use func([]byte)) {
	b := kept.Get().([]byte)
	n, _ := r.Read(b)
	use(b[:n])
	kept.Put(b) // want `by value`
}

// Made empty, and appended to.

var empty = sync.Pool{New: func() any { return make([]byte, 0, 2048) }}

func format(w io.Writer, s string) {
	b := empty.Get().([]byte)
	b = append(b[:0], s...)
	w.Write(b)
	empty.Put(b[:0]) // want `by value`
}

// The pointer keeps the full length.

var ptrs = sync.Pool{New: func() any { b := make([]byte, 2048); return &b }}

func readPtr(r io.Reader, use func([]byte)) {
	p := ptrs.Get().(*[]byte)
	defer ptrs.Put(p)
	n, _ := r.Read(*p)
	use((*p)[:n])
}
