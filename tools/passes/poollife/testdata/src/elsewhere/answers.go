// SPDX-License-Identifier: BSD-3-Clause

package elsewhere // What is put while a map, a list, a slot or a goroutine still leads to it.

import (
	"io"
	"sync"
)

var pipes = sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}

// One of two has answered; which one is not known.
func join(a, b io.ReadWriter) error {
	buf := pipes.Get().(*[]byte)
	done := make(chan error, 2)
	go func() {
		_, err := io.CopyBuffer(a, b, *buf)
		done <- err
	}()
	go func() {
		_, err := io.Copy(b, a)
		done <- err
	}()
	err := <-done
	pipes.Put(buf) // want `is put in pipes while the goroutine started at line \d+ may still use it`
	return err
}

func joinOther(a, b io.ReadWriter) error {
	buf := pipes.Get().(*[]byte)
	done := make(chan error, 2)
	go func() {
		_, err := io.Copy(b, a)
		done <- err
	}()
	go func() {
		_, err := io.CopyBuffer(a, b, *buf)
		done <- err
	}()
	err := <-done
	pipes.Put(buf) // want `is put in pipes while the goroutine started at line \d+ may still use it`
	return err
}

func joinRight(a, b io.ReadWriter) error {
	buf := pipes.Get().(*[]byte)
	done := make(chan error, 2)
	go func() {
		_, err := io.CopyBuffer(a, b, *buf)
		done <- err
	}()
	go func() {
		_, err := io.Copy(b, a)
		done <- err
	}()
	err := <-done
	if other := <-done; err == nil {
		err = other
	}
	pipes.Put(buf)
	return err
}

func joinLoop(a, b io.ReadWriter) (err error) {
	buf := pipes.Get().(*[]byte)
	done := make(chan error, 2)
	go func() {
		_, err := io.CopyBuffer(a, b, *buf)
		done <- err
	}()
	go func() {
		_, err := io.Copy(b, a)
		done <- err
	}()
	for range 2 {
		if e := <-done; err == nil {
			err = e
		}
	}
	pipes.Put(buf)
	return err
}

// A mark in an object that is in the pool tells its owner nothing.
type rows struct{ list []string }

var rowLists = sync.Pool{New: func() any { return new(rows) }}

type table struct{ r *rows }

func (t *table) Next() bool {
	if len(t.r.list) == 0 {
		rowLists.Put(t.r)
		t.r.list = nil // want `t.r is written after it was put`
		return false
	}
	t.r.list = t.r.list[1:]
	return true
}

func (t *table) Close() {
	if t.r.list != nil {
		rowLists.Put(t.r) // want `t.r is put in rowLists a second time`
	}
}

type rightTable struct{ r *rows }

func (t *rightTable) Next() bool {
	if t.r == nil || len(t.r.list) == 0 {
		t.Close()
		return false
	}
	t.r.list = t.r.list[1:]
	return true
}

func (t *rightTable) Close() {
	if t.r != nil {
		rowLists.Put(t.r)
		t.r = nil
	}
}

// Begin takes the end back, but not the block.
type scan struct {
	b     *[]byte
	ended bool
	at    int
}

func (s *scan) Next() byte {
	if s.ended {
		return 0
	}
	if s.at == len(*s.b) {
		s.ended = true
		pipes.Put(s.b)
		return 0
	}
	s.at++
	return (*s.b)[s.at-1]
}

func (s *scan) Begin() {
	s.ended = false
	s.at = 0
	*s.b = (*s.b)[:0] // want `s.b is written after it was put in pipes`
}

type rightScan struct {
	b     *[]byte
	ended bool
	at    int
}

func (s *rightScan) Next() byte {
	if s.ended {
		return 0
	}
	if s.at == len(*s.b) {
		s.ended = true
		pipes.Put(s.b)
		s.b = nil
		return 0
	}
	s.at++
	return (*s.b)[s.at-1]
}

func (s *rightScan) Begin() {
	if s.ended {
		s.b = pipes.Get().(*[]byte)
	}
	s.ended = false
	s.at = 0
	*s.b = (*s.b)[:0]
}
