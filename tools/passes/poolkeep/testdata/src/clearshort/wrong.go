package clearshort

import "sync"

type row struct {
	id   int
	data []byte
	tags map[string]string
}

type rows struct{ list []*row }

var pool = sync.Pool{New: func() any { return new(rows) }}

// Filtered in place.

func best(all []*row, ok func(*row) bool) int {
	r := pool.Get().(*rows)
	r.list = append(r.list, all...)
	keep := r.list[:0]
	for _, x := range r.list {
		if ok(x) {
			keep = append(keep, x)
		}
	}
	r.list = keep
	n := len(r.list)
	clear(r.list) // want `r\.list is cleared after it was shortened in place \(line 23\)`
	r.list = r.list[:0]
	pool.Put(r)
	return n
}

// By a count, in a method of its own; cleared in another.

type batch struct{ objs []any }

var batches = sync.Pool{New: func() any { return new(batch) }}

func (b *batch) compact() {
	n := 0
	for _, o := range b.objs {
		if o != nil {
			b.objs[n] = o
			n++
		}
	}
	b.objs = b.objs[:n]
}

func (b *batch) reset() {
	clear(b.objs) // want `b\.objs is cleared after it was shortened in place`
	b.objs = b.objs[:0]
}

func send(list []any, out func(any)) {
	b := batches.Get().(*batch)
	b.objs = append(b.objs, list...)
	b.compact()
	for _, o := range b.objs {
		out(o)
	}
	b.reset()
	batches.Put(b)
}

// Cut to a limit.

type page struct{ hits []*row }

var pages = sync.Pool{New: func() any { return new(page) }}

func first(all []*row, limit int, out func(*row)) {
	p := pages.Get().(*page)
	p.hits = append(p.hits, all...)
	if len(p.hits) > limit {
		p.hits = p.hits[:limit]
	}
	for _, h := range p.hits {
		out(h)
	}
	clear(p.hits) // want `p\.hits is cleared after it was shortened in place`
	p.hits = p.hits[:0]
	pages.Put(p)
}

// A pointer to the slice itself.

var lists = sync.Pool{New: func() any { return new([]*row) }}

func odd(all []*row, out func(*row)) {
	p := lists.Get().(*[]*row)
	list := append((*p)[:0], all...)
	keep := list[:0]
	for _, x := range list {
		if x.id%2 == 1 {
			keep = append(keep, x)
		}
	}
	for _, x := range keep {
		out(x)
	}
	clear(keep) // want `keep is cleared after it was shortened in place`
	*p = keep[:0]
	lists.Put(p) // want `lists keeps p, put at line 105, whatever its size`
}
