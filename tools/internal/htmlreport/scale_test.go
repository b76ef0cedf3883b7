// SPDX-License-Identifier: BSD-3-Clause

package htmlreport

import (
	"math"
	"testing"
)

func TestScalesHoldTheirValues(t *testing.T) {
	for exp := -3.0; exp < 12; exp += 0.05 {
		top := math.Pow(10, exp)
		for name, make := range map[string]func(float64) (func(float64) float64, axis){"linear": linear, "logBytes": logBytes} {
			x, a := make(top)
			if at := x(top); at < 0 || at > 1 {
				t.Fatalf("%s(%v): the top is at %v", name, top, at)
			}
			if x(0) < 0 || x(0) > x(top) {
				t.Fatalf("%s(%v): zero is at %v, the top at %v", name, top, x(0), x(top))
			}
			texts := 0
			for _, tick := range a.Ticks {
				if tick.Text != "" {
					texts++
				}
			}
			if texts < 2 || texts > 6 {
				t.Fatalf("%s(%v): %d texts on the axis: %+v", name, top, texts, a.Ticks)
			}
		}
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{"5.00 µs": "5 µs", "0.500": "0.5", "100 ns": "100 ns", "1.50 ms": "1.5 ms"} {
		if got := plain(in); got != want {
			t.Errorf("plain(%q) = %q, want %q", in, got, want)
		}
	}
}
