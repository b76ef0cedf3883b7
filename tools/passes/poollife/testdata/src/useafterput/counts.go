package useafterput

import (
	"sync"
	"sync/atomic"
)

type parcel struct {
	refs atomic.Int32
	data []byte
}

var parcels = sync.Pool{New: func() any { return new(parcel) }}

func newParcel(b []byte) *parcel {
	p := parcels.Get().(*parcel)
	p.data = append(p.data[:0], b...)
	p.refs.Store(1)
	return p
}

func (p *parcel) ref() { p.refs.Add(1) }

func (p *parcel) unref() {
	if p.refs.Add(-1) == 0 {
		parcels.Put(p)
	}
}

// The first call makes the parcel for all, and drops it at its own end.
func each(b []byte, list []func([]byte)) {
	var p *parcel
	visit := func(f func([]byte)) {
		if p == nil {
			p = newParcel(b)
			defer p.unref()
		}
		f(p.data) // want `p is passed to a function after it was put in parcels`
	}
	for _, f := range list {
		visit(f)
	}
}

// The same with a reference for each call.
func eachRef(b []byte, list []func([]byte)) {
	var p *parcel
	visit := func(f func([]byte)) {
		if p == nil {
			p = newParcel(b)
		}
		p.ref()
		defer p.unref()
		f(p.data)
	}
	for _, f := range list {
		visit(f)
	}
	if p != nil {
		p.unref()
	}
}

func lastRef(b []byte) int {
	p := newParcel(b)
	p.unref()
	return len(p.data) // want `p is read after it was put in parcels`
}

func oneLeft(b []byte) int {
	p := newParcel(b)
	p.ref()
	p.unref()
	n := len(p.data)
	p.unref()
	return n
}

type keeper struct {
	mu   sync.Mutex
	last *parcel
}

// Whoever finds the parcel may take a reference meanwhile.
func (k *keeper) shared(b []byte) int {
	p := newParcel(b)
	k.mu.Lock()
	k.last = p
	k.mu.Unlock()
	p.unref()
	return len(p.data)
}

// Who keeps the parcel takes a reference of its own, and may drop it any time.
func elsewhere(b []byte, f func(*parcel)) int {
	p := newParcel(b)
	f(p)
	p.unref()
	return len(p.data) // want `p is read after it was put in parcels`
}

// The reference that is dropped is one that the path counted for itself.
func elsewhereRef(b []byte, f func(*parcel)) int {
	p := newParcel(b)
	p.ref()
	f(p)
	p.unref()
	n := len(p.data)
	p.unref()
	return n
}
