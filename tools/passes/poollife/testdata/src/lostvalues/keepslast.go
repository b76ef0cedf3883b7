// SPDX-License-Identifier: BSD-3-Clause

package lostvalues

import "io"

// Strips of a tape, which come from a list of idle ones.

var idleStrips = make(chan []byte, 64)

func takeStrip(n int) []byte {
	select {
	case s := <-idleStrips:
		return s
	default:
		return make([]byte, 0, n)
	}
}

func giveStrip(s []byte) {
	select {
	case idleStrips <- s:
	default:
	}
}

type tape struct{ strips [][]byte }

func (t *tape) add(p []byte) {
	for {
		last := len(t.strips) - 1
		room := cap(t.strips[last]) - len(t.strips[last])
		if room >= len(p) {
			t.strips[last] = append(t.strips[last], p...)
			return
		}
		t.strips[last] = append(t.strips[last], p[:room]...)
		p = p[room:]
		t.strips = append(t.strips, takeStrip(1024))
	}
}

func (t *tape) writeTo(w io.Writer) error {
	for _, s := range t.strips {
		if _, err := w.Write(s); err != nil {
			return err
		}
	}
	t.rewind()
	return nil
}

// rewind keeps the last strip for what comes next.
func (t *tape) rewind() {
	last := len(t.strips) - 1
	for _, s := range t.strips[:last] {
		giveStrip(s[:0])
	}
	t.strips[0] = t.strips[last][:0]
	t.strips = t.strips[:1]
}

type recorder struct{ tapes []*tape }

func (r *recorder) grow(n int) {
	for len(r.tapes) < n {
		r.tapes = append(r.tapes, &tape{strips: [][]byte{takeStrip(1024)}})
	}
}

// Wrong: nothing comes next.
func (r *recorder) clear() {
	for _, t := range r.tapes {
		t.rewind()
	}
	r.tapes = nil // want `let go of here, and with each element what its strips has left: rewind puts all but one`
}

// Right: the tapes are used again.
type recorder2 struct{ tapes2 []*tape }

func (r *recorder2) grow(n int) {
	for len(r.tapes2) < n {
		r.tapes2 = append(r.tapes2, &tape{strips: [][]byte{takeStrip(1024)}})
	}
}

func (r *recorder2) clear() {
	for _, t := range r.tapes2 {
		t.rewind()
	}
}

// Right: others have the tapes as well.
type recorder3 struct {
	tapes3 []*tape
	byName map[string]*tape
}

func (r *recorder3) grow(name string) {
	t := &tape{strips: [][]byte{takeStrip(1024)}}
	r.byName[name] = t
	r.tapes3 = append(r.tapes3, t)
}

func (r *recorder3) clear() {
	for _, t := range r.tapes3 {
		t.rewind()
	}
	r.tapes3 = nil
}

// Right: the last strip is put when the tape ends.
type reel struct{ strips4 [][]byte }

func (t *reel) add(p []byte) {
	t.strips4 = append(t.strips4, append(takeStrip(len(p)), p...))
}

func (t *reel) rewind() {
	last := len(t.strips4) - 1
	for _, s := range t.strips4[:last] {
		giveStrip(s[:0])
	}
	t.strips4[0] = t.strips4[last][:0]
	t.strips4 = t.strips4[:1]
}

func (t *reel) end() {
	for _, s := range t.strips4 {
		giveStrip(s[:0])
	}
	t.strips4 = nil
}

type recorder4 struct{ reels []*reel }

func (r *recorder4) grow() { r.reels = append(r.reels, &reel{strips4: [][]byte{takeStrip(8)}}) }

func (r *recorder4) clear() {
	for _, t := range r.reels {
		t.rewind()
		t.end()
	}
	r.reels = nil
}

// Right: all go back.
type spool struct{ strips5 [][]byte }

func (t *spool) add(p []byte) {
	t.strips5 = append(t.strips5, append(takeStrip(len(p)), p...))
}

func (t *spool) rewind() {
	for _, s := range t.strips5 {
		giveStrip(s[:0])
	}
	t.strips5 = t.strips5[:0]
}

type recorder5 struct{ spools []*spool }

func (r *recorder5) grow() { r.spools = append(r.spools, &spool{}) }

func (r *recorder5) clear() {
	for _, t := range r.spools {
		t.rewind()
	}
	r.spools = nil
}
