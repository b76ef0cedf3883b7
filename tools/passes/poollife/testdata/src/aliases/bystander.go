// SPDX-License-Identifier: BSD-3-Clause

package aliases // What leads to pooled memory: composed streams, structs in slices, atomic pointers, and what a goroutine found in a field.

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

var mem = sync.Pool{New: func() any { return new([]byte) }}

type block struct {
	refs atomic.Int32
	data *[]byte
}

func newBlock() *block {
	b := &block{data: mem.Get().(*[]byte)}
	b.refs.Store(1)
	return b
}

func (b *block) acquire() { b.refs.Add(1) }

func (b *block) release() {
	if b.refs.Add(-1) == 0 {
		d := b.data
		b.data = nil
		mem.Put(d)
	}
}

var errLate = errors.New("late")

func within(d time.Duration, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-time.After(d):
		return errLate
	}
}

func stage(p []byte) error { return nil }

func upload(d time.Duration) error {
	b := newBlock()
	err := within(d, func() error { return stage(*b.data) })
	b.release() // want `b is put in mem while the goroutine started at line 39 may still use it`
	return err
}

// The goroutine has a reference of its own.
func uploadCounted(d time.Duration) error {
	b := newBlock()
	b.acquire()
	err := within(d, func() error {
		defer b.release()
		return stage(*b.data)
	})
	b.release()
	return err
}

func uploadDirect(d time.Duration) error {
	b := newBlock()
	done := make(chan error, 1)
	go func() { done <- stage(*b.data) }()
	defer b.release() // want `b is put in mem while the goroutine started at line 72 may still use it`
	select {
	case err := <-done:
		return err
	case <-time.After(d):
		return errLate
	}
}

// Who waits whatever comes may release.
func uploadWait() error {
	b := newBlock()
	defer b.release()
	done := make(chan error, 1)
	go func() { done <- stage(*b.data) }()
	return <-done
}

type holder struct {
	buf  *[]byte
	name string
}

// The goroutine does not read what was in the field.
func named(log func(string)) {
	h := &holder{buf: mem.Get().(*[]byte), name: "x"}
	go func() { log(h.name) }()
	b := h.buf
	h.buf = nil
	mem.Put(b)
}

func filled() {
	h := &holder{buf: mem.Get().(*[]byte), name: "x"}
	go func() { _ = stage(*h.buf) }()
	b := h.buf
	h.buf = nil
	mem.Put(b) // want `b is put in mem while the goroutine started at line 107 may still use it`
}
