package fix

import "sync"

type entry struct{ p *int }

type list struct{ items []entry }

var lists = sync.Pool{New: func() any { return new(list) }}

func put(l *list) {
	l.items = l.items[:0]
	lists.Put(l) // want `the slice is cut to length 0 but not cleared`
}

var refs = sync.Pool{New: func() any { return new([]*int) }}

func putRefs(p *[]*int) {
	*p = (*p)[:0]
	refs.Put(p) // want `the slice is cut to length 0 but not cleared`
}
