// SPDX-License-Identifier: BSD-3-Clause

package useafterput

import (
	"errors"
	"sync"
	"sync/atomic"
)

// CompareAndSwaps that tell a function whether to count, and none whether to put.

type voyage struct {
	port    string
	arrived int32
}

var voyages = sync.Pool{New: func() any { return new(voyage) }}

func newVoyage(port string) *voyage {
	v := voyages.Get().(*voyage)
	v.port = port
	atomic.StoreInt32(&v.arrived, 0)
	return v
}

func (v *voyage) land() { voyages.Put(v) }

func (v *voyage) arrives() bool { return atomic.CompareAndSwapInt32(&v.arrived, 0, 1) }

type harbour struct {
	mu    sync.Mutex
	ships map[string]int
}

func (h *harbour) count(port string, n int) {
	h.mu.Lock()
	h.ships[port] += n
	h.mu.Unlock()
}

func (h *harbour) arrived(v *voyage) {
	if v == nil || v.arrives() {
		h.count("all", -1)
	}
}

type telegram struct {
	port string
	last bool
}

var errNoPort = errors.New("no port")

func (h *harbour) sail(v *voyage, t telegram) (last bool, err error) {
	defer func() {
		if last || err != nil {
			h.arrived(v)
			v.land()
		}
	}()
	if t.port == "" {
		return false, errNoPort
	}
	return t.last, nil
}

// Wrong: sail has landed the voyage where it failed, or was told the last.
func (h *harbour) follow(recv func() (telegram, error)) error {
	var v *voyage
	for {
		t, err := recv()
		if err != nil {
			if v != nil {
				h.arrived(v)
				v.land()
			}
			return err
		}
		if v == nil {
			v = newVoyage(t.port)
			h.count("all", 1)
			continue
		}
		last, err := h.sail(v, t)
		if last || err != nil {
			h.arrived(v) // want `v is used by CompareAndSwapInt32 after it was put in voyages`
			return err
		}
	}
}

// Right: who goes on has the voyage still.
func (h *harbour) followRight(recv func() (telegram, error)) error {
	var v *voyage
	for {
		t, err := recv()
		if err != nil {
			if v != nil {
				h.arrived(v)
				v.land()
			}
			return err
		}
		if v == nil {
			v = newVoyage(t.port)
			continue
		}
		last, err := h.sail(v, t)
		if last || err != nil {
			return err
		}
		h.arrived(v)
	}
}

// Wrong: by a method of its own, a hop more.
type trip struct {
	done atomic.Bool
	n    int
}

var trips = sync.Pool{New: func() any { return new(trip) }}

func (t *trip) first() bool { return t.done.CompareAndSwap(false, true) }

func (t *trip) isFirst() bool { return t.first() }

func (h *harbour) tell(t *trip) {
	if t.isFirst() {
		h.count("trips", t.n)
	}
}

func (h *harbour) travel(n int) {
	t := trips.Get().(*trip)
	t.n = n
	t.done.Store(false)
	trips.Put(t)
	h.tell(t) // want `t is used by CompareAndSwap after it was put in trips`
}

// Right: it tells whether to put, a hop away.
type errand struct{ done atomic.Bool }

var errands = sync.Pool{New: func() any { return new(errand) }}

func (e *errand) first() bool { return e.done.CompareAndSwap(false, true) }

func (e *errand) isFirst() bool { return e.first() }

func (e *errand) end() {
	if e.isFirst() {
		errands.Put(e)
	}
}

func (h *harbour) run(fail bool) {
	e := errands.Get().(*errand)
	e.done.Store(false)
	defer e.end()
	if fail {
		e.end()
	}
}
