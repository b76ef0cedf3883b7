package a

import "sync"

type crate struct {
	free sync.Pool
	n    int
}

type crateRef struct {
	free *sync.Pool
	n    int
}

func times[T any](v T, n int) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = v
	}
	return out
}

func toChan[T any](c chan T, v T) { c <- v }

func pointTo[T any](v T) *T { return &v }

func crates() {
	_ = times(crate{n: 1}, 3)                    // want `crate, which holds a sync\.Pool, is copied by times`
	toChan(make(chan crate, 1), crate{})         // right: moved once
	_ = times[crate](crate{}, 2)                 // want `crate, which holds a sync\.Pool, is copied by times`
	_ = times(crateRef{free: new(sync.Pool)}, 3) // right: the pool is shared
	_ = times(&crate{}, 3)                       // right: pointers
	_ = pointTo(crate{})                         // right: moved once, to stay
	toChan(make(chan *crate, 1), &crate{})       // right
	_ = times(0, 3)                              // right
}
