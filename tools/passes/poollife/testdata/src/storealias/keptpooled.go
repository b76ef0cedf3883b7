// SPDX-License-Identifier: BSD-3-Clause

package storealias

import "sync"

// A pooled value that is kept keeps what was put of another pool's.

type digests struct{ sums []uint64 }

var digestPool = sync.Pool{New: func() any { return new(digests) }}

var bucketPool = sync.Pool{New: func() any {
	m := make(map[int][]uint64, 4)
	for i := range 4 {
		m[i] = make([]uint64, 16)
	}
	return m
}}

type pullReq struct{ subs map[int]*digests }

func prepare(r *pullReq, fill func(map[int][]uint64)) {
	b := bucketPool.Get().(map[int][]uint64)
	defer bucketPool.Put(b)
	fill(b)
	for id, sums := range b {
		d := digestPool.Get().(*digests)
		d.sums = sums
		r.subs[id] = d // want `keeps memory of b after the value was put in bucketPool`
	}
}

func prepareCopies(r *pullReq, fill func(map[int][]uint64)) {
	b := bucketPool.Get().(map[int][]uint64)
	defer bucketPool.Put(b)
	fill(b)
	for id, sums := range b {
		d := digestPool.Get().(*digests)
		d.sums = append(d.sums[:0], sums...)
		r.subs[id] = d
	}
}

func digestOf(i int) *digests {
	b := bucketPool.Get().(map[int][]uint64)
	d := digestPool.Get().(*digests)
	d.sums = b[i]
	bucketPool.Put(b)
	return d // want `memory of b is returned after it was put`
}

func digestLent(i int, use func(*digests)) {
	b := bucketPool.Get().(map[int][]uint64)
	d := digestPool.Get().(*digests)
	d.sums = b[i]
	use(d)
	d.sums = nil
	bucketPool.Put(b)
	digestPool.Put(d)
}

func dropPull(r *pullReq) {
	for _, d := range r.subs {
		d.sums = nil
		digestPool.Put(d)
	}
	clear(r.subs)
}
