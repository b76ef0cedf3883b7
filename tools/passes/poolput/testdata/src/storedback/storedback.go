// SPDX-License-Identifier: BSD-3-Clause

// Package storedback has slices of pooled structs that grow where code out of view sees the struct.
package storedback

import (
	"sync"

	"storedback/keys"
)

type search struct {
	key  keys.Key
	seen int
}

var searches sync.Pool

func take() *search {
	v := searches.Get()
	if v == nil {
		return new(search)
	}
	return v.(*search)
}

func give(s *search) {
	s.key.Reset()
	s.seen = 0
	searches.Put(s)
}

func find(p []byte, next func(*search) bool) int {
	s := take()
	defer give(s)
	k := &s.key
	k.B = append(k.B[:0], 1)
	k.B = keys.Number(k.B, len(p))
	k.B = append(k.B, p...)
	for next(s) {
		s.seen++
	}
	return s.seen
}

// This one is not stored.
func lost(p []byte, next func(*search, []byte) bool) int {
	s := take()
	b := append(s.key.B[:0], p...)
	for next(s, b) {
		s.seen++
	}
	n := s.seen
	give(s) // want `the slice of s, put in searches, was appended to \(line 49\), but the grown slice is not stored back`
	return n
}

// prefixed appends for its caller, which stores what it gets.
func prefixed(dst []byte, kind byte) []byte {
	dst = append(dst, kind)
	return dst
}

func findKind(p []byte, next func(*search) bool) int {
	s := take()
	defer give(s)
	k := &s.key
	k.B = prefixed(k.B[:0], 1)
	k.B = keys.Number(k.B, len(p))
	for next(s) {
		s.seen += len(p)
	}
	return s.seen
}

// set appends and stores.
func (s *search) set(p []byte) { s.key.B = append(s.key.B[:0], p...) }

func findSet(p []byte, next func(*search) bool) int {
	s := take()
	defer give(s)
	s.set(p)
	for next(s) {
		s.seen++
	}
	return s.seen
}

// What is stored is not what grew.
func lostKind(p []byte, next func(*search, []byte) bool) int {
	s := take()
	b := prefixed(s.key.B[:0], 1)
	for next(s, b) {
		s.seen += len(p)
	}
	n := s.seen
	give(s) // want `the slice of s, put in searches, was appended to \(line 60\), but the grown slice is not stored back`
	return n
}
