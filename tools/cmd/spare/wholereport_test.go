// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/spare-go/spare/tools/internal/advise"
	"github.com/spare-go/spare/tools/internal/compare"
	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/htmlreport"
	"github.com/spare-go/spare/tools/internal/measure"
	"github.com/spare-go/spare/tools/internal/session"
	"github.com/spare-go/spare/tools/internal/vetcmd"
)

// synthetic is a report of a hundred benchmarks in pairs, each with all that one
// can have: twelve rounds of every unit, replicas, collections up to what the
// runtime remembers, findings, sites with long stories.
func synthetic(t *testing.T) *wholeReport {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	side := &measure.Side{}
	pkg := gotest.Package{ImportPath: "example.com/some/where/internal/encoding"}
	res := &session.Result{
		Builds: []*session.Build{{Toolchain: gotest.Toolchain{GOOS: "linux", GOARCH: "amd64", GOVERSION: "go1.26.8"}, Modules: []session.Module{{Path: "example.com/some/where", Commit: "0123456", Subdir: "."}}}},
		CPU:    "Some Processor With a Long Name @ 2.50GHz", NumCPU: 8, Exact: true, Rounds: 12, Planned: 12, Benchtime: "37ms",
		Started: time.Date(2026, 11, 21, 4, 0, 0, 0, time.UTC), Elapsed: 90 * time.Second,
	}
	sample := func(scale float64) measure.Sample {
		s := measure.Sample{Iters: 1 + rng.IntN(1e6), Loop: true, Window: 40 * time.Millisecond}
		for _, unit := range append([]string{measure.NsPerOp, measure.BytesPerOp, measure.AllocsPerOp}, measure.Units...) {
			v := scale * (1 + rng.Float64()/10)
			switch unit {
			case measure.ColdBytes, measure.ColdAllocs, measure.GCBytes, measure.GCAllocs:
				v = math.Round(v)
			case measure.PeakRSS:
				v = 4096 * math.Round(v)
			case measure.Cycles:
				v = 300 / float64(s.Iters)
			}
			s.Values = append(s.Values, benchfmt.Value{Value: v, Unit: unit})
		}
		s.Values = append(s.Values, benchfmt.Value{Value: 1000 * rng.Float64(), Unit: "MB/s"})
		at := time.Duration(0)
		for range 256 {
			at += time.Duration(rng.IntN(300)) * time.Microsecond
			s.Collections = append(s.Collections, measure.Collection{End: at, Pause: time.Duration(rng.IntN(100_000))})
		}
		s.Window = at
		return s
	}
	advice := &advise.Report{Source: "./..."}
	var raw, replica bytes.Buffer
	for i := range 50 {
		name := fmt.Sprintf("BenchmarkSomethingToEncode%d/impl=", i)
		a := &measure.Series{Case: &measure.Case{Package: pkg, Name: name + "naive/size=1024", Procs: 8, Side: side}}
		b := &measure.Series{Case: &measure.Case{Package: pkg, Name: name + "pooled/size=1024", Procs: 8, Side: side}}
		for range 12 {
			a.Samples = append(a.Samples, sample(1000))
			a.Replica = append(a.Replica, sample(1000))
			b.Samples = append(b.Samples, sample(250))
		}
		res.Series = append(res.Series, a, b)
		p := &advise.Prediction{Bytes: [2]float64{0.7, 0.8}, GCs: [2]float64{0.65, 0.85}, CPU: [2]float64{0.2, 0.6}}
		advice.Benchmarks = append(advice.Benchmarks, advise.Benchmark{Package: pkg.ImportPath, Name: a.FullName(), Predicted: p})
		for j := range 2 {
			advice.Sites = append(advice.Sites, advise.Site{
				File: fmt.Sprintf("internal/encoding/something%d.go", i), Line: 10 + j, Func: "example.com/some/where/internal/encoding.(*Something).encode",
				What: "bytes.Buffer grow", Benchmark: a.FullName(), Traffic: advise.Traffic{Bytes: 1000, Objects: 3, Per: "op"}, Share: 0.5,
				Size: 1000, ClassSize: 1024, Waste: 0.0234, Escape: []string{strings.Repeat("it is passed on, ", 10), strings.Repeat("it is stored, ", 10)},
				Lifetime: strings.Repeat("less than a cycle ", 5), Verdict: advise.PoolIt, Advice: strings.Repeat("use a pool ", 20),
				Lines: []string{"internal/encoding/something.go:12: take it from a pool", "internal/encoding/something.go:20: give it back"}, Predicted: p,
			})
		}
	}
	w, again := newFormatWriter(&raw), newFormatWriter(&replica)
	for round := range 12 {
		for _, s := range res.Series {
			w.sample(res, s.Case, s.Samples[round])
			if len(s.Replica) > 0 {
				again.sample(res, s.Case, s.Replica[round])
			}
		}
	}
	r := &wholeReport{res: res, groups: compare.By(res.Series, reportKey), advice: advice, vet: &htmlreport.Vet{}}
	for i := range 50 {
		r.vet.Findings = append(r.vet.Findings, vetcmd.Diagnostic{
			Category: "use-after-put", Posn: fmt.Sprintf("internal/encoding/something%d.go:12:3", i), Message: strings.Repeat("buf is used after Put ", 4),
			Related: []vetcmd.Related{{Posn: "internal/encoding/something.go:10:2", Message: "here it is put"}},
		})
	}
	r.page = &htmlreport.Page{
		Title: title(r.groups), Facts: facts(res, blocks(res, "")), Commands: reproduce(nil, res, r.groups), Exact: true, Rounds: 12,
		Key: reportKey, Groups: r.groups, Warnings: r.warnings(), Raw: raw.String(), Replica: replica.String(), Started: res.Started,
		Vet: r.vet, Advice: advice,
	}
	return r
}

func TestPageOfAHundredBenchmarksIsBelowAMegabyte(t *testing.T) {
	r := synthetic(t)
	var b bytes.Buffer
	if err := r.page.Write(&b); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, of them %d raw data", b.Len(), len(r.page.Raw)+len(r.page.Replica))
	if b.Len() >= 1_000_000 {
		t.Errorf("the page has %d bytes, of them %d raw data", b.Len(), len(r.page.Raw)+len(r.page.Replica))
	}
}

// The page must serve who does not see it, or has no mouse.
func TestPageIsAccessible(t *testing.T) {
	r := synthetic(t)
	var b bytes.Buffer
	if err := r.page.Write(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	wellFormed(t, page)
	contains(t, "the page", page, `<html lang="en">`, `<a class="skip" href="#main">`, `<main id="main"`, `<nav aria-label=`)
	// One h1, and no level of headings left out.
	last := 0
	for _, m := range regexp.MustCompile(`<h([1-6])`).FindAllStringSubmatch(page, -1) {
		level := int(m[1][0] - '0')
		if level > last+1 || level == 1 && last != 0 {
			t.Errorf("a heading of level %d follows one of level %d", level, last)
		}
		last = level
	}
	// Every picture has words, or is one that says nothing new.
	for _, m := range regexp.MustCompile(`<svg[^>]*>`).FindAllString(page, -1) {
		outer := strings.Contains(m, "height=") && !strings.Contains(m, `height="1"`)
		if outer && !strings.Contains(m, "aria-hidden") && !regexp.MustCompile(`role="img" aria-label="[^"]+"`).MatchString(m) {
			t.Errorf("a picture without words: %s", m)
		}
	}
	// Whatever scrolls can be reached by keyboard and has a name; header cells say
	// what they head.
	for _, m := range regexp.MustCompile(`<div class="scroll"[^>]*>`).FindAllString(page, -1) {
		if !strings.Contains(m, `tabindex="0"`) || !strings.Contains(m, `role="region" aria-labelledby=`) {
			t.Errorf("a region that scrolls, for the mouse alone: %s", m)
		}
	}
	for _, m := range regexp.MustCompile(`<th( [^>]*)?>.`).FindAllString(page, -1) {
		if !strings.Contains(m, "scope=") && m != "<th><" {
			t.Errorf("a header cell without scope: %s", m)
		}
	}
	for _, m := range regexp.MustCompile(`<pre[^>]*>`).FindAllString(page, -1) {
		if !strings.Contains(m, `tabindex="0"`) {
			t.Errorf("text that scrolls, for the mouse alone: %s", m)
		}
	}
}

// The twins say what the page says.
func TestTwins(t *testing.T) {
	r := synthetic(t)
	var page, text, doc bytes.Buffer
	for _, write := range []error{r.page.Write(&page), r.writeText(&text), r.writeJSON(&doc)} {
		if write != nil {
			t.Fatal(write)
		}
	}
	for _, want := range []string{
		"What reuse buys", "SomethingToEncode7/size=1024", "pooled",
		"internal/encoding/something7.go:12:3", "use-after-put", "here it is put", // vet
		"bytes.Buffer grow", "pool it", "70 to 80%", "20 to 60%", // advise
		"measured", "75%", // what the other saves
		"Some Processor With a Long Name",
	} {
		contains(t, "the page", page.String(), want)
		contains(t, "the text", text.String(), want)
	}
	contains(t, "the page", page.String(), "300 collections in", "the last 256 shown", "stopped", `class="cycle"`, `class="box"`)
	contains(t, "the text", text.String(), "least", "three quarters", "Collections in the last round", "#")
	var got struct {
		Schema string
		Bench  struct {
			Schema     string
			Benchmarks []struct {
				Name        string
				Collections *struct {
					Count  int
					End_ns []int64
				}
			}
			Comparisons []struct{ Differs bool }
		}
		Vet struct {
			Findings []struct{ Posn, Category string }
		}
		Advise  struct{ Sites []struct{ Verdict string } }
		Savings []struct {
			Benchmark string
			Predicted struct{ Bytes [2]float64 }
			Measured  []struct {
				Value string
				Bytes [2]float64
			}
		}
	}
	if err := json.Unmarshal(doc.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != "spare.report/v1" || got.Bench.Schema != "spare.bench/v1" || len(got.Bench.Benchmarks) != 100 || len(got.Bench.Comparisons) != 100 ||
		len(got.Vet.Findings) != 50 || len(got.Advise.Sites) != 100 || len(got.Savings) != 50 {
		t.Errorf("the document has %d benchmarks, %d comparisons, %d findings, %d sites, %d savings", len(got.Bench.Benchmarks), len(got.Bench.Comparisons), len(got.Vet.Findings), len(got.Advise.Sites), len(got.Savings))
	}
	if s := got.Savings[3]; s.Predicted.Bytes != [2]float64{0.7, 0.8} || len(s.Measured) != 1 || s.Measured[0].Value != "pooled" || s.Measured[0].Bytes[0] < 0.7 || s.Measured[0].Bytes[0] > 0.8 {
		t.Errorf("savings %+v, want three quarters of the bytes", s)
	}
	if c := got.Bench.Benchmarks[0].Collections; c == nil || c.Count != 300 || len(c.End_ns) != 256 {
		t.Errorf("collections %+v", c)
	}
}

// What was left out, or failed, is said.
func TestReportWithoutItsParts(t *testing.T) {
	r := synthetic(t)
	r.vet = &htmlreport.Vet{Broken: "# example.com/p\np.go:1: something is wrong"}
	r.advice, r.failed = nil, "the compiler does not tell"
	r.page.Vet, r.page.Advice, r.page.Warnings = r.vet, nil, r.warnings()
	var page, text bytes.Buffer
	if err := r.page.Write(&page); err != nil {
		t.Fatal(err)
	}
	if err := r.writeText(&text); err != nil {
		t.Fatal(err)
	}
	for what, s := range map[string]string{"the page": page.String(), "the text": text.String()} {
		contains(t, what, s, "p.go:1: something is wrong", "there is no advice: the compiler does not tell")
		if strings.Contains(s, "finds nothing") {
			t.Errorf("%s says that nothing was found, where nothing was analysed", what)
		}
	}
	r.vet, r.page.Vet = nil, nil
	page.Reset()
	if err := r.page.Write(&page); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(page.String(), "Misuse of pools") {
		t.Error("the page speaks of findings that nobody looked for")
	}
}

// wasteful is a module with a misused pool and a benchmark worth a pool.
var wasteful = map[string]string{
	"go.mod": "module wasteful.example\n\ngo 1.26\n",
	"p/p.go": `package p

import (
	"bytes"
	"sync"
)

var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func twice() {
	b := pool.Get().(*bytes.Buffer)
	pool.Put(b)
	pool.Put(b)
}

func naive(n int) int {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i)
	}
	return len(b) + int(b[n/2])
}

var kept = make([]byte, 1<<12)

func pooled(n int) int {
	b := kept[:n]
	for i := range b {
		b[i] = byte(i)
	}
	return len(b) + int(b[n/2])
}
`,
	"p/p_test.go": `package p

import "testing"

var size = 4000

func BenchmarkFill(b *testing.B) {
	twice()
	b.Run("impl=naive", func(b *testing.B) {
		for b.Loop() {
			naive(size)
		}
	})
	b.Run("impl=pooled", func(b *testing.B) {
		for b.Loop() {
			pooled(size)
		}
	})
}
`,
}

func TestReportHasAllParts(t *testing.T) {
	needsTrials(t)
	dir := writeFiles(t, wasteful)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	t.Chdir(dir)
	stdout, stderr, code := here(t, "report", "-count=2", "-benchtime=5000x", "-cpu=1", "-o", "r.html", "-o", "r.txt", "-o", "r.json", "./p")
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	contains(t, "the summary", stdout, "misuse of pools: 1 finding", "p/p.go:13:", "p/p.go:17", "pool it", "Fill/impl=naive", "r.html, r.txt, r.json")
	for _, name := range []string{"r.html", "r.txt", "r.json"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		contains(t, name, string(data), "double-put", "p/p.go:13:", "pool it", "Fill", "pooled")
		if strings.Contains(string(data), dir) {
			t.Errorf("%s names the folder of this machine", name)
		}
		switch name {
		case "r.html":
			wellFormed(t, string(data))
			contains(t, name, string(data), "Misuse of pools: 1 finding", "p/p.go:17", "Predicted and measured", "pooled, measured", "collections in")
		case "r.txt":
			contains(t, name, string(data), "Misuse of pools", "Distributions over the rounds", "on a time line", "pooled, measured")
		case "r.json":
			if !json.Valid(data) {
				t.Errorf("%s is not JSON", name)
			}
		}
	}

	// On demand, only the measurement; and the document on standard output.
	stdout, stderr, code = here(t, "report", "-json", "-vet=false", "-advise=false", "-count=1", "-benchtime=10x", "-o", "r.html", "./p")
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	contains(t, "the document", stdout, `"schema":"spare.report/v1"`, `"vet":null`, `"advise":null`, `"savings":[]`)
	if !json.Valid([]byte(stdout)) {
		t.Errorf("standard output has more than the document:\n%s", stdout)
	}
	data, err := os.ReadFile("r.html")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "Misuse of pools") || strings.Contains(string(data), "Where memory is allocated") {
		t.Error("the page has parts that were not asked for")
	}
}
