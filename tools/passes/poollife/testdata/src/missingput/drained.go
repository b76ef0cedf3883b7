package missingput

import "sync"

var frames = sync.Pool{New: func() any { return new([64]byte) }}

type parcel struct {
	f *[64]byte
	n int
}

// The reader copies the data out and forgets the frame.
type mailbox struct{ in chan parcel }

func newMailbox() *mailbox { return &mailbox{in: make(chan parcel, 4)} }

func (m *mailbox) deliver(b []byte) {
	f := frames.Get().(*[64]byte)
	n := copy(f[:], b)
	select {
	case m.in <- parcel{f, n}:
	default:
		frames.Put(f)
	}
}

func (m *mailbox) read(b []byte) int {
	p := <-m.in // want `p, received from in, was taken from frames \(line 18\); it is read here and not put back`
	return copy(b, p.f[:p.n])
}

// One of two readers forgets nothing.
type letterbox struct{ in chan parcel }

func newLetterbox() *letterbox { return &letterbox{in: make(chan parcel, 4)} }

func (m *letterbox) deliver(b []byte) {
	f := frames.Get().(*[64]byte)
	m.in <- parcel{f, copy(f[:], b)}
}

func (m *letterbox) read(b []byte) int {
	p := <-m.in
	n := copy(b, p.f[:p.n])
	frames.Put(p.f)
	return n
}

// The reader passes the frame on.
type relay struct{ in chan parcel }

func newRelay() *relay { return &relay{in: make(chan parcel, 4)} }

func (m *relay) deliver(b []byte) {
	f := frames.Get().(*[64]byte)
	m.in <- parcel{f, copy(f[:], b)}
}

func (m *relay) each(do func(parcel)) {
	for p := range m.in {
		do(p)
	}
}

// The sender waits and puts the frame itself.
type desk struct {
	in   chan parcel
	done chan int
}

func newDesk() *desk { return &desk{in: make(chan parcel), done: make(chan int)} }

func (d *desk) ask(b []byte) int {
	f := frames.Get().(*[64]byte)
	d.in <- parcel{f, copy(f[:], b)}
	n := <-d.done
	frames.Put(f)
	return n
}

func (d *desk) serve() {
	for p := range d.in {
		n := 0
		for _, c := range p.f[:p.n] {
			n += int(c)
		}
		d.done <- n
	}
}

// The channel is anybody's.
type Counter struct{ in chan parcel }

func NewCounter(in chan parcel) *Counter { return &Counter{in: in} }

func (c *Counter) add(b []byte) {
	f := frames.Get().(*[64]byte)
	c.in <- parcel{f, copy(f[:], b)}
}

func (c *Counter) sum() int {
	p := <-c.in
	return p.n + int(p.f[0])
}
