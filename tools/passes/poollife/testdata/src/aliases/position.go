// SPDX-License-Identifier: BSD-3-Clause

package aliases

import (
	"crypto/cipher"
	"io"
	"sync"
)

var inputs = sync.Pool{New: func() any { return new([]byte) }}

type session struct {
	aead  cipher.AEAD
	nonce []byte
	raw   *[]byte
	off   int
	plain []byte
}

// A position that has come to the end of the slice is no count of references.
func (s *session) next(n int) error {
	if s.raw == nil {
		return io.ErrNoProgress
	}
	record := (*s.raw)[s.off : s.off+n]
	s.off += n
	data, err := s.aead.Open(record[:0], s.nonce, record, nil)
	if err != nil {
		return err
	}
	if s.off == len(*s.raw) {
		inputs.Put(s.raw)
		s.raw, s.off = nil, 0
	}
	s.plain = append(s.plain, data...) // want `s.raw is read after it was put in inputs`
	return nil
}

func (s *session) nextRight(n int) error {
	if s.raw == nil {
		return io.ErrNoProgress
	}
	record := (*s.raw)[s.off : s.off+n]
	s.off += n
	data, err := s.aead.Open(record[:0], s.nonce, record, nil)
	if err != nil {
		return err
	}
	s.plain = append(s.plain, data...)
	if s.off == len(*s.raw) {
		inputs.Put(s.raw)
		s.raw, s.off = nil, 0
	}
	return nil
}

type shared struct {
	users int
	data  []byte
}

var shareds = sync.Pool{New: func() any { return new(shared) }}

// A count of references is tested with a constant: somebody else may have one.
func (s *shared) leave() []byte {
	data := s.data
	if s.users--; s.users == 0 {
		shareds.Put(s)
	}
	return data
}

type queue struct {
	chunks [][]byte
	r      int
}

func putSlice(b []byte) {
	switch len(b) {
	case 1 << 10:
		inputs.Put(&b) // want `&b is put in inputs a second time`
	case 2 << 10:
		inputs.Put(&b) // want `&b is put in inputs a second time`
	}
}

// The chunks move up: the first one is another after the Put.
func (q *queue) read(p []byte) (n int) {
	for len(p) > 0 && len(q.chunks) > 0 {
		k := copy(p, q.chunks[0][q.r:])
		p = p[k:]
		n += k
		q.r += k
		if q.r == len(q.chunks[0]) {
			putSlice(q.chunks[0])
			end := len(q.chunks) - 1
			copy(q.chunks, q.chunks[1:])
			q.chunks[end] = nil
			q.chunks = q.chunks[:end]
			q.r = 0
		}
	}
	return n
}

// Here they do not.
func (q *queue) readAgain(p []byte) (n int) {
	for len(p) > 0 && len(q.chunks) > 0 {
		k := copy(p, q.chunks[0][q.r:]) // want `q.chunks\[0\] is read after it was put in inputs`
		p = p[k:]
		n += k
		q.r += k
		if q.r == len(q.chunks[0]) {
			putSlice(q.chunks[0])
			q.r = 0
		}
	}
	return n
}
