package advanced

import (
	"io"
	"sync"
)

var blocks = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

// A reader's slice of elements: what was read is cut off.

type inbox struct{ parts []*[]byte }

func (i *inbox) add(b []byte) {
	p := blocks.Get().(*[]byte)
	*p = append((*p)[:0], b...)
	i.parts = append(i.parts, p)
}

type outbox struct{ cur *[]byte }

func (o *outbox) send(w io.Writer) error {
	n, err := w.Write(*o.cur)
	*o.cur = (*o.cur)[n:]
	if len(*o.cur) == 0 {
		blocks.Put(o.cur) // want `without the part before its start, which moved on where it was kept`
		o.cur = nil
	}
	return err
}

func newOutbox(b []byte) *outbox {
	p := blocks.Get().(*[]byte)
	*p = append((*p)[:0], b...)
	return &outbox{p}
}

// By value, in an element, and put by a helper.

var rooms [8]sync.Pool

func free(b []byte) {
	if cap(b) < 64 {
		return
	}
	b = b[:0]
	rooms[cap(b)&7].Put(&b) // want `the address of the local variable b`
}

type pending struct{ list [][]byte }

func (p *pending) push(n int) {
	if b, ok := rooms[n&7].Get().(*[]byte); ok {
		p.list = append(p.list, (*b)[:n])
		return
	}
	p.list = append(p.list, make([]byte, n))
}

func (p *pending) read(dst []byte) int {
	n := copy(dst, p.list[0])
	if n < len(p.list[0]) {
		p.list[0] = p.list[0][n:] // want `field list is left without the part before its start`
		return n
	}
	free(p.list[0])
	p.list = p.list[1:]
	return n
}

// A queue in a pooled struct, emptied to be used again.

type queue struct{ items []int }

var queues = sync.Pool{New: func() any { return new(queue) }}

func (q *queue) pop() int {
	v := q.items[0]
	q.items = q.items[1:]
	return v
}

func walk(next func(int) []int) (n int) {
	q := queues.Get().(*queue)
	q.items = append(q.items[:0], 0)
	for len(q.items) > 0 {
		q.items = append(q.items, next(q.pop())...)
		n++
	}
	q.items = q.items[:0]
	queues.Put(q) // want `field items goes to the pool without the part before its start`
	return n
}

// On one path.

func writeAll(w io.Writer, s string) error {
	p := blocks.Get().(*[]byte)
	*p = append((*p)[:0], s...)
	for len(*p) > 0 {
		n, err := w.Write(*p)
		if err != nil {
			break
		}
		*p = (*p)[n:]
	}
	blocks.Put(p) // want `p, put in blocks at line 107, no longer begins at the start of its array`
	return nil
}

// Two lists lead to the same slices: one of them moves their start on.

type strip struct {
	rest []*[]byte
	all  []*[]byte
}

var strips = sync.Pool{New: func() any { b := make([]byte, 1024); return &b }}

func (s *strip) add(p *[]byte) {
	s.rest = append(s.rest, p)
	s.all = append(s.all, p)
}

func (s *strip) take(n int) {
	*s.rest[0] = (*s.rest[0])[n:]
}

func (s *strip) close() {
	for _, p := range s.all {
		strips.Put(p) // want `without the part before its start`
	}
	s.rest, s.all = nil, nil
}
