// SPDX-License-Identifier: BSD-3-Clause

package profsource_test

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/spare-go/spare/tools/internal/advise"
	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/profsource"
	"github.com/spare-go/spare/tools/internal/progress"
)

// judged returns the report that spare advise gives of a profile in a directory.
func judged(t *testing.T, dir string, p *profsource.Profile) *advise.Report {
	t.Helper()
	ctx := t.Context()
	tc := &gotest.Toolchain{Dir: dir, TempDir: t.TempDir()}
	if err := tc.Load(ctx); err != nil {
		t.Fatal(err)
	}
	d, err := advise.Service(ctx, tc, p, progress.New(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	return advise.Judge(d)
}

// fileOver reads a profile as one that was allocated in a span of time.
func fileOver(t *testing.T, p *profile.Profile, span time.Duration) *profsource.Profile {
	t.Helper()
	p.DurationNanos = int64(span)
	for _, s := range p.Sample {
		s.NumLabel, s.NumUnit = nil, nil // as the store keeps them
	}
	whole, err := profsource.File(t.Context(), writeFile(t, "whole.prof", written(p)))
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

// The report of shards that the store merged is that of the whole, to the last
// word.
func TestAdviseOfShardsIsAdviseOfWhole(t *testing.T) {
	until := time.Now().Truncate(time.Second)
	from := until.Add(-time.Minute)
	server := newPyroscope(t)
	var all []*profile.Profile
	for _, units := range []string{"100", "200", "400"} {
		path := filepath.Join(t.TempDir(), "shard.prof")
		run(t, "whole", path, units)
		p := read(t, path)
		all = append(all, p)
		server.pushes = append(server.pushes, push{"checkout", from, until, p})
	}
	sum, err := profile.Merge(all)
	if err != nil {
		t.Fatal(err)
	}
	fleet, err := profsource.Pyroscope(soon(t), server.URL, `{service_name="checkout"}`, from, until)
	if err != nil {
		t.Fatal(err)
	}
	// In a module of its own, without the source: every line of the profile counts.
	dir := filepath.Dir(writeFile(t, "go.mod", []byte("module example.com/none\n\ngo 1.26\n")))
	got, want := judged(t, dir, fleet), judged(t, dir, fileOver(t, sum, time.Minute))
	got.Source, want.Source = "", ""
	if g, w := text(t, got), text(t, want); g != w {
		t.Errorf("merged shards:\n%s\nwhole:\n%s", g, w)
	}
	if len(want.Sites) < 2 || want.Span != 60 || want.Total.Per != "s" {
		t.Errorf("%d sites in %v s, per %q", len(want.Sites), want.Span, want.Total.Per)
	}
}

// So it is with shards that the real client pushed and a whole that is one
// process with all their work: every site of the work is the same, with the
// reasons that the source gives.
func TestAdviseOfPushedShardsIsAdviseOfWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the source and asks the compiler, twice")
	}
	server := newPyroscope(t)
	from := time.Now().Truncate(time.Hour)
	for _, units := range [][]string{{"1000", "500"}, {"2000"}, {"3000", "400", "100"}} {
		run(t, "pusher", append([]string{server.URL, "checkout"}, units...)...)
	}
	until := time.Now().Add(time.Second)
	fleet, err := profsource.Pyroscope(soon(t), server.URL, `{service_name="checkout"}`, from, until)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "whole.prof")
	run(t, "whole", path, "7000")
	got, want := workSites(judged(t, "", fleet)), workSites(judged(t, "", fileOver(t, read(t, path), until.Sub(from))))
	if g, w := text(t, got), text(t, want); g != w || len(want) != 2 {
		t.Errorf("merged shards:\n%s\nwhole:\n%s", g, w)
	}
	for _, s := range want {
		if !strings.HasSuffix(s.File, "main_test.go") || len(s.Escape) == 0 || s.Verdict == "" {
			t.Errorf("%s:%d: verdict %q, escapes because %q", s.File, s.Line, s.Verdict, s.Escape)
		}
	}
}

// workSites returns the sites of the work. The rest of a process that pushes is
// not that of one that does not, so that the shares differ.
func workSites(r *advise.Report) []advise.Site {
	var sites []advise.Site
	for _, s := range r.Sites {
		if strings.HasSuffix(s.Func, ".allocateSmall") || strings.HasSuffix(s.Func, ".allocateLarge") {
			s.Share, s.Predicted = 0, nil // of the traffic of the process
			sites = append(sites, s)
		}
	}
	return sites
}

func read(t *testing.T, path string) *profile.Profile {
	t.Helper()
	p, err := profsource.File(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return p.P
}

func text(t *testing.T, v any) string {
	t.Helper()
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
