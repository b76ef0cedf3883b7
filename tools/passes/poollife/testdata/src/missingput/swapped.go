// SPDX-License-Identifier: BSD-3-Clause

package missingput

import (
	"errors"
	"sync"
)

// A value whose slice was swapped for another is not with who has its old slice.

type swapRec struct {
	level byte
	data  []byte
}

var swapRecs = sync.Pool{New: func() any { return new(swapRec) }}

var errNoRoom = errors.New("no room")

type swapQueue struct{ ch chan *swapRec }

func (q *swapQueue) offer(e *swapRec) error {
	r := swapRecs.Get().(*swapRec) // want `r, taken from swapRecs at line 24, is not put back on the path that ends here`
	old := r.data
	r.data = e.data
	e.data = old[:0]
	select {
	case q.ch <- r:
		return nil
	default:
		return errNoRoom
	}
}

func (q *swapQueue) offerOrPut(e *swapRec) error {
	r := swapRecs.Get().(*swapRec)
	old := r.data
	r.data = e.data
	e.data = old[:0]
	select {
	case q.ch <- r:
		return nil
	default:
		swapRecs.Put(r)
		return errNoRoom
	}
}

func (q *swapQueue) wait(e *swapRec) {
	r := swapRecs.Get().(*swapRec)
	old := r.data
	r.data = e.data
	e.data = old[:0]
	q.ch <- r
}

func (q *swapQueue) run(use func(*swapRec)) {
	for r := range q.ch {
		use(r)
	}
}
