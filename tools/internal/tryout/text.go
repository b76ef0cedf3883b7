// SPDX-License-Identifier: BSD-3-Clause

package tryout

import (
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/spare-go/spare/tools/internal/format"
	"github.com/spare-go/spare/tools/internal/plain"
	"github.com/spare-go/spare/tools/internal/rewrite"
	"github.com/spare-go/spare/tools/internal/texttable"
)

// devNull takes what a build gives; the go command knows it.
const devNull = os.DevNull

// A Saving is the fraction that a change saves, as a range from low to high;
// what a change adds is negative. A Saving with NaN in it is not known.
type Saving struct{ Bytes, GCs, CPU [2]float64 }

// Saved returns what the try measured for a benchmark, as a Saving.
func (r *Result) Saved(benchmark string) (Saving, bool) {
	before, ok1 := r.Before[benchmark]
	after, ok2 := r.After[benchmark]
	if !ok1 || !ok2 {
		return Saving{}, false
	}
	point := func(b, a float64) [2]float64 {
		if !(b > 0) {
			return [2]float64{math.NaN(), math.NaN()}
		}
		return [2]float64{1 - a/b, 1 - a/b}
	}
	s := Saving{Bytes: point(before.Bytes, after.Bytes), GCs: point(before.GCs, after.GCs), CPU: [2]float64{math.NaN(), math.NaN()}}
	if c := r.Ratios[benchmark].CPU; c.N > 0 {
		s.CPU = [2]float64{1 - c.Hi, 1 - c.Lo}
	}
	return s, true
}

// WriteText writes a result for people. predicted, by benchmark, stands beside
// what was measured; it may be nil.
func WriteText(w io.Writer, r *Result, predicted map[string]Saving) error {
	out := new(strings.Builder)
	out.WriteString(format.Wrap("", "  ", fmt.Sprintf("%s:%d: %s", shortPath(r.Change.File), r.Change.Line, r.Change.Summary)))
	switch {
	case r.Err != nil:
		fmt.Fprintf(out, "  the try failed: %s\n", indent(firstLines(plain.Message(r.Err))))
		if r.TestOutput != "" && !strings.Contains(r.Err.Error(), r.TestOutput) {
			fmt.Fprintf(out, "    %s\n", indent(plain.Block(r.TestOutput)))
		}
	default:
		fmt.Fprintf(out, "  %s with the change, in the checked build too\n", tests(r))
	}
	if len(r.Before) > 0 {
		t := &texttable.Table{Left: map[int]bool{0: true, 7: true, 8: true}}
		head := []string{"  ", "B/op", "", "allocs/op", "", "GCs/op", "", "CPU", "noise"}
		t.Row(head...)
		for _, name := range slices.Sorted(maps.Keys(r.Before)) {
			b, a, ratio := r.Before[name], r.After[name], r.Ratios[name]
			cpu, noise := "-", ""
			if ratio.CPU.N > 0 {
				cpu = format.Ratio(ratio.CPU.Center) + " " + format.Interval(ratio.CPU.Lo, ratio.CPU.Hi)
				if !ratio.Clear {
					cpu += " ~"
				}
				if !math.IsNaN(ratio.CPU.Floor) {
					noise = "±" + format.Percent(ratio.CPU.Floor)
				}
			}
			row := []string{"  " + shortName(name, r),
				number(b.Bytes, format.Bytes), "-> " + number(a.Bytes, format.Bytes), number(b.Allocs, format.Count), "-> " + number(a.Allocs, format.Count),
				number(b.GCs, format.Count), "-> " + number(a.GCs, format.Count), cpu, noise}
			t.Row(row...)
			if p, ok := predicted[name]; ok {
				t.Row(fmt.Sprintf("    predicted: bytes %s, CPU %s", percents(p.Bytes), percents(p.CPU)))
			}
		}
		if err := t.Write(out); err != nil {
			return err
		}
	}
	for _, n := range r.Notes {
		out.WriteString(format.Wrap("  note: ", "    ", n))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func tests(r *Result) string {
	return fmt.Sprintf("the tests of %s pass", format.Plural(len(r.Packages), "package"))
}

func number(v float64, f func(float64) string) string {
	if math.IsNaN(v) {
		return "-"
	}
	return f(v)
}

// percents formats a saving as the change that it is: -10% for a tenth less.
func percents(saved [2]float64) string {
	if math.IsNaN(saved[0]) || math.IsNaN(saved[1]) {
		return "-"
	}
	if saved[0] == saved[1] {
		return change(saved[0])
	}
	return change(saved[0]) + " to " + change(saved[1])
}

func change(saved float64) string {
	switch {
	case saved < 0:
		return "+" + format.Percent(-saved)
	case saved == 0:
		return "0%"
	}
	return "-" + format.Percent(saved)
}

func indent(s string) string { return strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ") }

func firstLines(s string) string {
	lines := strings.Split(s, "\n")
	if len(lines) > 20 {
		lines = append(lines[:20], "...")
	}
	return strings.Join(lines, "\n")
}

// shortName leaves the package out where all benchmarks are of one.
func shortName(name string, r *Result) string {
	for other := range r.Before {
		if pkgOf(other) != pkgOf(name) {
			return name
		}
	}
	return name[len(pkgOf(name))+1:]
}

func pkgOf(name string) string {
	at := strings.Index(name, ".Benchmark")
	return name[:max(at, 0)]
}

// WriteDiff writes a change as a patch for patch -p1, or git apply, in dir. On w,
// lines of the files are as they are, unless it is a terminal; see [plain.Patch].
func WriteDiff(w io.Writer, dir string, c *rewrite.Change) error {
	w = plain.Patch(w)
	for _, name := range slices.Sorted(maps.Keys(c.Files)) {
		short := name
		if abs, err := filepath.Abs(dir); err == nil {
			if rel, err := filepath.Rel(abs, name); err == nil {
				short = rel
			}
		}
		short = filepath.ToSlash(short)
		if _, err := w.Write(diff.Diff(plain.PatchName("a/"+short), c.Old[name], plain.PatchName("b/"+short), c.Files[name])); err != nil {
			return err
		}
	}
	return nil
}
