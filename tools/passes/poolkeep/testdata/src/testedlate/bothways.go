package testedlate

import "sync"

// A comparison of sizes on the way to a Put is no limit where the value is put either way, or goes on to
// be used by the caller.

type slabs struct {
	small, large *sync.Pool
	limit        int
}

func newSlabs(n, limit int) *slabs {
	s := &slabs{limit: limit}
	s.small = &sync.Pool{New: func() any { b := make([]byte, n); return &b }}
	s.large = &sync.Pool{New: func() any { b := make([]byte, limit); return &b }}
	return s
}

func (s *slabs) take(n int) *[]byte {
	from := s.small
	if n >= s.limit {
		from = s.large
	}
	b := from.Get().(*[]byte)
	if more := n - cap(*b); more > 0 {
		*b = append((*b)[:cap(*b)], make([]byte, more)...)
	}
	*b = (*b)[:n]
	return b
}

func (s *slabs) give(b *[]byte) {
	to := s.small
	if cap(*b) >= s.limit {
		to = s.large
	}
	to.Put(b) // want `keeps b, put at line 38, whatever its size`
}

func (s *slabs) enlarge(b *[]byte, n int) *[]byte {
	if n <= cap(*b) {
		return b
	}
	more := s.take(n)
	copy(*more, *b)
	s.give(b)
	return more
}

func (s *slabs) message(parts [][]byte, max int, use func([]byte)) bool {
	b := s.take(0)
	for _, p := range parts {
		n := len(*b)
		b = s.enlarge(b, n+len(p))
		*b = append((*b)[:n], p...)
		if len(*b) > max {
			s.give(b)
			return false
		}
	}
	use(*b)
	s.give(b)
	return true
}

// Here what is large is dropped, by whoever gives it back.
type boundedSlabs struct{ p sync.Pool }

func (s *boundedSlabs) take(n int) *[]byte {
	b, ok := s.p.Get().(*[]byte)
	if !ok {
		b = new([]byte)
	}
	if more := n - cap(*b); more > 0 {
		*b = append((*b)[:cap(*b)], make([]byte, more)...)
	}
	*b = (*b)[:n]
	return b
}

func (s *boundedSlabs) give(b *[]byte) { s.p.Put(b) }

func (s *boundedSlabs) done(b *[]byte, max int) {
	if cap(*b) > max {
		return
	}
	s.give(b)
}
