// SPDX-License-Identifier: BSD-3-Clause

package storealias

import (
	"context"
	"sync"
)

// What a context has under a key is out of it for those who ask a context with another value there.

type (
	traceKey struct{}
	userKey  string
)

type traceOf struct {
	job   *tracedJob
	steps []string
}

type tracedJob struct {
	ctx context.Context
	run func(*tracedJob)
}

var traces = sync.Pool{New: func() any { return new(traceOf) }}

func (t *traceOf) begin(j *tracedJob) {
	t.job = j
	j.ctx = context.WithValue(j.ctx, traceKey{}, t)
}

func traced(j *tracedJob) {
	t := traces.Get().(*traceOf)
	t.begin(j)
	j.run(j)
	j.ctx = context.WithValue(j.ctx, traceKey{}, (*traceOf)(nil))
	t.job, t.steps = nil, t.steps[:0]
	traces.Put(t)
}

// With another context between, and by a function that is called when all is done.
func endTrace(t *traceOf) {
	if t.job != nil {
		t.job.ctx = context.WithValue(t.job.ctx, traceKey{}, nil)
	}
	t.job, t.steps = nil, t.steps[:0]
	traces.Put(t)
}

func tracedFor(j *tracedJob, user string) {
	t := traces.Get().(*traceOf)
	defer endTrace(t)
	t.begin(j)
	j.ctx = context.WithValue(j.ctx, userKey("user"), user)
	j.run(j)
}

// Another key leaves it there.
func tracedWrong(j *tracedJob) {
	t := traces.Get().(*traceOf)
	t.begin(j)
	j.run(j)
	j.ctx = context.WithValue(j.ctx, userKey("trace"), nil) // want `field ctx keeps memory of t after the value was put in traces`
	t.job, t.steps = nil, t.steps[:0]
	traces.Put(t)
}

// A key of the same type need not be the same one.
func tracedUnder(j *tracedJob, name string) {
	t := traces.Get().(*traceOf)
	j.ctx = context.WithValue(j.ctx, userKey("a"), t)
	j.run(j)
	j.ctx = context.WithValue(j.ctx, userKey(name), nil) // want `field ctx keeps memory of t after the value was put in traces`
	t.job, t.steps = nil, t.steps[:0]
	traces.Put(t)
}

// Under one of two keys it is left.
func tracedTwice(j *tracedJob) {
	t := traces.Get().(*traceOf)
	ctx := context.WithValue(j.ctx, userKey("a"), t)
	j.ctx = context.WithValue(ctx, userKey("b"), t)
	j.run(j)
	j.ctx = context.WithValue(j.ctx, userKey("b"), nil) // want `field ctx keeps memory of t after the value was put in traces`
	t.job, t.steps = nil, t.steps[:0]
	traces.Put(t)
}

func tracedBoth(j *tracedJob) {
	t := traces.Get().(*traceOf)
	ctx := context.WithValue(j.ctx, userKey("a"), t)
	j.ctx = context.WithValue(ctx, userKey("b"), t)
	j.run(j)
	ctx = context.WithValue(j.ctx, userKey("b"), nil)
	j.ctx = context.WithValue(ctx, userKey("a"), nil)
	t.job, t.steps = nil, t.steps[:0]
	traces.Put(t)
}
