// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spare-go/spare/tools/internal/allocsite"
	"github.com/spare-go/spare/tools/internal/format"
	"github.com/spare-go/spare/tools/internal/texttable"
)

// WriteJSON writes the report as JSON.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}

// WriteText writes the report for a terminal: the ranking, then what to do about
// each site that is worth it. limit bounds the sites of the ranking; 0 is no
// bound.
func (r *Report) WriteText(w io.Writer, limit int) error {
	dir, _ := os.Getwd()
	fmt.Fprintf(w, "%s: %s, %s", r.Source, r.Total.bytes(), r.Total.objects())
	if len(r.Benchmarks) > 1 {
		fmt.Fprintf(w, " over one operation of each of %d benchmarks", len(r.Benchmarks))
	}
	if r.Span > 0 {
		fmt.Fprintf(w, ", over %s", format.Duration(r.Span*1e9))
	}
	profiled := 0.0
	for _, b := range r.Benchmarks {
		profiled += b.Profiled
	}
	if profiled > 0 {
		fmt.Fprintf(w, "; CPU profiles of %s", format.Duration(profiled*1e9))
	}
	fmt.Fprint(w, "\n\n")
	shown := r.Sites
	if limit > 0 && len(shown) > limit {
		shown = shown[:limit]
	}
	if len(shown) == 0 && r.explained != "" {
		_, err := fmt.Fprintf(w, "no value that the profile or the compiler knows of is made at %s%s\n", relative(dir, r.explained), r.near)
		return err
	}
	if len(shown) == 0 {
		_, err := fmt.Fprintln(w, "nothing was allocated that the profile knows of")
		return err
	}
	bench := ""
	if len(r.Benchmarks) > 0 {
		bench = "benchmark"
	}
	t := &texttable.Table{Left: map[int]bool{1: true, 2: true, 3: true, 4: true}}
	t.Row("share", "site", "what", "verdict", bench, "bytes", "objects", "saves bytes", "collections", "CPU")
	digits := len(strconv.Itoa(len(shown)))
	for i, s := range shown {
		var saves [3]string
		if p := s.Predicted; p != nil {
			saves = [3]string{interval(p.Bytes), interval(p.GCs), interval(p.CPU)}
			if p.NoCPU {
				saves[2] = "?"
			}
		}
		t.Row(format.Percent(s.Share), fmt.Sprintf("%*d  %s:%d", digits, i+1, relative(dir, s.File), s.Line), s.What, s.Verdict, strings.TrimPrefix(s.Benchmark, "Benchmark"),
			s.Traffic.bytes(), s.Traffic.objects(), saves[0], saves[1], saves[2])
	}
	if err := t.Write(w); err != nil {
		return err
	}
	if n := len(r.Sites) - len(shown); n > 0 {
		fmt.Fprintf(w, "and %s; -n 0 lists all\n", format.Plural(n, "more site"))
	}
	if r.explained == "" {
		if err := r.writeTogether(w); err != nil {
			return err
		}
	}
	for i := range shown {
		s := &shown[i]
		if s.Verdict == NotWorth && i > 0 {
			continue
		}
		fmt.Fprintf(w, "\n%d  ", i+1)
		s.write(w, dir)
	}
	return nil
}

// writeTogether prints what all changes of each benchmark save together.
func (r *Report) writeTogether(w io.Writer) error {
	t := &texttable.Table{Left: map[int]bool{0: true}}
	t.Gap()
	t.Row("all changes together", "bytes", "objects", "saves bytes", "collections", "CPU")
	rows := 0
	for _, b := range r.Benchmarks {
		if p := b.Predicted; p != nil {
			rows++
			t.Row("  "+strings.TrimPrefix(b.Name, "Benchmark"), b.Traffic.bytes(), b.Traffic.objects(), interval(p.Bytes), interval(p.GCs), interval(p.CPU))
		}
	}
	if rows == 0 {
		return nil
	}
	return t.Write(w)
}

// write tells the story of a site.
func (s *Site) write(w io.Writer, dir string) {
	fmt.Fprintf(w, "%s:%d: %s in %s\n", relative(dir, s.File), s.Line, s.What, shortFunc(s.Func))
	line := func(name, text string) { fmt.Fprintf(w, "   %-10s %s\n", name, text) }
	head := s.Verdict
	if s.Benchmark != "" {
		head += fmt.Sprintf("  (%s)", s.Benchmark)
	}
	line("verdict", head)
	line("advice", s.Advice)
	for _, l := range s.Lines {
		line("change", relativeLine(dir, l))
	}
	if s.Traffic.Objects > 0 {
		line("traffic", fmt.Sprintf("%s, %s, %s of all bytes; %s", s.Traffic.bytes(), s.Traffic.objects(), format.Percent(s.Share), s.sizes()))
		line("lifetime", s.Lifetime)
	}
	for i, e := range s.Escape {
		name := ""
		if i == 0 {
			name = "why"
		}
		line(name, e)
	}
	if p := s.Predicted; p != nil {
		line("predicted", p.words())
	}
	if p := s.Measured; p != nil {
		line("measured", p.words())
	}
	if s.Try != "" {
		line("try", s.Try)
	}
}

func (p *Prediction) words() string {
	text := fmt.Sprintf("%s of the bytes, %s of the collections", interval(p.Bytes), interval(p.GCs))
	if p.NoCPU {
		return text + "; CPU unknown: there is no CPU profile"
	}
	return text + fmt.Sprintf(", %s of the CPU time", interval(p.CPU))
}

func (s *Site) sizes() string {
	switch {
	case s.Size > 0 && s.Waste > 0:
		return fmt.Sprintf("%d bytes each in a class of %d: %s unused", s.Size, s.ClassSize, format.Percent(s.Waste))
	case s.Size > 0:
		return fmt.Sprintf("%d bytes each, a size class of its own", s.Size)
	}
	if s.SizeFrom > 0 {
		return fmt.Sprintf("%d to %d bytes each in a class of %d: at most %s unused",
			s.SizeFrom, s.ClassSize, s.ClassSize, format.Percent(float64(s.ClassSize-s.SizeFrom)/float64(s.ClassSize)))
	}
	return fmt.Sprintf("%s each on average", format.Bytes(float64(s.ClassSize)))
}

func (t *Traffic) bytes() string { return format.Bytes(t.Bytes) + t.per() }

func (t *Traffic) objects() string {
	thing := " objects"
	if t.Objects == 1 {
		thing = " object"
	}
	return format.Count(t.Objects) + thing + t.per()
}

func (t *Traffic) per() string {
	if t.Per == "" {
		return ""
	}
	return "/" + t.Per
}

// interval formats a range of fractions as whole percents.
func interval(v [2]float64) string {
	lo, hi := percent(v[0]), percent(v[1])
	if lo == hi {
		return lo + "%"
	}
	return lo + ".." + hi + "%"
}

func percent(v float64) string {
	if a := math.Abs(100 * v); a > 0 && a < 0.5 {
		return strconv.FormatFloat(100*v, 'f', 1, 64)
	}
	return strconv.FormatFloat(100*v, 'f', 0, 64)
}

// shortFunc returns a function's name with the last element of its package's
// path, whose dots symbols have as %2e.
func shortFunc(fn string) string {
	return strings.ReplaceAll(allocsite.QualifiedName(fn), "%2e", ".")
}

// relativeLine shortens the path at the beginning of FILE:LINE: text.
func relativeLine(dir, line string) string {
	if !filepath.IsAbs(line) {
		return line
	}
	return relative(dir, line)
}
