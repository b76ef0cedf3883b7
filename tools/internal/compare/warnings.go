// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spare-go/spare/tools/internal/format"
	"github.com/spare-go/spare/tools/internal/measure"
	"github.com/spare-go/spare/tools/internal/paired"
)

// Warnings says by name what a reader of the figures must know.
func Warnings(groups []*Group) []string {
	// GOMAXPROCS is part of a name only where it tells names apart; so is a side.
	severalProcs := slices.ContainsFunc(groups, func(g *Group) bool { return g.Procs != groups[0].Procs })
	name := func(m *Member) string {
		n := m.Name
		if severalProcs {
			n = m.FullName()
		}
		if m.Side != nil && m.Side.Name != "" {
			n += " (side " + m.Side.Name + ")"
		}
		return n
	}
	var out []string
	var leaks, within []string
	few := 0
	for _, g := range groups {
		for _, m := range g.Members {
			if n := len(m.Samples); n > 0 && n < paired.MinPairs && len(g.Members) > 1 {
				few = n
			}
			if len(m.Samples) > 0 && m.Samples[0].Race {
				out = append(out, fmt.Sprintf("%s: built with the race detector; its counts are not those of a normal build", name(m)))
			}
			setups, idle := 0, []uint64(nil)
			for _, s := range m.Samples {
				if s.Setup > 0 {
					setups++
				}
				if s.Idle > 0 {
					idle = append(idle, s.Idle)
				}
			}
			// One sample may owe its bytes to the runtime's work in the background.
			if 2*setups > len(m.Samples) {
				out = append(out, fmt.Sprintf("cold and after-GC figures of %s include what it does before its loop: call b.ResetTimer, or use b.Loop", name(m)))
			}
			if len(idle) > 0 && len(idle) >= min(2, len(m.Samples)) {
				out = append(out, fmt.Sprintf("%s: something allocates in the background (%s within a millisecond without an operation), and counts in its B/op and allocs/op", name(m), format.Plural(int(slices.Max(idle)), "object")))
			} else if lo, hi, vary := spread(m.Values(measure.AllocsPerOp)); vary {
				out = append(out, fmt.Sprintf("%s: %.3g to %.3g allocs/op from run to run: something allocates in the background, or the collector empties a pool", name(m), lo, hi))
			}
			if text, ok := leak(m); ok {
				leaks = append(leaks, name(m)+" ("+text+")")
			}
			if r, ok := m.Ratios[Main(g)]; ok && r.Adjusted < Alpha && !r.Clear() {
				within = append(within, fmt.Sprintf("%s (%s, floor ±%s)", name(m), format.Ratio(r.Center), format.Percent(r.Floor)))
			}
		}
		if text, ok := mixed(g, name); ok {
			out = append(out, text)
		}
	}
	if n := len(leaks); n > 0 {
		which := leaks[0]
		if n > 1 {
			which = fmt.Sprintf("%d benchmarks, e.g. %s", n, leaks[0])
		}
		out = append(out, fmt.Sprintf("with b.Loop, go test prints more B/op than stands here for %s: it counts the first operation", which))
	}
	if len(within) > 0 {
		out = append(out, "the noise floor is above the effect, though the test rejects: "+list(within)+"; more rounds do not help, a quieter machine or a longer -benchtime may")
	}
	if least := needed(groups); few == 0 && least > 0 {
		out = append(out, fmt.Sprintf("with so many comparisons the test cannot call any of them different in so few rounds (Holm); -count %d is the least", least))
	}
	if few > 0 {
		verb := " are"
		if few == 1 {
			verb = " is"
		}
		out = append(out, fmt.Sprintf("%s too few for an interval of 95%%; -count %d is the least", format.Plural(few, "round")+verb, paired.MinPairs))
	}
	return out
}

// list joins names, as many as a reader takes in.
func list(names []string) string {
	const many = 6
	if n := len(names); n > many {
		return strings.Join(names[:many], ", ") + fmt.Sprintf(" and %d more", n-many)
	}
	return strings.Join(names, ", ")
}

// leak reports whether the first operation of a b.Loop, which go test counts
// among the others, would show in the bytes per operation that it prints: by a
// twentieth of them, and by a byte.
func leak(m *Member) (text string, ok bool) {
	if len(m.Samples) == 0 || !m.Samples[0].Loop {
		return "", false
	}
	warm, ok1 := m.Median(measure.BytesPerOp)
	cold, ok2 := m.Median(measure.ColdBytes)
	n := float64(m.Samples[len(m.Samples)-1].Iters)
	with := (warm*n + cold) / (n + 1)
	if !ok1 || !ok2 || with-warm < max(1, warm/20) {
		return "", false
	}
	return fmt.Sprintf("%s, not %s, in %.0f operations", format.Bytes(with), format.Bytes(warm), n+1), true
}

// mixed reports whether some members of a group loop to b.N and others use
// b.Loop.
func mixed(g *Group, name func(*Member) string) (text string, ok bool) {
	var loop, n *Member
	for _, m := range g.Members {
		if len(m.Samples) == 0 {
			continue
		}
		if m.Samples[0].Loop {
			loop = m
		} else {
			n = m
		}
	}
	if loop == nil || n == nil {
		return "", false
	}
	return fmt.Sprintf("%s uses b.Loop and %s loops to b.N: the cold and after-GC figures of the second include what it does before its loop, and go test's B/op of the first its first operation; the warm figures here compare",
		name(loop), name(n)), true
}

// needed returns the least number of rounds with which the smallest p-value
// that the signed-rank test can give survives Holm's correction, or 0 if there
// are enough rounds.
func needed(groups []*Group) int {
	rounds := 0
	for _, g := range groups {
		for _, m := range g.Members[1:] {
			rounds = len(m.Samples)
		}
	}
	if least := enough(comparisons(groups)); rounds < least {
		return least
	}
	return 0
}

// comparisons is how many there are in one unit.
func comparisons(groups []*Group) (n int) {
	for _, g := range groups {
		n += len(g.Members) - 1
	}
	return n
}

// enough returns the number of rounds from which on n comparisons can be told.
func enough(n int) int {
	if n == 0 {
		return 0
	}
	least := 1
	for float64(n)*math.Exp2(float64(1-least)) >= Alpha {
		least++
	}
	return least
}

// spread reports whether counts differ by more than what the ends of a loop
// explain.
func spread(vs []float64) (lo, hi float64, vary bool) {
	if len(vs) == 0 {
		return 0, 0, false
	}
	lo, hi = vs[0], vs[0]
	for _, v := range vs {
		lo, hi = min(lo, v), max(hi, v)
	}
	return lo, hi, hi-lo > 0.05 && hi > 1.05*lo
}
