// SPDX-License-Identifier: BSD-3-Clause

package collector

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
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

// BenchmarkPause reports for how long the world stands still in a collection,
// pause-ns/op, while pools are alive and used: median and minimum, and, beside
// them, how long it takes to bring the running goroutines to a stop before,
// stopping-ns/op on average, which says more about what else runs than about the
// pools. One operation is one collection. It comes when the pools' own housekeeping
// after the one before has ended, as in a program that does not collect all the
// time.
func BenchmarkPause(b *testing.B) {
	measure := func(b *testing.B, pools int, pass func()) {
		pass()
		runtime.GC()
		runtime.GC()
		var pauses []time.Duration
		stopping := 0.0
		for range b.N {
			pass()
			time.Sleep(2*time.Millisecond + time.Duration(pools)*time.Microsecond)
			var before, after debug.GCStats
			debug.ReadGCStats(&before)
			stopped := totalOf("/sched/pauses/stopping/gc:seconds")
			runtime.GC()
			stopping += totalOf("/sched/pauses/stopping/gc:seconds") - stopped
			debug.ReadGCStats(&after)
			pauses = append(pauses, after.PauseTotal-before.PauseTotal)
		}
		slices.Sort(pauses)
		b.ReportMetric(float64(pauses[len(pauses)/2]), "pause-ns/op")
		b.ReportMetric(float64(pauses[0]), "pause-min-ns/op")
		b.ReportMetric(max(stopping, 0)*1e9/float64(b.N), "stopping-ns/op")
	}
	for _, pools := range []int{0, 1000, 100_000} {
		name := "/pools=" + strconv.Itoa(pools)
		b.Run("impl=sync"+name, func(b *testing.B) {
			ps := make([]sync.Pool, pools)
			for i := range ps {
				ps[i].New = func() any { return new(obj) }
			}
			measure(b, pools, func() {
				for i := range ps {
					ps[i].Put(ps[i].Get())
				}
			})
			runtime.KeepAlive(ps)
		})
		b.Run("impl=spare"+name, func(b *testing.B) {
			ps := make([]spare.Pool[obj], pools)
			measure(b, pools, func() {
				for i := range ps {
					ps[i].Put(ps[i].Get())
				}
			})
			runtime.KeepAlive(ps)
		})
	}
}

// totalOf returns the sum of a histogram of runtime/metrics, as exact as its
// buckets are narrow.
func totalOf(name string) (total float64) {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	h := sample[0].Value.Float64Histogram()
	for i, n := range h.Counts {
		lo, hi := max(h.Buckets[i], 0), h.Buckets[i+1]
		if math.IsInf(hi, 1) {
			hi = lo
		}
		total += float64(n) * (lo + hi) / 2
	}
	return total
}
