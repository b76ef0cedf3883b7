// SPDX-License-Identifier: BSD-3-Clause

package spare_test

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/magazine"
	"github.com/spare-go/spare/internal/race"
)

// idleCollections is the number of collections after which a pool that is not
// used is empty, as Pool documents.
const idleCollections = 14

// oneP runs the rest of the test on one P, so that what was put is what the
// next Get finds.
func oneP(t *testing.T) {
	t.Helper()
	old := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
}

// noGC keeps the collector from running in the rest of the test, other than
// when the test asks for it.
func noGC(t *testing.T) {
	t.Helper()
	old := debug.SetGCPercent(-1)
	t.Cleanup(func() { debug.SetGCPercent(old) })
}

// collect runs the collector and waits until the pools have been told.
func collect(t *testing.T) {
	t.Helper()
	idle := func() (ticks uint64) {
		eventually(t, "the pools to be done with the last collection", func() bool {
			n, _, ticking := magazine.Ticks()
			ticks = n
			return !ticking
		})
		return ticks
	}
	before := idle()
	deadline := time.Now().Add(20 * time.Second)
	for {
		runtime.GC()
		if _, armed, _ := magazine.Ticks(); !armed {
			return // no pool holds anything
		}
		for range 100 {
			if n, _, ticking := magazine.Ticks(); n > before && !ticking {
				return
			}
			time.Sleep(100 * time.Microsecond)
		}
		if time.Now().After(deadline) {
			t.Fatal("the pools are not told about collections")
		}
	}
}

// eventually polls cond until it holds.
func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !cond() {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// wantMallocs checks how many heap objects n calls of f make, once warm. Others
// may add to the count in between, so that the least of several rounds counts.
func wantMallocs(t *testing.T, n int, want uint64, f func()) {
	t.Helper()
	if race.Enabled || checked.Enabled {
		t.Skip("allocations are counted without the race detector and the checks")
	}
	oneP(t)
	noGC(t)
	collect(t) // whatever earlier tests left behind
	for range 100 {
		f()
	}
	least := ^uint64(0)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range n {
			f()
		}
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	if least != want {
		t.Errorf("%d calls made %d objects, want %d", n, least, want)
	}
}

// stressTime is how long each stress test runs: SPARE_STRESS, or a second.
func stressTime(t *testing.T) time.Duration {
	t.Helper()
	s := os.Getenv("SPARE_STRESS")
	if s == "" {
		if testing.Short() {
			return 200 * time.Millisecond
		}
		return time.Second
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		t.Fatalf("SPARE_STRESS: %v", err)
	}
	return d
}

// wantBooks checks that every value that was put has gone one way.
func wantBooks(t *testing.T, s spare.Stats) {
	t.Helper()
	if s.Puts != s.Gets-s.News+s.Drops+uint64(s.Idle) {
		t.Errorf("the books do not balance: %+v", s)
	}
}
