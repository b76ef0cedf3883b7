package goroutineuse

import "sync"

// A batch that was sent is the receiver's; the pooled struct gets another one.

type tally struct {
	in  chan []int
	sum int
}

func (t *tally) run() {
	for batch := range t.in {
		for _, n := range batch {
			t.sum += n
		}
	}
}

// offer reports whether the batch was taken.
func (t *tally) offer(batch []int) bool {
	select {
	case t.in <- batch:
		return true
	default:
		return false
	}
}

type strip struct {
	to    *tally
	batch []int
}

var strips = sync.Pool{New: func() any { return &strip{batch: make([]int, 0, 16)} }}

func (s *strip) add(n int) {
	s.batch = append(s.batch, n)
	if len(s.batch) < cap(s.batch) {
		return
	}
	if s.to.offer(s.batch) {
		s.batch = make([]int, 0, 16)
	} else {
		s.batch = s.batch[:0]
	}
}

func tallyUp(t *tally, n int) {
	s := strips.Get().(*strip)
	s.to = t
	s.add(n)
	s.to = nil
	strips.Put(s)
}

// The same, but the pooled struct keeps what was sent.
func (s *strip) addKept(n int) {
	s.batch = append(s.batch, n)
	if len(s.batch) == cap(s.batch) {
		s.to.offer(s.batch)
		s.batch = s.batch[:0]
	}
}

func tallyUpKept(t *tally, n int) {
	s := strips.Get().(*strip)
	s.to = t
	s.addKept(n)
	s.to = nil
	strips.Put(s) // want `s is put in strips while the receiver from the channel`
}
