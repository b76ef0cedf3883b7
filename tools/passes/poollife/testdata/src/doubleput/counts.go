package doubleput

import (
	"sync"
	"sync/atomic"
)

type share struct {
	mu   sync.Mutex
	refs atomic.Int32
	n    int64
	b    []byte
}

var shares = sync.Pool{New: func() any { return new(share) }}

func (h *share) drop() {
	h.refs.Add(-1)
	if h.refs.Load() == 0 {
		shares.Put(h) // want `the count is counted down and read in two steps`
	}
}

func (h *share) dropOld() {
	atomic.AddInt64(&h.n, -1)
	if atomic.LoadInt64(&h.n) > 0 {
		return
	}
	h.b = h.b[:0]
	shares.Put(h) // want `the count is counted down and read in two steps`
}

func (h *share) dropRight() {
	if h.refs.Add(-1) == 0 {
		shares.Put(h)
	}
}

func (h *share) dropLocked() {
	h.mu.Lock()
	h.refs.Add(-1)
	last := h.refs.Load() == 0
	if h.refs.Load() == 0 {
		shares.Put(h)
	}
	h.mu.Unlock()
	_ = last
}

// Another number is read.
func (h *share) dropOther() {
	h.refs.Add(-1)
	if atomic.LoadInt64(&h.n) == 0 {
		shares.Put(h)
	}
}

// A list of spare values: a slice that serves as a pool.
type shareStock struct {
	mu   sync.Mutex
	free []*share
}

func (s *shareStock) get() *share {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		h := s.free[n-1]
		s.free = s.free[:n-1]
		return h
	}
	return new(share)
}

func (s *shareStock) put(h *share) {
	s.mu.Lock()
	s.free = append(s.free, h)
	s.mu.Unlock()
}

func (s *shareStock) use(kind int, out func([]byte)) {
	h := s.get()
	switch kind {
	case 0:
		s.put(h)
		break
	case 1:
		out(h.b)
	}
	s.put(h) // want `h is put in the list free a second time`
}

func (s *shareStock) useRight(kind int, out func([]byte)) {
	h := s.get()
	switch kind {
	case 0:
		s.put(h)
		return
	case 1:
		out(h.b)
	}
	s.put(h)
}
