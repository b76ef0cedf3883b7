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

var batchesOf = sync.Pool{New: func() any { return new([][]byte) }}

// batch gathers keys of several callers, until there are enough of them.
func batch(key []byte, full chan<- *[][]byte) {
	b := batchesOf.Get().(*[][]byte)
	*b = append(*b, key)
	if len(*b) < 16 {
		batchesOf.Put(b)
		return
	}
	full <- b
}

var linesOf = sync.Pool{New: func() any { return new([][]byte) }}

// lines are those of one caller, who has those of others before them.
func lines(keys [][]byte, use func([][]byte)) {
	b := linesOf.Get().(*[][]byte)
	for _, k := range keys {
		*b = append(*b, k) // want `b, taken from linesOf at line 44, is appended to without a reset`
	}
	use(*b)
	linesOf.Put(b) // want `linesOf keeps b, put at line 49, whatever its size`
}
