// SPDX-License-Identifier: BSD-3-Clause

// Package truth holds benchmarks whose costs are known.
package truth

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

// A block is large enough not to share memory with others (see the tiny
// allocator), and has a size class of its own.
type block [64]byte

var (
	sink *block
	text []byte
)

func someBN(b *testing.B, of, in int) {
	for i := range b.N {
		if i%in < of {
			sink = new(block)
		}
	}
}

func someLoop(b *testing.B, of, in int) {
	// The first operation is measured apart: it is number -1.
	for i := -1; b.Loop(); i++ {
		if i >= 0 && i%in < of {
			sink = new(block)
		}
	}
}

func BenchmarkThirdBN(b *testing.B)        { someBN(b, 1, 3) }
func BenchmarkThirdLoop(b *testing.B)      { someLoop(b, 1, 3) }
func BenchmarkFourFifthsBN(b *testing.B)   { someBN(b, 4, 5) }
func BenchmarkFourFifthsLoop(b *testing.B) { someLoop(b, 4, 5) }

func BenchmarkNineteenTenthsBN(b *testing.B) {
	for i := range b.N {
		sink = new(block)
		if i%10 != 0 {
			sink = new(block)
		}
	}
}

func BenchmarkNineteenTenthsLoop(b *testing.B) {
	for i := -1; b.Loop(); i++ {
		sink = new(block)
		if i >= 0 && i%10 != 0 {
			sink = new(block)
		}
	}
}

var once sync.Once

func firstUse() { once.Do(func() { text = make([]byte, 4096) }) }

func BenchmarkFirstUseBN(b *testing.B) {
	for range b.N {
		firstUse()
	}
}

func BenchmarkFirstUseLoop(b *testing.B) {
	for b.Loop() {
		firstUse()
	}
}

// kept is a list that the collector does not empty.
var kept []*block

func keep() {
	if len(kept) == 0 {
		kept = append(kept, new(block))
	}
	x := kept[0]
	kept = append(kept[:0], x)
}

func BenchmarkKeptBN(b *testing.B) {
	for range b.N {
		keep()
	}
}

func BenchmarkKeptLoop(b *testing.B) {
	for b.Loop() {
		keep()
	}
}

type page [2048]byte

var pool = sync.Pool{New: func() any { return new(page) }}

func BenchmarkPoolBN(b *testing.B) {
	for range b.N {
		pool.Put(pool.Get())
	}
}

func BenchmarkPoolLoop(b *testing.B) {
	for b.Loop() {
		pool.Put(pool.Get())
	}
}

// A pool that the benchmark function makes lives as long as the loop.
func BenchmarkLocalPoolLoop(b *testing.B) {
	p := sync.Pool{New: func() any { return new(page) }}
	for b.Loop() {
		p.Put(p.Get())
	}
}

func background(b *testing.B, loop func(op func())) {
	ask, done := make(chan bool), make(chan bool)
	go func() {
		for range ask {
			sink = new(block)
			done <- true
		}
	}()
	loop(func() { ask <- true; <-done })
	close(ask)
}

func BenchmarkBackgroundBN(b *testing.B) {
	background(b, func(op func()) {
		b.ResetTimer()
		for range b.N {
			op()
		}
		b.StopTimer()
	})
}

func BenchmarkBackgroundLoop(b *testing.B) {
	background(b, func(op func()) {
		for b.Loop() {
			op()
		}
	})
}

// In these, something allocates all the time, whatever the operations do.

func BenchmarkTickingLoop(b *testing.B) {
	stop, over := make(chan bool), make(chan bool)
	go tick(stop, over)
	for b.Loop() {
	}
	close(stop)
	<-over
}

func BenchmarkTickingBN(b *testing.B) {
	once.Do(func() { go tick(nil, nil) }) // it outlives the function
	b.ResetTimer()
	for range b.N {
	}
}

var background64 *block

func tick(stop, over chan bool) {
	for {
		select {
		case <-stop:
			close(over)
			return
		default:
			background64 = new(block)
			runtime.Gosched()
		}
	}
}

// A pool that is emptied by the collector: the collections happen among the
// measured operations, two before every hundredth of them, so that of a hundred
// operations one finds an empty pool and makes a page. The pool's own table, which
// each collection takes too, is 128 bytes for one P.
func BenchmarkEmptiedBN(b *testing.B) {
	p := sync.Pool{New: func() any { return new(page) }}
	b.ResetTimer()
	for i := range b.N {
		emptied(b, &p, i)
	}
}

func BenchmarkEmptiedLoop(b *testing.B) {
	p := sync.Pool{New: func() any { return new(page) }}
	for i := -1; b.Loop(); i++ {
		emptied(b, &p, i)
	}
}

func emptied(b *testing.B, p *sync.Pool, i int) {
	if i%100 == 0 {
		b.StopTimer()
		runtime.GC()
		runtime.GC()
		b.StartTimer()
	}
	p.Put(p.Get())
}

func BenchmarkSetupBN(b *testing.B) {
	text = make([]byte, 1<<20)
	b.ResetTimer()
	for range b.N {
	}
}

// The set-up of this one is part of its first operations.
func BenchmarkUnresetBN(b *testing.B) {
	text = make([]byte, 1<<20)
	for range b.N {
	}
}

// A pool that the benchmark function makes is new in each call.
func BenchmarkLocalPoolBN(b *testing.B) {
	p := sync.Pool{New: func() any { return new(page) }}
	for range b.N {
		p.Put(p.Get())
	}
}

func BenchmarkParallelBN(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			pool.Put(pool.Get())
		}
	})
}

func BenchmarkUnresetParallelBN(b *testing.B) {
	text = make([]byte, 1<<20)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
		}
	})
}

func BenchmarkSetupLoop(b *testing.B) {
	text = make([]byte, 1<<20)
	for b.Loop() {
	}
}

func stopped(b *testing.B) {
	b.StopTimer()
	text = make([]byte, 1<<10)
	b.StartTimer()
	sink = new(block)
}

func BenchmarkStoppedBN(b *testing.B) {
	for range b.N {
		stopped(b)
	}
}

func BenchmarkStoppedLoop(b *testing.B) {
	for b.Loop() {
		stopped(b)
	}
}

func BenchmarkCollectBN(b *testing.B) {
	for range b.N {
		runtime.GC()
	}
}

func BenchmarkCollectLoop(b *testing.B) {
	for b.Loop() {
		runtime.GC()
	}
}

func BenchmarkSleep(b *testing.B) {
	for range b.N {
		time.Sleep(2 * time.Millisecond)
	}
}

func BenchmarkMetricBN(b *testing.B) {
	for range b.N {
	}
	b.SetBytes(10)
	b.ReportMetric(1.0/3, "thirds/op")
	b.ReportMetric(7, "allocs/op")
}

func BenchmarkMetricLoop(b *testing.B) {
	for b.Loop() {
	}
	b.ReportMetric(1.0/3, "thirds/op")
	b.ReportMetric(0, "ns/op")
}

func BenchmarkIterations(b *testing.B) {
	n := 0
	for b.Loop() {
		n++
	}
	b.ReportMetric(float64(b.N), "N")
}
