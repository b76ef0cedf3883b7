// SPDX-License-Identifier: BSD-3-Clause

package halfused

import "sync"

type note struct{ k, v string }

type notes []note

func (n *notes) add(k, v string) { *n = append(*n, note{k, v}) }

func (n *notes) reset() {
	clear(*n)
	*n = (*n)[:0]
}

type task struct {
	name  string
	notes notes
}

func (t *task) Note(k, v string) { t.notes.add(k, v) }

var tasks = sync.Pool{New: func() any { return new(task) }}

func releaseTask(t *task) {
	t.name = ""
	tasks.Put(t)
}

type worker struct {
	next   func() (string, error)
	run    func(*task)
	failed func(*task, error)
}

func (w *worker) loop() error {
	t := tasks.Get().(*task)
	for {
		name, err := w.next()
		if err != nil {
			w.failed(t, err)
			releaseTask(t) // want `field notes of the pooled task is emptied on some ways only`
			return err
		}
		t.name = name
		w.run(t)
		t.notes.reset()
	}
}

// A job is emptied before each turn.
type job struct {
	name  string
	notes notes
}

func (j *job) Note(k, v string) { j.notes.add(k, v) }

var jobs = sync.Pool{New: func() any { return new(job) }}

func loopJobs(next func() (string, error), run func(*job), failed func(*job, error)) error {
	j := jobs.Get().(*job)
	defer jobs.Put(j)
	for {
		j.notes.reset()
		name, err := next()
		if err != nil {
			failed(j, err)
			return err
		}
		j.name = name
		run(j)
	}
}

// An errand is emptied where it is put, too.
type errand struct{ notes notes }

func (e *errand) Note(k, v string) { e.notes.add(k, v) }

var errands = sync.Pool{New: func() any { return new(errand) }}

func releaseErrand(e *errand) {
	e.notes.reset()
	errands.Put(e)
}

func loopErrands(next func() error, run func(*errand), failed func(*errand, error)) error {
	e := errands.Get().(*errand)
	for {
		if err := next(); err != nil {
			failed(e, err)
			releaseErrand(e)
			return err
		}
		run(e)
		e.notes.reset()
	}
}

// Nobody out of the package adds to a chore.
type chore struct{ notes notes }

func (c *chore) note(k, v string) { c.notes.add(k, v) }

var chores = sync.Pool{New: func() any { return new(chore) }}

func loopChores(next func() error, failed func(*chore, error)) error {
	c := chores.Get().(*chore)
	for {
		if err := next(); err != nil {
			failed(c, err)
			chores.Put(c)
			return err
		}
		c.note("a", "b")
		c.notes.reset()
	}
}

// A deferred Put, and a handler behind an interface.
type handler interface{ Handle(*duty) error }

type duty struct{ tags map[string]string }

func (d *duty) Tag(k, v string) { d.tags[k] = v }

var duties = sync.Pool{New: func() any { return &duty{tags: map[string]string{}} }}

func loopDuties(n int, h handler) error {
	d := duties.Get().(*duty)
	defer duties.Put(d) // want `field tags of the pooled duty is emptied on some ways only`
	for range n {
		if err := h.Handle(d); err != nil {
			return err
		}
		clear(d.tags)
	}
	return nil
}
