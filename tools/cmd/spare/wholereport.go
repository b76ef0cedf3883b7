// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spare-go/spare/tools/internal/advise"
	"github.com/spare-go/spare/tools/internal/benchjson"
	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/format"
	"github.com/spare-go/spare/tools/internal/htmlreport"
	"github.com/spare-go/spare/tools/internal/measure"
	"github.com/spare-go/spare/tools/internal/plain"
	"github.com/spare-go/spare/tools/internal/session"
	"github.com/spare-go/spare/tools/internal/texttable"
	"github.com/spare-go/spare/tools/internal/tryout"
	"github.com/spare-go/spare/tools/internal/vetcmd"
)

// A wholeReport is what a report is made of: one page, and its twins.
type wholeReport struct {
	budget, measuring time.Duration // of the measurement

	res    *session.Result
	groups []*compare.Group
	vet    *htmlreport.Vet
	advice *advise.Report
	failed string // why there is no advice
	page   *htmlreport.Page
}

// runVet runs spare vet. What keeps it from its work is part of the report: the
// figures do not depend on it.
func (r *wholeReport) runVet(ctx context.Context, o session.Options) error {
	found, broken, err := vetcmd.Analyse(ctx, o.Packages, o.Tags)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		broken = strings.TrimSpace(broken + "\n" + err.Error())
	}
	r.vet = &htmlreport.Vet{Findings: found, Broken: broken}
	return nil
}

// Bounds of how long each benchmark runs under the CPU profiler.
const (
	minProfile = 100 * time.Millisecond
	maxProfile = time.Second
)

// runAdvise returns what advises on the first of each group, once the rounds
// are over: it is what reuse would be added to.
func (r *wholeReport) runAdvise(o session.Options) func(context.Context, *session.Result, *measure.Runner) error {
	return func(ctx context.Context, res *session.Result, runner *measure.Runner) error {
		var first []*measure.Series
		for _, g := range compare.By(res.Series, reportKey) {
			// What allocates nothing has nothing to advise on.
			if v, ok := g.Members[0].Median(measure.BytesPerOp); !ok || v >= 1 {
				first = append(first, g.Members[0].Series)
			}
		}
		if len(first) == 0 {
			r.advice = &advise.Report{Source: strings.Join(o.Packages, " "), Sites: []advise.Site{}}
			return nil
		}
		each := max(minProfile, min(maxProfile, (r.budget-r.measuring)/time.Duration(2*len(first))))
		d, err := advise.Profile(ctx, o, res, runner, first, each)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			r.failed = err.Error()
			return nil
		}
		r.advice = advise.Judge(d)
		return nil
	}
}

// maxTries is how many changes a report tries.
const maxTries = 20

// runTries tries the mechanical changes of the advice.
func (r *wholeReport) runTries(ctx context.Context, o session.Options) error {
	t := advise.TryOptions{Dir: ".", Packages: o.Packages, Limit: maxTries, Options: tryout.Options{
		Tags: o.Tags, Count: tryout.DefaultCount, Benchtime: o.Benchtime, Timeout: o.Timeout, Progress: o.Progress,
	}}
	if len(o.Procs) > 0 {
		t.Procs = o.Procs[0]
	}
	_, err := advise.Tries(ctx, r.advice, t)
	return err
}

// shorten makes the files of a report relative to dir, where they are below it,
// also where a text names them, and harmless, for the page.
func shorten(r *advise.Report, dir string) {
	prefix := dir + string(filepath.Separator)
	for i := range r.Sites {
		s := &r.Sites[i]
		for _, text := range []*string{&s.File, &s.Advice, &s.Try, &s.Lifetime} {
			*text = plain.Text(strings.ReplaceAll(*text, prefix, ""))
		}
		for _, texts := range [][]string{s.Lines, s.Escape} {
			for j := range texts {
				texts[j] = plain.Text(strings.ReplaceAll(texts[j], prefix, ""))
			}
		}
	}
}

// warnings are those of all parts but the advice, which has a place for its own.
func (r *wholeReport) warnings() []string {
	all := append(sessionWarnings(r.res, r.budget, r.measuring), compare.Warnings(r.groups)...)
	if r.vet != nil && r.vet.Broken != "" {
		first, _, _ := strings.Cut(r.vet.Broken, "\n")
		all = append(all, "spare vet did not analyse everything: "+first)
	}
	if r.failed != "" {
		all = append(all, "there is no advice: "+r.failed)
	}
	return all
}

// reportSchema names the form of the JSON twin; docs/bench.md describes it.
const reportSchema = "spare.report/v1"

// writeJSON writes the JSON twin.
func (r *wholeReport) writeJSON(w io.Writer) error {
	type vet struct {
		Findings []vetcmd.Diagnostic `json:"findings"`
		Broken   string              `json:"broken,omitempty"` // what was not analysed, and why
	}
	doc := struct {
		Schema      string              `json:"schema"`
		Bench       *benchjson.Document `json:"bench"`
		Vet         *vet                `json:"vet"`    // null if spare vet did not run
		Advise      *advise.Report      `json:"advise"` // null if spare advise did not run
		AdviseError string              `json:"advise_error,omitempty"`
		Savings     []htmlreport.Proof  `json:"savings"` // predicted and measured, by benchmark
	}{Schema: reportSchema, Bench: benchjson.New(r.res, r.groups, reportKey, version(), r.page.Warnings), Advise: r.advice, AdviseError: r.failed,
		Savings: append([]htmlreport.Proof{}, htmlreport.Proofs(r.groups, r.advice)...)}
	if r.vet != nil {
		doc.Vet = &vet{append([]vetcmd.Diagnostic{}, r.vet.Findings...), r.vet.Broken}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(doc)
}

// How much of the findings and of the advice a summary has.
const (
	fewFindings = 5
	fewSites    = 5
)

// writeSummary prints what a terminal has room for.
func (r *wholeReport) writeSummary(w io.Writer) error {
	if err := writeGroups(w, r.groups); err != nil {
		return err
	}
	if r.vet != nil && (len(r.vet.Findings) > 0 || r.vet.Broken != "") {
		fmt.Fprintf(w, "\nmisuse of pools: %s\n", findings(r.vet))
		for i, d := range r.vet.Findings {
			if i == fewFindings {
				fmt.Fprintf(w, "  and %d more on the page\n", len(r.vet.Findings)-i)
				break
			}
			fmt.Fprintf(w, "  %s: %s\n", d.Posn, d.Message)
		}
	}
	return r.writeSites(w, fewSites)
}

func findings(v *htmlreport.Vet) string {
	text := format.Plural(len(v.Findings), "finding")
	if v.Broken != "" {
		text += ", and not everything was analysed"
	}
	return text
}

// writeSites prints the ranking, as far as limit; 0 is all of it.
func (r *wholeReport) writeSites(w io.Writer, limit int) error {
	if r.advice == nil || len(r.advice.Sites) == 0 {
		return nil
	}
	t := &texttable.Table{Left: map[int]bool{0: true, 1: true, 2: true, 6: true}}
	t.Gap()
	t.Row("where memory is allocated", "what", "benchmark", "bytes", "objects", "share", "verdict", "saves bytes", "collections", "CPU")
	for i, s := range r.advice.Sites {
		if limit > 0 && i == limit {
			break
		}
		if s.Noise != "" {
			continue
		}
		var saves [3]string
		if p := s.Predicted; p != nil {
			saves[0], saves[1], saves[2] = htmlreport.Savings(*p)
		}
		t.Row(fmt.Sprintf("  %d. %s:%d", i+1, s.File, s.Line), s.What, strings.TrimPrefix(s.Benchmark, "Benchmark"),
			format.Bytes(s.Traffic.Bytes), format.Count(s.Traffic.Objects), format.Percent(s.Share), s.Verdict, saves[0], saves[1], saves[2])
	}
	if n := len(r.advice.Sites); limit > 0 && n > limit {
		t.Row(fmt.Sprintf("  and %d more on the page", n-limit))
	}
	return t.Write(w)
}

// writeText writes the text twin.
func (r *wholeReport) writeText(w io.Writer) error {
	p := r.page
	heading := func(text string) { fmt.Fprintf(w, "\n%s\n%s\n\n", text, strings.Repeat("-", len(text))) }
	fmt.Fprintf(w, "%s\n%s\n\nMeasured %s. %s.\n", p.Title, strings.Repeat("=", len(p.Title)), p.Started.Format("2 January 2006, 15:04 MST"), machine(r.res))
	if !p.Exact {
		fmt.Fprint(w, "Whole numbers only: the testing package of this Go version could not be made to count exactly.\n")
	}
	if len(p.Warnings) > 0 {
		heading("To know before reading on")
		for _, text := range p.Warnings {
			fmt.Fprintf(w, "* %s\n", plain.Text(text))
		}
	}
	heading("Benchmarks")
	if err := writeGroups(w, r.groups); err != nil {
		return err
	}
	if r.vet != nil {
		heading("Misuse of pools")
		fmt.Fprintf(w, "%s\n", findings(r.vet))
		for _, d := range r.vet.Findings {
			fmt.Fprintf(w, "%s: %s (%s)\n", d.Posn, d.Message, d.Category)
			for _, rel := range d.Related {
				fmt.Fprintf(w, "\t%s: %s\n", rel.Posn, rel.Message)
			}
		}
		if r.vet.Broken != "" {
			fmt.Fprintf(w, "%s\n", plain.Block(r.vet.Broken))
		}
	}
	if r.advice != nil {
		heading("Where memory is allocated, and what reuse would save")
		if err := r.advice.WriteText(w, 0); err != nil {
			return err
		}
		for _, text := range r.advice.Warnings {
			fmt.Fprintf(w, "* %s\n", plain.Text(text))
		}
	}
	if proofs := htmlreport.Proofs(r.groups, r.advice); len(proofs) > 0 {
		heading("Predicted and measured savings")
		t := &texttable.Table{Left: map[int]bool{0: true, 1: true}}
		t.Row("all advised changes, and other implementations", "", "bytes", "collections", "CPU")
		for _, p := range proofs {
			row := func(name, what string, saved advise.Prediction) {
				bytes, gcs, cpu := htmlreport.Savings(saved)
				t.Row(name, what, bytes, gcs, cpu)
			}
			row("  "+strings.TrimPrefix(p.Benchmark, "Benchmark"), "predicted", p.Predicted)
			for _, m := range p.Measured {
				row("", m.Value+", measured", m.Prediction)
			}
		}
		if err := t.Write(w); err != nil {
			return err
		}
	}
	heading("Distributions over the rounds")
	if err := r.writeDistributions(w); err != nil {
		return err
	}
	heading("Collections in the last round, on a time line")
	if err := r.writeTimeLines(w); err != nil {
		return err
	}
	heading("How this was measured")
	for _, f := range p.Facts {
		fmt.Fprintf(w, "%-12s %s\n", f.Name, plain.Text(f.Value))
	}
	for _, c := range p.Commands {
		fmt.Fprintf(w, "\n%s\n", c)
	}
	return nil
}

// eachMember calls f for each benchmark with its name, after a heading for each
// package.
func (r *wholeReport) eachMember(t *texttable.Table, f func(name string, g *compare.Group, m *compare.Member)) {
	pkg := ""
	for _, g := range r.groups {
		if g.Package != pkg {
			pkg = g.Package
			t.Gap()
			t.Row(pkg)
		}
		for _, m := range g.Members {
			name := "  " + g.Title
			if m.Value != "" {
				name += ", " + m.Value
			}
			f(name, g, m)
		}
	}
}

func (r *wholeReport) writeDistributions(w io.Writer) error {
	unit := compare.Main(r.groups...)
	what := "CPU time/op"
	if unit != measure.CPUPerOp {
		what = "time/op"
	}
	t := &texttable.Table{Left: map[int]bool{0: true}}
	t.Row(what, "least", "a quarter", "median", "three quarters", "most")
	r.eachMember(t, func(name string, g *compare.Group, m *compare.Member) {
		cells := []string{name}
		if q, ok := m.Quartiles(unit); ok {
			for _, v := range q {
				cells = append(cells, format.Duration(v))
			}
		} else {
			cells = append(cells, "-")
		}
		t.Row(cells...)
	})
	return t.Write(w)
}

// lineWidth is the width of a time line, in characters.
const lineWidth = 60

func (r *wholeReport) writeTimeLines(w io.Writer) error {
	t := &texttable.Table{Left: map[int]bool{0: true, 4: true}}
	t.Row("", "collections", "in", "stopped", "each | is one, each # several")
	r.eachMember(t, func(name string, _ *compare.Group, m *compare.Member) {
		known, window, n := m.Collected()
		if n == 0 {
			t.Row(name, "0", format.Duration(float64(window)), "", "")
			return
		}
		line := []byte(strings.Repeat(".", lineWidth))
		pause := time.Duration(0)
		for _, c := range known {
			pause += c.Pause
			at := min(lineWidth-1, int(float64(lineWidth)*float64(c.End)/float64(max(window, 1))))
			if line[at] == '.' {
				line[at] = '|'
			} else {
				line[at] = '#'
			}
		}
		t.Row(name, format.Count(float64(n)), format.Duration(float64(window)), format.Duration(float64(pause)), string(line))
	})
	return t.Write(w)
}
