package a

import "sync"

type buffer struct {
	buf  []byte
	boot [64]byte
	n    int
}

func (b *buffer) write(p []byte) {
	if b.buf == nil {
		b.buf = b.boot[:0] // want `field buf is made a slice of its own struct's array boot`
	}
	b.buf = append(b.buf, p...)
}

func (b *buffer) shrink() { b.buf = b.buf[:0] }

type outer struct{ in buffer }

func (o *outer) init() {
	if o.in.buf == nil {
		o.in.buf = o.in.boot[:] // want `field buf is made a slice of its own struct's array boot`
	}
}

// The array of another value is no self reference.
func lend(dst, src *buffer) { dst.buf = src.boot[:0] }

func local(b *buffer) {
	var scratch [64]byte
	b.buf = scratch[:0]
}

// A constructor puts the struct on the heap anyway.
func newBuffer() *buffer {
	b := &buffer{}
	b.buf = b.boot[:0]
	return b
}

// A client lives on the heap, and its lock forbids to copy it.
type client struct {
	mu sync.Mutex
	parser
}

type parser struct {
	arg     []byte
	scratch [64]byte
}

func (c *client) parse(p []byte) {
	if c.arg == nil {
		c.arg = c.scratch[:0]
	}
	c.arg = append(c.arg, p...)
}

type conn struct {
	mu sync.Mutex
	ps *parser
}

func (c *conn) parse(p []byte) {
	if c.ps.arg == nil {
		c.ps.arg = c.ps.scratch[:0]
	}
	c.ps.arg = append(c.ps.arg, p...)
}

// The cases of a switch ask like an if.
func (b *buffer) begin(n int) {
	switch {
	case n > 64:
		b.buf = make([]byte, 0, n)
	case b.buf == nil:
		b.buf = b.boot[:0] // want `field buf is made a slice of its own struct's array boot`
	}
}

func (b *buffer) beginAny() {
	switch {
	case b.buf != nil:
		b.buf = b.buf[:0]
	default:
		b.buf = b.boot[:0] // want `field buf is made a slice of its own struct's array boot`
	}
}

// Here only n is asked when the slice is made; what another case asks later does not matter.
func startBuffer(n int) *buffer {
	b := &buffer{n: n}
	switch {
	case n < 64:
		b.buf = b.boot[:0]
	case b.buf == nil:
		b.buf = make([]byte, 0, n)
	}
	return b
}
