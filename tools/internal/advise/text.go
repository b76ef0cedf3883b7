// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
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
	out := *r
	if out.Sites == nil {
		out.Sites = []Site{} // a list without elements, not null
	}
	return enc.Encode(&out)
}

// WriteText writes the report for a terminal: the ranking, then what to do about
// each site that is worth it. limit bounds the sites of the ranking; 0 is no
// bound. Lines are at most width characters long where paths and names allow.
func (r *Report) WriteText(w io.Writer, limit int) error {
	dir, _ := os.Getwd()
	r.writeHead(w)
	var shown []*Site
	noise := false
	for i := range r.Sites {
		if s := &r.Sites[i]; s.Noise == "" || r.explained != "" {
			shown = append(shown, s)
		} else {
			noise = true
		}
	}
	all := len(shown)
	if limit > 0 && len(shown) > limit {
		shown = shown[:limit]
	}
	switch {
	case len(shown) > 0:
	case r.explained != "":
		_, err := fmt.Fprintf(w, "nothing is made at %s, as far as the profile and the compiler tell%s\n", relative(dir, r.explained), r.near)
		return err
	case !noise:
		_, err := fmt.Fprintln(w, "nothing was allocated that the profile knows of")
		return err
	}
	name := r.namer()
	if !r.settled {
		if err := writeRanking(w, dir, shown, name); err != nil {
			return err
		}
	}
	if n := all - len(shown); n > 0 {
		fmt.Fprintf(w, "and %s; -n 0 lists all\n", format.Plural(n, "more site"))
	}
	if r.explained == "" {
		r.writeNoise(w)
	}
	for _, text := range r.Notes {
		wrap(w, "note: ", "      ", text)
	}
	if r.explained == "" {
		if err := r.writeTogether(w, name); err != nil {
			return err
		}
	}
	for i, g := range alike(shown) {
		if g.sites[0].Verdict != NotWorth || g.ranks[0] == 1 || r.explained != "" {
			if i > 0 || !r.settled {
				fmt.Fprintln(w)
			}
			g.write(w, dir, name)
		}
	}
	return nil
}

// writeHead says what the report is of.
func (r *Report) writeHead(w io.Writer) {
	if r.settled {
		why := "the compiler settles it, so that nothing was profiled"
		if r.unrun {
			why = "no benchmark runs the line, so that nothing was profiled: this is what the compiler says"
		}
		wrap(w, "", "", r.Source+": "+why)
		fmt.Fprintln(w)
		return
	}
	text := fmt.Sprintf("%s: %s, %s", r.Source, r.Total.bytes(), r.Total.objects())
	if len(r.Benchmarks) > 1 {
		text += fmt.Sprintf(" over one operation of each of %d benchmarks", len(r.Benchmarks))
	}
	if r.Span > 0 {
		text += fmt.Sprintf(", over %s", format.Duration(r.Span*1e9))
	}
	profiled := 0.0
	for _, b := range r.Benchmarks {
		profiled += b.Profiled
	}
	if profiled > 0 {
		text += fmt.Sprintf("; CPU profiles of %s", format.Duration(profiled*1e9))
	}
	wrap(w, "", "", text)
	fmt.Fprintln(w)
}

// The widths that the text keeps to: of a line, and of the first column of a table.
const (
	width     = format.Width
	siteWidth = 36
)

// writeRanking writes two lines for each site: its figures, and what it is.
func writeRanking(w io.Writer, dir string, shown []*Site, name func(string) string) error {
	t := &texttable.Table{Left: map[int]bool{1: true}}
	t.Row("#", "site", "share", "bytes", "objects", "saves bytes", "GCs", "CPU")
	digits := max(1, len(strconv.Itoa(len(shown))))
	for i, s := range shown {
		saves := s.Predicted.cells()
		t.Row(strconv.Itoa(i+1), shortPlace(fmt.Sprintf("%s:%d", relative(dir, s.File), s.Line), siteWidth), format.Percent(s.Share),
			s.Traffic.bytes(), format.Count(s.Traffic.Objects)+s.Traffic.per(), saves[0], saves[1], saves[2])
		text := s.Verdict + ": " + s.What
		if s.Benchmark != "" {
			text += " in " + name(s.Benchmark)
		}
		t.Row(strings.Repeat(" ", digits+2) + oneLine(text, width-digits-2))
	}
	return t.Write(w)
}

// namer returns a function that shortens the names of benchmarks: without what they
// all have.
func (r *Report) namer() func(string) string {
	procs := func(name string) string { return strings.TrimPrefix(name, benchmarkName(name)) }
	several := false
	for _, b := range r.Benchmarks {
		several = several || procs(b.Name) != procs(r.Benchmarks[0].Name)
	}
	return func(name string) string {
		if !several {
			name = benchmarkName(name)
		}
		return strings.TrimPrefix(name, "Benchmark")
	}
}

// shortPlace shortens FILE:LINE to n characters, as far as the name of the file
// allows: the directories nearest to the root go.
func shortPlace(place string, n int) string {
	runes := len([]rune(place))
	for short := place; runes > n; runes = len([]rune(place)) {
		i := strings.IndexAny(strings.TrimLeft(short, `/\`), `/\`)
		if i < 0 {
			break
		}
		short = strings.TrimLeft(short, `/\`)[i+1:]
		place = "…/" + short
	}
	return place
}

// wrap writes a text in lines of width characters.
func wrap(w io.Writer, prefix, indent, text string) {
	io.WriteString(w, format.Wrap(prefix, indent, text))
}

// writeTogether prints what all changes of each benchmark save together.
func (r *Report) writeTogether(w io.Writer, name func(string) string) error {
	t := &texttable.Table{Left: map[int]bool{0: true}}
	t.Gap()
	t.Row("all changes together", "bytes", "objects", "saves bytes", "GCs", "CPU")
	rows := 0
	for _, b := range r.Benchmarks {
		if b.Predicted != nil {
			rows++
			saves := b.Predicted.cells()
			t.Row("  "+oneLine(name(b.Name), 44), b.Traffic.bytes(), format.Count(b.Traffic.Objects)+b.Traffic.per(), saves[0], saves[1], saves[2])
		}
	}
	if rows == 0 {
		return nil
	}
	return t.Write(w)
}

// A story is told once of the sites that are the same place with the same advice, in
// several benchmarks.
type story struct {
	sites []*Site
	ranks []int
}

func alike(shown []*Site) []*story {
	var out []*story
	for i, s := range shown {
		at := slices.IndexFunc(out, func(g *story) bool {
			o := g.sites[0]
			return o.File == s.File && o.Line == s.Line && o.What == s.What && o.Verdict == s.Verdict && o.Advice == s.Advice
		})
		if at < 0 {
			at = len(out)
			out = append(out, new(story))
		}
		out[at].sites, out[at].ranks = append(out[at].sites, s), append(out[at].ranks, i+1)
	}
	return out
}

// write tells the story of a place.
func (g *story) write(w io.Writer, dir string, name func(string) string) {
	s := g.sites[0]
	ranks := strings.Trim(fmt.Sprint(g.ranks), "[]")
	head := fmt.Sprintf("%s  %s:%d: %s", strings.ReplaceAll(ranks, " ", ", "), relative(dir, s.File), s.Line, s.What)
	if s.Func != "" {
		head += " in " + shortFunc(s.Func)
	}
	wrap(w, "", "   ", head)
	line := func(label, text string) { wrap(w, fmt.Sprintf("   %-10s ", label), strings.Repeat(" ", 14), text) }
	line("verdict", s.Verdict)
	line("advice", s.Advice)
	for _, l := range s.Lines {
		line("change", relativeLine(dir, l))
	}
	for i, e := range s.Escape {
		label := ""
		if i == 0 {
			label = "why"
		}
		line(label, e)
	}
	for _, s := range g.sites {
		if s.Benchmark != "" {
			line("benchmark", name(s.Benchmark))
		}
		if s.Traffic.Objects > 0 {
			line("traffic", fmt.Sprintf("%s, %s, %s of all bytes; %s", s.Traffic.bytes(), s.Traffic.objects(), format.Percent(s.Share), s.sizes()))
		}
		if s.Lifetime != "" {
			line("lifetime", s.Lifetime)
		}
		if p := s.Predicted; p != nil {
			line("predicted", p.words())
		}
		if p := s.Measured; p != nil {
			line("measured", p.words())
		}
		if s.Try != "" && (s.Verdict == PoolIt || s.Verdict == FixEscape) {
			line("try", s.Try)
		}
	}
}

// cells are what a table has of a prediction, or of none.
func (p *Prediction) cells() (c [3]string) {
	if p == nil {
		return c
	}
	c = [3]string{interval(p.Bytes), interval(p.GCs), interval(p.CPU)}
	if p.NoCPU {
		c[2] = "?"
	}
	return c
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
	if s.SizeMean {
		return fmt.Sprintf("%s each on average, by a source that does not tell sizes", format.Bytes(float64(s.ClassSize)))
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
