package chanfields // What is sent on a channel that is a field of two structs is its receiver's, and all receivers are in view.

import (
	"io"
	"sync"
)

type block struct {
	text []byte
	next int
}

var blocks = sync.Pool{New: func() any { return &block{text: make([]byte, 0, 512)} }}

func takeBlock() *block { return blocks.Get().(*block) }

func (b *block) free() {
	b.text = b.text[:0]
	blocks.Put(b)
}

// One constructor gives its channel to another.

type reader struct {
	from io.Reader
	out  chan<- []*block
}

func newReader(from io.Reader, out chan<- []*block) *reader { return &reader{from: from, out: out} }

func (r *reader) run() {
	for {
		b := takeBlock()
		n, err := r.from.Read(b.text[:cap(b.text)])
		if err != nil {
			b.free()
			return
		}
		b.text = b.text[:n]
		r.out <- []*block{b}
	}
}

type counter struct {
	in    chan []*block
	lines int
}

func (c *counter) work() {
	for list := range c.in { // want `list, received from out, was taken from blocks \(line 33\); it is read here and not put back`
		for _, b := range list {
			for _, x := range b.text {
				if x == '\n' {
					c.lines++
				}
			}
		}
	}
}

func start(from io.Reader) *counter {
	c := &counter{in: make(chan []*block, 4)}
	r := newReader(from, c.in)
	go r.run()
	go c.work()
	return c
}

// Here a literal has the channel, which is a variable, and two types send on it.

type ticker struct{ to chan *block }

func (t *ticker) tick(n int) {
	b := takeBlock()
	b.next = n
	t.to <- b
}

type tocker struct{ to chan *block }

func (t *tocker) tock() {
	b := takeBlock()
	b.next = -1
	t.to <- b
}

func clock(sum *int) (*ticker, *tocker) {
	ch := make(chan *block)
	go func() {
		for b := range ch { // want `b, received from to, was taken from blocks \(line 74\); it is read here and not put back`
			*sum += b.next
		}
	}()
	return &ticker{ch}, &tocker{ch}
}

// The receiver puts what it gets.

type feeder struct{ to chan<- *block }

func (f *feeder) feed(n int) {
	b := takeBlock()
	b.next = n
	f.to <- b
}

type eater struct {
	from chan *block
	sum  int
}

func (e *eater) eat() {
	for b := range e.from {
		e.sum += b.next
		b.free()
	}
}

func feast() (*feeder, *eater) {
	e := &eater{from: make(chan *block, 1)}
	return &feeder{to: e.from}, e
}

// One of two receivers does.

type pump struct{ to chan *block }

func (p *pump) push(n int) {
	b := takeBlock()
	b.next = n
	p.to <- b
}

type probe struct{ from chan *block }

func (p *probe) peek() int {
	b := <-p.from
	return b.next
}

type sink struct{ from chan *block }

func (s *sink) flush() {
	for b := range s.from {
		b.free()
	}
}

func pipe() (*pump, *probe, *sink) {
	ch := make(chan *block, 8)
	return &pump{ch}, &probe{ch}, &sink{ch}
}

// Others have the channel.

type source struct{ to chan *block }

func (s *source) push(n int) {
	b := takeBlock()
	b.next = n
	s.to <- b
}

type drain struct{ from chan *block }

func (d *drain) next() int {
	b := <-d.from
	return b.next
}

// Connect may be called by other packages, with a channel of theirs.
func Connect(ch chan *block) (*source, *drain) { return &source{ch}, &drain{ch} }

// The sender puts what it sent when the receiver answered.

type asker struct {
	to   chan *block
	done chan struct{}
}

func (a *asker) ask(n int) {
	b := takeBlock()
	b.next = n
	a.to <- b
	<-a.done
	b.free()
}

type teller struct {
	from chan *block
	done chan struct{}
	sum  int
}

func (t *teller) run() {
	for b := range t.from {
		t.sum += b.next
		t.done <- struct{}{}
	}
}

func talk() (*asker, *teller) {
	t := &teller{from: make(chan *block), done: make(chan struct{})}
	return &asker{t.from, t.done}, t
}

// A function that is chosen elsewhere gets the channel as well.

type tap struct{ to chan *block }

func (t *tap) push(n int) {
	b := takeBlock()
	b.next = n
	t.to <- b
}

type meter struct {
	from chan *block
	sum  int
}

func (m *meter) run() {
	for b := range m.from {
		m.sum += b.next
	}
}

func tapped(also func(<-chan *block)) (*tap, *meter) {
	m := &meter{from: make(chan *block)}
	go also(m.from)
	return &tap{m.from}, m
}
