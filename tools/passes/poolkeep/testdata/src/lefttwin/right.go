package lefttwin

import (
	"bytes"
	"sync"
)

// Both are set back.

type rcheck struct {
	id      string
	mode    string
	denied  *verdict
	wouldve *verdict
}

var rchecks = sync.Pool{New: func() any { return new(rcheck) }}

func rbegin(id, mode string) *rcheck {
	c := rchecks.Get().(*rcheck)
	c.id, c.mode, c.denied, c.wouldve = id, mode, nil, nil
	return c
}

func (c *rcheck) hit(rule, status int) {
	v := &verdict{rule, status}
	if c.mode == "block" {
		c.denied = v
	} else if c.wouldve == nil {
		c.wouldve = v
	}
}

func (c *rcheck) verdict() *verdict {
	if c.mode == "block" {
		return c.denied
	}
	return c.wouldve
}

func (c *rcheck) end() { rchecks.Put(c) }

// The small buffer is kept to be used again, and the large one dropped.

type work struct {
	name  string
	large *bytes.Buffer
	small *bytes.Buffer
}

var works = sync.Pool{New: func() any { return new(work) }}

func (w *work) room(n int) {
	if n > 1<<16 {
		w.large = bytes.NewBuffer(make([]byte, 0, n))
	} else if w.small == nil {
		w.small = bytes.NewBuffer(make([]byte, 0, n))
	}
}

func (w *work) buffer() *bytes.Buffer {
	if w.large != nil {
		return w.large
	}
	w.small.Reset()
	return w.small
}

func (w *work) end() {
	w.large, w.name = nil, ""
	works.Put(w)
}

func beginWork(name string, n int) *work {
	w := works.Get().(*work)
	w.name = name
	w.room(n)
	return w
}

// The table of the usual size is kept; it is not made of what comes in.

type settings struct {
	size, step int
}

type plan struct {
	name   string
	custom *settings
	usual  *settings
}

var plans = sync.Pool{New: func() any { return new(plan) }}

func (p *plan) choose(size int) {
	if size > 0 {
		p.custom = &settings{size, 1}
	} else if p.usual == nil {
		p.usual = &settings{64, 8}
	}
}

func (p *plan) settings() *settings {
	if p.custom != nil {
		return p.custom
	}
	return p.usual
}

func (p *plan) end() {
	p.custom, p.name = nil, ""
	plans.Put(p)
}

func beginPlan(name string, size int) *plan {
	p := plans.Get().(*plan)
	p.name = name
	p.choose(size)
	return p
}

// What failed for good does not go to the pool.

type link struct {
	peer  string
	soft  error
	fatal error
}

var links = sync.Pool{New: func() any { return new(link) }}

func (l *link) failed(err error, again bool) {
	if again {
		l.soft = err
	} else if l.fatal == nil {
		l.fatal = err
	}
}

func (l *link) err() error { return l.fatal }

func (l *link) end() {
	if l.fatal != nil {
		return
	}
	l.peer, l.soft = "", nil
	links.Put(l)
}

func dial(peer string) *link {
	l := links.Get().(*link)
	l.peer = peer
	return l
}

// The one that is kept is set back by a method that begins anew.

type round struct {
	n      int
	strict bool
	bad    *verdict
	odd    *verdict
}

var rounds = sync.Pool{New: func() any { return new(round) }}

func (r *round) begin(strict bool) { r.strict, r.odd = strict, nil }

func (r *round) see(rule, status int) {
	r.n++
	if r.strict {
		r.bad = &verdict{rule, status}
	} else if r.odd == nil {
		r.odd = &verdict{rule, status}
	}
}

func (r *round) worst() *verdict {
	if r.bad != nil {
		return r.bad
	}
	return r.odd
}

func takeRound(strict bool) *round {
	r := rounds.Get().(*round)
	r.n, r.bad = 0, nil
	r.begin(strict)
	return r
}

func (r *round) end() { rounds.Put(r) }
