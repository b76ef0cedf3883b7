// SPDX-License-Identifier: BSD-3-Clause

// Package measure runs benchmarks in blocks and keeps one sample for each.
//
// A block is one fresh process that runs one benchmark and nothing else. Blocks
// come in rounds: each round runs every benchmark once, in a new random order,
// so that a slow spell of the machine falls on all of them alike, and so that
// the samples of one round can be compared in pairs. The first operation of
// each process, and one after two collections, are part of the block.
//
// Each round runs copies of the test binaries that were made for it: where the
// system puts the pages of a file decides, for as long as they stay in memory,
// how they share the processor's caches, and two copies of one binary can differ
// in speed by a fifth. A new copy in each round makes that a part of the noise
// that the rounds show, where it would have been a difference between the sides.
//
// In each round some benchmarks may run twice: the replica is the same binary
// under the same conditions, from a copy of its own if there are two sides, and the differences between the two (an A/A run)
// show what this machine reports when there is nothing to report.
package measure

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/spare-go/spare/tools/internal/gotest"
)

// Units of the values in a [Sample], beyond those that go test prints and those
// that benchmarks report themselves.
const (
	NsPerOp     = "ns/op"
	BytesPerOp  = "B/op"
	AllocsPerOp = "allocs/op"

	CPUPerOp   = "cpu-ns/op"      // CPU time of the process, user and system
	ColdBytes  = "cold-B/op"      // the first operation of a fresh process
	ColdAllocs = "cold-allocs/op" //
	GCBytes    = "gc-B/op"        // the first operation after two collections
	GCAllocs   = "gc-allocs/op"   //
	Cycles     = "gc-cycles/op"   // collections that ended
	PeakRSS    = "peak-B"         // most resident memory of the process, where the system tells
)

// Units lists the unit metadata that a benchfmt file needs for these values.
var Units = []string{CPUPerOp, ColdBytes, ColdAllocs, GCBytes, GCAllocs, Cycles, PeakRSS}

// A Side is one build of the benchmarks.
type Side struct {
	// Name tells the sides of a comparison apart; "" if there is one side only.
	Name string

	// Binaries maps import paths to test binaries.
	Binaries map[string]string

	// Exact reports whether the binaries count exactly (see package overlay).
	// Otherwise the samples hold what go test prints, in integers.
	Exact bool

	// Env is the environment of the benchmarks.
	Env []string
}

// Blame says in an error which side it comes from. The errors of a session with
// one side, and those of a context, stay as they are.
func (s *Side) Blame(err error) error {
	if err == nil || s.Name == "" || err == context.Canceled {
		return err
	}
	return fmt.Errorf("side %s: %w", s.Name, err)
}

// A Case is one benchmark that has no sub-benchmarks, at one GOMAXPROCS.
type Case struct {
	Package gotest.Package
	Name    string // with the prefix Benchmark, without the suffix for GOMAXPROCS
	Procs   int
	Side    *Side
}

// FullName returns the name as go test prints it.
func (c *Case) FullName() string {
	if c.Procs == 1 {
		return c.Name
	}
	return fmt.Sprintf("%s-%d", c.Name, c.Procs)
}

// A Sample is what one block measured.
type Sample struct {
	Iters  int
	Values []benchfmt.Value
	Loop   bool // the benchmark uses b.Loop
	Race   bool // the binary was built with the race detector

	// Setup is how many bytes of the cold and after-GC figures the benchmark
	// allocates before its loop to b.N, with the timer on; 0 if next to none.
	Setup uint64

	// Idle is how many objects were allocated within a millisecond in which no
	// operation ran.
	Idle uint64

	// Window is how long the measured operations took, from the first start to the
	// last stop of the timer, and Collections those of the collections in it that
	// the runtime remembers, the earliest first. Window is 0 without a collection.
	Window      time.Duration
	Collections []Collection
}

// A Collection is one cycle of the garbage collector.
type Collection struct {
	End   time.Duration // since the window began
	Pause time.Duration // for which it stopped the world, in all
}

// Value returns the value that has this unit.
func (s *Sample) Value(unit string) (float64, bool) {
	for _, v := range s.Values {
		if v.Unit == unit {
			return v.Value, true
		}
	}
	return 0, false
}

// A Series holds the samples of one case, in the order of the rounds.
type Series struct {
	*Case
	Samples []Sample

	// Replica holds the A/A samples of the same rounds, or nothing.
	Replica []Sample
}

// Values returns the values of one unit, in the order of the rounds, or nil if
// a sample lacks it.
func (s *Series) Values(unit string) []float64 { return values(s.Samples, unit) }

// ReplicaValues is Values for the replica.
func (s *Series) ReplicaValues(unit string) []float64 { return values(s.Replica, unit) }

func values(samples []Sample, unit string) []float64 {
	vs := make([]float64, 0, len(samples))
	for i := range samples {
		v, ok := samples[i].Value(unit)
		if !ok {
			return nil
		}
		vs = append(vs, v)
	}
	if len(vs) == 0 {
		return nil
	}
	return vs
}

// Median returns the median of the values of one unit, and whether there is one.
func (s *Series) Median(unit string) (float64, bool) {
	vs := slices.Clone(s.Values(unit))
	if len(vs) == 0 {
		return 0, false
	}
	slices.Sort(vs)
	if n := len(vs); n%2 == 0 {
		return (vs[n/2-1] + vs[n/2]) / 2, true
	}
	return vs[len(vs)/2], true
}

// Quartiles returns the least value of a unit, the quartiles, and the largest,
// and whether there are any. Between two values it interpolates.
func (s *Series) Quartiles(unit string) (q [5]float64, ok bool) {
	vs := slices.Clone(s.Values(unit))
	if len(vs) == 0 {
		return q, false
	}
	slices.Sort(vs)
	for i := range q {
		at := float64(i) / 4 * float64(len(vs)-1)
		below := int(at)
		above := min(below+1, len(vs)-1)
		q[i] = vs[below] + (at-float64(below))*(vs[above]-vs[below])
	}
	return q, true
}

// Collected returns the collections of the last sample that the runtime
// remembers, the length of the time that they lie in, and how many there were
// in all.
func (s *Series) Collected() (known []Collection, window time.Duration, n int) {
	if len(s.Samples) == 0 {
		return nil, 0, 0
	}
	last := &s.Samples[len(s.Samples)-1]
	if perOp, ok := last.Value(Cycles); ok {
		n = int(math.Round(perOp * float64(last.Iters)))
	}
	window = last.Window
	if window == 0 {
		ns, _ := last.Value(NsPerOp)
		window = time.Duration(ns * float64(last.Iters))
	}
	// Collections between the spans of a timer that is stopped now and then are in
	// the window, and not in the count.
	return last.Collections, window, max(n, len(last.Collections))
}
