package references // What is left over: slots that are told by a number, values of which there are no more, Puts that wait for the end of a loop, references that nobody gives up; and pools that are shared by closures.

import (
	"sync"
	"sync/atomic"
)

type msg struct {
	n    int32
	body []byte
}

var pool = sync.Pool{New: func() any { return new(msg) }}

func newMsg(b []byte) *msg {
	m := pool.Get().(*msg)
	atomic.StoreInt32(&m.n, 1)
	m.body = append(m.body[:0], b...)
	return m
}

func (m *msg) retain() { atomic.AddInt32(&m.n, 1) }

func (m *msg) release() {
	if atomic.AddInt32(&m.n, -1) == 0 {
		pool.Put(m)
	}
}

type sub struct {
	q    chan *msg
	last *msg
}

type hub struct {
	mu   sync.Mutex
	subs []*sub
	in   chan *msg
}

func (h *hub) send(m *msg) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.subs {
		m.retain()
		s.q <- m
	}
}

func (h *hub) publish(b []byte) {
	m := newMsg(b) // want `m, taken from pool at line 51, is not put back`
	h.send(m)
}

func (h *hub) publishRight(b []byte) {
	m := newMsg(b)
	h.send(m)
	m.release()
}

func (h *hub) publishLater(b []byte) {
	m := newMsg(b)
	defer m.release()
	h.send(m)
}

func (h *hub) queue(b []byte) { h.in <- newMsg(b) }

func (h *hub) spread() {
	for m := range h.in { // want `the reference to m that is received from the channel in here is not given up on any path`
		for _, s := range h.subs {
			m.retain()
			select {
			case s.q <- m:
			default:
				m.release()
			}
		}
	}
}

func (s *sub) keep(m *msg) {
	m.retain()
	if s.last != nil {
		s.last.release()
	}
	s.last = m
}

func keepOne(s *sub, b []byte) {
	m := newMsg(b) // want `the reference to m that is taken here is not given up on any path`
	s.keep(m)
}

func keepOneRight(s *sub, b []byte) {
	m := newMsg(b)
	s.keep(m)
	m.release()
}

func (s *sub) run(f func([]byte)) {
	for m := range s.q {
		f(m.body)
		m.release()
	}
}
