// SPDX-License-Identifier: BSD-3-Clause

// Package format writes measured values for people: three significant digits
// and a unit.
package format

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Duration formats nanoseconds.
func Duration(ns float64) string {
	for _, u := range []struct {
		ns   float64
		unit string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= 0.9995*u.ns {
			return digits(ns/u.ns) + " " + u.unit
		}
	}
	return digits(ns) + " ns"
}

// Bytes formats a number of bytes. Whole numbers below 10 KiB stay exact.
func Bytes(b float64) string {
	switch {
	case b > 0 && b < 0.01:
		return "<0.01 B"
	case b < 10<<10:
		return Count(b) + " B"
	}
	for _, u := range []struct {
		bytes float64
		unit  string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}} {
		if b >= 0.9995*u.bytes {
			return digits(b/u.bytes) + " " + u.unit
		}
	}
	return digits(b/(1<<10)) + " KiB"
}

// Count formats a number that may have a fraction. Whole numbers below ten
// million stay exact; what is above zero never reads as zero.
func Count(n float64) string {
	switch {
	case n == 0:
		return "0"
	case n == math.Trunc(n) && n < 1e7:
		return strconv.FormatFloat(n, 'f', 0, 64)
	case n > 0 && n < 0.001:
		return "<0.001"
	case n >= 1e7:
		return digits(n/1e6) + "M"
	}
	return digits(n)
}

// Ratio formats a ratio.
func Ratio(r float64) string {
	if r < 0.001 {
		return strconv.FormatFloat(r, 'e', 1, 64)
	}
	return digits(r)
}

// Percent formats a fraction as a percentage. What is above zero never reads
// as zero.
func Percent(f float64) string {
	if f > 0 && f < 0.0001 {
		return "<0.01%"
	}
	return digits(100*f) + "%"
}

// digits formats with three significant digits and without an exponent.
func digits(v float64) string {
	switch a := math.Abs(v); {
	case a >= 99.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 0.9995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case a == 0:
		return "0"
	}
	// 0.0123: three digits after the zeros.
	prec := 2 - int(math.Floor(math.Log10(math.Abs(v))))
	s := strconv.FormatFloat(v, 'f', min(prec, 6), 64)
	return strings.TrimSuffix(s, ".")
}

// Interval formats the ends of an interval of ratios.
func Interval(lo, hi float64) string { return fmt.Sprintf("[%s, %s]", Ratio(lo), Ratio(hi)) }

// Plural counts things whose plural ends in s: "1 round", "2 rounds".
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
