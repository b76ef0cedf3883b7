// SPDX-License-Identifier: BSD-3-Clause

package measure

import (
	"slices"
	"strconv"
	"strings"
)

// Round drops digits that no measurement supports: clocks are worth six
// significant ones, and counts per operation six decimals, since a millionth of
// an allocation is the runtime's own work in the background.
func Round(v float64, unit string) float64 {
	text := strconv.FormatFloat(v, 'f', 6, 64)
	if strings.HasSuffix(unit, "ns/op") || unit == "MB/s" {
		text = strconv.FormatFloat(v, 'g', 6, 64)
	} else if !measured(unit) {
		return v // the benchmark's own
	}
	if r, err := strconv.ParseFloat(text, 64); err == nil {
		return r
	}
	return v
}

// measured reports whether the values of a unit are counts that spare made.
func measured(unit string) bool {
	return unit == BytesPerOp || unit == AllocsPerOp || slices.Contains(Units, unit)
}
