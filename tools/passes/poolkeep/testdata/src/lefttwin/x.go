// What is noted in one of two fields by the mode: where each use begins with the one set back, so it has to with the other.
package lefttwin

import (
	"errors"
	"sync"
)

// Taken with all fields set but one.

type verdict struct {
	rule, status int
}

type engine struct {
	mode string
	pool sync.Pool
}

type check struct {
	id       string
	owner    *engine
	mode     string
	hits     []int
	denied   *verdict
	wouldve  *verdict
	observer func(*verdict)
}

func newEngine(mode string) *engine {
	return &engine{mode: mode, pool: sync.Pool{New: func() any { return new(check) }}}
}

func (e *engine) begin(id string) *check { // want `begin resets fields of the pooled check but not wouldve`
	c := e.pool.Get().(*check)
	c.id, c.owner, c.mode = id, e, e.mode
	c.hits = []int{}
	c.denied = nil
	c.observer = nil
	return c
}

func (c *check) hit(rule, status int) {
	c.hits = append(c.hits, rule)
	v := &verdict{rule, status}
	if c.mode == "block" {
		c.denied = v
	} else if c.wouldve == nil {
		c.wouldve = v
	}
}

func (c *check) verdict() *verdict {
	if c.mode == "block" {
		return c.denied
	}
	return c.wouldve
}

func (c *check) end() { c.owner.pool.Put(c) }

// Set back where it is put, by a method; what is noted is an error that the caller has.

type batch struct {
	rows    int
	fatal   error
	ignored error
}

var batches = sync.Pool{New: func() any { return new(batch) }}

func (b *batch) clear() {
	b.rows = 0
	b.fatal = nil
}

func (b *batch) note(err error, strict bool) {
	switch {
	case strict:
		if b.fatal == nil {
			b.fatal = err
		}
	case b.ignored == nil:
		b.ignored = err
	}
}

func open() *batch { return batches.Get().(*batch) } // want `field ignored of the value from batches is reset neither here nor before a Put`

func (b *batch) close() (int, error) {
	n, err := b.rows, errors.Join(b.fatal, b.warning())
	b.clear()
	batches.Put(b)
	return n, err
}

func (b *batch) warning() error { return b.ignored }

// By a function that makes what is noted, in a closure, and with two literals.

type mark struct {
	at   int
	text string
}

func newMark(at int, text string) *mark { return &mark{at, text} }

type scan struct {
	src   string
	bad   *mark
	shaky *mark
	left  int
}

var scans = sync.Pool{New: func() any { return new(scan) }}

func scanned(src string, strict bool, each func(string, func(int, string))) *scan { // want `scanned resets fields of the pooled scan but not shaky`
	s := scans.Get().(*scan)
	s.src, s.left, s.bad = src, len(src), nil
	each(src, func(at int, text string) {
		if strict {
			s.bad = newMark(at, text)
			return
		}
		if s.shaky == nil {
			s.shaky = newMark(at, text)
		}
	})
	return s
}

func (s *scan) first() *mark {
	if s.bad != nil {
		return s.bad
	}
	return s.shaky
}

func (s *scan) free() { scans.Put(s) }

// A string.

type lookup struct {
	host   string
	answer string
	guess  string
	n      int
}

var lookups sync.Pool

func newLookup(host string) *lookup { // want `newLookup resets fields of the pooled lookup but not guess`
	l, _ := lookups.Get().(*lookup)
	if l == nil {
		l = new(lookup)
	}
	l.host = host
	l.answer = ""
	l.n = 0
	return l
}

func (l *lookup) found(addr string, sure bool) {
	l.n++
	if !sure {
		if l.guess == "" {
			l.guess = addr
		}
		return
	}
	l.answer = addr
}

func (l *lookup) result() (string, bool) {
	if l.answer != "" {
		return l.answer, true
	}
	return l.guess, false
}

func (l *lookup) free() { lookups.Put(l) }
