package fixedsizes // Which pool takes what memory, by its size or type, where pools are lists or of one size.

import (
	"io"
	"sync"
	"sync/atomic"
)

const chunk = 16 << 10

var chunks = sync.Pool{New: func() any { b := make([]byte, chunk); return &b }}

func lend() *[]byte { return chunks.Get().(*[]byte) }

func back(b *[]byte) { chunks.Put(b) }

// A short body has a buffer of its own, which goes to the pool like any other.
func transfer(w io.Writer, r io.Reader, left int) error {
	var b *[]byte
	if left < chunk {
		own := make([]byte, left)
		b = &own
	} else {
		b = lend()
	}
	defer back(b) // want `memory that was made elsewhere \(line \d+\) goes to chunks`
	n, err := io.ReadFull(r, *b)
	if err == nil {
		_, err = w.Write((*b)[:n])
	}
	return err
}

// In a field, by two constructors.

type lines struct{ pool sync.Pool }

func (l *lines) get() []byte {
	if p, ok := l.pool.Get().(*[]byte); ok {
		return *p
	}
	return make([]byte, 512)
}

func (l *lines) put(b []byte) { l.pool.Put(&b) } // want `the address of the local variable b`

var all lines

type scanner struct{ buf []byte }

func scan() *scanner { return &scanner{buf: all.get()} }

func scanAtMost(n int) *scanner { return &scanner{buf: make([]byte, n)} }

func (s *scanner) close() {
	all.put(s.buf) // want `memory that was made elsewhere \(line \d+\) goes to pool`
	s.buf = nil
}

func magic(r io.Reader) (m [8]byte, err error) {
	b := all.get()
	defer all.put(b)
	_, err = io.ReadFull(r, b[:8])
	copy(m[:], b)
	return m, err
}

// A channel behind a pointer that is set anew, and a captured variable.

type ring struct {
	free  chan []byte
	width int
}

func (r *ring) Get() (b []byte) {
	select {
	case b = <-r.free:
	default:
		b = make([]byte, r.width)
	}
	return b
}

func (r *ring) Put(b []byte) {
	select { // want `b goes to free with the length of its last use`
	case r.free <- b:
	default:
	}
}

var current atomic.Pointer[ring]

func store(r io.Reader, size, block int, keep func([]byte) error) error {
	b := make([]byte, size)
	if size >= block {
		b = current.Load().Get()
	}
	defer func() { current.Load().Put(b) }() // want `memory that was made elsewhere \(line \d+\) goes to free`
	n, err := io.ReadFull(r, b)
	b = b[:n]
	if err != nil {
		return err
	}
	return keep(b)
}

// What was read elsewhere.

var pages = sync.Pool{New: func() any { return new([4096]byte) }}

var sheets = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

func sheet() []byte { return (*sheets.Get().(*[]byte))[:4096] }

func drop(b []byte) { sheets.Put(&b) } // want `the address of the local variable b`

func whole(r io.Reader, use func([]byte)) error {
	b, err := io.ReadAll(io.LimitReader(r, 4096))
	use(b)
	drop(b) // want `memory that was made elsewhere \(line \d+\) goes to sheets`
	return err
}

func first(r io.Reader) byte {
	b := sheet()
	defer drop(b)
	r.Read(b)
	return b[0]
}
