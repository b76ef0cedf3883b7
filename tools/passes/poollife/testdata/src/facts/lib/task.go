package lib

import (
	"errors"
	"sync"
)

// A Task remembers the steps that it was queued with. Nobody but Queue reads them.
type Task struct {
	steps *steps
	Err   error
	// Last is for whoever has the task.
	Last *Step
}

type steps struct{ list [][]byte }

var stepsPool = sync.Pool{New: func() any { return new(steps) }}

// A Step is pooled by itself.
type Step struct{ Data []byte }

var stepPool = sync.Pool{New: func() any { return new(Step) }}

var errFull = errors.New("full")

func (t *Task) Queue(list [][]byte, queue chan *steps) {
	s := stepsPool.Get().(*steps)
	s.list = list
	t.steps = s
	select {
	case queue <- t.steps:
	default:
		t.Err = errFull
		s.list = nil
		stepsPool.Put(s)
	}
}

func (t *Task) Take(b []byte) {
	s := stepPool.Get().(*Step)
	s.Data = append(s.Data[:0], b...)
	t.Last = s
	if len(b) == 0 {
		t.Err = errFull
		stepPool.Put(s)
	}
}
