package fields

import "sync"

// A ring gathers what its users push, and is emptied by the one that fills it.
type ring struct {
	data []uint64
	push func([]uint64)
}

func (r *ring) add(x uint64) {
	r.data = append(r.data, x)
	if len(r.data) >= 64 {
		r.push(r.data)
		r.data = r.data[:0]
	}
}

var rings = sync.Pool{New: func() any { return &ring{push: func([]uint64) {}} }}

func gather(x uint64) {
	r := rings.Get().(*ring)
	r.add(x)
	rings.Put(r)
}
