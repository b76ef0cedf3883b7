// SPDX-License-Identifier: BSD-3-Clause

package lostingo

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

// Errors in variables that goroutines set: whether there is one shows when they have been waited for.

var scrolls = sync.Pool{New: func() any { return new(scroll) }}

type scroll struct{ lines [8]string }

var errTorn = errors.New("torn")

func (s *scroll) copyFrom(lines []string) error {
	if len(lines) > len(s.lines) {
		return errTorn
	}
	copy(s.lines[:], lines)
	clear(s.lines[len(lines):])
	return nil
}

// Wrong: where it could not be copied, the scroll is lost.
func copyBeside(lines []string, read func(*[8]string)) error {
	s := scrolls.Get().(*scroll) // want `s, taken from scrolls at line \d+, is not put back on the path that ends here`
	var wg sync.WaitGroup
	var err error
	wg.Go(func() { err = s.copyFrom(lines) })
	wg.Wait()
	if err != nil {
		return err
	}
	read(&s.lines)
	scrolls.Put(s)
	return nil
}

// Wrong: the same, the variable set a closure further in.
func copyBesideInner(lines []string, read func(*[8]string)) error {
	s := scrolls.Get().(*scroll) // want `s, taken from scrolls at line \d+, is not put back on the path that ends here`
	var wg sync.WaitGroup
	var failed error
	var once sync.Once
	wg.Add(1)
	go func() {
		defer wg.Done()
		if err := s.copyFrom(lines); err != nil {
			once.Do(func() { failed = err })
		}
	}()
	wg.Wait()
	if failed != nil {
		return failed
	}
	read(&s.lines)
	scrolls.Put(s)
	return nil
}

// Right: it is put in both cases.
func copyBesideRight(lines []string, read func(*[8]string)) error {
	s := scrolls.Get().(*scroll)
	var wg sync.WaitGroup
	var err error
	wg.Go(func() { err = s.copyFrom(lines) })
	wg.Wait()
	if err != nil {
		scrolls.Put(s)
		return err
	}
	read(&s.lines)
	scrolls.Put(s)
	return nil
}

// Right: no goroutine sets this one.
func copyBesideOther(lines []string, read func(*[8]string)) error {
	s := scrolls.Get().(*scroll)
	var wg sync.WaitGroup
	var err error
	wg.Go(func() {
		if s.copyFrom(lines) != nil {
			s.lines[0] = "?"
		}
	})
	wg.Wait()
	if err != nil {
		return err
	}
	read(&s.lines)
	scrolls.Put(s)
	return nil
}

// A quill writes to somewhere, and is in an unknown state when that failed.
type quill struct{ to io.Writer }

var quills = sync.Pool{New: func() any { return new(quill) }}

func (q *quill) write(text string) error {
	_, err := io.WriteString(q.to, text)
	return err
}

// Right: the quill that failed is dropped.
func writeBeside(to io.Writer, text string) error {
	q := quills.Get().(*quill)
	q.to = to
	var wg sync.WaitGroup
	var err error
	wg.Go(func() { err = q.write(text) })
	wg.Wait()
	if err != nil {
		return err
	}
	q.to = nil
	quills.Put(q)
	return nil
}

// Right: the same, the error in another one.
func writeBesideWrapped(to io.Writer, text string) error {
	q := quills.Get().(*quill)
	q.to = to
	var wg sync.WaitGroup
	var failed error
	wg.Go(func() {
		if err := q.write(text); err != nil {
			failed = fmt.Errorf("quill: %w", err)
		}
	})
	wg.Wait()
	if failed != nil {
		return failed
	}
	q.to = nil
	quills.Put(q)
	return nil
}
