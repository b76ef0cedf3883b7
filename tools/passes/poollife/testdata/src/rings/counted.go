package rings

import "sync"

// A ring whose places are counted round; what was taken stays in its place until another is put there.

type counted struct {
	mu    sync.Mutex
	r, w  int
	ring  [64]any
	order []any
}

func (c *counted) push(x any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.w-c.r < len(c.ring) {
		c.ring[c.w%len(c.ring)] = x
		c.w++
	}
}

func (c *counted) pop() any {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.r == c.w {
		return nil
	}
	c.r++
	return c.ring[(c.r-1)%len(c.ring)]
}

type encoding struct{ last []byte }

func (c *counted) encode(x interface {
	AppendTo([]byte) []byte
}) []byte {
	e, ok := c.pop().(*encoding)
	if !ok {
		e = &encoding{}
	}
	e.last = x.AppendTo(e.last[:0])
	out := e.last
	c.push(e)
	return out // want `memory of e is returned`
}

func (c *counted) encodeCopy(x interface {
	AppendTo([]byte) []byte
}) string {
	e, ok := c.pop().(*encoding)
	if !ok {
		e = &encoding{}
	}
	e.last = x.AppendTo(e.last[:0])
	out := string(e.last)
	c.push(e)
	return out
}

// Work is taken off a ring, and there is none where there is none.

type jobs struct {
	r, w int
	ring [16]*job
}

type job struct{ data []byte }

func (q *jobs) add(j *job) {
	q.ring[q.w%len(q.ring)] = j
	q.w++
}

func (q *jobs) next() *job {
	if q.r == q.w {
		return nil
	}
	q.r++
	return q.ring[(q.r-1)%len(q.ring)]
}

func (q *jobs) enqueue(b []byte) *job {
	j := &job{data: b}
	q.add(j)
	return j
}

func (q *jobs) work(f func([]byte)) {
	for j := q.next(); j != nil; j = q.next() {
		f(j.data)
	}
}
