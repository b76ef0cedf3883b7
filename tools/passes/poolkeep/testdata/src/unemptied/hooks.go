// SPDX-License-Identifier: BSD-3-Clause

package unemptied

import (
	"fmt"
	"io"
	"sync"
)

// Maps that those add to who are given the struct.

// A Watcher sees each Report before it is written.
type Watcher func(*Report) error

// Wrong: what watchers add is there for the next report.
type Report struct {
	Title  string
	Labels map[string]string
}

type Reporter struct {
	Watchers []Watcher
	Out      io.Writer
	reports  sync.Pool
}

func newReport() *Report { return &Report{Labels: make(map[string]string)} }

func (r *Reporter) take() *Report {
	if x, ok := r.reports.Get().(*Report); ok {
		return x
	}
	return newReport()
}

func (r *Reporter) Write(title string) error {
	x := r.take()
	defer r.reports.Put(x) // want `field Labels of the pooled Report is a map for others to add to`
	x.Title = title
	return r.write(x)
}

func (r *Reporter) write(x *Report) error {
	for _, w := range r.Watchers {
		if err := w(x); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(r.Out, x.Title, x.Labels)
	return err
}

// Right: it is cleared.

type Observer interface{ Observe(*Notice) }

type Notice struct {
	Title  string
	Labels map[string]string
}

type Noticer struct {
	Observers []Observer
	Out       io.Writer
}

var notices = sync.Pool{New: func() any { return &Notice{Labels: map[string]string{}} }}

func (r *Noticer) Write(title string) {
	x := notices.Get().(*Notice)
	x.Title = title
	for _, o := range r.Observers {
		o.Observe(x)
	}
	fmt.Fprintln(r.Out, x.Title, x.Labels)
	clear(x.Labels)
	notices.Put(x)
}

// Right: each user has its own.

type Looker interface{ Look(*Alert) }

type Alert struct {
	Title  string
	Labels map[string]string
}

type Alerter struct {
	Lookers []Looker
	Out     io.Writer
}

var alerts = sync.Pool{New: func() any { return &Alert{Labels: map[string]string{}} }}

func (r *Alerter) Write(title string) {
	x := alerts.Get().(*Alert)
	x.Title, x.Labels = title, map[string]string{}
	for _, o := range r.Lookers {
		o.Look(x)
	}
	fmt.Fprintln(r.Out, x.Title, x.Labels)
	alerts.Put(x)
}

// Right: only the package's own types see it, and none of them writes.

type peeker interface{ peek(*Hint) bool }

type Hint struct {
	Title  string
	Labels map[string]string
}

type long int

func (l long) peek(h *Hint) bool { return len(h.Title) > int(l) }

type empty struct{}

func (empty) peek(h *Hint) bool { return h.Title == "" }

type Hinter struct {
	peekers []peeker
	Out     io.Writer
}

func NewHinter(w io.Writer, n int) *Hinter { return &Hinter{[]peeker{long(n), empty{}}, w} }

var hints = sync.Pool{New: func() any { return &Hint{Labels: map[string]string{}} }}

func (r *Hinter) Write(title string) {
	x := hints.Get().(*Hint)
	x.Title = title
	for _, o := range r.peekers {
		if o.peek(x) {
			fmt.Fprintln(r.Out, x.Title, x.Labels)
		}
	}
	hints.Put(x)
}

// Right: a helper empties it.

type Checker interface{ Check(*Verdict) }

type Verdict struct {
	Title  string
	Labels map[string]string
}

type Judge struct {
	Checkers []Checker
	Out      io.Writer
}

var verdicts = sync.Pool{New: func() any { return &Verdict{Labels: map[string]string{}} }}

func wipe(m map[string]string) {
	for k := range m {
		delete(m, k)
	}
}

func (r *Judge) Write(title string) {
	x := verdicts.Get().(*Verdict)
	x.Title = title
	for _, o := range r.Checkers {
		o.Check(x)
	}
	fmt.Fprintln(r.Out, x.Title, x.Labels)
	wipe(x.Labels)
	verdicts.Put(x)
}
