package lostpaths

import "sync"

// Who puts at the end of several arms forgot the one that has none.

type vote struct {
	term    uint64
	granted bool
	reply   string
}

var votes sync.Pool

func newVote(term uint64) *vote {
	if v, ok := votes.Get().(*vote); ok {
		v.term = term
		v.granted, v.reply = false, ""
		return v
	}
	return &vote{term: term}
}

type raft struct {
	term   uint64
	n      int
	in     chan *vote
	in2    chan *vote
	behind chan *vote
}

func (r *raft) receive(term uint64, reply string) {
	v := newVote(term)
	v.reply = reply
	r.in <- v
}

func (r *raft) count(v *vote) {
	if v.granted {
		r.n++
		votes.Put(v)
	} else if v.term > r.term {
		r.term = v.term
		votes.Put(v)
	} else if v.reply != "" {
		r.behind <- v
	}
}

func (r *raft) run() {
	for v := range r.in { // want `v, received from in at line 51, was taken from votes and is put on other paths`
		r.count(v)
	}
}

func (r *raft) catchUp() {
	for v := range r.behind {
		r.n++
		votes.Put(v)
	}
}

func (r *raft) receive2(term uint64) { r.in2 <- newVote(term) }

func (r *raft) countRight(v *vote) {
	if v.granted {
		r.n++
		votes.Put(v)
	} else if v.term > r.term {
		r.term = v.term
		votes.Put(v)
	} else {
		votes.Put(v)
	}
}

func (r *raft) run2() {
	for v := range r.in2 {
		r.countRight(v)
	}
}

// Taken here, and given to a function of the package.
func (r *raft) single(term uint64) {
	v := newVote(term) // want `v, taken from votes at line 85, is not put back on the path that ends here`
	v.granted = r.n > 2
	r.settle(v)
}

func (r *raft) settle(v *vote) {
	switch {
	case v.granted:
		r.n = 0
		votes.Put(v)
	case v.term > r.term:
		r.term = v.term
		votes.Put(v)
	}
}

// One that is named for it, or has one Put, decided.
func (r *raft) decided(term uint64, granted bool) {
	v := newVote(term)
	v.granted = granted
	r.release(v)
	w := newVote(term)
	w.granted = granted
	r.maybe(w)
}

func (r *raft) release(v *vote) {
	if v.granted {
		r.n = 0
		votes.Put(v)
	} else if v.term < r.term {
		r.term = 1
		votes.Put(v)
	}
}

func (r *raft) maybe(v *vote) {
	if v.granted {
		r.n = 0
		votes.Put(v)
	}
}

// A method that ends before it calls the one which puts, and is not named for that, forgot it.

type event struct {
	name string
	on   bool
}

var events = sync.Pool{New: func() any { return new(event) }}

func newEvent(name string) *event {
	e := events.Get().(*event)
	e.name, e.on = name, true
	return e
}

func (e *event) write(w func(string), text func() string) {
	if e.on {
		w(e.name)
		w(text())
	}
	events.Put(e)
}

var intercept func(name, text string) bool

func (e *event) line(w func(string), s string) {
	if intercept != nil && intercept(e.name, s) {
		return
	}
	e.write(w, func() string { return s })
}

func logLine(w func(string), s string) {
	e := newEvent("line") // want `not put back on the path that ends here`
	e.line(w, s)
}

// This one asks the value, which may be somebody else's.
func (e *event) ifOn(w func(string), s string) {
	if !e.on {
		return
	}
	e.write(w, func() string { return s })
}

func logIfOn(w func(string), s string) {
	e := newEvent("on")
	e.ifOn(w, s)
}

// This one is named for what it does, or does not.
func (e *event) release(w func(string), quiet bool) {
	if quiet {
		return
	}
	e.write(w, func() string { return "" })
}

func logReleased(w func(string), quiet bool) {
	e := newEvent("released")
	e.release(w, quiet)
}
