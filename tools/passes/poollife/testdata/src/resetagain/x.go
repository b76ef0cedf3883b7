package resetagain

import (
	"bytes"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func release(b *bytes.Buffer) {
	if b.Cap() > 1<<16 {
		return
	}
	b.Reset()
	buffers.Put(b)
}

// Wrong: what finish puts stays in the list, and reset puts it again.

type builder struct {
	out   io.Writer
	parts []*bytes.Buffer
}

func (b *builder) add(p []byte) {
	part := buffers.Get().(*bytes.Buffer)
	part.Write(p)
	b.parts = append(b.parts, part)
}

func (b *builder) finish() error {
	for _, p := range b.parts {
		if _, err := b.out.Write(p.Bytes()); err != nil {
			return err
		}
		release(p) // want `what the elements of parts have is put here, and they stay in it: reset puts it again`
	}
	return nil
}

func (b *builder) reset(out io.Writer) {
	for _, p := range b.parts {
		release(p)
	}
	b.parts = b.parts[:0]
	b.out = out
}

// Wrong: the same with a function that each has.

type step struct {
	buf  *bytes.Buffer
	done func()
}

type plan struct {
	out   io.Writer
	steps []step
}

func (p *plan) add(b []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Write(b)
	p.steps = append(p.steps, step{buf: buf, done: func() { release(buf) }})
}

func (p *plan) run() error {
	for i, s := range p.steps {
		if _, err := s.buf.WriteTo(p.out); err != nil {
			p.steps = p.steps[i:]
			return err
		}
		s.done() // want `what the elements of steps have is put here, and they stay in it: Reset puts it again`
	}
	return nil
}

func (p *plan) Reset(out io.Writer) {
	for i := range p.steps {
		p.steps[i].done()
	}
	p.steps = nil
	p.out = out
}

// Right: emptied by both.

type queue struct {
	out   io.Writer
	parts []*bytes.Buffer
}

func (q *queue) add(p []byte) {
	part := buffers.Get().(*bytes.Buffer)
	part.Write(p)
	q.parts = append(q.parts, part)
}

func (q *queue) finish() error {
	for _, p := range q.parts {
		if _, err := q.out.Write(p.Bytes()); err != nil {
			return err
		}
	}
	for _, p := range q.parts {
		release(p)
	}
	q.parts = q.parts[:0]
	return nil
}

func (q *queue) reset(out io.Writer) {
	for _, p := range q.parts {
		release(p)
	}
	q.parts = q.parts[:0]
	q.out = out
}

// Right: reset asks whether it was finished.

type stage struct {
	out   io.Writer
	done  bool
	parts []*bytes.Buffer
}

func (s *stage) add(p []byte) {
	part := buffers.Get().(*bytes.Buffer)
	part.Write(p)
	s.parts = append(s.parts, part)
}

func (s *stage) finish() error {
	for _, p := range s.parts {
		s.out.Write(p.Bytes())
		release(p)
	}
	s.done = true
	return nil
}

func (s *stage) reset(out io.Writer) {
	if !s.done {
		for _, p := range s.parts {
			release(p)
		}
	}
	s.parts = s.parts[:0]
	s.out, s.done = out, false
}

// Right: each is taken out when it is put.

type tray struct {
	out   io.Writer
	parts []*bytes.Buffer
}

func (t *tray) add(p []byte) {
	part := buffers.Get().(*bytes.Buffer)
	part.Write(p)
	t.parts = append(t.parts, part)
}

func (t *tray) finish() {
	for i, p := range t.parts {
		t.out.Write(p.Bytes())
		release(p)
		t.parts[i] = nil
	}
}

func (t *tray) reset(out io.Writer) {
	for _, p := range t.parts {
		if p != nil {
			release(p)
		}
	}
	t.parts = t.parts[:0]
	t.out = out
}

// Right: functions that put nothing.

type job struct{ done func() }

type jobs struct{ list []job }

func (j *jobs) add(n *int) { j.list = append(j.list, job{done: func() { *n++ }}) }

func (j *jobs) run() {
	for _, x := range j.list {
		x.done()
	}
}

func (j *jobs) reset() {
	for _, x := range j.list {
		x.done()
	}
	j.list = j.list[:0]
}
