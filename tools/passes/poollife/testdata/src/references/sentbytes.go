// SPDX-License-Identifier: BSD-3-Clause

package references

import (
	"io"
	"sync"
	"sync/atomic"
)

// Frames that are sent to a writer, which puts them, point into the memory of a blob that it does not know of.

type blob struct {
	refs atomic.Int32
	data [512]byte
	n    int
}

var blobs = sync.Pool{New: func() any { return new(blob) }}

func newBlob(b []byte) *blob {
	l := blobs.Get().(*blob)
	l.n = copy(l.data[:], b)
	l.refs.Store(1)
	return l
}

func (l *blob) hold() { l.refs.Add(1) }

func (l *blob) release() {
	if l.refs.Add(-1) == 0 {
		blobs.Put(l)
	}
}

type blobFrame struct {
	b    []byte
	of   *blob
	done chan struct{}
}

var blobFrames = sync.Pool{New: func() any { return &blobFrame{done: make(chan struct{}, 1)} }}

func (f *blobFrame) release() {
	if f.of != nil {
		f.of.release()
	}
	f.b, f.of = nil, nil
	blobFrames.Put(f)
}

type blobWriter struct {
	w      io.Writer
	frames chan *blobFrame
}

func (w *blobWriter) loop() {
	for f := range w.frames {
		w.w.Write(f.b)
		f.release()
	}
}

func (w *blobWriter) try(f *blobFrame) bool {
	select {
	case w.frames <- f:
		return true
	default:
		f.release()
		return false
	}
}

func (w *blobWriter) write(b []byte) bool {
	l := newBlob(b)
	f := blobFrames.Get().(*blobFrame)
	f.b = l.data[:l.n]
	ok := w.try(f)
	l.release() // want `l is put in blobs while the receiver from the channel .* may still use it`
	return ok
}

func (w *blobWriter) writeHeld(b []byte) bool { // right: the frame has a reference
	l := newBlob(b)
	f := blobFrames.Get().(*blobFrame)
	l.hold()
	f.b, f.of = l.data[:l.n], l
	ok := w.try(f)
	l.release()
	return ok
}

func (w *blobWriter) writeCopy(b []byte) bool { // right
	l := newBlob(b)
	f := blobFrames.Get().(*blobFrame)
	f.b = append([]byte(nil), l.data[:l.n]...)
	ok := w.try(f)
	l.release()
	return ok
}

func (w *blobWriter) writeGiven(b []byte) bool { // right: the only reference goes with the frame
	l := newBlob(b)
	f := blobFrames.Get().(*blobFrame)
	f.b, f.of = l.data[:l.n], l
	return w.try(f)
}

// A scratch is not counted.
type scratchBytes struct{ data [512]byte }

var scratches = sync.Pool{New: func() any { return new(scratchBytes) }}

func (w *blobWriter) writeScratch(b []byte) {
	s := scratches.Get().(*scratchBytes)
	f := blobFrames.Get().(*blobFrame)
	f.b = s.data[:copy(s.data[:], b)]
	w.frames <- f
	scratches.Put(s) // want `s is put in scratches while the receiver from the channel .* may still use it`
}

type ackedWriter struct {
	frames chan *blobFrame
	acks   chan struct{}
}

func (w *ackedWriter) writeAcked(b []byte) { // right: it was written when the answer comes
	s := scratches.Get().(*scratchBytes)
	f := blobFrames.Get().(*blobFrame)
	f.b = s.data[:copy(s.data[:], b)]
	w.frames <- f
	<-w.acks
	scratches.Put(s)
}

func (w *ackedWriter) loop(out io.Writer) {
	for f := range w.frames {
		out.Write(f.b)
		f.release()
		w.acks <- struct{}{}
	}
}
