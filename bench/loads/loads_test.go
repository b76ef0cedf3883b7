// SPDX-License-Identifier: BSD-3-Clause

package loads

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/spare-go/spare"
)

// A way makes slices of some length by append.
type way struct {
	name string
	use  func(n int)
}

var chunk [1024]byte

// grow appends to s until it has n bytes, as a writer does that does not know n.
func grow(s []byte, n int) []byte {
	for len(s) < n {
		s = append(s, chunk[:min(len(chunk), n-len(s))]...)
	}
	return s
}

// ways returns the ways to get a slice of n bytes from one of the capacity get.
func ways(get int) []way {
	var p spare.Slices[byte]
	sp := sync.Pool{New: func() any { s := make([]byte, 0, get); return &s }}
	return []way{
		{"append", func(n int) { grow(make([]byte, 0, get), n) }},
		{"sync", func(n int) {
			x := sp.Get().(*[]byte)
			*x = grow((*x)[:0], n)
			sp.Put(x)
		}},
		{"spare", func(n int) { p.Put(grow(p.Get(get), n)) }},
	}
}

// run has several goroutines use slices, b.N in all, with the lengths that each draws.
func run(b *testing.B, goroutines int, length func(*rand.Rand) int, use func(n int)) {
	b.ReportAllocs()
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 1))
			for i := g; i < b.N; i += goroutines {
				use(length(r))
			}
		})
	}
	wg.Wait()
}

// BenchmarkGrow appends to slices that begin too small.
func BenchmarkGrow(b *testing.B) {
	for _, c := range []struct{ get, size int }{{100, 64 << 10}, {1000, 1100}, {0, 64 << 10}, {100, 1 << 20}} {
		for _, w := range ways(c.get) {
			b.Run(fmt.Sprintf("get=%d/size=%d/impl=%s", c.get, c.size, w.name), func(b *testing.B) {
				run(b, 1, func(*rand.Rand) int { return c.size }, w.use)
			})
		}
	}
}

// BenchmarkTails appends to slices whose lengths have heavy tails.
func BenchmarkTails(b *testing.B) {
	const median, most = 64 << 10, 256 << 20
	for _, dist := range []struct {
		name string
		x    func(*rand.Rand) float64
	}{
		{"lognormal1", func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) }},
		{"lognormal2", func(r *rand.Rand) float64 { return math.Exp(2 * r.NormFloat64()) }},
		{"pareto", func(r *rand.Rand) float64 { return math.Pow(1-r.Float64(), -1/1.1) }},
		{"onein30", func(r *rand.Rand) float64 {
			if r.IntN(30) == 0 {
				return 16
			}
			return 1. / 64
		}},
	} {
		for _, get := range []int{0, 100} {
			for _, goroutines := range []int{1, 8} {
				for _, w := range ways(get) {
					b.Run(fmt.Sprintf("dist=%s/get=%d/goroutines=%d/impl=%s", dist.name, get, goroutines, w.name), func(b *testing.B) {
						run(b, goroutines, func(r *rand.Rand) int { return int(min(median*dist.x(r), most)) }, w.use)
					})
				}
			}
		}
	}
}

// BenchmarkHandOver takes values of 1 MiB on some goroutines and returns them on others, 16
// in use at most.
func BenchmarkHandOver(b *testing.B) {
	type value struct{ _ [1 << 20]byte }
	for _, procs := range []int{2, 8, 64} {
		for _, w := range []struct {
			name string
			make func() (get func() *value, put func(*value))
		}{
			{"sync", func() (func() *value, func(*value)) {
				p := sync.Pool{New: func() any { return new(value) }}
				return func() *value { return p.Get().(*value) }, func(x *value) { p.Put(x) }
			}},
			{"spare", func() (func() *value, func(*value)) {
				var p spare.Pool[value]
				return p.Get, p.Put
			}},
		} {
			b.Run(fmt.Sprintf("procs=%d/impl=%s", procs, w.name), func(b *testing.B) {
				b.ReportAllocs()
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				get, put := w.make()
				work := make(chan *value)
				var takers, givers sync.WaitGroup
				for g := range 8 {
					takers.Go(func() {
						for i := g; i < b.N; i += 8 {
							work <- get()
						}
					})
					givers.Go(func() {
						for x := range work {
							put(x)
						}
					})
				}
				takers.Wait()
				close(work)
				givers.Wait()
			})
		}
	}
}
