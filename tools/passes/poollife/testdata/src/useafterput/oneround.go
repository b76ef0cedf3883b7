// SPDX-License-Identifier: BSD-3-Clause

package useafterput

import (
	"errors"
	"sync"
)

// A loop that serves requests, with all that it calls in view, is soon more than a walk
// holds: what goes wrong in one turn shows in one turn.

type wireBuf struct {
	b    []byte
	uses int
}

var wireBufs = sync.Pool{New: func() any { return &wireBuf{b: make([]byte, 0, 1500)} }}

func takeWireBuf() *wireBuf {
	w := wireBufs.Get().(*wireBuf)
	w.uses = 1
	w.b = w.b[:1500]
	return w
}

func (w *wireBuf) drop() {
	if cap(w.b) != 1500 { // want `w is read after it was put in wireBufs`
		panic("not one of ours")
	}
	w.uses--
	if w.uses < 0 {
		panic("dropped too often")
	}
	if w.uses == 0 {
		wireBufs.Put(w) // want `w is put in wireBufs a second time`
	}
}

func (w *wireBuf) share() { w.uses++ }

type wireRecord struct {
	b   []byte
	buf *wireBuf
}

type wireSession struct {
	open  bool
	early []wireRecord
	seen  int
	odd   int
}

func cutRecord(b []byte) (kind byte, one, rest []byte, err error) {
	if len(b) < 3 {
		return 0, nil, nil, errors.New("short")
	}
	n := int(b[1])
	if n < 3 || n > len(b) {
		return 0, nil, nil, errors.New("length")
	}
	return b[0], b[:n], b[n:], nil
}

func (s *wireSession) datagram(r wireRecord) (ok bool) {
	for n := 0; len(r.b) > 0; n++ {
		kind, one, rest, err := cutRecord(r.b) // want `is read after it was put in wireBufs`
		if err != nil {
			break
		}
		if n > 0 {
			r.buf.share()
		}
		r.b = one
		if s.record(r, kind) {
			ok = true
		}
		r.b = rest
	}
	return ok
}

func (s *wireSession) record(r wireRecord, kind byte) bool {
	kept := false
	defer func() {
		if !kept {
			r.buf.drop()
		}
	}()
	switch {
	case kind == 1 && !s.open:
		kept = true
		s.early = append(s.early, r)
		return false
	case kind == 2:
		s.odd++
	}
	s.seen += len(r.b)
	return true
}

func (s *wireSession) serve(read func([]byte) (int, error)) error {
	for {
		w := takeWireBuf() // want `w, taken from wireBufs at line 104, is not put back`
		n, err := read(w.b)
		if err != nil {
			w.drop()
			return err
		}
		s.datagram(wireRecord{w.b[:n], w})
	}
}
