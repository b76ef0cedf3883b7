package wrapped

import (
	"context"

	"wrapped/pools"
)

// Right: the wrapper calls the method that its constraint has, before it puts.
type request struct {
	ctx context.Context
	n   int
}

func (r *request) Reset() { *r = request{} }

var requests pools.Clean[*request]

func await(ctx context.Context) int {
	r := requests.Get()
	defer requests.Put(r)
	r.ctx = ctx
	return r.wait()
}

func (r *request) wait() int {
	<-r.ctx.Done()
	r.n++
	return r.n
}

// Wrong: the wrapper is one of anything, and calls none.
type reply struct {
	ctx context.Context
	n   int
}

func (r *reply) Reset() { *r = reply{} }

var replies = pools.New(func() *reply { return new(reply) })

func answer(ctx context.Context) int {
	r := replies.Get()
	defer replies.Put(r) // want `r, the pooled reply, still leads to what the last user set in ctx`
	r.ctx = ctx
	return r.wait()
}

func (r *reply) wait() int {
	<-r.ctx.Done()
	r.n++
	return r.n
}

// Wrong: what it calls leaves the context.
type notice struct {
	ctx context.Context
	n   int
}

func (r *notice) Reset() { r.n = 0 }

var notices pools.Clean[*notice]

func notify(ctx context.Context) int {
	r := notices.Get()
	defer notices.Put(r) // want `r, the pooled notice, still leads to what the last user set in ctx`
	r.ctx = ctx
	return r.wait()
}

func (r *notice) wait() int {
	<-r.ctx.Done()
	r.n++
	return r.n
}
