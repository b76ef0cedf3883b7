// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/format"
	"github.com/spare-go/spare/tools/internal/measure"
	"github.com/spare-go/spare/tools/internal/texttable"
)

// writeGroups prints each group of benchmarks as rows below its name.
func writeGroups(w io.Writer, groups []*compare.Group) error {
	t := &texttable.Table{Left: map[int]bool{0: true, 3: true, 4: true}}
	t.Row("", "", "", "time", "CPU", "bytes/op", "", "", "allocs/op", "", "")
	t.Row("", "time/op", "CPU/op", "ratio", "ratio", "warm", "cold", "after GC", "warm", "cold", "after GC")
	pkg := ""
	for _, g := range groups {
		if g.Package != pkg {
			pkg = g.Package
			t.Gap()
			t.Row(pkg)
		}
		row := func(label string, m *compare.Member) {
			t.Row(label,
				median(m, measure.NsPerOp, format.Duration), median(m, measure.CPUPerOp, format.Duration),
				ratio(g, m, measure.NsPerOp), ratio(g, m, measure.CPUPerOp),
				median(m, measure.BytesPerOp, format.Bytes), median(m, measure.ColdBytes, format.Bytes), median(m, measure.GCBytes, format.Bytes),
				median(m, measure.AllocsPerOp, format.Count), median(m, measure.ColdAllocs, format.Count), median(m, measure.GCAllocs, format.Count))
		}
		if len(g.Members) == 1 && g.Members[0].Value == "" {
			row(g.Title, g.Members[0])
			continue
		}
		t.Row(g.Title)
		for _, m := range g.Members {
			row("  "+m.Value, m)
		}
	}
	if err := t.Write(w); err != nil {
		return err
	}
	if slices.ContainsFunc(groups, func(g *compare.Group) bool { return len(g.Members) > 1 }) {
		if _, err := fmt.Fprint(w, "\n~: not told from 1, by the test (signed-rank, Holm) or within the noise floor; 1 ±x%: that floor, the first against itself\n"); err != nil {
			return err
		}
	}
	return writeTotals(w, groups)
}

// writeTotals prints a line for each value of the key.
func writeTotals(w io.Writer, groups []*compare.Group) error {
	totals := compare.Totals(groups)
	if len(totals) == 0 {
		return nil
	}
	t := &texttable.Table{Left: map[int]bool{0: true}}
	t.Gap()
	t.Row("over all groups", "time", "CPU", "bytes, median:", "warm", "cold", "after GC", compare.Main(groups...)+":", "clearly less", "~", "clearly more")
	for _, v := range totals {
		t.Row("  "+v.Value, number(v.Time, format.Ratio), number(v.CPU, format.Ratio),
			"", number(v.Warm, format.Percent), number(v.Cold, format.Percent), number(v.AfterGC, format.Percent),
			"", strconv.Itoa(v.Less), strconv.Itoa(v.Same), strconv.Itoa(v.More))
	}
	if err := t.Write(w); err != nil {
		return err
	}
	return writeNeighbours(w, groups)
}

// writeNeighbours prints how the third value of the key compares with the
// second, and so on.
func writeNeighbours(w io.Writer, groups []*compare.Group) error {
	all := compare.Neighbours(groups)
	if len(all) == 0 {
		return nil
	}
	t := &texttable.Table{Left: map[int]bool{0: true, 1: true}}
	t.Gap()
	t.Row("one against the one before", all[0].Unit, "clearly less", "~", "clearly more")
	for _, n := range all {
		overall := "-"
		if n.HasOverall {
			overall = format.Ratio(n.Overall.Center) + " " + format.Interval(n.Overall.Lo, n.Overall.Hi)
		}
		t.Row("  "+n.Value+" against "+n.Before, overall, strconv.Itoa(n.Less), strconv.Itoa(n.Same), strconv.Itoa(n.More))
	}
	return t.Write(w)
}

// number formats v, or says that there is none.
func number(v float64, f func(float64) string) string {
	if math.IsNaN(v) {
		return "-"
	}
	return f(v)
}

// median formats the median of a unit, or says that there is none.
func median(m *compare.Member, unit string, f func(float64) string) string {
	v, ok := m.Median(unit)
	if !ok {
		return "-"
	}
	return f(v)
}

// ratio formats the comparison of m with the first of its group; for the first
// itself, the noise floor.
func ratio(g *compare.Group, m *compare.Member, unit string) string {
	if len(g.Members) == 1 {
		return ""
	}
	if m == g.Members[0] {
		for _, other := range g.Members[1:] {
			if r, ok := other.Ratios[unit]; ok && !math.IsNaN(r.Floor) {
				return "1 ±" + format.Percent(r.Floor)
			}
		}
		return "1"
	}
	r, ok := m.Ratios[unit]
	if !ok {
		return "-"
	}
	text := format.Ratio(r.Center) + " " + format.Interval(r.Lo, r.Hi)
	if !r.Clear() {
		text += " ~"
	}
	return text
}
