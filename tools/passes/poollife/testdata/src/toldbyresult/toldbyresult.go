// SPDX-License-Identifier: BSD-3-Clause

package toldbyresult // Who gave a value to a goroutine may learn from the result of the call that it is done.

import (
	"errors"
	"sync"
	"time"
)

type question struct{ words []string }

type answer struct {
	n    int
	late bool
}

type task struct {
	q    *question
	out  []answer
	done chan struct{}
}

type desk struct{ in chan task }

func (d *desk) work() {
	for t := range d.in {
		for k, w := range t.q.words {
			t.out[k].n = len(w)
		}
		close(t.done)
	}
}

func (d *desk) ask(q *question) []answer {
	t := task{q, make([]answer, len(q.words)), make(chan struct{})}
	d.in <- t
	select {
	case <-t.done:
		return t.out
	case <-time.After(time.Second):
	}
	late := make([]answer, len(q.words))
	for k := range late {
		late[k].late = true
	}
	return late
}

var questions = sync.Pool{New: func() any { return new(question) }}

// Wrong: where ask gave up, the worker may still read the words.
func count(d *desk, words []string) (n int) {
	q := questions.Get().(*question)
	q.words = append(q.words[:0], words...)
	for _, a := range d.ask(q) {
		n += a.n
	}
	questions.Put(q) // want `may still use it`
	return n
}

// Wrong: how many answers there are does not tell.
func count2(d *desk, words []string) (n int) {
	q := questions.Get().(*question)
	q.words = append(q.words[:0], words...)
	out := d.ask(q)
	for _, a := range out {
		n += a.n
	}
	if len(out) > 0 {
		questions.Put(q) // want `may still use it`
	}
	return n
}

// Right: the answers tell.
func count3(d *desk, words []string) (n int) {
	q := questions.Get().(*question)
	q.words = append(q.words[:0], words...)
	again := true
	for _, a := range d.ask(q) {
		n += a.n
		if a.late {
			again = false
		}
	}
	if again {
		questions.Put(q)
	}
	return n
}

type reply struct {
	n   int
	err error
}

func (d *desk) askAll(q *question) []reply {
	t := task{q, make([]answer, len(q.words)), make(chan struct{})}
	d.in <- t
	replies := make([]reply, len(q.words))
	select {
	case <-t.done:
		for k, a := range t.out {
			replies[k].n = a.n
		}
	case <-time.After(time.Second):
		for k := range replies {
			replies[k].err = errLate
		}
	}
	return replies
}

var errLate = errors.New("late")

// Right: each answer has an error of its own.
func countAll(d *desk, words []string) (n int) {
	q := questions.Get().(*question)
	q.words = append(q.words[:0], words...)
	again := true
	for _, r := range d.askAll(q) {
		n += r.n
		if r.err != nil {
			again = false
		}
	}
	if again {
		questions.Put(q)
	}
	return n
}

// Wrong: the errors are looked at for something else.
func countAllErrors(d *desk, words []string) (n int) {
	q := questions.Get().(*question)
	q.words = append(q.words[:0], words...)
	for _, r := range d.askAll(q) {
		if r.err != nil {
			n++
		}
	}
	questions.Put(q) // want `may still use it`
	return n
}

// Right: so does the first.
func first(d *desk, word string) int {
	q := questions.Get().(*question)
	q.words = append(q.words[:0], word)
	out := d.ask(q)
	if !out[0].late {
		questions.Put(q)
	}
	return out[0].n
}
