// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import "sync"

// A flag in the value that is put is its next user's: it guards no second call.

type flagged struct {
	vals   []float64
	pos    int
	closed bool
}

var flaggeds = sync.Pool{New: func() any { return new(flagged) }}

func takeFlagged(vals []float64) *flagged {
	f := flaggeds.Get().(*flagged)
	f.vals, f.pos, f.closed = vals, -1, false
	return f
}

func (f *flagged) next() bool { f.pos++; return f.pos < len(f.vals) }

func (f *flagged) Close() {
	if f.closed {
		return
	}
	f.closed = true
	f.vals = nil
	flaggeds.Put(f)
}

type sums struct{ of []*flagged }

func (s *sums) add(f *flagged) {
	if !f.next() {
		f.Close()
		return
	}
	s.of = append(s.of, f)
}

func sumBoth(vals []float64) int {
	f := takeFlagged(vals)
	defer f.Close() // want `f is put in flaggeds a second time, when its next user has reset field closed`
	var s sums
	s.add(f)
	return len(s.of)
}

func closeFlaggedTwice(vals []float64) {
	f := takeFlagged(vals)
	f.Close()
	f.Close() // want `f is put in flaggeds a second time, when its next user has reset field closed`
}

func sumOne(vals []float64) (n int) {
	f := takeFlagged(vals)
	defer f.Close()
	for f.next() {
		n++
	}
	return n
}

// The flag of a handle, which is no pooled value, holds.
type flagHandle struct {
	f      *flagged
	closed bool
}

func (h *flagHandle) Close() {
	if h.closed {
		return
	}
	h.closed = true
	h.f.vals = nil
	flaggeds.Put(h.f)
}

func closeHandle(vals []float64) {
	h := &flagHandle{f: takeFlagged(vals)}
	defer h.Close()
	if len(vals) == 0 {
		h.Close()
	}
}
