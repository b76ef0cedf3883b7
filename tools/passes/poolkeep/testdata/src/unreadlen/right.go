// SPDX-License-Identifier: BSD-3-Clause

package unreadlen

import (
	"bytes"
	"io"
	"net/http"
	"sync"
)

// Right: what is in it is passed on and stays there, so that the length tells how much came.

var views = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putView(b *bytes.Buffer) {
	if b.Len() > most {
		return
	}
	b.Reset()
	views.Put(b)
}

func proxyView(w http.ResponseWriter, r *http.Request) error {
	b := views.Get().(*bytes.Buffer)
	defer putView(b)
	if _, err := b.ReadFrom(r.Body); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Right: the capacity is asked for as well.

var both = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putBoth(b *bytes.Buffer) {
	if b.Len() > most || b.Cap() > 2*most {
		return
	}
	b.Reset()
	both.Put(b)
}

func proxyBoth(w http.ResponseWriter, r *http.Request) error {
	b := both.Get().(*bytes.Buffer)
	defer putBoth(b)
	if _, err := b.ReadFrom(r.Body); err != nil {
		return err
	}
	_, err := io.Copy(w, b)
	return err
}

// Right: it is asked before anything is read.

var early = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func sendEarly(w io.Writer, src io.Reader) error {
	b := early.Get().(*bytes.Buffer)
	b.Reset()
	_, err := io.Copy(b, src)
	if b.Len() > 1<<16 {
		if err == nil {
			_, err = b.WriteTo(w)
		}
		return err
	}
	if err == nil {
		_, err = b.WriteTo(w)
	}
	early.Put(b)
	return err
}

// Right: no more comes than is kept.

var limited = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putLimited(b *bytes.Buffer) {
	if b.Len() > most {
		return
	}
	b.Reset()
	limited.Put(b)
}

func proxyLimited(w http.ResponseWriter, r *http.Request) error {
	b := limited.Get().(*bytes.Buffer)
	defer putLimited(b)
	if _, err := b.ReadFrom(io.LimitReader(r.Body, most)); err != nil {
		return err
	}
	_, err := io.Copy(w, b)
	return err
}

// Right: a reader of its own goes over what the buffer holds.

type frame struct{ buf *bytes.Buffer }

var frames = sync.Pool{New: func() any { return &frame{new(bytes.Buffer)} }}

func (f *frame) release() {
	if f.buf.Len() > 4096 {
		f.buf = new(bytes.Buffer)
	}
	f.buf.Reset()
	frames.Put(f)
}

func pass(src io.Reader, h func(io.Reader) error) error {
	f := frames.Get().(*frame)
	defer f.release()
	if _, err := f.buf.ReadFrom(src); err != nil {
		return err
	}
	return h(bytes.NewReader(f.buf.Bytes()))
}

// Right: what is read was taken out of the struct.

type job struct{ body *bytes.Buffer }

var jobs = sync.Pool{New: func() any { return new(job) }}

func putJob(j *job) {
	if j.body != nil {
		if j.body.Len() > 4096 {
			j.body = nil
		} else {
			j.body.Reset()
		}
	}
	jobs.Put(j)
}

func (j *job) take() *bytes.Buffer {
	b := j.body
	j.body = nil
	return b
}

func do(src io.Reader, w io.Writer) error {
	j := jobs.Get().(*job)
	defer putJob(j)
	if j.body == nil {
		j.body = new(bytes.Buffer)
	}
	if _, err := j.body.ReadFrom(src); err != nil {
		return err
	}
	if j.body.Len() > 100 {
		_, err := j.take().WriteTo(w)
		return err
	}
	_, err := w.Write(j.body.Bytes())
	return err
}
