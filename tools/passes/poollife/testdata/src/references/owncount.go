package references

import (
	"sync"
	"sync/atomic"
)

// A frame has one reference when it is made. What it is handed to through an interface counts up for itself.

type frame struct {
	holders atomic.Int32
	seq     int
	tail    [64]byte
}

var frames = sync.Pool{New: func() any { return new(frame) }}

func takeFrame(seq int) *frame {
	f := frames.Get().(*frame)
	f.seq = seq
	f.holders.Store(1)
	return f
}

func (f *frame) hold() *frame { f.holders.Add(1); return f }

func (f *frame) drop() {
	if f.holders.Add(-1) == 0 {
		frames.Put(f)
	}
}

type frameSink interface{ Accept(f *frame, last bool) }

type frameQueue struct {
	ready chan *frame
	seen  int
}

func (q *frameQueue) Accept(f *frame, last bool) {
	q.seen++
	if !last {
		q.enqueue(f)
	}
}

func (q *frameQueue) enqueue(f *frame) { q.ready <- f.hold() }

type frameCount struct{ n int }

func (c *frameCount) Accept(f *frame, last bool) { c.n += f.seq }

type frameSource struct {
	to  frameSink
	seq int
}

func (s *frameSource) emit(last bool) {
	s.seq++
	f := takeFrame(s.seq) // want `the reference to f that is taken here is not given up on any path`
	s.to.Accept(f, last)
}

func (s *frameSource) emitAll(n int) {
	for k := range n {
		s.pass(takeFrame(k), k == n-1) // want `the reference to the frame that is taken here is not given up on any path`
	}
}

func (s *frameSource) pass(f *frame, last bool) {
	s.seq++
	s.to.Accept(f, last)
}

func (s *frameSource) emitRight(last bool) {
	s.seq++
	f := takeFrame(s.seq)
	s.to.Accept(f, last)
	f.drop()
}

func (s *frameSource) emitDeferred(last bool) {
	f := takeFrame(s.seq)
	defer f.drop()
	s.to.Accept(f, last)
}

// Here one type keeps the reference that it is given, and the other one gives it up.

type frameOwner interface{ Own(f *frame) }

type frameHome struct{ list []*frame }

func (h *frameHome) Own(f *frame) { h.list = append(h.list, f) }

type frameBin struct{ n int }

func (b *frameBin) Own(f *frame) {
	b.n++
	f.drop()
}

func giveFrame(o frameOwner, seq int) {
	f := takeFrame(seq)
	o.Own(f)
}

// Of these, one counts up for itself and another takes what it is given.

type frameMixed interface{ Mix(f *frame) }

type frameTakes struct{ last *frame }

func (t *frameTakes) Mix(f *frame) {
	if t.last != nil {
		t.last.drop()
	}
	t.last = f
}

type frameHolds struct{ last *frame }

func (t *frameHolds) Mix(f *frame) { t.last = f.hold() }

func mixFrame(m frameMixed, seq int) {
	f := takeFrame(seq)
	m.Mix(f)
}

// This one counts up for itself, and the caller leaves its own reference in a list.

func (s *frameSource) emitKept(h *frameHome) {
	f := takeFrame(s.seq)
	s.to.Accept(f, false)
	h.list = append(h.list, f)
}
