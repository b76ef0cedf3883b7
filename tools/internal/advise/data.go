// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"github.com/google/pprof/profile"

	"github.com/spare-go/spare/tools/internal/allocsite"
	"github.com/spare-go/spare/tools/internal/escape"
)

// Data is what a report is made from.
type Data struct {
	Source  string
	Span    float64            // seconds; 0 if unknown
	Program *allocsite.Program // the source of the program under study, as far as it is there
	Escape  *escape.Facts      // nil if the compiler was not asked
	Groups  []*Group

	// PoolCost is what Get and Put of a sync.Pool take on this machine, in
	// nanoseconds, at best and usually; 0 if nobody measured.
	PoolCost [2]float64

	warnings []string
}

type profileType = profile.ValueType

// A Group is one profile: of a benchmark, or of a service.
type Group struct {
	// Benchmark is what the runtime counted without a profiler; nil for a service.
	Benchmark *Benchmark

	Samples []allocsite.Sample
	Per     string  // "op", "s" or ""
	Count   float64 // operations, seconds or 1: what to divide the samples by

	// Exact says that every allocation was recorded. Otherwise Rate is the mean
	// number of bytes between samples; 0 if unknown.
	Exact bool
	Rate  float64

	// Live is what was in use when the run was at rest, or at its last collection.
	Live Live

	// CPU is a CPU profile of the same work; nil if there is none. CPUTime is the
	// CPU time in nanoseconds that the profiled work took, by the system.
	CPU     *profile.Profile
	CPUTime float64
	CPUOps  float64
}

// Live says which of the values that were allocated were still in use.
type Live struct {
	Samples []allocsite.Sample

	// Count is the operations, or seconds, in which the samples were allocated; 0
	// if unknown.
	Count float64

	// Rest says that nothing ran when the garbage was collected: what is in use was
	// held by somebody. Otherwise what was allocated while the last collection
	// marked counts as in use.
	Rest bool
}

// count returns the divisor, which is never 0.
func (g *Group) count() float64 {
	if g.Count > 0 {
		return g.Count
	}
	return 1
}
