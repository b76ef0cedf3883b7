// SPDX-License-Identifier: BSD-3-Clause

// Package neveremptied has pools of buffers that are written by code out of view.
package neveremptied

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
)

type bufferPool struct{ pool sync.Pool }

func (p *bufferPool) Get() *bytes.Buffer {
	if b, ok := p.pool.Get().(*bytes.Buffer); ok {
		return b
	}
	return new(bytes.Buffer)
}

func (p *bufferPool) Put(b *bytes.Buffer) {
	if b.Cap() < 1<<16 {
		p.pool.Put(b) // want `what pool gives is written \(line 36\) and read as a whole \(line 54\), and nothing in the package empties it`
	}
}

var buffers bufferPool

type recorder struct {
	http.ResponseWriter
	body *bytes.Buffer
}

func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }

func (r *recorder) free() { r.body = nil }

func newRecorder(w http.ResponseWriter, b *bytes.Buffer) *recorder {
	return &recorder{ResponseWriter: w, body: b}
}

func recorded(h http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		done := make(chan struct{})
		b := buffers.Get()
		rec := newRecorder(w, b)
		go func() {
			defer close(done)
			h.ServeHTTP(rec, r)
		}()
		<-done
		w.Write(b.Bytes())
		rec.free()
		buffers.Put(b)
	}
}

// Emptied by the object that has it.

type cleanRecorder struct {
	http.ResponseWriter
	kept *bytes.Buffer
}

var cleanBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func (r *cleanRecorder) Write(p []byte) (int, error) { return r.kept.Write(p) }

func (r *cleanRecorder) free() {
	r.kept.Reset()
	if r.kept.Cap() < 1<<16 {
		cleanBuffers.Put(r.kept)
	}
	r.kept = nil
}

func cleanly(h http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		rec := &cleanRecorder{w, cleanBuffers.Get().(*bytes.Buffer)}
		h.ServeHTTP(rec, r)
		w.Write(rec.kept.Bytes())
		rec.free()
	}
}

// What is written to another is gone.

type drainedRecorder struct {
	http.ResponseWriter
	out *bytes.Buffer
}

var drainedBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func (r *drainedRecorder) Write(p []byte) (int, error) { return r.out.Write(p) }

func drained(h http.Handler, log func(string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		rec := &drainedRecorder{w, drainedBuffers.Get().(*bytes.Buffer)}
		h.ServeHTTP(rec, r)
		log(rec.out.String())
		if _, err := rec.out.WriteTo(w); err != nil {
			return
		}
		if rec.out.Cap() < 1<<16 {
			drainedBuffers.Put(rec.out)
		}
	}
}

// Emptied by a function that is given it, which is not in view.

type lentRecorder struct {
	http.ResponseWriter
	lent *bytes.Buffer
}

var lentBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func (r *lentRecorder) Write(p []byte) (int, error) { return r.lent.Write(p) }

func lent(h http.Handler, send func(*bytes.Buffer)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		rec := &lentRecorder{w, lentBuffers.Get().(*bytes.Buffer)}
		h.ServeHTTP(rec, r)
		w.Header().Set("X-Size", rec.lent.String())
		send(rec.lent)
		if rec.lent.Cap() < 1<<16 {
			lentBuffers.Put(rec.lent)
		}
	}
}

// Read to its end.

var readBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type pipe struct{ mid *bytes.Buffer }

func (p *pipe) Write(b []byte) (int, error) { return p.mid.Write(b) }

func through(fill func(io.Writer)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b := readBuffers.Get().(*bytes.Buffer)
		p := &pipe{b}
		fill(p)
		n := strings.Count(b.String(), "\n")
		if n > 0 {
			io.Copy(w, b)
		}
		if b.Cap() < 1<<16 {
			readBuffers.Put(b)
		}
	}
}
