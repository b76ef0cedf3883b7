// SPDX-License-Identifier: BSD-3-Clause

package paired_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/spare-go/spare/tools/internal/paired"
)

func TestCompareIsExactForAConstantRatio(t *testing.T) {
	a := []float64{100, 120, 90, 4000, 110, 95}
	b := make([]float64, len(a))
	for i, v := range a {
		b[i] = v / 4
	}
	r, ok := paired.Compare(a, b)
	if !ok {
		t.Fatal("Compare refused positive values")
	}
	for _, v := range []float64{r.Center, r.Lo, r.Hi} {
		if math.Abs(v-0.25) > 1e-12 {
			t.Errorf("Compare = %+v, want 0.25 throughout: a slow round slows both", r)
		}
	}
	// All six differences have the same sign: 2 of the 64 outcomes.
	if want := 2.0 / 64; math.Abs(r.P-want) > 1e-12 {
		t.Errorf("P = %v, want %v", r.P, want)
	}
	if want := 1 - 2.0/64; math.Abs(r.Confidence-want) > 1e-12 {
		t.Errorf("Confidence = %v, want %v", r.Confidence, want)
	}
}

// The critical values and probabilities are those of the published tables of
// the signed-rank statistic.
func TestSignedRankTables(t *testing.T) {
	for _, tt := range []struct {
		n    int
		cut  int     // largest w with 2 P(W <= w) <= 0.05
		conf float64 // 1 - 2 P(W <= w)
	}{
		{6, 0, 1 - 2*0.015625},
		{8, 3, 1 - 2*0.01953125},
		{10, 8, 1 - 2*0.0244140625},
		{20, 52, 1 - 2*0.0242},
	} {
		a, b := make([]float64, tt.n), make([]float64, tt.n)
		var means []float64
		logs := make([]float64, tt.n)
		for i := range a {
			logs[i] = float64(i*i+1) / 1000
			a[i], b[i] = 1, math.Exp(logs[i])
		}
		for i := range logs {
			for j := i; j < len(logs); j++ {
				means = append(means, (logs[i]+logs[j])/2)
			}
		}
		slices.Sort(means)
		r, _ := paired.Compare(a, b)
		if math.Abs(r.Confidence-tt.conf) > 5e-5 {
			t.Errorf("n=%d: confidence %v, want %v", tt.n, r.Confidence, tt.conf)
		}
		if want := math.Exp(means[tt.cut]); math.Abs(r.Lo-want) > 1e-9 {
			t.Errorf("n=%d: lower end %v, want the mean of rank %d, %v", tt.n, r.Lo, tt.cut, want)
		}
	}
}

func TestSignedRankPWithTies(t *testing.T) {
	// Differences +1 +1 +1 -1 in logs: ranks 2.5 each, so that the sum of the
	// negative ones is 2.5; of 16 outcomes 5 are as small, on either side.
	a := []float64{1, 1, 1, math.E}
	b := []float64{math.E, math.E, math.E, 1}
	r, _ := paired.Compare(a, b)
	if want := 10.0 / 16; math.Abs(r.P-want) > 1e-12 {
		t.Errorf("P = %v, want %v", r.P, want)
	}
}

func TestCompareWithoutRatio(t *testing.T) {
	for _, tt := range []struct{ a, b []float64 }{
		{nil, nil},
		{[]float64{1, 0}, []float64{1, 1}},
		{[]float64{1, 1}, []float64{1, -1}},
		{[]float64{1, 1}, []float64{1}},
		{[]float64{1, math.NaN()}, []float64{1, 1}},
	} {
		if r, ok := paired.Compare(tt.a, tt.b); ok {
			t.Errorf("Compare(%v, %v) = %+v, want no ratio", tt.a, tt.b, r)
		}
	}
}

// Two thousand comparisons of series that do not differ: the interval must
// miss 1, and the test must call a difference, about as often as they claim.
func TestFalseAlarms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const trials, n = 2000, 8
	missed, called := 0, 0
	for range trials {
		a, b := make([]float64, n), make([]float64, n)
		for i := range a {
			weather := math.Exp(rng.NormFloat64()) // of the round: both have it
			a[i] = weather * math.Exp(0.05*rng.NormFloat64())
			b[i] = weather * math.Exp(0.05*rng.NormFloat64())
		}
		r, ok := paired.Compare(a, b)
		if !ok {
			t.Fatal("Compare refused positive values")
		}
		if r.Lo > 1 || r.Hi < 1 {
			missed++
		}
		if r.P < 0.05 {
			called++
		}
	}
	// 3.9% is what n=8 can reach; 5% of 2000 is 100, and 130 is three standard
	// deviations above it.
	if missed > 130 || called > 130 || missed < 40 || called < 40 {
		t.Errorf("of %d comparisons of equals, %d intervals miss 1 and %d tests reject; want about 78", trials, missed, called)
	}
}

func TestHolm(t *testing.T) {
	got := paired.Holm([]float64{0.01, 0.04, 0.03, 0.5})
	want := []float64{0.04, 0.09, 0.09, 0.5}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Fatalf("Holm = %v, want %v", got, want)
		}
	}
	if got := paired.Holm(nil); len(got) != 0 {
		t.Errorf("Holm(nil) = %v", got)
	}
}
