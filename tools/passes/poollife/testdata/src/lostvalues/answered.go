// SPDX-License-Identifier: BSD-3-Clause

package lostvalues

import (
	"context"
	"errors"
	"sync"
	"time"
)

// A channel on which somebody may still answer must not go back to its pool.

type written struct {
	n   int
	err error
}

type writeRequest struct {
	data   []byte
	result chan written
}

var results = sync.Pool{New: func() any { return make(chan written, 1) }}

type outlet struct {
	requests chan writeRequest
	done     chan struct{}
}

func (o *outlet) send(b []byte, late <-chan time.Time) (int, error) {
	ch := results.Get().(chan written)
	select {
	case o.requests <- writeRequest{data: b, result: ch}:
	case <-o.done:
		results.Put(ch)
		return 0, errors.New("closed")
	}
	select {
	case r := <-ch:
		results.Put(ch)
		return r.n, r.err
	case <-o.done:
		return 0, errors.New("closed")
	case <-late:
		return 0, errors.New("late")
	}
}

func (o *outlet) Announce() error {
	t := time.NewTimer(time.Second)
	defer t.Stop()
	if _, err := o.send(nil, t.C); err != nil {
		return err
	}
	return nil
}

// One that was not sent may.
func (o *outlet) Try(ctx context.Context, b []byte) (int, error) {
	ch := results.Get().(chan written) // want `ch, taken from results at line 61, is not put back on the path that ends here`
	select {
	case o.requests <- writeRequest{data: b, result: ch}:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	r := <-ch
	results.Put(ch)
	return r.n, r.err
}
