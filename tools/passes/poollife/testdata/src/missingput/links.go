package missingput

import "sync"

// Who walks a list puts its nodes: a node that lets go of the next one loses nothing.

type segment struct {
	data []byte
	next *segment
	side *mark
}

type mark struct{ at int }

var (
	segments = sync.Pool{New: func() any { return new(segment) }}
	marks    = sync.Pool{New: func() any { return new(mark) }}
)

func newSegment(p []byte) *segment {
	s := segments.Get().(*segment)
	s.data = append(s.data[:0], p...)
	return s
}

func (s *segment) Release() {
	s.next = nil
	s.data = s.data[:0]
	segments.Put(s)
}

type chain struct{ head, tail *segment }

func (c *chain) Append(p []byte) {
	s := newSegment(p)
	s.Mark(len(p))
	if c.tail == nil {
		c.head, c.tail = s, s
		return
	}
	c.tail.next = s
	c.tail = s
}

func (c *chain) Close() {
	for s := c.head; s != nil; {
		next := s.next
		s.Release()
		s = next
	}
	c.head, c.tail = nil, nil
}

func (s *segment) Mark(at int) {
	s.side = marks.Get().(*mark)
	s.side.at = at
}

// What is no link is lost.
func (s *segment) Forget() {
	s.side = nil // want `field side is set to nil while it may hold a value taken from marks`
}

func (s *segment) Unmark() {
	if s.side != nil {
		marks.Put(s.side)
		s.side = nil
	}
}
