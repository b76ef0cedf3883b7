package freenodes

// Cleared before it is free.

type item struct {
	val  any
	next *item
}

type bag struct{ free *item }

func (b *bag) get(v any) *item {
	n := b.free
	if n == nil {
		return &item{val: v}
	}
	b.free = n.next
	n.next = nil
	n.val = v
	return n
}

func (b *bag) put(n *item) {
	*n = item{next: b.free}
	b.free = n
}

// By whoever frees it.

type job struct {
	run  func()
	next *job
}

type jobs struct{ free *job }

func (j *jobs) get(run func()) *job {
	n := j.free
	if n == nil {
		n = new(job)
	} else {
		j.free = n.next
	}
	n.run = run
	return n
}

func (j *jobs) put(n *job) {
	n.next = j.free
	j.free = n
}

func (j *jobs) finish(n *job) {
	n.run()
	n.run = nil
	j.put(n)
}

// Nothing in it keeps anything alive.

type slot struct {
	from, to int
	name     [8]byte
	next     *slot
}

var slots *slot

func newSlot(from, to int) *slot {
	n := slots
	if n == nil {
		n = new(slot)
	} else {
		slots = n.next
	}
	n.from, n.to = from, to
	return n
}

func freeSlot(n *slot) {
	n.next = slots
	slots = n
}

// A stack of work, not of memory: what is taken off it is used.

type task struct {
	arg  any
	next *task
}

type stack struct{ top *task }

func (s *stack) push(t *task, arg any) {
	t.arg = arg
	t.next = s.top
	s.top = t
}

func (s *stack) pop() any {
	t := s.top
	if t == nil {
		return nil
	}
	s.top = t.next
	return t.arg
}
