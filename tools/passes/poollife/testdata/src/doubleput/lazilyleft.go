// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import (
	"errors"
	"io"
	"os"
	"sync"
)

// Fields in which nil stands for none yet.

type series struct{ points []float64 }

var seriesPool = sync.Pool{New: func() any { return new(series) }}

type window struct {
	s    *series
	last float64
}

func (w *window) add(x float64) {
	if w.s == nil {
		w.s = seriesPool.Get().(*series)
	}
	w.s.points = append(w.s.points, x)
}

// Wrong: the next add finds it there, and the next emit puts it again.
func (w *window) emit(to func(float64)) {
	if w.s == nil {
		return
	}
	for _, x := range w.s.points {
		to(x)
	}
	w.s.points = w.s.points[:0]
	seriesPool.Put(w.s) // want `what field s holds is put in seriesPool here and left in the field, where nil stands for none`
}

type fullWindow struct{ s *series }

func (w *fullWindow) add(x float64) {
	if w.s == nil {
		w.s = seriesPool.Get().(*series)
	}
	w.s.points = append(w.s.points, x)
}

// Right: there is none then.
func (w *fullWindow) emit(to func(float64)) {
	if w.s == nil {
		return
	}
	for _, x := range w.s.points {
		to(x)
	}
	w.s.points = w.s.points[:0]
	seriesPool.Put(w.s)
	w.s = nil
}

type onceWindow struct{ s *series }

func (w *onceWindow) add(x float64) {
	if w.s == nil {
		w.s = seriesPool.Get().(*series)
	}
	w.s.points = append(w.s.points, x)
}

// Right: the window ends with it, by its name, and only the package calls it.
func (w *onceWindow) free() {
	if w.s == nil {
		return
	}
	w.s.points = w.s.points[:0]
	seriesPool.Put(w.s)
}

type givenWindow struct{ s *series }

func newGivenWindow() *givenWindow { return &givenWindow{s: seriesPool.Get().(*series)} }

// Right: each has one from the start.
func (w *givenWindow) emit(to func(float64)) {
	for _, x := range w.s.points {
		to(x)
	}
	w.s.points = w.s.points[:0]
	seriesPool.Put(w.s)
}

var fileBlocks = sync.Pool{New: func() any { b := make([]byte, 1<<16); return &b }}

// A FileReader takes a block at the first Read.
type FileReader struct {
	File  *os.File
	block *[]byte
	rest  []byte
}

func (r *FileReader) Read(p []byte) (int, error) {
	if r.rest == nil {
		r.block = fileBlocks.Get().(*[]byte)
		n, err := r.File.Read(*r.block)
		if err != nil && n == 0 {
			return 0, err
		}
		r.rest = (*r.block)[:n]
	}
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Wrong: whoever holds the reader as an io.ReadCloser may close it twice.
func (r *FileReader) Close() error {
	if r.block != nil {
		fileBlocks.Put(r.block) // want `what field block holds is put in fileBlocks here and left in the field`
	}
	return r.File.Close()
}

// A ClosedReader tells who reads on.
type ClosedReader struct {
	File  *os.File
	block *[]byte
	rest  []byte
	err   error
}

func (r *ClosedReader) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	if r.rest == nil {
		r.block = fileBlocks.Get().(*[]byte)
		n, err := r.File.Read(*r.block)
		if err != nil {
			r.err = err
			return 0, err
		}
		r.rest = (*r.block)[:n]
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Right: and the second Close puts nothing.
func (r *ClosedReader) Close() error {
	if r.block != nil {
		fileBlocks.Put(r.block)
		r.block, r.rest = nil, nil
	}
	r.err = errors.New("closed")
	return r.File.Close()
}

// Nobody in view closes it: it is made to be an io.ReadCloser.
type blockReader struct {
	file  *os.File
	block *[]byte
}

func (r *blockReader) Read(p []byte) (int, error) {
	if r.block == nil {
		r.block = fileBlocks.Get().(*[]byte)
	}
	n, err := r.file.Read(*r.block)
	return copy(p, (*r.block)[:n]), err
}

// Wrong: the pool has it a second time.
func (r *blockReader) Close() error {
	if r.block == nil {
		return r.file.Close()
	}
	fileBlocks.Put(r.block) // want `what field block holds is put in fileBlocks here and left in the field`
	return r.file.Close()
}

type blockWriter struct {
	to    io.Writer
	block *[]byte
}

func (w *blockWriter) Write(p []byte) (int, error) {
	if w.block == nil {
		w.block = fileBlocks.Get().(*[]byte)
	}
	return w.to.Write((*w.block)[:copy(*w.block, p)])
}

// Wrong: as for a reader.
func (w *blockWriter) Close() error {
	if w.block != nil {
		fileBlocks.Put(w.block) // want `what field block holds is put in fileBlocks here and left in the field`
	}
	return nil
}

type copiedReader struct {
	file  *os.File
	block *[]byte
}

func (r *copiedReader) Read(p []byte) (int, error) {
	if r.block == nil {
		r.block = fileBlocks.Get().(*[]byte)
	}
	n, err := r.file.Read(*r.block)
	return copy(p, (*r.block)[:n]), err
}

// Right: the one caller closes it once.
func (r *copiedReader) Close() error {
	if r.block != nil {
		fileBlocks.Put(r.block)
	}
	return r.file.Close()
}

func copyOf(f *os.File, to []byte) (int, error) {
	r := &copiedReader{file: f}
	defer r.Close()
	return r.Read(to)
}

type loader struct {
	file  *os.File
	block *[]byte
}

func (l *loader) Load() (byte, error) {
	if l.block == nil {
		l.block = fileBlocks.Get().(*[]byte)
	}
	_, err := l.file.Read(*l.block)
	return (*l.block)[0], err
}

// Right, as far as one can see: it is no stream that goes by an interface.
func (l *loader) Close() error {
	if l.block != nil {
		fileBlocks.Put(l.block)
	}
	return l.file.Close()
}
