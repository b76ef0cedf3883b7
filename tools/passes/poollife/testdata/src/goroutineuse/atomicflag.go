// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
)

var leaves = sync.Pool{New: func() any { return new(leaf) }}

type leaf struct{ text []byte }

// A sheet asks, under its lock, whether it was closed.
type sheet struct {
	mu     sync.Mutex
	page   *leaf
	closed atomic.Bool
}

func (s *sheet) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Load() {
		return 0, io.ErrClosedPipe
	}
	s.page.text = append(s.page.text, b...)
	return len(b), nil
}

type job interface{ Run(io.Writer) error }

func runClosed(ctx context.Context, j job) error {
	s := &sheet{page: leaves.Get().(*leaf)}
	done := make(chan error, 1)
	go func() { done <- j.Run(s) }()
	select {
	case err := <-done:
		leaves.Put(s.page)
		return err
	case <-ctx.Done():
		s.mu.Lock()
		s.closed.Store(true)
		leaves.Put(s.page)
		s.mu.Unlock()
		return ctx.Err()
	}
}

// A slate asks without a lock: it may be in the middle of a Write.
type slate struct {
	page   *leaf
	closed atomic.Bool
}

func (s *slate) Write(b []byte) (int, error) {
	if s.closed.Load() {
		return 0, io.ErrClosedPipe
	}
	s.page.text = append(s.page.text, b...)
	return len(b), nil
}

func runUnlocked(ctx context.Context, j job) error {
	s := &slate{page: leaves.Get().(*leaf)}
	done := make(chan error, 1)
	go func() { done <- j.Run(s) }()
	select {
	case err := <-done:
		leaves.Put(s.page)
		return err
	case <-ctx.Done():
		s.closed.Store(true)
		leaves.Put(s.page) // want `goroutine`
		return ctx.Err()
	}
}
