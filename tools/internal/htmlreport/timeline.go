// SPDX-License-Identifier: BSD-3-Clause

package htmlreport

import (
	"fmt"
	"strings"
	"time"

	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/format"
)

// dots draws the values of the rounds, one below the other in their order, as a
// path in a picture 1000 wide and 26 high: segments without length, whose ends
// are round.
func dots(values []float64, x func(float64) float64) string {
	var b strings.Builder
	for i, v := range values {
		fmt.Fprintf(&b, "M%.0f %.0fh0", 1000*x(v), 6+14*float64(i)/float64(max(1, len(values)-1)))
	}
	return b.String()
}

// timeAxis sets the axis for the collections of the last round, if there was
// any, and returns its scale.
func (g *groupView) timeAxis() func(float64) float64 {
	longest := time.Duration(0)
	for _, m := range g.Members {
		_, window, n := m.Collected()
		longest = max(longest, window)
		g.HasTime = g.HasTime || n > 0
	}
	var x func(float64) float64
	x, g.TimeAxis = linear(float64(longest))
	return x
}

// cells is how finely the time line tells collections apart.
const cells = 250

// timeLine draws the collections of the last round. What falls into neighbouring
// cells is one bar, so that the picture stays small however many there are.
func (r *row) timeLine(m *compare.Member, x func(float64) float64) {
	known, window, n := m.Collected()
	r.End = pct(x(float64(window)))
	var b strings.Builder
	begin, end := -1, -1
	flush := func() {
		if begin >= 0 {
			fmt.Fprintf(&b, "M%d 9H%d", begin, end+1)
		}
	}
	pause := time.Duration(0)
	for _, c := range known {
		pause += c.Pause
		at := int(x(float64(c.End)) * cells)
		if begin >= 0 && at <= end+1 {
			end = at
			continue
		}
		flush()
		begin, end = at, at
	}
	flush()
	r.Collections = b.String()
	r.TimeText = fmt.Sprintf("%s in %s", collections(n), format.Duration(float64(window)))
	if len(known) > 0 {
		r.TimeText += ", " + format.Duration(float64(pause)) + " stopped"
	}
	if n > len(known) {
		r.TimeText += fmt.Sprintf(", the last %d shown", len(known))
	}
}

func collections(n int) string {
	if n == 0 {
		return "no collection"
	}
	return format.Plural(n, "collection")
}
