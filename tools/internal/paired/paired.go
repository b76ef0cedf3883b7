// SPDX-License-Identifier: BSD-3-Clause

// Package paired compares two series of measurements that were taken in pairs.
//
// The i-th values of both series come from the same round, so what slows the
// machine down for a while slows both. The comparison is one of ratios: the
// logarithms of b[i]/a[i] are tested against zero with Wilcoxon's signed-rank
// test, exactly, and summarised by the estimate and the interval that belong to
// that test (Hodges and Lehmann, 1963: the median of the pairwise means, and the
// means whose ranks the test does not reject). No distribution is assumed beyond
// symmetry. x/perf's benchmath has the unpaired counterpart only.
package paired

import (
	"math"
	"slices"
)

// Confidence is the confidence that an interval aims at.
const Confidence = 0.95

// MinPairs is the least number of pairs for which an interval reaches
// [Confidence].
const MinPairs = 6

// A Ratio is how many times a the series b is.
type Ratio struct {
	Center     float64 // the estimate
	Lo, Hi     float64 // the interval around it
	Confidence float64 // what the interval reaches; below the package's Confidence for few pairs
	P          float64 // of the two-sided test that there is no difference
	N          int     // pairs
}

// Compare returns the ratio of b to a. It reports false if there are no pairs,
// or if a value is not positive, for which no ratio exists.
func Compare(a, b []float64) (Ratio, bool) {
	if len(a) == 0 || len(a) != len(b) {
		return Ratio{}, false
	}
	logs := make([]float64, len(a))
	for i := range a {
		if !(a[i] > 0 && b[i] > 0) || math.IsInf(a[i], 0) || math.IsInf(b[i], 0) {
			return Ratio{}, false
		}
		logs[i] = math.Log(b[i] / a[i])
	}
	n := len(logs)
	means := make([]float64, 0, n*(n+1)/2)
	for i := range logs {
		for j := i; j < n; j++ {
			means = append(means, (logs[i]+logs[j])/2)
		}
	}
	slices.Sort(means)
	m := len(means)
	center := (means[(m-1)/2] + means[m/2]) / 2

	// The ranks 1..n without ties give the interval its confidence.
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = 2 * (i + 1)
	}
	cdf := signedRanks(ranks)
	cut, tail := 0, cdf[0]
	for k := 1; 2*k < len(cdf) && cdf[2*k] <= (1-Confidence)/2; k++ {
		cut, tail = k, cdf[2*k]
	}
	return Ratio{
		Center:     math.Exp(center),
		Lo:         math.Exp(means[cut]),
		Hi:         math.Exp(means[m-1-cut]),
		Confidence: 1 - 2*tail,
		P:          signedRankP(logs),
		N:          n,
	}, true
}

// signedRanks returns the distribution function of the sum of those ranks whose
// sign is positive, when each sign is a fair coin: element s is P(sum <= s).
// The ranks are doubled, so that those of ties are whole numbers.
func signedRanks(doubled []int) []float64 {
	total := 0
	for _, r := range doubled {
		total += r
	}
	p := make([]float64, total+1)
	p[0] = 1
	top := 0
	for _, r := range doubled {
		top += r
		for s := top; s >= 0; s-- {
			p[s] /= 2
			if s >= r {
				p[s] += p[s-r] / 2 // not yet halved: s runs downwards
			}
		}
	}
	for s := 1; s <= total; s++ {
		p[s] += p[s-1]
	}
	return p
}

// signedRankP returns the two-sided p-value of the signed-rank test, exact also
// with ties. Differences of zero are left out, as Wilcoxon does.
func signedRankP(d []float64) float64 {
	d = slices.DeleteFunc(slices.Clone(d), func(x float64) bool { return x == 0 })
	if len(d) == 0 {
		return 1
	}
	slices.SortFunc(d, func(x, y float64) int {
		switch ax, ay := math.Abs(x), math.Abs(y); {
		case ax < ay:
			return -1
		case ax > ay:
			return 1
		}
		return 0
	})
	doubled := make([]int, len(d))
	for i := 0; i < len(d); {
		j := i + 1
		for j < len(d) && math.Abs(d[j]) == math.Abs(d[i]) {
			j++
		}
		for k := i; k < j; k++ {
			doubled[k] = i + 1 + j // twice the mean of the ranks i+1..j
		}
		i = j
	}
	positive, total := 0, 0
	for i, r := range doubled {
		total += r
		if d[i] > 0 {
			positive += r
		}
	}
	cdf := signedRanks(doubled)
	return min(1, 2*cdf[min(positive, total-positive)])
}

// Holm returns the p-values adjusted for having made all these tests: the
// chance that any of those called different at a level is a false alarm stays
// below that level.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case p[i] < p[j]:
			return -1
		case p[i] > p[j]:
			return 1
		}
		return 0
	})
	adjusted := make([]float64, len(p))
	worst := 0.0
	for rank, i := range order {
		worst = max(worst, min(1, p[i]*float64(len(p)-rank)))
		adjusted[i] = worst
	}
	return adjusted
}
