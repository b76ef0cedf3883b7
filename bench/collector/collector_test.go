// SPDX-License-Identifier: BSD-3-Clause

package collector

import (
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/spare-go/spare"
)

type obj struct {
	a, b, c, d int64
	name       string
	buf        []byte
	next       *obj
}

// BenchmarkFirstUse times the first Get and Put on each of 1000 pools after a
// collection: first-ns/op is the median over the collections, first-min-ns/op the
// minimum, which the machine's other work disturbs least. One operation is one
// pool. What the collector and the pools' own housekeeping do between the passes
// is not in it; see BenchmarkManyPools for all of it.
func BenchmarkFirstUse(b *testing.B) {
	const pools = 1000
	measure := func(b *testing.B, pass func()) {
		pass()
		var times []time.Duration
		for i := 0; i < b.N; i += pools {
			runtime.GC()
			time.Sleep(2 * time.Millisecond) // the tick runs after the collection
			start := time.Now()
			pass()
			times = append(times, time.Since(start))
		}
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2])/pools, "first-ns/op")
		b.ReportMetric(float64(times[0])/pools, "first-min-ns/op")
	}
	b.Run("impl=sync", func(b *testing.B) {
		ps := make([]sync.Pool, pools)
		for i := range ps {
			ps[i].New = func() any { return new(obj) }
		}
		measure(b, func() {
			for i := range ps {
				o := ps[i].Get().(*obj)
				o.a++
				ps[i].Put(o)
			}
		})
	})
	b.Run("impl=spare", func(b *testing.B) {
		ps := make([]spare.Pool[obj], pools)
		measure(b, func() {
			for i := range ps {
				o := ps[i].Get()
				o.a++
				ps[i].Put(o)
			}
		})
	})
}

// BenchmarkPause reports how long the world stops in a collection, pause-ns/op,
// while pools are alive and used. One operation is one collection.
func BenchmarkPause(b *testing.B) {
	measure := func(b *testing.B, pass func()) {
		pass()
		runtime.GC()
		runtime.GC()
		var before, after debug.GCStats
		var pause time.Duration
		for range b.N {
			pass()
			debug.ReadGCStats(&before)
			runtime.GC()
			debug.ReadGCStats(&after)
			pause += after.PauseTotal - before.PauseTotal
		}
		b.ReportMetric(float64(pause)/float64(b.N), "pause-ns/op")
	}
	for _, pools := range []int{0, 1000, 100_000} {
		name := "/pools=" + strconv.Itoa(pools)
		b.Run("impl=sync"+name, func(b *testing.B) {
			ps := make([]sync.Pool, pools)
			for i := range ps {
				ps[i].New = func() any { return new(obj) }
			}
			measure(b, func() {
				for i := range ps {
					ps[i].Put(ps[i].Get())
				}
			})
			runtime.KeepAlive(ps)
		})
		b.Run("impl=spare"+name, func(b *testing.B) {
			ps := make([]spare.Pool[obj], pools)
			measure(b, func() {
				for i := range ps {
					ps[i].Put(ps[i].Get())
				}
			})
			runtime.KeepAlive(ps)
		})
	}
}
