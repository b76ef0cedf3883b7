// SPDX-License-Identifier: BSD-3-Clause

package session_test

import (
	"context"
	"io"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/measure"
	"github.com/spare-go/spare/tools/internal/progress"
	"github.com/spare-go/spare/tools/internal/session"
)

// operations is a multiple of the denominators of the truths.
const operations = 3000

// truth runs benchmarks of testdata/truth at one GOMAXPROCS.
func truth(t *testing.T, pattern string, integers bool) map[string]*measure.Series {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and runs test binaries")
	}
	t.Setenv("GOWORK", "off") // testdata/truth is a module of its own
	t.Setenv("GOFLAGS", "")
	bench, err := gotest.ParsePattern(pattern)
	if err != nil {
		t.Fatal(err)
	}
	res, err := session.Run(context.Background(), session.Options{
		Packages: []string{"."}, Dir: "testdata/truth", Bench: bench,
		Count: 3, Benchtime: "3000x", Procs: []int{1}, Timeout: time.Minute,
		Integers: integers, Progress: progress.New(io.Discard),
	})
	if err != nil {
		t.Fatal(err)
	}
	if res.Exact == integers {
		t.Fatalf("Exact = %v with Integers = %v", res.Exact, integers)
	}
	all := make(map[string]*measure.Series)
	for _, s := range res.Series {
		all[s.Name] = s
	}
	return all
}

// least returns the least value over the rounds: what the runtime allocates
// in the background comes on top of what the benchmark does.
func least(t *testing.T, s *measure.Series, unit string) float64 {
	t.Helper()
	vs := s.Values(unit)
	if len(vs) != 3 {
		t.Fatalf("%s: %d values of %s, want one for each of 3 rounds", s.Name, len(vs), unit)
	}
	return slices.Min(vs)
}

func TestCountsOfKnownTruth(t *testing.T) {
	all := truth(t, "BN$|Loop$", false)

	type want map[string]float64
	const block, page = 64, 2048
	third := want{measure.AllocsPerOp: 1.0 / 3, measure.BytesPerOp: block / 3.0}
	fifths := want{measure.AllocsPerOp: 0.8, measure.BytesPerOp: 0.8 * block}
	tenths := want{measure.AllocsPerOp: 1.9, measure.BytesPerOp: 1.9 * block, measure.ColdAllocs: 1, measure.GCAllocs: 1}
	first := want{
		measure.AllocsPerOp: 0, measure.BytesPerOp: 0,
		measure.ColdAllocs: 1, measure.ColdBytes: 4096,
		measure.GCAllocs: 0, measure.GCBytes: 0,
	}
	kept := want{
		measure.AllocsPerOp: 0, measure.BytesPerOp: 0,
		measure.ColdAllocs: 2, measure.ColdBytes: block + 8, // the block and the list
		measure.GCAllocs: 0, measure.GCBytes: 0,
	}
	each := want{
		measure.AllocsPerOp: 1, measure.BytesPerOp: block,
		measure.ColdAllocs: 1, measure.ColdBytes: block,
		measure.GCAllocs: 1, measure.GCBytes: block,
	}
	// The first operation also makes the runtime's records of who waits.
	background := want{
		measure.AllocsPerOp: 1, measure.BytesPerOp: block,
		measure.GCAllocs: 1, measure.GCBytes: block,
	}
	// Two collections before every hundredth operation: a page, and the pool's
	// table and its place in the list of all pools.
	emptied := want{measure.AllocsPerOp: 0.03, measure.BytesPerOp: (page + 128 + 8) / 100.0}
	nothing := want{
		measure.AllocsPerOp: 0, measure.BytesPerOp: 0,
		measure.ColdAllocs: 0, measure.ColdBytes: 0,
		measure.GCAllocs: 0, measure.GCBytes: 0,
	}
	for name, want := range map[string]want{
		"ThirdBN": third, "ThirdLoop": third,
		"FourFifthsBN": fifths, "FourFifthsLoop": fifths,
		"NineteenTenthsBN": tenths, "NineteenTenthsLoop": tenths,
		"FirstUseBN": first, "FirstUseLoop": first,
		"KeptBN": kept, "KeptLoop": kept,
		"BackgroundBN": background, "BackgroundLoop": background,
		"EmptiedBN": emptied, "EmptiedLoop": emptied,
		"SetupBN": nothing, "SetupLoop": nothing,
		"StoppedBN": each, "StoppedLoop": each,
		"CollectBN": {measure.Cycles: 1}, "CollectLoop": {measure.Cycles: 1},
		"PoolLoop":      {measure.AllocsPerOp: 0, measure.BytesPerOp: 0},
		"LocalPoolLoop": {measure.AllocsPerOp: 0, measure.BytesPerOp: 0},
		"MetricBN":      {measure.AllocsPerOp: 7, "thirds/op": 1.0 / 3},
		"MetricLoop":    {"thirds/op": 1.0 / 3},
	} {
		s := all["Benchmark"+name]
		if s == nil {
			t.Errorf("Benchmark%s was not measured; there are %v", name, slices.Sorted(maps.Keys(all)))
			continue
		}
		for unit, w := range want {
			if got := least(t, s, unit); math.Abs(got-w) > 1e-9 {
				t.Errorf("%s: %v %s, want %v", s.Name, got, unit, w)
			}
		}
	}

	// A pool's own tables come on top of what it holds, so that the truth has
	// no one figure: a page was made, or it was not.
	for _, name := range []string{"PoolBN", "PoolLoop", "LocalPoolLoop"} {
		s := all["Benchmark"+name]
		for _, unit := range []string{measure.ColdBytes, measure.GCBytes} {
			if got := least(t, s, unit); got < page {
				t.Errorf("%s: %v %s, want a page of %d at least: the pool is empty then", s.Name, got, unit, page)
			}
		}
		if got := least(t, s, measure.BytesPerOp); got > page/(2.0*operations) {
			t.Errorf("%s: %v B/op, want next to none: the pool is warm", s.Name, got)
		}
	}
	// Set-up with the timer on is noticed, and nothing else is taken for it:
	// neither the first use of a pool that lives on nor a timer that was stopped.
	for name, s := range all {
		want := uint64(0)
		switch name {
		case "BenchmarkUnresetBN", "BenchmarkUnresetParallelBN":
			want = 1<<20 - 1<<10 // less what the mean over all operations has of it
		case "BenchmarkLocalPoolBN":
			want = page - 8
		}
		least := s.Samples[0].Setup
		for _, smp := range s.Samples {
			least = min(least, smp.Setup)
		}
		if least < want || want == 0 && least > 0 {
			t.Errorf("%s: %d bytes of set-up, want at least %d, and none for 0", name, least, want)
		}
	}
	// What allocates while no operation runs is noticed, and in the benchmarks in
	// which nothing does it is not.
	for name, s := range all {
		want := name == "BenchmarkTickingBN" || name == "BenchmarkTickingLoop"
		idle := 0
		for _, smp := range s.Samples {
			if smp.Idle > 0 {
				idle++
			}
		}
		if want && idle < 2 || !want && idle > 1 {
			t.Errorf("%s: objects allocated while no operation ran in %d of 3 rounds", name, idle)
		}
	}
	// Each operation of these collects once, and the runtime remembers 256.
	for _, name := range []string{"BenchmarkCollectBN", "BenchmarkCollectLoop"} {
		for _, smp := range all[name].Samples {
			last := time.Duration(-1)
			for _, c := range smp.Collections {
				if c.End <= last || c.End > smp.Window || c.Pause <= 0 {
					t.Errorf("%s: collection %+v after %v in a window of %v", name, c, last, smp.Window)
				}
				last = c.End
			}
			if n := len(smp.Collections); n != 256 {
				t.Errorf("%s: %d collections, want the last 256", name, n)
			}
		}
	}
	if smp := all["BenchmarkThirdBN"].Samples[0]; len(smp.Collections) > 0 {
		t.Errorf("BenchmarkThirdBN: collections %v, and it cannot fill a heap", smp.Collections)
	}
	if _, ok := all["BenchmarkMetricLoop"].Median(measure.NsPerOp); ok {
		t.Error("BenchmarkMetricLoop has ns/op, which it asked to leave out")
	}
	if _, ok := all["BenchmarkMetricBN"].Median("MB/s"); !ok {
		t.Error("BenchmarkMetricBN has no MB/s, though it calls SetBytes")
	}
	for name, s := range all {
		for _, smp := range s.Samples {
			if smp.Iters != operations {
				t.Errorf("%s: %d operations, want %d", name, smp.Iters, operations)
			}
			if want := name[len(name)-4:] == "Loop"; smp.Loop != want {
				t.Errorf("%s: Loop = %v", name, smp.Loop)
			}
		}
	}
}

func TestCPUTimeIsNotWallTime(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs test binaries")
	}
	t.Setenv("GOWORK", "off")
	bench, _ := gotest.ParsePattern("Sleep|Iterations")
	res, err := session.Run(context.Background(), session.Options{
		Packages: []string{"."}, Dir: "testdata/truth", Bench: bench,
		Count: 1, Benchtime: "10x", Procs: []int{1, 2}, Progress: progress.New(io.Discard),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Series) != 4 {
		t.Fatalf("%d series, want two benchmarks at two values of GOMAXPROCS", len(res.Series))
	}
	for _, s := range res.Series {
		if s.Name == "BenchmarkIterations" {
			// What b.Loop ran first is not among the measured operations.
			if n, _ := s.Median("N"); n != 10 {
				t.Errorf("b.N after the loop is %v, want 10", n)
			}
			continue
		}
		wall, _ := s.Median(measure.NsPerOp)
		cpu, ok := s.Median(measure.CPUPerOp)
		if !ok {
			t.Skip("no CPU time on this system")
		}
		// A sleeping process uses none: no clock of the machine's speed is asked.
		if wall < 2e6 || cpu >= wall {
			t.Errorf("%s: %v ns/op and %v cpu-ns/op for a sleep of 2 ms", s.FullName(), wall, cpu)
		}
	}
}

// Without the overlay the counts are go test's: cut to whole numbers.
func TestIntegersWithoutTheOverlay(t *testing.T) {
	all := truth(t, "ThirdBN$|FirstUseBN$", true)
	third := all["BenchmarkThirdBN"]
	if got := least(t, third, measure.AllocsPerOp); got != 0 {
		t.Errorf("%v allocs/op, want go test's 0 for a third", got)
	}
	if got := least(t, all["BenchmarkFirstUseBN"], measure.ColdBytes); got != 4096 {
		t.Errorf("%v cold-B/op, want 4096", got)
	}
	for _, unit := range []string{measure.CPUPerOp, measure.GCBytes, measure.GCAllocs} {
		if _, ok := third.Median(unit); ok {
			t.Errorf("there is a value of %s, which go test cannot give", unit)
		}
	}
}
