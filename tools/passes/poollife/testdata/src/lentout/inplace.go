// SPDX-License-Identifier: BSD-3-Clause

package lentout

import "sync"

type op struct {
	kind int
	docs []string
}

var ops = sync.Pool{New: func() any { return new(op) }}

type queue struct{ ops []op }

func (q *queue) add(kind int, doc string) {
	if n := len(q.ops); n == 0 || q.ops[n-1].kind != kind {
		o := ops.Get().(*op)
		o.kind, o.docs = kind, o.docs[:0]
		q.ops = append(q.ops, *o)
	}
	o := &q.ops[len(q.ops)-1]
	o.docs = append(o.docs, doc)
}

func (q *queue) flush(send func(int, []string) error) (err error) {
	for i := range q.ops {
		o := &q.ops[i]
		if err == nil {
			err = send(o.kind, o.docs)
		}
		ops.Put(o) // want `an element of field ops goes to the pool in place, and the field keeps it`
	}
	return err
}

// Right: the slice is given up.
type batchOf struct{ ops []op }

func (q *batchOf) add(doc string) {
	q.ops = append(q.ops, op{})
	q.ops[len(q.ops)-1].docs = append(q.ops[len(q.ops)-1].docs, doc)
}

func (q *batchOf) flush() {
	for i := range q.ops {
		ops.Put(&q.ops[i])
	}
	q.ops = nil
}

// Right: by its caller.
type later struct{ ops []op }

func (q *later) first() *op { return &q.ops[0] }

func (q *later) putAll() {
	for i := range q.ops {
		ops.Put(&q.ops[i])
	}
}

func (q *later) next() {
	q.putAll()
	q.ops = make([]op, 1)
}
