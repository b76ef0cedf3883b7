package headers

import "sync"

type span struct{ from, to int }

type spans struct{ pool sync.Pool }

func (s *spans) get() []span {
	if x := s.pool.Get(); x != nil {
		return x.([]span)
	}
	return make([]span, 0, 64)
}

func (s *spans) put(x []span) {
	x = x[:0]
	s.pool.Put(x) // want `x, a \[\]span, is put in pool by value`
}

var spanPool spans

func fill(in []int, out *[]span) {
	for _, n := range in {
		*out = append(*out, span{n, n + 1})
	}
}

type filler struct{ deep bool }

func (f *filler) fill(in []int, out *[]span) { fill(in, out) }

// The slice is bound by the defer, and grows later.

func early(in []int) int {
	x := spanPool.get()
	defer spanPool.put(x) // want `puts x as it is here, but it is appended to later`
	fill(in, &x)
	return len(x)
}

func earlyMethod(f *filler, in []int) int {
	x := spanPool.get()
	defer spanPool.put(x) // want `puts x as it is here, but it is appended to later`
	f.fill(in, &x)
	return len(x)
}

func earlyLoop(in []int) int {
	x := spanPool.get()
	defer spanPool.put(x) // want `puts x as it is here, but it is appended to later`
	for _, n := range in {
		x = append(x, span{n, n})
	}
	return len(x)
}

func earlyClosure(in []int) int {
	x := spanPool.get()
	defer spanPool.put(x) // want `puts x as it is here, but it is appended to later`
	add := func(n int) { x = append(x, span{n, n}) }
	for _, n := range in {
		add(n)
	}
	return len(x)
}

func earlyCut(in []int) int {
	x := spanPool.get()
	defer spanPool.put(x[:0]) // want `puts x as it is here, but it is appended to later`
	fill(in, &x)
	return len(x)
}

// Bound late, or grown elsewhere.

func late(in []int) int {
	x := spanPool.get()
	defer func() { spanPool.put(x) }()
	fill(in, &x)
	return len(x)
}

func other(in []int) int {
	x := spanPool.get()
	defer spanPool.put(x)
	var y []span
	fill(in, &y)
	return len(x) + len(y)
}

func filledWithin(in []int) int {
	x := spanPool.get()
	defer spanPool.put(x)
	x = x[:min(len(in), cap(x))]
	for k := range x {
		x[k].from = in[k]
	}
	return len(x)
}
