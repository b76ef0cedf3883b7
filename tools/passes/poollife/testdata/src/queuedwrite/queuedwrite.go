// SPDX-License-Identifier: BSD-3-Clause

package queuedwrite // Pooled bytes written to a writer that sends them on a channel.

import (
	"bytes"
	"io"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// later writes in a goroutine of its own.
type later struct {
	queue chan []byte
	stop  chan struct{}
}

func (l *later) Write(p []byte) (int, error) {
	select {
	case l.queue <- p:
		return len(p), nil
	case <-l.stop:
		return 0, io.ErrClosedPipe
	}
}

func (l *later) run(to io.Writer) {
	for p := range l.queue {
		to.Write(p)
	}
}

type recorder struct{ to io.Writer }

func newRecorder(w io.Writer) *recorder { return &recorder{to: w} }

func start(w io.Writer) *recorder {
	l := &later{queue: make(chan []byte, 8), stop: make(chan struct{})}
	go l.run(w)
	return newRecorder(l)
}

func (r *recorder) record(s string) error {
	b := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(b)
	b.Reset()
	b.WriteString(s)
	_, err := r.to.Write(b.Bytes()) // want `the memory of b is written to to, whose Write sends it on a channel and returns`
	return err
}

func (r *recorder) recordNow(s string) error {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	_, err := r.to.Write(b.Bytes()[:1]) // want `the memory of b is written to to, whose Write sends it on a channel and returns`
	bufs.Put(b)
	return err
}

func (r *recorder) recordCopy(s string) error {
	b := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(b)
	b.Reset()
	b.WriteString(s)
	_, err := r.to.Write(bytes.Clone(b.Bytes()))
	return err
}

func (r *recorder) recordOwn(s string) error {
	var b bytes.Buffer
	b.WriteString(s)
	_, err := r.to.Write(b.Bytes())
	return err
}

// copying sends a copy.
type copying struct{ queue chan []byte }

func (c *copying) Write(p []byte) (int, error) {
	c.queue <- bytes.Clone(p)
	return len(p), nil
}

// waiting waits until it is written.
type waiting struct {
	queue chan []byte
	done  chan struct{}
}

func (w *waiting) Write(p []byte) (int, error) {
	w.queue <- p
	<-w.done
	return len(p), nil
}

type printer struct{ to, direct io.Writer }

func newPrinter(w io.Writer, c *copying) *printer { return &printer{to: c, direct: &waiting{}} }

func (p *printer) print(s string) error {
	b := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(b)
	b.Reset()
	b.WriteString(s)
	if _, err := p.direct.Write(b.Bytes()); err != nil {
		return err
	}
	_, err := p.to.Write(b.Bytes())
	return err
}

// What the writer is, is not known.
type either struct{ to io.Writer }

func newEither(w io.Writer, l *later) *either {
	if w == nil {
		return &either{to: l}
	}
	return &either{to: w}
}

func (e *either) print(s string) error {
	b := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(b)
	b.Reset()
	b.WriteString(s)
	_, err := e.to.Write(b.Bytes())
	return err
}
