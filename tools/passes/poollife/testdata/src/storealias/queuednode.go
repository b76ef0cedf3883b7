// SPDX-License-Identifier: BSD-3-Clause

package storealias

import (
	"context"
	"sync"
)

// A job lies in a linked queue with the channel on which its sender hears that it is done.

type done struct{ ch chan error }

var dones = sync.Pool{New: func() any { return &done{ch: make(chan error, 1)} }}

type node struct {
	d    *done
	next *node
}

type queue struct {
	mu         sync.Mutex
	more       *sync.Cond
	head, tail *node
}

func (q *queue) push(d *done) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := &node{d: d}
	if q.tail == nil {
		q.head = n
	} else {
		q.tail.next = n
	}
	q.tail = n
	q.more.Signal()
}

func (q *queue) pop() *done {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.head == nil {
		q.more.Wait()
	}
	n := q.head
	if q.head = n.next; q.head == nil {
		q.tail = nil
	}
	return n.d
}

// Who answers has taken the node off the queue.
func (q *queue) offer(ctx context.Context) error {
	d := dones.Get().(*done)
	q.push(d)
	select {
	case err := <-d.ch:
		dones.Put(d)
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Nobody answered here.
func (q *queue) forget() {
	d := dones.Get().(*done)
	q.push(d) // want `field (head|tail|next) keeps memory of d after the value was put`
	dones.Put(d)
}
