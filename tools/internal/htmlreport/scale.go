// SPDX-License-Identifier: BSD-3-Clause

package htmlreport

import (
	"math"
	"strings"

	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/format"
)

// ratioScale returns a logarithmic scale that holds every ratio of the groups,
// within bounds: beyond them a mark sits at the end of the axis and says so.
func ratioScale(groups []*compare.Group) (func(float64) (x float64, out string), axis) {
	lo, hi := 0.5, 1.5
	for _, g := range groups {
		for _, m := range g.Members {
			if r, ok := m.Ratios[compare.Main(g)]; ok {
				lo, hi = min(lo, r.Lo), max(hi, r.Hi)
			}
		}
	}
	lo, hi = max(lo/1.1, 1.0/200), min(hi*1.1, 20)
	width := math.Log(hi / lo)
	scale := func(r float64) (float64, string) {
		x := math.Log(r/lo) / width
		switch {
		case x < 0:
			return inset(0), "left"
		case x > 1:
			return inset(1), "right"
		}
		return inset(x), ""
	}
	a := axis{Label: "ratio, logarithmic; less is better"}
	candidates := []float64{0.01, 0.03, 0.1, 0.3, 1, 3, 10}
	if hi/lo < 30 {
		candidates = []float64{0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10}
	}
	if hi/lo < 5 {
		candidates = []float64{0.25, 0.5, 0.75, 1, 1.5, 2, 3}
	}
	for _, c := range candidates {
		if c >= lo && c <= hi {
			x, _ := scale(c)
			a.Ticks = append(a.Ticks, tick{X: pct(x), Text: tickText(c), Strong: c == 1, Anchor: "middle"})
		}
	}
	return scale, a
}

func tickText(c float64) string {
	if c == math.Trunc(c) {
		return format.Count(c) + "×"
	}
	return plain(format.Ratio(c)) + "×"
}

// plain takes the zeros at the end of a fraction off: 5 µs, not 5.00 µs.
func plain(s string) string {
	number, unit, _ := strings.Cut(s, " ")
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return strings.TrimSpace(number + " " + unit)
}

// linear returns a scale from zero to top or a little more.
func linear(top float64) (func(float64) float64, axis) {
	if !(top > 0) {
		top = 1
	}
	step := math.Pow(10, math.Floor(math.Log10(top)))
	for _, s := range []float64{0.2, 0.5, 1, 2, 5} {
		if top/(step*s) <= 4 {
			step *= s
			break
		}
	}
	end := max(step, math.Ceil(top/step-1e-9)*step)
	x := func(v float64) float64 { return inset(v / end) }
	var a axis
	for i := 0; float64(i)*step <= end*1.0001; i++ {
		v := float64(i) * step
		text := "0"
		if v > 0 {
			text = plain(format.Duration(v))
		}
		a.Ticks = append(a.Ticks, tick{X: pct(x(v)), Text: text, Anchor: "middle"})
	}
	ends(a.Ticks)
	return x, a
}

// logBytes returns a logarithmic scale of bytes, with zero in a place of its
// own at the left.
func logBytes(top float64) (func(float64) float64, axis) {
	const zero = 0.08 // the place of zero, and where one byte begins
	decades := 2.0
	for math.Pow(16, decades) < top {
		decades++
	}
	x := func(v float64) float64 {
		if v <= 0 {
			return inset(0)
		}
		return inset(zero + (1-zero)*min(1, max(0, math.Log(v)/math.Log(16)/decades)))
	}
	a := axis{Ticks: []tick{{X: pct(x(0)), Text: "0", Anchor: "middle"}}}
	for d := 0.0; d <= decades; d++ {
		v := math.Pow(16, d)
		// 1 16 256 4Ki 64Ki 1Mi: every second one has its text.
		text := ""
		if d > 0 && (decades <= 3 || int(d)%2 == int(decades)%2) {
			text = format.Bytes(v)
			if v >= 1<<20 {
				text = format.Count(v/(1<<20)) + " MiB"
			} else if v >= 1<<10 {
				text = format.Count(v/(1<<10)) + " KiB"
			}
		}
		a.Ticks = append(a.Ticks, tick{X: pct(x(v)), Text: text, Anchor: "middle"})
	}
	ends(a.Ticks)
	return x, a
}

// ends keeps the texts at the ends of an axis inside the picture.
func ends(ticks []tick) {
	if len(ticks) > 1 {
		ticks[0].Anchor = "start"
		ticks[len(ticks)-1].Anchor = "end"
	}
}
