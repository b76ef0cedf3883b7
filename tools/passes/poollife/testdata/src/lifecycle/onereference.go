// SPDX-License-Identifier: BSD-3-Clause

package lifecycle

import (
	"bytes"
	"sync"
	"sync/atomic"
)

// A count that begins with one and is only counted down is nobody's but the owner's.

var slabs = sync.Pool{New: func() any { return new(slab) }}

type slab struct {
	refs atomic.Int32
	b    []byte
}

func (s *slab) drop() {
	if s.refs.Add(-1) == 0 {
		slabs.Put(s)
	}
}

type slabReader struct {
	next func() []byte
	cur  *slab
}

func (r *slabReader) more() bool {
	if r.cur != nil {
		r.cur.drop()
		r.cur = nil
	}
	b := r.next()
	if b == nil {
		return false
	}
	r.cur = slabs.Get().(*slab)
	r.cur.refs.Store(1)
	r.cur.b = append(r.cur.b[:0], b...)
	return true
}

type largest struct{ b []byte }

func (l *largest) of(b []byte) {
	if bytes.Compare(b, l.b) > 0 {
		l.b = b
	}
}

func (l *largest) copyOf(b []byte) {
	if bytes.Compare(b, l.b) > 0 {
		l.b = append(l.b[:0], b...)
	}
}

func findLargest(r *slabReader) []byte {
	l := new(largest)
	for r.more() {
		l.of(r.cur.b) // want `is passed to Compare after it was put in slabs`
	}
	return l.b // want `memory of r is returned after it was put in slabs`
}

func findLargestRight(r *slabReader) []byte {
	l := new(largest)
	for r.more() {
		l.copyOf(r.cur.b)
	}
	return l.b
}

// One that others hold, too, is another matter.

var shares = sync.Pool{New: func() any { return new(share) }}

type share struct {
	refs atomic.Int32
	b    []byte
}

func (s *share) hold() *share {
	s.refs.Add(1)
	return s
}

func (s *share) drop() {
	if s.refs.Add(-1) == 0 {
		shares.Put(s)
	}
}

func useShare(s *share, with func(*share)) int {
	with(s.hold())
	s.drop()
	return len(s.b)
}
