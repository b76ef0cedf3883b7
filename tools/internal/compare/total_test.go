// SPDX-License-Identifier: BSD-3-Clause

package compare_test

import (
	"math"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/measure"
)

func withBytes(s *measure.Series, warm, cold float64) *measure.Series {
	for i := range s.Samples {
		s.Samples[i].Values = append(s.Samples[i].Values,
			benchfmt.Value{Value: warm, Unit: measure.BytesPerOp}, benchfmt.Value{Value: cold, Unit: measure.ColdBytes})
	}
	return s
}

func TestTotals(t *testing.T) {
	groups := compare.By([]*measure.Series{
		withBytes(series("BenchmarkX/impl=a", 1, drift(100), nil), 64, 64),
		withBytes(series("BenchmarkX/impl=b", 1, drift(50), nil), 16, 128),
		withBytes(series("BenchmarkY/impl=a", 1, drift(1), nil), 0, 1<<20),
		withBytes(series("BenchmarkY/impl=b", 1, drift(8), nil), 100, 1<<21),
		withBytes(series("BenchmarkZ/impl=a", 1, drift(1, 1, 1.1), nil), 10, 10),
		withBytes(series("BenchmarkZ/impl=b", 1, drift(1, 1.1, 1), nil), 5, 10),
		series("BenchmarkZ/impl=c", 1, drift(1, 1.1, 1), nil),
		series("BenchmarkAlone", 1, drift(1), nil),
	}, "impl")
	totals := compare.Totals(groups)
	if len(totals) != 2 || totals[0].Value != "b" || totals[1].Value != "c" {
		t.Fatalf("totals %+v, want one for b and one for c", totals)
	}
	b := totals[0]
	if b.Groups != 3 || b.Less != 1 || b.Same != 1 || b.More != 1 {
		t.Errorf("%+v, want three groups: one less, one the same, one more", b)
	}
	// 1/2 * 8 * 1
	if want := math.Cbrt(4); math.Abs(b.Time-want) > 1e-9 {
		t.Errorf("time %v, want %v", b.Time, want)
	}
	// The median of 1/4, 100 and 1/2: Y's first allocates nothing when warm,
	// which counts as a byte.
	if want := 0.5; math.Abs(b.Warm-want) > 1e-9 {
		t.Errorf("warm %v, want %v", b.Warm, want)
	}
	if want := 2.0; math.Abs(b.Cold-want) > 1e-9 {
		t.Errorf("cold %v, want %v", b.Cold, want)
	}
	if !math.IsNaN(b.AfterGC) || !math.IsNaN(b.CPU) || !math.IsNaN(totals[1].Warm) {
		t.Errorf("%+v %+v: numbers that were not measured", b, totals[1])
	}
	next := compare.By([]*measure.Series{
		withBytes(series("BenchmarkX/impl=a", 1, drift(1), nil), 0.5, 0),
		withBytes(series("BenchmarkX/impl=b", 1, drift(1), nil), 0.01, 0.9),
		withBytes(series("BenchmarkY/impl=a", 1, drift(1), nil), 2, 1000),
		withBytes(series("BenchmarkY/impl=b", 1, drift(1), nil), 3, 100),
		withBytes(series("BenchmarkZ/impl=a", 1, drift(1), nil), 2, 1000),
		withBytes(series("BenchmarkZ/impl=b", 1, drift(1), nil), 5, 300),
	}, "impl")
	// X has less than a byte on both sides; an even number has its median between.
	if b := compare.Totals(next)[0]; b.Warm != 2 || math.Abs(b.Cold-0.2) > 1e-9 {
		t.Errorf("warm %v and cold %v, want 2 and 0.2", b.Warm, b.Cold)
	}
	if got := compare.Main(groups...); got != measure.NsPerOp {
		t.Errorf("Main is %s without CPU time", got)
	}
}
