package nilagain

import (
	"sync"
	"sync/atomic"
)

// A count of references of which the path has some left is not at its end.

type leaf struct {
	page  *[]byte
	users atomic.Int32
}

var leafPages = sync.Pool{New: func() any { b := make([]byte, 64); return &b }}

func (l *leaf) load() { l.page = leafPages.Get().(*[]byte) }

func (l *leaf) done() {
	if l.users.Add(-1) == 0 {
		leafPages.Put(l.page)
		l.page = nil
	}
}

func (l *leaf) doneUnless() {
	if l.users.Add(-1) > 0 {
		return
	}
	leafPages.Put(l.page)
	l.page = nil
}

func (l *leaf) both(f func(byte)) { // right
	l.users.Add(2)
	b := *l.page
	l.done()
	f(b[0])
	l.done()
}

func (l *leaf) bothUnless(f func(byte)) { // right
	l.users.Add(2)
	b := *l.page
	l.doneUnless()
	f(b[0])
	l.doneUnless()
}

// Wrong: one more than it counted, and the page is put whatever the count.
func (l *leaf) end() {
	l.users.Add(1)
	l.done()
	if l.page == nil {
		leafPages.Put(l.page) // want `l\.page, which is nil, is put in leafPages`
	}
}
