package emptyheaders

import "sync"

type point struct{ t, v int64 }

// Wrong: the slices start empty, and the one that is made never gets there.
var points sync.Pool

func takePoints() *[]point {
	if v := points.Get(); v != nil {
		return v.(*[]point)
	}
	s := make([]point, 0)
	return &s
}

func givePoints(p *[]point) { points.Put(p) }

func flush(data map[int64]int64, push func([]point)) {
	p := takePoints()
	out := *p
	if cap(out) < len(data) {
		out = make([]point, 0, len(data))
	}
	out = out[:len(data)]
	i := 0
	for t, v := range data {
		out[i] = point{t, v}
		i++
	}
	push(out)
	givePoints(p) // want `was too small and one was made in its place, which is not stored back`
}

// Wrong: the same in one function, of a pool with a New.
var ids = sync.Pool{New: func() any { return new([]int64) }}

func number(n int, use func([]int64)) {
	p := ids.Get().(*[]int64)
	list := (*p)[:0]
	if n > cap(list) {
		list = make([]int64, n)
	}
	list = list[:n]
	for i := range list {
		list[i] = int64(i)
	}
	use(list)
	ids.Put(p) // want `was too small and one was made in its place, which is not stored back`
}

// Right: it is stored back.
var names = sync.Pool{New: func() any { return new([]string) }}

func list(n int, use func([]string)) {
	p := names.Get().(*[]string)
	out := *p
	if cap(out) < n {
		out = make([]string, n)
	}
	out = out[:n]
	use(out)
	clear(out)
	*p = out
	names.Put(p)
}

// Right: the pool's slices have a size, and larger ones are made for once.
var blocks = sync.Pool{New: func() any {
	b := make([]uint32, 4096)
	return &b
}}

func once(n int, use func([]uint32)) {
	p := blocks.Get().(*[]uint32)
	b := *p
	if n > len(b) {
		b = make([]uint32, n)
	}
	use(b[:n])
	blocks.Put(p)
}
