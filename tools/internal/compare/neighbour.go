// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"math"
	"slices"

	"github.com/spare-go/spare/tools/internal/paired"
)

// A Neighbour compares the third or a later value of the key with the value
// before it: the first is the base of every ratio elsewhere, and what the others
// are to each other does not follow from those ratios' intervals.
type Neighbour struct {
	Value, Before string
	Unit          string // what is compared; see [Main]

	// Overall is the ratio of the geometric means over the rows, paired by
	// rounds. HasOverall is false if the rows differ in the number of rounds.
	Overall    paired.Ratio
	HasOverall bool

	Rows []NeighbourRow

	// How many rows are clearly less, not told from 1, and clearly more.
	Less, Same, More int
}

// A NeighbourRow is the comparison in one group. Its Floor is that of the
// group's first, which alone runs twice, and its Adjusted is corrected for all
// rows of all neighbours.
type NeighbourRow struct {
	*Group
	Ratio
}

// Neighbours returns the comparisons of each value after the second with the
// one before it, over the groups that have both, in the order in which the
// values occur.
func Neighbours(groups []*Group) []Neighbour {
	unit := Main(groups...)
	var values []string
	for _, g := range groups {
		for _, m := range g.Members {
			if len(g.Members) > 1 && !slices.Contains(values, m.Value) {
				values = append(values, m.Value)
			}
		}
	}
	var all []Neighbour
	var ps []float64
	for i := 2; i < len(values); i++ {
		n := Neighbour{Value: values[i], Before: values[i-1], Unit: unit}
		var as, bs [][]float64
		for _, g := range groups {
			a, b := g.member(n.Before), g.member(n.Value)
			if a == nil || b == nil {
				continue
			}
			r, ok := paired.Compare(a.Values(unit), b.Values(unit))
			if !ok {
				continue
			}
			row := NeighbourRow{g, Ratio{Ratio: r, Floor: math.NaN()}}
			for _, m := range g.Members[1:] {
				if q, ok := m.Ratios[unit]; ok {
					row.Floor = q.Floor
					break
				}
			}
			n.Rows = append(n.Rows, row)
			ps = append(ps, r.P)
			as, bs = append(as, a.Values(unit)), append(bs, b.Values(unit))
		}
		if len(n.Rows) == 0 {
			continue
		}
		n.Overall, n.HasOverall = paired.Compare(geomeans(as), geomeans(bs))
		all = append(all, n)
	}
	adjusted := paired.Holm(ps)
	for i := range all {
		n := &all[i]
		for j := range n.Rows {
			row := &n.Rows[j]
			row.Adjusted, adjusted = adjusted[0], adjusted[1:]
			switch {
			case !row.Clear():
				n.Same++
			case row.Center < 1:
				n.Less++
			default:
				n.More++
			}
		}
	}
	return all
}

// member returns the member that has this value of the key, or nil.
func (g *Group) member(value string) *Member {
	i := slices.IndexFunc(g.Members, func(m *Member) bool { return m.Value == value })
	if i < 0 {
		return nil
	}
	return g.Members[i]
}

// geomeans returns the geometric mean over the series for each round, or nil if
// they differ in length. All values are positive.
func geomeans(series [][]float64) []float64 {
	out := make([]float64, len(series[0]))
	for _, vs := range series {
		if len(vs) != len(out) {
			return nil
		}
		for i, v := range vs {
			out[i] += math.Log(v)
		}
	}
	for i := range out {
		out[i] = math.Exp(out[i] / float64(len(series)))
	}
	return out
}
