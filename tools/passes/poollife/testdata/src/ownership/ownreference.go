// SPDX-License-Identifier: BSD-3-Clause

package ownership

import (
	"sync"
	"sync/atomic"
)

// A reference that a method counts for itself and drops before it is done.

var sheetPool = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

type sheet struct {
	mu    sync.Mutex
	data  *[]byte
	users int
}

func (s *sheet) load() { s.data = sheetPool.Get().(*[]byte) }

func (s *sheet) retain() { s.users++ }

func (s *sheet) done() {
	s.users--
	if s.users <= 0 {
		sheetPool.Put(s.data)
		s.data = nil
	}
}

func (s *sheet) first() byte {
	s.mu.Lock()
	s.users++
	b := *s.data
	s.done()
	s.mu.Unlock()
	return b[0] // want `is read after it was put in sheetPool`
}

func (s *sheet) firstRight() byte {
	s.mu.Lock()
	s.users++
	b := *s.data
	s.mu.Unlock()
	x := b[0]
	s.mu.Lock()
	s.done()
	s.mu.Unlock()
	return x
}

func (s *sheet) all() []byte {
	s.retain()
	defer s.done()
	return *s.data // want `is returned while the deferred call puts it in sheetPool`
}

// The reference goes with it.
func (s *sheet) lend() []byte {
	s.retain()
	return *s.data
}

// Whoever calls has a reference, and perhaps another one.
func (s *sheet) drop() byte {
	b := *s.data
	s.done()
	return b[0]
}

// One of two is left.
func (s *sheet) twice() byte {
	s.users += 2
	b := *s.data
	s.done()
	x := b[0]
	s.done()
	return x
}

type sharedSheet struct {
	data  *[]byte
	users atomic.Int32
}

func (s *sharedSheet) load() { s.data = sheetPool.Get().(*[]byte) }

func (s *sharedSheet) done() {
	if s.users.Add(-1) == 0 {
		sheetPool.Put(s.data)
		s.data = nil
	}
}

func (s *sharedSheet) first() byte {
	s.users.Add(1)
	b := *s.data
	s.done()
	return b[0] // want `is read after it was put in sheetPool`
}

func (s *sharedSheet) firstRight() byte {
	s.users.Add(1)
	defer s.done()
	return (*s.data)[0]
}

func (s *sharedSheet) drop() byte {
	b := *s.data
	s.done()
	return b[0]
}

func (s *sharedSheet) twice() byte {
	s.users.Add(2)
	b := *s.data
	s.done()
	x := b[0]
	s.done()
	return x
}

// The reference is the goroutine's.
func (s *sheet) start() byte {
	s.users++
	b := *s.data
	go func() {
		s.mu.Lock()
		println(len(*s.data))
		s.done()
		s.mu.Unlock()
	}()
	s.done()
	return b[0]
}

// A missive is pooled with its count.
type missive struct {
	users atomic.Int32
	text  []byte
}

var missives = sync.Pool{New: func() any { return new(missive) }}

func (l *missive) keep() { l.users.Add(1) }

func (l *missive) done() {
	if l.users.Add(-1) == 0 {
		l.text = l.text[:0]
		missives.Put(l)
	}
}

// Right: who is given a missive has a reference, beside those that it counts for each turn.
func (l *missive) each(to []func([]byte)) {
	for _, f := range to {
		l.keep()
		f(l.text)
		l.done()
	}
	l.done()
}

// Right: once more than it was given.
func (l *missive) again(f func([]byte)) {
	l.keep()
	f(l.text)
	l.done()
	l.keep()
	f(l.text)
	l.done()
}

// Wrong: of what it counted nothing is left.
func (l *missive) length() int {
	l.keep()
	l.done()
	return len(l.text) // want `is read after it was put in missives`
}
