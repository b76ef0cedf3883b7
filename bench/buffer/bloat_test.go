// SPDX-License-Identifier: BSD-3-Clause

package buffer

import (
	"bytes"
	"io"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/spare-go/spare/buffer"
	"github.com/valyala/bytebufferpool"
)

// A load is a cycle of sizes.
type load struct {
	name  string
	sizes []int
}

const giant = 100_000

// loads are the two that no fixed limit and no average serves: 97 % of 32 bytes
// with 3 % of 100 KB, and always above 64 KiB.
var loads = func() []load {
	bimodal := make([]int, 100)
	for i := range bimodal {
		bimodal[i] = 32
	}
	bimodal[10], bimodal[43], bimodal[76] = giant, giant, giant
	return []load{{"bimodal", bimodal}, {"large", []int{70_000, 66_000, giant, 80_000}}}
}()

// warm is how many uses come before the measurement: more than bytebufferpool
// waits for before it calibrates itself.
const warm = 50_000

// BenchmarkLoad is BenchmarkPooled with such a load, one Write each. B/op is
// what a pool that sheds too much pays.
func BenchmarkLoad(b *testing.B) {
	data := make([]byte, giant)
	for _, l := range loads {
		b.Run("impl=bytes/load="+l.name, func(b *testing.B) {
			var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}
			use := func(n int) {
				buf := pool.Get().(*bytes.Buffer)
				buf.Write(data[:n])
				buf.WriteTo(io.Discard)
				buf.Reset()
				pool.Put(buf)
			}
			runLoad(b, l, use)
		})
		b.Run("impl=bbp/load="+l.name, func(b *testing.B) {
			var pool bytebufferpool.Pool
			use := func(n int) {
				buf := pool.Get()
				buf.Write(data[:n])
				buf.WriteTo(io.Discard)
				pool.Put(buf)
			}
			runLoad(b, l, use)
		})
		b.Run("impl=spare/load="+l.name, func(b *testing.B) {
			use := func(n int) {
				buf := buffer.Get()
				buf.Write(data[:n])
				buf.WriteTo(io.Discard)
				buf.Release()
			}
			runLoad(b, l, use)
		})
	}
}

func runLoad(b *testing.B, l load, use func(n int)) {
	for i := range warm {
		use(l.sizes[i%len(l.sizes)])
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		use(l.sizes[i%len(l.sizes)])
		i++
	}
}

// BenchmarkHeld has a window of buffers in use, replaces the oldest 200 000
// times, and then reports the heap that buffers hold, idle ones included, in
// relation to the bytes that are in use: held/used. Target of the bimodal load:
// at most 1.3. It is no benchmark of time; run it with -benchtime 1x.
func BenchmarkHeld(b *testing.B) {
	for _, window := range []int{64, 256, 1024} {
		for _, l := range loads {
			if l.name == "large" && window > 256 {
				continue
			}
			at := "/load=" + l.name + "/window=" + strconv.Itoa(window)
			b.Run("impl=bytes"+at, func(b *testing.B) {
				pool := sync.Pool{New: func() any { return new(bytes.Buffer) }}
				held(b, l, window, func() *bytes.Buffer { return pool.Get().(*bytes.Buffer) },
					func(buf *bytes.Buffer) { buf.Reset(); pool.Put(buf) })
			})
			b.Run("impl=bbp"+at, func(b *testing.B) {
				var pool bytebufferpool.Pool
				held(b, l, window, pool.Get, pool.Put)
			})
			b.Run("impl=spare"+at, func(b *testing.B) {
				held(b, l, window, buffer.Get, (*buffer.Buffer).Release)
			})
		}
	}
}

func held[B io.Writer](b *testing.B, l load, window int, get func() B, put func(B)) {
	data := make([]byte, giant)
	slots := make([]B, window)
	used := make([]int, window)
	for range 15 {
		// What earlier loads left in the pools leaves.
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
	}
	before := liveHeap()
	for i := range window + 200_000 {
		slot := i % window
		if i >= window {
			put(slots[slot])
		}
		n := l.sizes[i%len(l.sizes)]
		slots[slot] = get()
		slots[slot].Write(data[:n])
		used[slot] = n
	}
	sum := 0
	for _, n := range used {
		sum += n
	}
	heap := liveHeap() - before
	for b.Loop() {
	}
	b.ReportMetric(float64(heap)/float64(sum), "held/used")
	b.ReportMetric(float64(sum), "used-B")
	for _, buf := range slots {
		put(buf)
	}
	runtime.KeepAlive(data)
}

// liveHeap returns the bytes of the heap that one collection leaves. That is
// the least that a pool which keeps its working set can be asked for.
func liveHeap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
