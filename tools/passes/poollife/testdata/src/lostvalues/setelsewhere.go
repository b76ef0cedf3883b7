package lostvalues

import "sync"

type box struct{ ch chan int }

var boxes = sync.Pool{New: func() any { return &box{ch: make(chan int, 4)} }}

// The flag that tells whether the box was put is set at the end of what is read as well.
type readerEnd struct {
	box  *box
	done bool
}

func newReaderEnd() *readerEnd { return &readerEnd{box: boxes.Get().(*box)} }

func (r *readerEnd) next() (int, bool) {
	if r.done {
		return 0, false
	}
	n := <-r.box.ch
	if n < 0 {
		r.done = true
		return 0, false
	}
	return n, true
}

func (r *readerEnd) finish() {
	if !r.done {
		r.done = true
		boxes.Put(r.box) // want `what box holds is put only where done is not set: next sets that as well`
	}
	r.box = nil
}

type earlyEnd struct {
	box  *box
	done bool
}

func newEarlyEnd() *earlyEnd { return &earlyEnd{box: boxes.Get().(*box)} }

func (e *earlyEnd) next() int {
	n := <-e.box.ch
	if n == 0 {
		e.done = true
	}
	return n
}

func (e *earlyEnd) finish() {
	if e.done {
		return
	}
	e.done = true
	boxes.Put(e.box) // want `what box holds is put only where done is not set: next sets that as well`
	e.box = nil
}

// Here the field tells.
type fieldEnd struct {
	box  *box
	done bool
}

func newFieldEnd() *fieldEnd { return &fieldEnd{box: boxes.Get().(*box)} }

func (f *fieldEnd) next() int {
	n := <-f.box.ch
	if n == 0 {
		f.done = true
	}
	return n
}

func (f *fieldEnd) finish() {
	f.done = true
	if f.box != nil {
		boxes.Put(f.box)
		f.box = nil
	}
}

// Who sets the flag first calls what puts.
type callsEnd struct {
	box  *box
	done bool
}

func newCallsEnd() *callsEnd { return &callsEnd{box: boxes.Get().(*box)} }

func (c *callsEnd) next() int {
	n := <-c.box.ch
	if n == 0 {
		c.finish()
		c.done = true
	}
	return n
}

func (c *callsEnd) finish() {
	if !c.done {
		c.done = true
		boxes.Put(c.box)
		c.box = nil
	}
}

// A box that broke is not put, and the flag says that it is broken, not that it was put.
type brokenEnd struct {
	box    *box
	broken bool
}

func newBrokenEnd() *brokenEnd { return &brokenEnd{box: boxes.Get().(*box)} }

func (b *brokenEnd) next() int {
	n := <-b.box.ch
	if n < 0 {
		b.broken = true
	}
	return n
}

func (b *brokenEnd) finish() {
	if !b.broken {
		boxes.Put(b.box)
	}
	b.box = nil
}

// What is left goes to whoever reads the rest.
type restEnd struct {
	box  *box
	done bool
}

func newRestEnd() *restEnd { return &restEnd{box: boxes.Get().(*box)} }

func (r *restEnd) next(rest chan *box) int {
	n := <-r.box.ch
	if n == 0 {
		r.done = true
		rest <- r.box
	}
	return n
}

func (r *restEnd) finish() {
	if !r.done {
		r.done = true
		boxes.Put(r.box)
		r.box = nil
	}
}
