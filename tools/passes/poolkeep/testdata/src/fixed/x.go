package fixed

import "sync"

type entry struct{ p *int }

type list struct{ items []entry }

var lists = sync.Pool{New: func() any { return new(list) }}

func put(l *list) {
	clear(l.items)
	l.items = l.items[:0]
	lists.Put(l)
}

var refs = sync.Pool{New: func() any { return new([]*int) }}

func putRefs(p *[]*int) {
	clear(*p)
	*p = (*p)[:0]
	refs.Put(p)
}
