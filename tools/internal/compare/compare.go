// SPDX-License-Identifier: BSD-3-Clause

// Package compare groups benchmarks that differ in one key=value of their
// names, and compares each with the first of its group.
package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spare-go/spare/tools/internal/format"
	"github.com/spare-go/spare/tools/internal/measure"
	"github.com/spare-go/spare/tools/internal/paired"
)

// A Group holds the benchmarks that differ in nothing but one key.
type Group struct {
	Package string
	Name    string // without the prefix Benchmark, and without the key
	Procs   int

	// Title is Name, with the suffix for GOMAXPROCS if the groups that were
	// made together have several.
	Title   string
	Members []*Member // in the order in which they ran first; the first is the base
}

// A Member is one benchmark of a group.
type Member struct {
	*measure.Series

	// Value is the value of the key, or "" for a benchmark without that key,
	// which is a group of its own.
	Value string

	// Ratios compares this member with the first of its group, by unit. It is
	// empty for the first, and lacks the units that have no ratio.
	Ratios map[string]Ratio
}

// A Ratio is a comparison in its context.
type Ratio struct {
	paired.Ratio

	// Adjusted is P after Holm's correction for all comparisons of this unit.
	Adjusted float64

	// Floor is the noise floor: how far from 1 a ratio of the base to itself
	// may lie, by the A/A replica. 0.03 is 3%. NaN if there is no replica.
	Floor float64
}

// Alpha is the level at which a difference is called one.
const Alpha = 0.05

// Clear reports whether the difference is one: the test says so after
// correction, and it is larger than what equal binaries show.
func (r Ratio) Clear() bool {
	if r.Adjusted >= Alpha {
		return false
	}
	return math.IsNaN(r.Floor) || math.Abs(math.Log(r.Center)) > math.Log1p(r.Floor)
}

// Units are those that have ratios: the ones that vary from run to run.
var Units = []string{measure.NsPerOp, measure.CPUPerOp}

// SplitKey takes /key=value out of a benchmark's name. Without the key it
// returns the name as it is.
func SplitKey(name, key string) (rest, value string, ok bool) {
	parts := strings.Split(name, "/")
	for i, p := range parts[1:] {
		if v, is := strings.CutPrefix(p, key+"="); is {
			return strings.Join(append(parts[:i+1:i+1], parts[i+2:]...), "/"), v, true
		}
	}
	return name, "", false
}

// By groups the series by all but the key, in their order.
func By(series []*measure.Series, key string) []*Group {
	type id struct {
		pkg, name string
		procs     int
	}
	var groups []*Group
	index := make(map[id]*Group)
	for _, s := range series {
		rest, value, ok := SplitKey(s.Name, key)
		at := id{s.Package.ImportPath, rest, s.Procs}
		g := index[at]
		if g == nil || !ok {
			g = &Group{Package: at.pkg, Name: strings.TrimPrefix(rest, "Benchmark"), Procs: s.Procs}
			groups = append(groups, g)
			if ok {
				index[at] = g
			}
		}
		g.Members = append(g.Members, &Member{Series: s, Value: value, Ratios: make(map[string]Ratio)})
	}
	several := false
	for _, g := range groups {
		several = several || g.Procs != groups[0].Procs
	}
	for _, g := range groups {
		if g.Title = g.Name; several {
			g.Title = fmt.Sprintf("%s-%d", g.Name, g.Procs)
		}
	}
	for _, unit := range Units {
		compare(groups, unit)
	}
	return groups
}

// Replicas names the cases that need an A/A replica: the first of each group
// that has something to compare.
func Replicas(cases []*measure.Case, key string) map[*measure.Case]bool {
	var series []*measure.Series
	for _, c := range cases {
		series = append(series, &measure.Series{Case: c})
	}
	replica := make(map[*measure.Case]bool)
	for _, g := range By(series, key) {
		if len(g.Members) > 1 {
			replica[g.Members[0].Case] = true
		}
	}
	return replica
}

func compare(groups []*Group, unit string) {
	type at struct {
		m *Member
		r Ratio
	}
	var all []at
	var ps []float64
	for _, g := range groups {
		base := g.Members[0]
		floor := math.NaN()
		if aa, ok := paired.Compare(base.Values(unit), base.ReplicaValues(unit)); ok {
			floor = math.Expm1(max(math.Abs(math.Log(aa.Lo)), math.Abs(math.Log(aa.Hi))))
		}
		for _, m := range g.Members[1:] {
			if r, ok := paired.Compare(base.Values(unit), m.Values(unit)); ok {
				all = append(all, at{m, Ratio{Ratio: r, Floor: floor}})
				ps = append(ps, r.P)
			}
		}
	}
	for i, p := range paired.Holm(ps) {
		all[i].r.Adjusted = p
		all[i].m.Ratios[unit] = all[i].r
	}
}

// Warnings says by name what a reader of the figures must know.
func Warnings(groups []*Group) []string {
	// GOMAXPROCS is part of a name only where it tells names apart.
	name := func(m *Member) string {
		if slices.ContainsFunc(groups, func(g *Group) bool { return g.Procs != groups[0].Procs }) {
			return m.FullName()
		}
		return m.Name
	}
	var out []string
	few := 0
	for _, g := range groups {
		for _, m := range g.Members {
			if n := len(m.Samples); n > 0 && n < paired.MinPairs && len(g.Members) > 1 {
				few = n
			}
			if len(m.Samples) > 0 && m.Samples[0].Race {
				out = append(out, fmt.Sprintf("%s: built with the race detector; its counts are not those of a normal build", name(m)))
			}
			setups := 0
			for _, s := range m.Samples {
				if s.Setup > 0 {
					setups++
				}
			}
			// One sample may owe its bytes to the runtime's work in the background.
			if 2*setups > len(m.Samples) {
				out = append(out, fmt.Sprintf("cold and after-GC figures of %s include what it does before its loop: call b.ResetTimer, or use b.Loop", name(m)))
			}
			if lo, hi, vary := spread(m.Values(measure.AllocsPerOp)); vary {
				out = append(out, fmt.Sprintf("%s: %.3g to %.3g allocs/op from run to run: something allocates in the background, or the collector empties a pool", name(m), lo, hi))
			}
		}
	}
	if least := needed(groups); few == 0 && least > 0 {
		out = append(out, fmt.Sprintf("with so many comparisons the test cannot call any of them different in so few rounds (Holm); -count %d is the least", least))
	}
	if few > 0 {
		verb := " are"
		if few == 1 {
			verb = " is"
		}
		out = append(out, fmt.Sprintf("%s too few for an interval of 95%%; -count %d is the least", format.Plural(few, "round")+verb, paired.MinPairs))
	}
	return out
}

// needed returns the least number of rounds with which the smallest p-value
// that the signed-rank test can give survives Holm's correction, or 0 if there
// are enough rounds.
func needed(groups []*Group) int {
	comparisons, rounds := 0, 0
	for _, g := range groups {
		for _, m := range g.Members[1:] {
			comparisons++
			rounds = len(m.Samples)
		}
	}
	least := 1
	for float64(comparisons)*math.Exp2(float64(1-least)) >= Alpha {
		least++
	}
	if comparisons == 0 || rounds >= least {
		return 0
	}
	return least
}

// spread reports whether counts differ by more than what the ends of a loop
// explain.
func spread(vs []float64) (lo, hi float64, vary bool) {
	if len(vs) == 0 {
		return 0, 0, false
	}
	lo, hi = vs[0], vs[0]
	for _, v := range vs {
		lo, hi = min(lo, v), max(hi, v)
	}
	return lo, hi, hi-lo > 0.05 && hi > 1.05*lo
}
