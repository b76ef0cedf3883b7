// SPDX-License-Identifier: BSD-3-Clause

package compare_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/measure"
)

func series(name string, procs int, samples, replica []float64) *measure.Series {
	s := &measure.Series{Case: &measure.Case{Package: gotest.Package{ImportPath: "p"}, Name: name, Procs: procs}}
	for _, x := range samples {
		s.Samples = append(s.Samples, sample(x))
	}
	for _, x := range replica {
		s.Replica = append(s.Replica, sample(x))
	}
	return s
}

func sample(ns float64) measure.Sample {
	return measure.Sample{Iters: 1, Values: []benchfmt.Value{
		{Value: ns, Unit: measure.NsPerOp}, {Value: 1, Unit: measure.AllocsPerOp},
	}}
}

// drift is how a machine slows down over twelve rounds.
func drift(scale float64, wobble ...float64) []float64 {
	vs := make([]float64, 12)
	for i := range vs {
		vs[i] = scale * math.Pow(1.5, float64(i))
		if len(wobble) > 0 {
			vs[i] *= wobble[i%len(wobble)]
		}
	}
	return vs
}

func TestSplitKey(t *testing.T) {
	for _, tt := range []struct {
		name, rest, value string
		ok                bool
	}{
		{"BenchmarkX/impl=a", "BenchmarkX", "a", true},
		{"BenchmarkX/n=5/impl=a/size=1", "BenchmarkX/n=5/size=1", "a", true},
		{"BenchmarkX/impl=a-1", "BenchmarkX", "a-1", true},
		{"BenchmarkX/impl=", "BenchmarkX", "", true},
		{"BenchmarkX/other=a", "BenchmarkX/other=a", "", false},
		{"BenchmarkX/impl", "BenchmarkX/impl", "", false},
		{"Benchmarkimpl=a", "Benchmarkimpl=a", "", false},
		{"BenchmarkX/impl=a/impl=b", "BenchmarkX/impl=b", "a", true},
	} {
		rest, value, ok := compare.SplitKey(tt.name, "impl")
		if rest != tt.rest || value != tt.value || ok != tt.ok {
			t.Errorf("SplitKey(%q) = %q, %q, %v", tt.name, rest, value, ok)
		}
	}
}

func TestByPairsTheRounds(t *testing.T) {
	groups := compare.By([]*measure.Series{
		series("BenchmarkX/impl=a/n=1", 2, drift(100), drift(100, 0.99, 1.01)),
		series("BenchmarkAlone", 2, drift(1), nil),
		series("BenchmarkX/impl=b/n=1", 2, drift(50), nil),
		series("BenchmarkX/impl=c/n=1", 2, drift(100.5), nil),
		series("BenchmarkX/impl=a/n=2", 2, drift(100), nil),
	}, "impl")
	var titles []string
	for _, g := range groups {
		titles = append(titles, g.Title)
	}
	if want := []string{"X/n=1", "Alone", "X/n=2"}; !slices.Equal(titles, want) {
		t.Fatalf("groups %q, want %q", titles, want)
	}
	g := groups[0]
	if len(g.Members) != 3 || g.Members[0].Value != "a" || len(g.Members[0].Ratios) != 0 {
		t.Fatalf("members %+v", g.Members)
	}
	b, ok := g.Members[1].Ratios[measure.NsPerOp]
	// The machine became 86 times slower meanwhile; the pairs do not see it.
	if !ok || math.Abs(b.Center-0.5) > 1e-9 || math.Abs(b.Hi-0.5) > 1e-9 || !b.Clear() {
		t.Errorf("b is %+v, want a clear half", b)
	}
	if b.Floor < 0.005 || b.Floor > 0.02 {
		t.Errorf("the noise floor is %v, want about 1%%", b.Floor)
	}
	// Two comparisons were made: Holm doubles the smaller p, 2/4096.
	if want := 4.0 / 4096; math.Abs(b.Adjusted-want) > 1e-12 {
		t.Errorf("adjusted p %v, want %v", b.Adjusted, want)
	}
	c := g.Members[2].Ratios[measure.NsPerOp]
	if c.P > 0.001 || c.Clear() {
		t.Errorf("c is %+v: half a percent is significant, but within the noise floor", c)
	}
	if _, ok := g.Members[1].Ratios[measure.CPUPerOp]; ok {
		t.Error("there is a ratio of CPU time, which was not measured")
	}
}

func TestTitleNamesGOMAXPROCSOnlyWhenItDiffers(t *testing.T) {
	groups := compare.By([]*measure.Series{
		series("BenchmarkX", 1, drift(1), nil), series("BenchmarkX", 4, drift(1), nil),
	}, "impl")
	if groups[0].Title != "X-1" || groups[1].Title != "X-4" {
		t.Errorf("titles %q and %q", groups[0].Title, groups[1].Title)
	}
}

func TestReplicasAreTheFirstOfEachGroup(t *testing.T) {
	var cases []*measure.Case
	for _, name := range []string{"BenchmarkX/impl=a", "BenchmarkX/impl=b", "BenchmarkAlone", "BenchmarkY/impl=b"} {
		cases = append(cases, &measure.Case{Name: name, Procs: 1})
	}
	got := compare.Replicas(cases, "impl")
	if len(got) != 1 || !got[cases[0]] {
		t.Errorf("replicas %v, want the first alone: the others have nothing to be compared with", got)
	}
}

func TestWarnings(t *testing.T) {
	few := compare.By([]*measure.Series{
		series("BenchmarkX/impl=a", 1, []float64{1, 1}, nil), series("BenchmarkX/impl=b", 1, []float64{1, 1}, nil),
	}, "impl")
	if got := strings.Join(compare.Warnings(few), "\n"); !strings.Contains(got, "2 rounds are too few") || !strings.Contains(got, "-count 6") {
		t.Errorf("warnings %q", got)
	}

	var many []*measure.Series
	for _, n := range []string{"1", "2", "3", "4", "5"} {
		many = append(many, series("BenchmarkX/impl=a/n="+n, 1, drift(1)[:6], nil), series("BenchmarkX/impl=b/n="+n, 1, drift(2)[:6], nil))
	}
	// 5 comparisons with p = 2^(1-n) below 0.05 need n = 8.
	var cases []*measure.Case
	for _, x := range many {
		cases = append(cases, x.Case)
	}
	if got := compare.Enough(cases, "impl"); got != 8 {
		t.Errorf("%d rounds are enough, want 8", got)
	}
	if got := compare.Enough(cases[:1], "impl"); got != 0 {
		t.Errorf("%d rounds are enough for nothing to compare", got)
	}
	if got := strings.Join(compare.Warnings(compare.By(many, "impl")), "\n"); !strings.Contains(got, "-count 8 is the least") {
		t.Errorf("warnings %q", got)
	}

	s := series("BenchmarkX", 1, drift(1), nil)
	if got := compare.Warnings(compare.By([]*measure.Series{s}, "impl")); len(got) != 0 {
		t.Errorf("warnings %q about nothing", got)
	}
	s.Samples[3].Values[1].Value = 1.2
	s.Samples[0].Race = true
	s.Samples[0].Setup = 100 // once is noise
	got := strings.Join(compare.Warnings(compare.By([]*measure.Series{s}, "impl")), "\n")
	if !strings.Contains(got, "BenchmarkX: 1 to 1.2 allocs/op") || !strings.Contains(got, "BenchmarkX: built with the race detector") ||
		strings.Contains(got, "before its loop") {
		t.Errorf("warnings %q", got)
	}

	s = series("BenchmarkX", 2, drift(1), nil)
	for i := range s.Samples {
		s.Samples[i].Setup = 100
	}
	want := "cold and after-GC figures of BenchmarkX include what it does before its loop: call b.ResetTimer, or use b.Loop"
	if got := compare.Warnings(compare.By([]*measure.Series{s}, "impl")); !slices.Equal(got, []string{want}) {
		t.Errorf("warnings %q, want one", got)
	}
	other := series("BenchmarkY", 4, drift(1), nil)
	want = strings.Replace(want, "BenchmarkX", "BenchmarkX-2", 1)
	if got := compare.Warnings(compare.By([]*measure.Series{s, other}, "impl")); !slices.Equal(got, []string{want}) {
		t.Errorf("warnings %q, want one that tells -2 from -4", got)
	}
}

// values gives a series its values of a unit, one for each sample.
func values(s *measure.Series, unit string, vs ...float64) {
	for i := range s.Samples {
		s.Samples[i].Values = slices.DeleteFunc(s.Samples[i].Values, func(v benchfmt.Value) bool { return v.Unit == unit })
		s.Samples[i].Values = append(s.Samples[i].Values, benchfmt.Value{Value: vs[i%len(vs)], Unit: unit})
	}
}

func loops(s *measure.Series, iters int) *measure.Series {
	for i := range s.Samples {
		s.Samples[i].Loop, s.Samples[i].Iters = true, iters
	}
	return s
}

func warn(all ...*measure.Series) string {
	return strings.Join(compare.Warnings(compare.By(all, "impl")), "\n")
}

// The first operation of a b.Loop is in what go test prints, and not here.
func TestWarnsOfColdLeakage(t *testing.T) {
	s := loops(series("BenchmarkX", 1, drift(1), nil), 999)
	values(s, measure.BytesPerOp, 100)
	values(s, measure.ColdBytes, 100_100)
	if got := warn(s); !strings.Contains(got, "b.Loop") || !strings.Contains(got, "BenchmarkX (200 B, not 100 B, in 1000 operations)") {
		t.Errorf("warnings %q, want go test's mean over 1000 operations", got)
	}
	// A twentieth of the bytes is the least that is worth a word.
	values(s, measure.ColdBytes, 4_100)
	if got := warn(s); got != "" {
		t.Errorf("warnings %q of 4 bytes in 100", got)
	}
	n := series("BenchmarkY", 1, drift(1), nil)
	values(n, measure.BytesPerOp, 0)
	values(n, measure.ColdBytes, 1e6)
	if got := warn(n); got != "" {
		t.Errorf("warnings %q of a loop to b.N, which leaves the first operation out", got)
	}
	var many []*measure.Series
	for _, name := range []string{"A", "B", "C", "D", "E", "F", "G", "H"} {
		s := loops(series("Benchmark"+name, 1, drift(1), nil), 999)
		values(s, measure.BytesPerOp, 100)
		values(s, measure.ColdBytes, 100_100)
		many = append(many, s)
	}
	if got := warn(many...); !strings.Contains(got, "8 benchmarks, e.g. BenchmarkA (") || strings.Contains(got, "BenchmarkB") || len(got) > 180 {
		t.Errorf("warnings %q, want a number and one name in a short line", got)
	}
}

func TestWarnsOfMixedLoops(t *testing.T) {
	a, b := series("BenchmarkX/impl=a", 1, drift(1), nil), loops(series("BenchmarkX/impl=b", 1, drift(1), nil), 10)
	if got := warn(a, b); !strings.Contains(got, "BenchmarkX/impl=b uses b.Loop and BenchmarkX/impl=a loops to b.N") {
		t.Errorf("warnings %q", got)
	}
	if got := warn(loops(a, 10), b); got != "" {
		t.Errorf("warnings %q about two alike", got)
	}
}

func TestWarnsOfBackgroundAllocations(t *testing.T) {
	s := series("BenchmarkX", 1, drift(1), nil)
	s.Samples[3].Idle = 7
	if got := warn(s); got != "" {
		t.Errorf("warnings %q about a single round", got)
	}
	s.Samples[5].Idle = 12
	if got := warn(s); !strings.Contains(got, "BenchmarkX: something allocates in the background (12 objects within a millisecond") {
		t.Errorf("warnings %q", got)
	}
}

// A difference that the test is sure of, and equal binaries show as well.
func TestWarnsOfANoiseFloorAboveTheEffect(t *testing.T) {
	a := series("BenchmarkX/impl=a", 1, drift(100), drift(100, 0.9, 1.1))
	b := series("BenchmarkX/impl=b", 1, drift(98), nil)
	got := warn(a, b)
	if !strings.Contains(got, "the noise floor is above the effect") || !strings.Contains(got, "BenchmarkX/impl=b (0.980, floor ±11") {
		t.Errorf("warnings %q", got)
	}
	if got := warn(a, series("BenchmarkX/impl=b", 1, drift(50), nil)); got != "" {
		t.Errorf("warnings %q about a difference far beyond the floor", got)
	}
	if got := warn(a, series("BenchmarkX/impl=b", 1, drift(100, 0.99, 1.01), nil)); got != "" {
		t.Errorf("warnings %q about what the test does not call different", got)
	}
}

func TestBySide(t *testing.T) {
	base, other := &measure.Side{Name: "base"}, &measure.Side{Name: "new"}
	a, b, c := series("BenchmarkX/impl=a", 1, drift(100), drift(100, 0.99, 1.01)), series("BenchmarkX/impl=a", 1, drift(50), nil), series("BenchmarkX/impl=b", 1, drift(1), nil)
	a.Side, b.Side, c.Side = base, other, base
	b.Samples[0].Race = true
	groups := compare.BySide([]*measure.Series{a, b, c})
	if len(groups) != 2 || groups[0].Title != "X/impl=a" || len(groups[0].Members) != 2 || groups[0].Members[1].Value != "new" {
		t.Fatalf("groups %+v", groups)
	}
	if r := groups[0].Members[1].Ratios[measure.NsPerOp]; math.Abs(r.Center-0.5) > 1e-9 || !r.Clear() {
		t.Errorf("new is %+v, want a clear half", r)
	}
	if got := strings.Join(compare.Warnings(groups), "\n"); !strings.Contains(got, "BenchmarkX/impl=a (side new): built with the race detector") {
		t.Errorf("warnings %q do not name the side", got)
	}
	if got := compare.Replicas([]*measure.Case{a.Case, b.Case, c.Case}, ""); len(got) != 1 || !got[a.Case] {
		t.Errorf("replicas %v, want that of the base that has something to compare with", got)
	}
}
