package goroutineuse

import "sync"

type roll struct{ b []byte }

var rolls = sync.Pool{New: func() any { return new(roll) }}

type winder struct{ in chan *roll }

func (s *winder) loop(write func([]byte)) {
	for c := range s.in {
		write(c.b)
	}
}

func (s *winder) queue(c *roll) { s.in <- c }

// Wrong: the receiver has the element when it is put.
func wind(s *winder, full []*roll) {
	for _, c := range full {
		s.queue(c)
		rolls.Put(c) // want `c is put in rolls while the receiver from the channel .* may still use it`
	}
}

// Right: one or the other.
func windSome(s *winder, full []*roll) {
	for _, c := range full {
		if len(c.b) > 0 {
			s.queue(c)
			continue
		}
		rolls.Put(c)
	}
}

// Right: a copy is sent.
func windCopies(s *winder, full []*roll) {
	for _, c := range full {
		s.queue(&roll{b: append([]byte(nil), c.b...)})
		rolls.Put(c)
	}
}
