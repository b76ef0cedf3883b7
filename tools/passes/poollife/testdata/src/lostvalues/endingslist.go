package lostvalues

import (
	"io"
	"sync"
)

// What a slice of an object's holds, of which an error is the end.

var bricks = sync.Pool{New: func() any { b := make([]byte, 0, 4096); return &b }}

func takeBrick() []byte {
	b := *bricks.Get().(*[]byte)
	return b[:0]
}

func giveBrick(b []byte) { bricks.Put(&b) }

type wall struct {
	top  []byte
	used [][]byte
	out  io.Writer
	err  error
}

func (w *wall) grow(n int) []byte {
	if w.err != nil {
		return nil
	}
	if cap(w.top)-len(w.top) < n {
		w.top = takeBrick()
		w.used = append(w.used, w.top)
	}
	w.top = w.top[:len(w.top)+n]
	return w.top[len(w.top)-n:]
}

func (w *wall) build(text []byte) error {
	if w.err != nil {
		return w.err
	}
	if _, err := w.out.Write(text); err != nil {
		w.err = err
		return err // want `build returns here without a Put of what field used holds`
	}
	for i, b := range w.used {
		giveBrick(b)
		w.used[i] = nil
	}
	w.used = w.used[:0]
	w.top = nil
	return nil
}

type wallPutAlways struct {
	top  []byte
	used [][]byte
	out  io.Writer
	err  error
}

func (w *wallPutAlways) grow(n int) []byte {
	if w.err != nil {
		return nil
	}
	if cap(w.top)-len(w.top) < n {
		w.top = takeBrick()
		w.used = append(w.used, w.top)
	}
	w.top = w.top[:len(w.top)+n]
	return w.top[len(w.top)-n:]
}

func (w *wallPutAlways) build(text []byte) error {
	if w.err != nil {
		return w.err
	}
	_, err := w.out.Write(text)
	if err != nil {
		w.err = err
	}
	for i, b := range w.used {
		giveBrick(b)
		w.used[i] = nil
	}
	w.used = w.used[:0]
	w.top = nil
	return err
}

// Who ends it puts what the error left.
type wallClosed struct {
	top  []byte
	used [][]byte
	out  io.Writer
	err  error
}

func (w *wallClosed) grow(n int) []byte {
	if w.err != nil {
		return nil
	}
	if cap(w.top)-len(w.top) < n {
		w.top = takeBrick()
		w.used = append(w.used, w.top)
	}
	w.top = w.top[:len(w.top)+n]
	return w.top[len(w.top)-n:]
}

func (w *wallClosed) build(text []byte) error {
	if w.err != nil {
		return w.err
	}
	if _, err := w.out.Write(text); err != nil {
		w.err = err
		return err
	}
	w.free()
	return nil
}

func (w *wallClosed) free() {
	for i, b := range w.used {
		giveBrick(b)
		w.used[i] = nil
	}
	w.used = w.used[:0]
	w.top = nil
}

func (w *wallClosed) Close() { w.free() }

// An error that is not left in it is no end: the next call puts them.
type wallTried struct {
	top  []byte
	used [][]byte
	out  io.Writer
}

func (w *wallTried) grow(n int) []byte {
	if cap(w.top)-len(w.top) < n {
		w.top = takeBrick()
		w.used = append(w.used, w.top)
	}
	w.top = w.top[:len(w.top)+n]
	return w.top[len(w.top)-n:]
}

func (w *wallTried) build(text []byte) error {
	if _, err := w.out.Write(text); err != nil {
		return err
	}
	for i, b := range w.used {
		giveBrick(b)
		w.used[i] = nil
	}
	w.used = w.used[:0]
	w.top = nil
	return nil
}
