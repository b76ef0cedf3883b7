// SPDX-License-Identifier: BSD-3-Clause

// Package measure runs benchmarks in blocks and keeps one sample for each.
//
// A block is one fresh process that runs one benchmark and nothing else. Blocks
// come in rounds: each round runs every benchmark once, in a new random order,
// so that a slow spell of the machine falls on all of them alike, and so that
// the samples of one round can be compared in pairs. The first operation of
// each process, and one after two collections, are part of the block.
//
// In each round some benchmarks may run twice: the replica is the same binary
// under the same conditions, and the differences between the two (an A/A run)
// show what this machine reports when there is nothing to report.
package measure

import (
	"fmt"
	"slices"

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
	// Binaries maps import paths to test binaries.
	Binaries map[string]string

	// Exact reports whether the binaries count exactly (see package overlay).
	// Otherwise the samples hold what go test prints, in integers.
	Exact bool

	// Env is the environment of the benchmarks.
	Env []string
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
