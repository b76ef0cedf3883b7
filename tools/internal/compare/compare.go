// SPDX-License-Identifier: BSD-3-Clause

// Package compare groups benchmarks that differ in one key=value of their
// names, or in the side that they were built for, and compares each with the
// first of its group.
package compare

import (
	"fmt"
	"math"
	"strings"

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

	// Value is the value of the key, or the name of the side. It is "" for a
	// benchmark without the key, which is a group of its own.
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
	return group(series, func(s *measure.Series) (rest, value string, ok bool) { return SplitKey(s.Name, key) })
}

// BySide groups the series of the same benchmark on different sides, in their
// order.
func BySide(series []*measure.Series) []*Group {
	return group(series, func(s *measure.Series) (rest, value string, ok bool) { return s.Name, s.Side.Name, true })
}

// group groups the series by what split leaves of their names.
func group(series []*measure.Series, split func(*measure.Series) (rest, value string, ok bool)) []*Group {
	type id struct {
		pkg, name string
		procs     int
	}
	var groups []*Group
	index := make(map[id]*Group)
	for _, s := range series {
		rest, value, ok := split(s)
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
// that has something to compare, by the key or, if that is "", by sides.
func Replicas(cases []*measure.Case, key string) map[*measure.Case]bool {
	replica := make(map[*measure.Case]bool)
	for _, g := range planned(cases, key) {
		if len(g.Members) > 1 {
			replica[g.Members[0].Case] = true
		}
	}
	return replica
}

// Enough returns the least number of rounds with which the test can call any of
// the comparisons different, or 0 if there is nothing to compare.
func Enough(cases []*measure.Case, key string) int {
	return enough(comparisons(planned(cases, key)))
}

// planned are the groups of cases that were not measured yet.
func planned(cases []*measure.Case, key string) []*Group {
	var series []*measure.Series
	for _, c := range cases {
		series = append(series, &measure.Series{Case: c})
	}
	if key != "" {
		return By(series, key)
	}
	return BySide(series)
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
