// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import "sync"

// What a table tells of its functions.

type ticketOf struct{ name string }

var ticketPool = sync.Pool{New: func() any { return new(ticketOf) }}

func stayWith(t *ticketOf, out chan string) { out <- t.name }

func goWith(t *ticketOf, out chan string) {
	go func() { out <- t.name }()
}

type op struct {
	brief bool
	do    func(*ticketOf, chan string)
}

type desk struct{ ops map[string]op }

func newDesk() *desk {
	return &desk{ops: map[string]op{"stay": {brief: true, do: stayWith}, "go": {do: goWith}}}
}

func (d *desk) brief(name string, out chan string) {
	back := false
	t := ticketPool.Get().(*ticketOf)
	t.name = name
	defer func() {
		if back {
			t.name = ""
			ticketPool.Put(t)
		}
	}()
	o, ok := d.ops[name]
	if !ok {
		return
	}
	back = o.brief
	o.do(t, out)
}

func (d *desk) long(name string, out chan string) {
	back := false
	t := ticketPool.Get().(*ticketOf)
	t.name = name
	defer func() {
		if back {
			t.name = ""
			ticketPool.Put(t) // want `may still use it`
		}
	}()
	o, ok := d.ops[name]
	if !ok {
		return
	}
	back = !o.brief
	o.do(t, out)
}

// By the number of a kind, in a slice, before the call.

type kindOf int

const (
	atOnce kindOf = iota + 1
	afterwards
)

type kindOp struct {
	kind kindOf
	do   func(*ticketOf, chan string)
}

var kindOps = []kindOp{{atOnce, stayWith}, {afterwards, goWith}}

func byKind(n int, out chan string) {
	o := kindOps[n]
	t := ticketPool.Get().(*ticketOf)
	t.name = "kind"
	o.do(t, out)
	switch o.kind {
	case atOnce:
		ticketPool.Put(t)
	}
}

func byOtherKind(n int, out chan string) {
	o := kindOps[n]
	t := ticketPool.Get().(*ticketOf) // want `is not put back on the path`
	t.name = "kind"
	o.do(t, out)
	switch o.kind {
	case afterwards:
		ticketPool.Put(t) // want `may still use it`
	}
}

// With pointers, made by a function.

type madeOp struct {
	keeps bool
	do    func(*ticketOf, chan string)
}

func newOp(keeps bool, do func(*ticketOf, chan string)) *madeOp { return &madeOp{keeps, do} }

type office struct{ all []*madeOp }

func newOffice() *office {
	return &office{all: []*madeOp{newOp(false, stayWith), newOp(true, goWith)}}
}

func (o *office) each(out chan string) {
	for _, m := range o.all {
		t := ticketPool.Get().(*ticketOf)
		t.name = "each"
		m.do(t, out)
		if !m.keeps {
			ticketPool.Put(t)
		}
	}
}

// A flag that is set later as well tells nothing.

type switchOp struct {
	brief bool
	do    func(*ticketOf, chan string)
}

type switches struct{ by map[string]*switchOp }

func newSwitches() *switches {
	return &switches{by: map[string]*switchOp{"stay": {true, stayWith}, "go": {false, goWith}}}
}

func (s *switches) flip(name string) { s.by[name].brief = true }

func (s *switches) run(name string, out chan string) {
	o := s.by[name]
	t := ticketPool.Get().(*ticketOf)
	t.name = name
	o.do(t, out)
	if o.brief {
		ticketPool.Put(t) // want `may still use it`
	}
}
