// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spare-go/spare"
)

// The calls are written out for each side, without an interface or a function
// value between, so that the compiler sees them as it sees a user's.

func BenchmarkSerial(b *testing.B) {
	b.Run("impl=sync", func(b *testing.B) {
		p := sync.Pool{New: func() any { return new(Obj) }}
		for b.Loop() {
			o := p.Get().(*Obj)
			o.A++
			p.Put(o)
		}
	})
	b.Run("impl=spare", func(b *testing.B) {
		var p spare.Pool[Obj]
		for b.Loop() {
			o := p.Get()
			o.A++
			p.Put(o)
		}
	})
}

func BenchmarkParallel(b *testing.B) {
	b.Run("impl=sync", func(b *testing.B) {
		p := sync.Pool{New: func() any { return new(Obj) }}
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				o := p.Get().(*Obj)
				o.A++
				p.Put(o)
			}
		})
	})
	b.Run("impl=spare", func(b *testing.B) {
		var p spare.Pool[Obj]
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				o := p.Get()
				o.A++
				p.Put(o)
			}
		})
	})
}

// BenchmarkReset is the serial shape with a Reset, as most users of
// Pool[bytes.Buffer] have it, against the Reset called by hand.
func BenchmarkReset(b *testing.B) {
	b.Run("impl=sync", func(b *testing.B) {
		p := sync.Pool{New: func() any { return new(Obj) }}
		for b.Loop() {
			o := p.Get().(*Obj)
			o.A++
			resetObj(o)
			p.Put(o)
		}
	})
	b.Run("impl=spare", func(b *testing.B) {
		p := spare.Pool[Obj]{Reset: resetObj}
		for b.Loop() {
			o := p.Get()
			o.A++
			p.Put(o)
		}
	})
}

//go:noinline
func resetObj(o *Obj) { o.A = 0 }

// BenchmarkHeld takes a number of values and then returns them all; one
// operation is all of them.
func BenchmarkHeld(b *testing.B) {
	for _, held := range []int{8, 64} {
		n := "/held=" + strconv.Itoa(held)
		b.Run("impl=sync"+n, func(b *testing.B) {
			p := sync.Pool{New: func() any { return new(Obj) }}
			objs := make([]*Obj, held)
			for b.Loop() {
				for j := range objs {
					o := p.Get().(*Obj)
					o.A++
					objs[j] = o
				}
				for j := range objs {
					p.Put(objs[j])
				}
			}
		})
		b.Run("impl=spare"+n, func(b *testing.B) {
			var p spare.Pool[Obj]
			objs := make([]*Obj, held)
			for b.Loop() {
				for j := range objs {
					o := p.Get()
					o.A++
					objs[j] = o
				}
				for j := range objs {
					p.Put(objs[j])
				}
			}
		})
	}
}

// BenchmarkCross takes values in batches of 64 on one goroutine and returns
// them on another; one operation is one batch.
func BenchmarkCross(b *testing.B) {
	const batch = 64
	b.Run("impl=sync", func(b *testing.B) {
		p := sync.Pool{New: func() any { return new(Obj) }}
		full, free := make(chan []*Obj, 8), make(chan []*Obj, 8)
		for range 8 {
			free <- make([]*Obj, batch)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			for objs := range full {
				for j, o := range objs {
					p.Put(o)
					objs[j] = nil
				}
				free <- objs
			}
		})
		for b.Loop() {
			objs := <-free
			for j := range objs {
				o := p.Get().(*Obj)
				o.A++
				objs[j] = o
			}
			full <- objs
		}
		close(full)
		wg.Wait()
	})
	b.Run("impl=spare", func(b *testing.B) {
		var p spare.Pool[Obj]
		full, free := make(chan []*Obj, 8), make(chan []*Obj, 8)
		for range 8 {
			free <- make([]*Obj, batch)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			for objs := range full {
				for j, o := range objs {
					p.Put(o)
					objs[j] = nil
				}
				free <- objs
			}
		})
		for b.Loop() {
			objs := <-free
			for j := range objs {
				o := p.Get()
				o.A++
				objs[j] = o
			}
			full <- objs
		}
		close(full)
		wg.Wait()
	})
}

// BenchmarkBursts takes and returns 32 values, after three collections; one
// operation is one burst. miss/op counts calls of New after the first.
func BenchmarkBursts(b *testing.B) {
	const burst = 32
	b.Run("impl=sync", func(b *testing.B) {
		var news atomic.Int64
		p := sync.Pool{New: func() any { news.Add(1); return new(Obj) }}
		var objs [burst]*Obj
		run := func() {
			for j := range objs {
				o := p.Get().(*Obj)
				o.A++
				objs[j] = o
			}
			for j := range objs {
				p.Put(objs[j])
			}
		}
		run()
		before := news.Load()
		for b.Loop() {
			runtime.GC()
			runtime.GC()
			runtime.GC()
			run()
		}
		b.ReportMetric(float64(news.Load()-before)/float64(b.N), "miss/op")
	})
	b.Run("impl=spare", func(b *testing.B) {
		var p spare.Pool[Obj]
		var objs [burst]*Obj
		run := func() {
			for j := range objs {
				o := p.Get()
				o.A++
				objs[j] = o
			}
			for j := range objs {
				p.Put(objs[j])
			}
		}
		run()
		before := p.Stats().News
		for b.Loop() {
			runtime.GC()
			runtime.GC()
			runtime.GC()
			run()
		}
		b.ReportMetric(float64(p.Stats().News-before)/float64(b.N), "miss/op")
	})
}

// BenchmarkManyPools uses 1000 pools in turn, after a collection; one operation
// is one round. miss/op counts calls of New after the first 64 rounds, in which
// the goroutine has been on each P.
func BenchmarkManyPools(b *testing.B) {
	const pools, warm = 1000, 64
	b.Run("impl=sync", func(b *testing.B) {
		var news atomic.Int64
		ps := make([]sync.Pool, pools)
		for i := range ps {
			ps[i].New = func() any { news.Add(1); return new(Obj) }
		}
		run := func() {
			runtime.GC()
			for i := range ps {
				o := ps[i].Get().(*Obj)
				o.A++
				ps[i].Put(o)
			}
		}
		for range warm {
			run()
		}
		before := news.Load()
		for b.Loop() {
			run()
		}
		b.ReportMetric(float64(news.Load()-before)/float64(b.N), "miss/op")
	})
	b.Run("impl=spare", func(b *testing.B) {
		ps := make([]spare.Pool[Obj], pools)
		news := func() (n uint64) {
			for i := range ps {
				n += ps[i].Stats().News
			}
			return n
		}
		run := func() {
			runtime.GC()
			for i := range ps {
				o := ps[i].Get()
				o.A++
				ps[i].Put(o)
			}
		}
		for range warm {
			run()
		}
		before := news()
		for b.Loop() {
			run()
		}
		b.ReportMetric(float64(news()-before)/float64(b.N), "miss/op")
	})
}

// BenchmarkMiss takes values from a pool that has none, with nothing put back,
// at several GOMAXPROCS.
func BenchmarkMiss(b *testing.B) {
	for _, procs := range []int{2, 64, 256} {
		n := "/procs=" + strconv.Itoa(procs)
		shared := new(Obj)
		b.Run("impl=sync"+n, func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			p := sync.Pool{New: func() any { return shared }}
			for b.Loop() {
				o := p.Get().(*Obj)
				o.A++
			}
		})
		b.Run("impl=spare"+n, func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			p := spare.Pool[Obj]{New: func() *Obj { return shared }}
			for b.Loop() {
				o := p.Get()
				o.A++
			}
		})
	}
}
