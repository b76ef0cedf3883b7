// SPDX-License-Identifier: BSD-3-Clause

package emptyboxes

import (
	"io"
	"strconv"
	"sync"
)

// Wrong: one method fills the list, and another one gives back what is in it.

type stock[T any] struct{ had, boxes sync.Pool }

func (s *stock[T]) take() (v T) {
	if box, ok := s.had.Get().(*T); ok {
		var zero T
		v, *box = *box, zero
		s.boxes.Put(box)
	}
	return v
}

func (s *stock[T]) give(v T) {
	box, ok := s.boxes.Get().(*T)
	if !ok {
		box = new(T)
	}
	*box = v
	s.had.Put(box) // want `had keeps box, put at line \d+, whatever its size: what one large input made grow`
}

var texts stock[[]byte]

type writer struct {
	w    io.Writer
	full [][]byte
}

func (w *writer) add(ns []int64) {
	b := texts.take()[:0]
	for _, n := range ns {
		b = strconv.AppendInt(b, n, 10)
	}
	w.full = append(w.full, b)
}

func (w *writer) flush() (err error) {
	for _, b := range w.full {
		if _, e := w.w.Write(b); e != nil {
			err = e
		}
		texts.give(b)
	}
	w.full = nil
	return err
}
