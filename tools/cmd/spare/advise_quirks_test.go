// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/spare-go/spare/tools/internal/advise"
)

// quirk returns the line of testdata/mod/quirks that ends with a comment.
func quirk(t *testing.T, comment string) int {
	t.Helper()
	enter(t)
	data, err := os.ReadFile(filepath.Join("quirks", "quirks.go"))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(data), "\n") {
		if strings.HasSuffix(line, "// "+comment) {
			return i + 1
		}
	}
	t.Fatalf("no line of quirks.go ends with // %s", comment)
	return 0
}

// on returns the sites on a line of quirks.go.
func on(r *advise.Report, line int) (sites []*advise.Site) {
	for i := range r.Sites {
		if s := &r.Sites[i]; s.Line == line && filepath.Base(s.File) == "quirks.go" {
			sites = append(sites, s)
		}
	}
	return sites
}

// What is easy to misread is said once, and as it is.
func TestAdviseQuirks(t *testing.T) {
	needsTrials(t)
	r := adviseJSON(t, "-cpu=2", "-benchtime=20ms", "-cputime=30ms", "-bench=Render|Decode|ReadBody|Miss|Outgrow|Tiny|Several", "./quirks")
	for _, tt := range []struct {
		line    string
		what    string // "" for any
		verdict string
		advice  string
		lines   []string // of what is to be changed, or looked at
	}{
		{"page", "bytes.Buffer", advise.PoolIt, "buffer.Buffer", []string{"page := buffer.Get(); defer page.Release()"}},
		{"new page", "bytes.Buffer", advise.PoolIt, "buffer.Buffer", []string{"page := buffer.Get(); defer page.Release()"}},
		{"decoded", "", advise.PoolIt, "it is what json.Unmarshal decodes into: taken from the pool that is advised for line " + strconv.Itoa(quirk(t, "unmarshal")), nil},
		{"unmarshal", "json.Unmarshal", advise.PoolIt, "jsonpool.Pool", nil},
		{"body", "io.ReadAll", advise.PoolIt, "its Bytes(), which must not be used after Release", []string{
			"body := buffer.Get(); defer body.Release(); _, err := body.ReadFrom(...)",
			"quirks.go:" + strconv.Itoa(quirk(t, "used")) + ": body becomes body.Bytes()",
			"quirks.go:" + strconv.Itoa(quirk(t, "alias")) + ": body becomes body.Bytes()"}},
		{"given", "io.ReadAll", advise.PoolIt, "the bytes leave the function (line " + strconv.Itoa(quirk(t, "away")) + ")", []string{
			"data := buffer.Get(); _, err := data.ReadFrom(...)", "quirks.go:" + strconv.Itoa(quirk(t, "away")) + ": data.Bytes() leaves the function"}},
		{"first", "miss of a sync.Pool", advise.NotWorth, "already pooled", nil},
		{"second", "miss of a sync.Pool", advise.NotWorth, "already pooled", nil},
		{"pooled", "bytes.Buffer from a sync.Pool", advise.NotWorth, "already pooled: it comes from a sync.Pool, and grows", nil},
		{"tiny", "bytes.NewReader", advise.NotWorth, "a bytes.Reader is 48 bytes", nil},
		{"several", "", advise.PoolIt, "the figures are of all 2 values of the line", nil},
	} {
		sites := on(r, quirk(t, tt.line))
		i := slices.IndexFunc(sites, func(s *advise.Site) bool { return tt.what == "" || s.What == tt.what })
		if i < 0 {
			t.Errorf("%s: no site makes %s, of %d", tt.line, tt.what, len(sites))
			continue
		}
		s := sites[i]
		if s.Verdict != tt.verdict || !strings.Contains(s.Advice, tt.advice) {
			t.Errorf("%s: %q, %s; want %q, %s", tt.line, s.Verdict, s.Advice, tt.verdict, tt.advice)
		}
		for _, want := range tt.lines {
			if !slices.ContainsFunc(s.Lines, func(l string) bool { return strings.HasSuffix(l, want) || strings.Contains(l, want+":") }) {
				t.Errorf("%s: the lines %q lack %q", tt.line, s.Lines, want)
			}
		}
	}
	// The buffer and what it grows is one site, with all of its bytes.
	for _, page := range []string{"page", "new page"} {
		if sites := on(r, quirk(t, page)); len(sites) != 1 || sites[0].Share < 0.95 || len(sites[0].Escape) < 3 {
			t.Errorf("the %s: %d sites, %+v", page, len(sites), *sites[0])
		}
	}
	// The bytes of one of several values are not those of all.
	if s := on(r, quirk(t, "several"))[0]; s.Predicted == nil || s.Predicted.Bytes[1] > 0.999 || s.Predicted.Bytes[0] > 0.5 {
		t.Errorf("several values: predicted %+v", s.Predicted)
	}
}

// A line whose values stay on the stack is settled by the compiler, and only those
// benchmarks are profiled that may run another line.
func TestAdviseExplainsWithoutProfile(t *testing.T) {
	needsTrials(t)
	for _, tt := range []struct {
		line      string
		want      []string
		benchmark string // that is profiled; of two packages, one of which does not use the line's
	}{
		{"table", []string{"already on the stack", "variable table", `no "moved to heap: table"`, "2048 B"}, ""},
		{"pointer", []string{"already on the stack", "&Point{...} does not escape"}, ""},
		{"away", []string{"nothing is made at", "the nearest line that may make something is " + strconv.Itoa(quirk(t, "given"))}, ""},
		{"tiny", []string{"bytes.NewReader", "not worth it"}, "BenchmarkTiny"},
	} {
		at := filepath.Join("quirks", "quirks.go") + ":" + strconv.Itoa(quirk(t, tt.line))
		args := []string{"advise", "-cpu=2", "-benchtime=20ms", "-cputime=30ms", "-explain", at}
		if tt.benchmark != "" {
			args = append(args, "./sites", "./quirks")
		}
		stdout, stderr, code := spare(t, args...)
		if code != 0 {
			t.Fatalf("%s: code %d: %s", tt.line, code, stderr)
		}
		contains(t, tt.line, stdout, tt.want...)
		switch {
		case tt.benchmark == "":
			contains(t, tt.line, stdout, "nothing was profiled")
			if strings.Contains(stderr, "profiling") {
				t.Errorf("%s: a benchmark was profiled:\n%s", tt.line, stderr)
			}
		default:
			contains(t, tt.line, stderr, "1 benchmark may run the line: "+tt.benchmark, "profiling 1/1: "+tt.benchmark)
		}
	}
	at := filepath.Join("quirks", "quirks.go") + ":" + strconv.Itoa(quirk(t, "tiny"))
	if _, stderr, code := spare(t, "advise", "-explain", at, "./sites"); code != 2 || !strings.Contains(stderr, "no package that matches ./sites uses mod.example/quirks") {
		t.Errorf("without the line's package: code %d\n%s", code, stderr)
	}
}

// Where nothing is tried it is said why, of each site.
func TestAdviseSaysWhatWasNotTried(t *testing.T) {
	needsTrials(t)
	stdout, stderr, code := spare(t, "advise", "-try", "-trycount=1", "-cpu=2", "-benchtime=10ms", "-cputime=20ms", "-bench=InTest|Tiny|Several|Decode$", "./quirks")
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	flat := strings.Join(strings.Fields(stdout), " ")
	contains(t, "the report", flat, "nothing was tried: none of", "not tried:", ": it is in a test file",
		"quirks.go:"+strconv.Itoa(quirk(t, "tiny")), ": not worth it", "quirks.go:"+strconv.Itoa(quirk(t, "several"))+": no mechanical change:",
		// The change of the struct is not one of what json.Unmarshal makes.
		"quirks.go:"+strconv.Itoa(quirk(t, "unmarshal"))+": no mechanical change: ")
}

// A profile that a store has merged has no sizes: of a line that makes several values
// it is said that it does not tell which they are, and nothing is guessed.
func TestAdviseOfMeans(t *testing.T) {
	needsTrials(t)
	f, err := os.Open(profileOf(t, "Order|Render", "1", "./quirks"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := profile.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Sample {
		s.NumLabel, s.NumUnit = nil, nil
	}
	if p, err = profile.Merge([]*profile.Profile{p}); err != nil {
		t.Fatal(err)
	}
	merged := filepath.Join(t.TempDir(), "merged")
	out, err := os.Create(merged)
	if err == nil {
		err = p.Write(out)
	}
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	r := adviseJSON(t, "-profile", merged)
	sites := on(r, quirk(t, "order"))
	if len(sites) != 1 || sites[0].Size != 0 || !sites[0].SizeMean || !strings.Contains(sites[0].Advice, "the profile gives only the mean of their sizes") {
		t.Errorf("the line with two values: %d sites, %+v", len(sites), sites)
	}
	if len(r.Notes) < 2 || !strings.Contains(r.Notes[0], "does not tell the sizes of objects") {
		t.Errorf("notes %q", r.Notes)
	}
	// The only value of its line is known all the same.
	if sites := on(r, quirk(t, "page")); len(sites) == 0 || sites[0].What != "bytes.Buffer" || sites[0].Verdict != advise.PoolIt {
		t.Errorf("the buffer: %+v", sites)
	}
}

// Of a struct that is pooled, the prediction of the try counts the struct alone.
func TestAdviseTriesAStruct(t *testing.T) {
	needsTrials(t)
	r := adviseJSON(t, "-try", "-trycount=2", "-cpu=2", "-benchtime=10ms", "-cputime=20ms", "-bench=Order|Fill", "./quirks")
	for _, tt := range []struct {
		line, what string
		bytes      float64 // that are saved, of all
	}{
		{"order", "&order{…}", 192. / (192 + 896 + 288)},
		{"filled", "list (moved to the heap)", 0},
	} {
		sites := on(r, quirk(t, tt.line))
		i := slices.IndexFunc(sites, func(s *advise.Site) bool { return s.What == tt.what })
		if i < 0 {
			t.Errorf("%s: no site makes %s", tt.line, tt.what)
			continue
		}
		s := sites[i]
		if s.Measured == nil {
			t.Errorf("%s: it was not tried: %s", tt.line, s.Try)
			continue
		}
		p, m := s.Predicted.Bytes, s.Measured.Bytes[0]
		if m < p[0]-0.02 || m > p[1]+0.02 {
			t.Errorf("%s: predicted %v of the bytes, measured %v", tt.line, p, m)
		}
		if tt.bytes > 0 && !near(m, tt.bytes, 0.1) {
			t.Errorf("%s: measured %v of the bytes, want %v", tt.line, m, tt.bytes)
		}
	}
	// What fills the struct is not what was changed.
	if s := on(r, quirk(t, "fills"))[0]; s.Measured != nil || s.Patch != "" || !strings.Contains(s.Try, "what json.Unmarshal makes stays new each time") {
		t.Errorf("json.Unmarshal: measured %v, %s", s.Measured, s.Try)
	}
}
