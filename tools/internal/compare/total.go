// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"math"
	"slices"

	"github.com/spare-go/spare/tools/internal/measure"
)

// A Total sums up one value of the key over all groups that have it beside the
// first of the group. Numbers that no group gives are NaN.
type Total struct {
	Value  string
	Groups int

	// Geometric means of the ratios.
	Time, CPU float64

	// Medians over the groups of the shares of the first's bytes, so that no one
	// group decides. A first that allocates less than a byte counts as one byte,
	// and groups in which both allocate less than that are left out.
	Warm, Cold, AfterGC float64

	// How many groups are clearly cheaper than the first, not told from it, and
	// clearly dearer, by [Main].
	Less, Same, More int
}

// Main returns the unit that a summary of the groups goes by: CPU time where
// every benchmark has it, and else time.
func Main(groups ...*Group) string {
	for _, g := range groups {
		for _, m := range g.Members {
			if _, ok := m.Median(measure.CPUPerOp); !ok {
				return measure.NsPerOp
			}
		}
	}
	return measure.CPUPerOp
}

// Totals returns a Total for each value, in the order in which they occur.
func Totals(groups []*Group) []Total {
	unit := Main(groups...)
	var values []string
	for _, g := range groups {
		for _, m := range g.Members[1:] {
			if !slices.Contains(values, m.Value) {
				values = append(values, m.Value)
			}
		}
	}
	totals := make([]Total, len(values))
	for i, value := range values {
		var times, cpus, warm, cold, after []float64
		t := Total{Value: value}
		for _, g := range groups {
			for _, m := range g.Members[1:] {
				if m.Value != value {
					continue
				}
				t.Groups++
				if r, ok := m.Ratios[measure.NsPerOp]; ok {
					times = append(times, math.Log(r.Center))
				}
				if r, ok := m.Ratios[measure.CPUPerOp]; ok {
					cpus = append(cpus, math.Log(r.Center))
				}
				switch r, ok := m.Ratios[unit]; {
				case !ok:
				case !r.Clear():
					t.Same++
				case r.Center < 1:
					t.Less++
				default:
					t.More++
				}
				warm = appendShare(warm, g, m, measure.BytesPerOp)
				cold = appendShare(cold, g, m, measure.ColdBytes)
				after = appendShare(after, g, m, measure.GCBytes)
			}
		}
		t.Time, t.CPU = math.Exp(mean(times)), math.Exp(mean(cpus))
		t.Warm, t.Cold, t.AfterGC = median(warm), median(cold), median(after)
		totals[i] = t
	}
	return totals
}

func appendShare(shares []float64, g *Group, m *Member, unit string) []float64 {
	base, ok1 := g.Members[0].Median(unit)
	x, ok2 := m.Median(unit)
	if !ok1 || !ok2 || base < 1 && x < 1 {
		return shares
	}
	return append(shares, x/max(base, 1))
}

func median(vs []float64) float64 {
	n := len(vs)
	if n == 0 {
		return math.NaN()
	}
	slices.Sort(vs)
	return (vs[(n-1)/2] + vs[n/2]) / 2
}

func mean(vs []float64) float64 {
	sum := 0.0
	for _, v := range vs {
		sum += v
	}
	return sum / float64(len(vs)) // NaN for none
}
