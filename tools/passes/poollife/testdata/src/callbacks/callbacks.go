// SPDX-License-Identifier: BSD-3-Clause

// Package callbacks has functions that are made to be given to code of the package, and
// hooks, which keep what they are lent.
package callbacks

import (
	"bytes"
	"io"
	"sync"
)

type Job struct {
	raw  []byte
	tags map[string]string
	out  chan string
}

var jobs = sync.Pool{New: func() any { return &Job{raw: make([]byte, 512), tags: map[string]string{}} }}

// Name is valid while the job is worked on.
func (j *Job) Name() []byte {
	name, _, _ := bytes.Cut(j.raw, []byte{' '})
	return name
}

type Worker func(*Job) error

// Run is called by users of the package only.
func Run(r io.Reader, w Worker) error {
	j := jobs.Get().(*Job)
	defer func() {
		clear(j.tags)
		j.raw = j.raw[:cap(j.raw)]
		jobs.Put(j)
	}()
	n, err := r.Read(j.raw)
	if err != nil {
		return err
	}
	j.raw = j.raw[:n]
	return w(j) // want `an element of a slice or map keeps memory of j after the value was put in jobs`
}

type Census struct{ names map[string][]byte }

// Count keeps part of the job.
func (c *Census) Count(j *Job) error {
	c.names[string(j.raw)] = j.Name()
	return nil
}

type Roster struct{ names map[string]string }

// Count copies what it keeps.
func (c *Roster) Count(j *Job) error {
	c.names[string(j.raw)] = string(j.Name())
	return nil
}

type Visit struct {
	id   int
	host string
}

var visits = sync.Pool{New: func() any { return new(Visit) }}

type Desk struct{ Welcome func(*Visit) int }

func (d *Desk) Serve(id int, host string) int {
	v := visits.Get().(*Visit)
	v.id, v.host = id, host
	n := d.Welcome(v)
	*v = Visit{}
	visits.Put(v) // want `v is put in visits while the goroutine started at line 83 may still use it`
	return n
}

type book struct{ log io.Writer }

// Greet leaves a goroutine with the visit.
func (b *book) Greet(v *Visit) int {
	go func() { io.WriteString(b.log, v.host) }()
	return v.id
}

// Note gives the goroutine what it needs.
func (b *book) Note(v *Visit) int {
	host := v.host
	go func() { io.WriteString(b.log, host) }()
	return v.id
}

// A trip answers for those that hold it, and asks nobody that has no answers.
type trip struct {
	parent interface {
		Alive() bool
		Value() string
	}
	own map[string]string
}

type Ticket struct{ value string }

func (t *Ticket) Alive() bool   { return false }
func (t *Ticket) Value() string { return t.value }

var tickets = sync.Pool{New: func() any { return new(Ticket) }}

type Gate struct{ Open func(*Ticket, chan string) }

func (g *Gate) Pass(value string, out chan string) {
	t := tickets.Get().(*Ticket)
	t.value = value
	g.Open(t, out)
	t.value = ""
	tickets.Put(t)
}

func (t *trip) value(key string) string {
	if v, ok := t.own[key]; ok {
		return v
	}
	if !t.parent.Alive() {
		return ""
	}
	return t.parent.Value()
}

// Open leaves a goroutine that can get to the ticket, and never asks it.
func (b *book) Open(t *Ticket, out chan string) {
	c := &trip{parent: t, own: map[string]string{}}
	go func() { out <- c.value("a") }()
}

// Records go to several hooks.
type Record struct {
	text string
	buf  []byte
}

type Hook interface{ Fire(*Record) }

type Recorder struct {
	hooks []Hook
	out   io.Writer
	pool  sync.Pool
}

func (r *Recorder) Log(text string) {
	rec, _ := r.pool.Get().(*Record)
	if rec == nil {
		rec = new(Record)
	}
	rec.text = text
	for _, h := range r.hooks {
		h.Fire(rec) // want `an element of a slice or map keeps memory of rec after the value was put in pool`
	}
	rec.buf = append(rec.buf[:0], text...)
	r.out.Write(rec.buf)
	r.pool.Put(rec)
}

type tail struct{ all []*Record }

func (t *tail) Fire(r *Record) { t.all = append(t.all, r) }

type texts struct{ all []string }

func (t *texts) Fire(r *Record) { t.all = append(t.all, r.text) }

type counter struct{ n int }

func (c *counter) Fire(*Record) { c.n++ }

type sizes struct{ max int }

func (s *sizes) Fire(r *Record) { s.max = max(s.max, len(r.text)) }
