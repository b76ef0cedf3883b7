package trylists // Channels of values of any type that serve as pools: who takes one makes a value where there is none.

import (
	"encoding/binary"
	"io"
)

type store struct{ idle chan any }

func newStore(n int, first func() any) *store {
	s := &store{idle: make(chan any, n)}
	for range n {
		s.idle <- first()
	}
	return s
}

func (s *store) get() (any, bool) {
	select {
	case v := <-s.idle:
		return v, true
	default:
		return nil, false
	}
}

func (s *store) put(v any) {
	select {
	case s.idle <- v:
	default:
	}
}

type packet struct {
	from int
	body []byte
}

type packets struct{ free *store }

func (p *packets) get() *packet {
	if v, ok := p.free.get(); ok {
		return v.(*packet)
	}
	return &packet{}
}

func (p *packets) read(r io.Reader) (*packet, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	k := p.get()
	n := int(binary.LittleEndian.Uint32(size[:]))
	if n > cap(k.body) {
		k.body = make([]byte, n)
	}
	k.body = k.body[:n]
	_, err := io.ReadFull(r, k.body)
	return k, err
}

func (p *packets) done(k *packet) {
	k.from = 0
	p.free.put(k) // want `k, the pooled packet, keeps body of any size`
}

// Another type of values from the same kind of list, which are dropped above a limit.

type chunk struct{ data []byte }

type chunks struct{ free *store }

func (c *chunks) get(n uint32) *chunk {
	v, _ := c.free.get()
	k, _ := v.(*chunk)
	if k == nil {
		k = &chunk{}
	}
	if uint32(cap(k.data)) < n {
		k.data = make([]byte, n)
	}
	k.data = k.data[:n]
	return k
}

func (c *chunks) done(k *chunk) {
	if cap(k.data) > 1<<16 {
		return
	}
	c.free.put(k)
}

func next(c *chunks, r io.Reader) (*chunk, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	k := c.get(binary.LittleEndian.Uint32(size[:]))
	_, err := io.ReadFull(r, k.data)
	return k, err
}

// A queue that drops what it has no room for is none: who finds nothing there has nothing to do.

type event struct {
	at   int
	text []byte
}

type events struct{ queue chan *event }

func newEvents(n int) *events { return &events{make(chan *event, n)} }

func (e *events) add(x *event) {
	select {
	case e.queue <- x:
	default:
	}
}

func (e *events) next() *event {
	select {
	case x := <-e.queue:
		return x
	default:
		return nil
	}
}

func (e *events) publish(text string) int {
	x := &event{at: 1}
	if cap(x.text) < len(text) {
		x.text = make([]byte, len(text))
	}
	copy(x.text, text)
	e.add(x)
	return x.at
}

func (e *events) work(f func([]byte)) {
	for x := e.next(); x != nil; x = e.next() {
		f(x.text)
	}
}
