// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import "sync"

type ringOf struct{ data []byte }

var ringsOf = sync.Pool{New: func() any { return new(ringOf) }}

func (r *ringOf) put() {
	r.data = r.data[:0]
	ringsOf.Put(r)
}

// A link is made elsewhere; here nothing sets its ring.
type link struct {
	open   bool
	out    *ringOf
	closed func(*link) bool
}

func (l *link) release() {
	l.open = false
	l.out.put()
}

// Wrong: what still had data is released, and released again with the rest. The hook, which is not in view, cannot
// have changed a field that only this package sees.
func (l *link) end() {
	if !l.open {
		return
	}
	if len(l.out.data) > 0 {
		l.out.put()
	}
	if l.closed(l) {
		return
	}
	l.release() // want `l.out is put in ringsOf a second time`
}

// A relink has a new ring set by whoever is told of the end.
type relink struct {
	open   bool
	out    *ringOf
	closed func(*relink)
}

func (l *relink) renew() { l.out = ringsOf.Get().(*ringOf) }

// Right: the hook may have renewed it.
func (l *relink) end() {
	if len(l.out.data) > 0 {
		l.out.put()
	}
	l.closed(l)
	l.out.put()
}
