// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import "sync"

// A field that points to an entry of a list, all of which are put.

type segment struct {
	used int
	data [256]byte
}

var segments = sync.Pool{New: func() any { return new(segment) }}

func newSegment() *segment {
	s := segments.Get().(*segment)
	s.used = 0
	return s
}

// The last segment is written to afterwards.
type rope struct {
	all  []*segment
	tail *segment
}

func (r *rope) write(b byte) {
	if r.tail == nil || r.tail.used == len(r.tail.data) {
		r.tail = newSegment()
		r.all = append(r.all, r.tail)
	}
	r.tail.data[r.tail.used] = b
	r.tail.used++
}

func (r *rope) empty() {
	for i, s := range r.all {
		segments.Put(s) // want `all that is in the list all is put here, and field tail still points to one of them: write uses it afterwards`
		r.all[i] = nil
	}
	r.all = r.all[:0]
}

func (r *rope) emptyAndForget() {
	for i, s := range r.all {
		segments.Put(s)
		r.all[i] = nil
	}
	r.all, r.tail = r.all[:0], nil
}

// The object ends with it.
func (r *rope) Close() {
	for _, s := range r.all {
		segments.Put(s)
	}
	r.all = nil
}

// Who begins anew sets the field.
type ropeBegun struct {
	all  []*segment
	tail *segment
}

func (r *ropeBegun) begin() { r.tail = nil }

func (r *ropeBegun) write(b byte) {
	if r.tail == nil || r.tail.used == len(r.tail.data) {
		r.tail = newSegment()
		r.all = append(r.all, r.tail)
	}
	r.tail.data[r.tail.used] = b
	r.tail.used++
}

func (r *ropeBegun) empty() {
	for _, s := range r.all {
		segments.Put(s)
	}
	r.all = nil
}

// The field is asked for only where the list has entries.
type ropeAsked struct {
	all  []*segment
	tail *segment
}

func (r *ropeAsked) write(b byte) {
	if len(r.all) == 0 || r.tail.used == len(r.tail.data) {
		r.tail = newSegment()
		r.all = append(r.all, r.tail)
	}
	r.tail.data[r.tail.used] = b
	r.tail.used++
}

func (r *ropeAsked) empty() {
	for _, s := range r.all {
		segments.Put(s)
	}
	r.all = r.all[:0]
}

// It is none of the list's.
type ropeBeside struct {
	all  []*segment
	tail *segment
}

func (r *ropeBeside) write(b byte) {
	if r.tail == nil {
		r.tail = newSegment()
	}
	if r.tail.used == len(r.tail.data) {
		r.all = append(r.all, r.tail)
		r.tail = newSegment()
	}
	r.tail.data[r.tail.used] = b
	r.tail.used++
}

func (r *ropeBeside) empty() {
	for _, s := range r.all {
		segments.Put(s)
	}
	r.all = r.all[:0]
}
