// SPDX-License-Identifier: BSD-3-Clause

//go:build linux

package engine

import (
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/spare-go/spare"
)

// threadCPU returns the CPU time of the calling thread.
func threadCPU(b *testing.B) time.Duration {
	const rusageThread = 1 // RUSAGE_THREAD of getrusage(2)
	var u syscall.Rusage
	if err := syscall.Getrusage(rusageThread, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkFirstUse times the first Get and Put on each of 1000 pools after a
// collection, by the CPU time of their thread: first-ns/op. One operation is
// one pool. What the collector and the pools' own housekeeping do between, on
// other threads, is not in it; see BenchmarkManyPools for all of it.
func BenchmarkFirstUse(b *testing.B) {
	const pools = 1000
	measure := func(b *testing.B, pass func()) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		pass()
		var cpu time.Duration
		for i := 0; i < b.N; i += pools {
			runtime.GC()
			time.Sleep(2 * time.Millisecond) // the tick runs after the collection
			start := threadCPU(b)
			pass()
			cpu += threadCPU(b) - start
		}
		b.ReportMetric(float64(cpu)/float64((b.N+pools-1)/pools*pools), "first-ns/op")
	}
	b.Run("impl=sync", func(b *testing.B) {
		ps := make([]sync.Pool, pools)
		for i := range ps {
			ps[i].New = func() any { return new(Obj) }
		}
		measure(b, func() {
			for i := range ps {
				o := ps[i].Get().(*Obj)
				o.A++
				ps[i].Put(o)
			}
		})
	})
	b.Run("impl=spare", func(b *testing.B) {
		ps := make([]spare.Pool[Obj], pools)
		measure(b, func() {
			for i := range ps {
				o := ps[i].Get()
				o.A++
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
				ps[i].New = func() any { return new(Obj) }
			}
			measure(b, func() {
				for i := range ps {
					ps[i].Put(ps[i].Get())
				}
			})
			runtime.KeepAlive(ps)
		})
		b.Run("impl=spare"+name, func(b *testing.B) {
			ps := make([]spare.Pool[Obj], pools)
			measure(b, func() {
				for i := range ps {
					ps[i].Put(ps[i].Get())
				}
			})
			runtime.KeepAlive(ps)
		})
	}
}
