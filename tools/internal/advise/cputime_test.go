// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"math"
	"testing"
)

// Profiling ends when the share is known, or the budget is spent.
func TestProfileMore(t *testing.T) {
	const second = 1e9
	for _, tt := range []struct {
		name         string
		samples      int64
		share        float64
		took, budget float64
		want         func(ns float64) bool
	}{
		{"known", 400, 0.5, 4 * second, 10 * second, func(ns float64) bool { return ns == 0 }},
		{"next to nothing there", 100, 0, second, 10 * second, func(ns float64) bool { return ns == 0 }},
		{"a quarter known", 100, 0.5, second, 10 * second, func(ns float64) bool { return ns > 3*second && ns < 3.5*second }},
		{"a small share needs fewer", 100, 0.1, second, 10 * second, func(ns float64) bool { return ns > 0.4*second && ns < second }},
		{"up to the budget", 100, 0.5, second, 2 * second, func(ns float64) bool { return ns == second }},
		{"the budget is spent", 100, 0.5, second, 1.05 * second, func(ns float64) bool { return ns == 0 }},
		{"no profiler here", 0, 0, second, 10 * second, func(ns float64) bool { return ns == 0 }},
	} {
		if got := profileMore(tt.samples, tt.share, tt.took, tt.budget); !tt.want(got) {
			t.Errorf("%s: %v ns more", tt.name, got)
		}
	}
	// What it stops at is what it promises, for any share.
	for share := 0.0; share <= 1; share += 0.05 {
		n := int64(50)
		for profileMore(n, share, float64(n)*samplePeriod, 100*second) > 0 {
			n++
		}
		c := cpuShare{samples: n}
		if err := 2 * c.standardError(share); err > sure || math.IsNaN(err) {
			t.Errorf("share %v: two standard errors are %v after %d samples, want at most %v", share, err, n, sure)
		}
	}
}
