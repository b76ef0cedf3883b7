// SPDX-License-Identifier: BSD-3-Clause

package pooltest

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/race"
)

// Any stands for a count that Allocs does not check.
const Any = -1

// Counts are numbers of heap objects.
type Counts struct {
	Cold    int // that the first call makes, in which pools are filled and packages set up
	Warm    int // that each later call makes
	AfterGC int // that the first call after a collection makes
}

// Allocs checks how many heap objects f allocates, exactly. Unlike
// testing.AllocsPerRun it does not warm up first, and rounds nothing: a call in a
// thousand that allocates shows.
//
// f is called on one P with the collector off, other than for AfterGC. The objects of other
// goroutines count, too: it is no use beside parallel tests, or while work goes
// on in the background. Since that may happen even so, Warm and AfterGC are the least of
// several rounds, and of many where a round made but a few objects too many: the runtime
// fills its caches for type assertions and type switches at one miss in a thousand, by
// chance. Cold can be measured but once, and only if f was not called before.
//
// With the race detector, with coverage, and in checked builds other objects
// are made than otherwise. There f is called, and nothing is checked.
func Allocs(t TB, want Counts, f func()) {
	t.Helper()
	const (
		rounds, calls, collections = 5, 1000, 5

		mostRounds = 100 // while what is too much may be caches that fill
		few        = 8   // objects in a round that may be that
	)
	if why := uncounted(); why != "" {
		t.Log("pooltest: allocations are not checked with " + why)
		f()
		runtime.GC()
		f()
		return
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	runtime.GC()
	runtime.GC() // the first may end with work for the background
	defer debug.SetGCPercent(debug.SetGCPercent(-1))

	if got := mallocs(1, f); want.Cold != Any && got != uint64(want.Cold) {
		t.Errorf("pooltest: the first call made %d objects, want %d", got, want.Cold)
	}
	warm := ^uint64(0)
	wantWarm := uint64(max(want.Warm, 0)) * calls
	for i := 0; i < rounds || i < mostRounds && want.Warm != Any && warm > wantWarm && warm <= wantWarm+few; i++ {
		warm = min(warm, mallocs(calls, f))
	}
	if want.Warm != Any && warm != wantWarm {
		t.Errorf("pooltest: %d warm calls made %d objects, want %d each", calls, warm, want.Warm)
	}
	after := ^uint64(0)
	for range collections {
		runtime.GC()
		after = min(after, mallocs(1, f))
	}
	if want.AfterGC != Any && after != uint64(want.AfterGC) {
		t.Errorf("pooltest: the first call after a collection made %d objects, want %d", after, want.AfterGC)
	}
}

// uncounted says why allocations cannot be counted in this build, or "".
func uncounted() string {
	switch {
	case race.Enabled:
		return "the race detector"
	case checked.Enabled:
		return "the tag spare_checked"
	case testing.CoverMode() != "":
		return "coverage"
	}
	return ""
}

// mallocs returns how many objects n calls of f make.
func mallocs(n int, f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range n {
		f()
	}
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}
