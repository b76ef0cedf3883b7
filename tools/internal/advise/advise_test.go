// SPDX-License-Identifier: BSD-3-Clause

package advise_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/spare-go/spare/tools/internal/advise"
	"github.com/spare-go/spare/tools/internal/allocsite"
	"github.com/spare-go/spare/tools/internal/gotest"
	"github.com/spare-go/spare/tools/internal/profsource"
	"github.com/spare-go/spare/tools/internal/progress"
)

// A stack of a service that is not on this machine: leaf first, names only.
func stack(names ...string) []allocsite.Frame {
	var out []allocsite.Frame
	for _, n := range names {
		line := 0 // of its own for each function
		for _, c := range n {
			line = (31*line + int(c)) % 9973
		}
		out = append(out, allocsite.Frame{Func: n, File: allocsite.PackagePath(n) + "/x.go", Line: line + 1})
	}
	return out
}

func sample(size int64, objects, inUse float64, names ...string) allocsite.Sample {
	return allocsite.Sample{Stack: stack(names...), Size: size, Objects: objects, Bytes: objects * float64(size),
		InUseObjects: inUse, InUseBytes: inUse * float64(size)}
}

func judge(g *advise.Group) *advise.Report {
	return advise.Judge(&advise.Data{Source: "test", Groups: []*advise.Group{g}})
}

func find(t *testing.T, r *advise.Report, what string) *advise.Site {
	t.Helper()
	for i := range r.Sites {
		if r.Sites[i].What == what {
			return &r.Sites[i]
		}
	}
	t.Fatalf("no site makes %s: %+v", what, r.Sites)
	return nil
}

// Shares, rates and savings follow from the counts.
func TestJudgeCounts(t *testing.T) {
	samples := []allocsite.Sample{
		sample(1024, 6000, 0, "bytes.growSlice", "bytes.(*Buffer).grow", "bytes.(*Buffer).Write", "a.example/p.F"),
		sample(4096, 500, 0, "io.ReadAll", "a.example/p.G"),
		sample(64, 10, 0, "io.ReadAll", "a.example/p.H"),
	}
	r := judge(&advise.Group{Samples: samples, Per: "s", Count: 10, Exact: true})
	total := 6000.*1024 + 500*4096 + 640
	if r.Total.Bytes != total/10 || r.Total.Objects != 651 || r.Total.Per != "s" {
		t.Errorf("total %+v, want %v bytes/s and 651 objects/s", r.Total, total/10)
	}
	s := find(t, r, "bytes.(*Buffer).Write")
	if s.Traffic.Bytes != 6000*1024/10 || s.Traffic.Objects != 600 || s.ClassSize != 1024 || s.Share != 6000*1024/total {
		t.Errorf("the buffer: %+v", s)
	}
	if s.Verdict != advise.PoolIt || s.Predicted == nil || s.Predicted.Bytes[1] != s.Share || s.Predicted.Bytes[0] < 0.9*s.Share {
		t.Errorf("the buffer: %q, predicted %+v", s.Verdict, s.Predicted)
	}
	if !s.Predicted.NoCPU || s.Predicted.CPU != [2]float64{} {
		t.Errorf("CPU was predicted without a profile of it: %+v", s.Predicted)
	}
	var small *advise.Site
	for i := range r.Sites {
		if strings.HasSuffix(r.Sites[i].Func, ".H") {
			small = &r.Sites[i]
		}
	}
	if small == nil || small.Verdict != advise.NotWorth || small.Predicted != nil {
		t.Errorf("the small one: %+v", small)
	}
	for i := 1; i < len(r.Sites); i++ {
		if gain(r.Sites[i-1]) < gain(r.Sites[i]) {
			t.Errorf("site %d saves more than the one before it", i)
		}
	}
}

func gain(s advise.Site) float64 {
	if s.Predicted == nil {
		return 0
	}
	return s.Predicted.Bytes[1]
}

// What stays is not poolable; what a mark phase leaves in use is no sign of
// staying.
func TestJudgeLifetime(t *testing.T) {
	for _, tt := range []struct {
		name    string
		inUse   [2]float64 // of 1000 each
		rest    bool
		verdict [2]string
		words   string // of the second
	}{
		{"nothing stays", [2]float64{0, 0}, true, [2]string{advise.PoolIt, advise.PoolIt}, "short"},
		{"the last of it", [2]float64{1, 3}, true, [2]string{advise.PoolIt, advise.PoolIt}, "short"},
		{"one stays", [2]float64{0, 1000}, true, [2]string{advise.PoolIt, advise.Retained}, "long"},
		{"most of it", [2]float64{0, 600}, true, [2]string{advise.PoolIt, advise.Retained}, "long"},
		{"a mark phase", [2]float64{300, 310}, false, [2]string{advise.PoolIt, advise.PoolIt}, "floor"},
		{"one stays, with a floor", [2]float64{20, 990}, false, [2]string{advise.PoolIt, advise.Retained}, "long"},
	} {
		samples := []allocsite.Sample{
			sample(1024, 1000, tt.inUse[0], "io.ReadAll", "a.example/p.F"),
			sample(1024, 1000, tt.inUse[1], "io.ReadAll", "a.example/p.G"),
		}
		r := judge(&advise.Group{Samples: samples, Per: "op", Count: 1000, Exact: true,
			Live: advise.Live{Samples: samples, Count: 1000, Rest: tt.rest}})
		for i, f := range []string{".F", ".G"} {
			for _, s := range r.Sites {
				if !strings.HasSuffix(s.Func, f) {
					continue
				}
				if s.Verdict != tt.verdict[i] {
					t.Errorf("%s, %s: %q, want %q; %s", tt.name, f, s.Verdict, tt.verdict[i], s.Lifetime)
				}
				if i == 1 && !strings.Contains(s.Lifetime, tt.words) {
					t.Errorf("%s: lifetime %q lacks %q", tt.name, s.Lifetime, tt.words)
				}
			}
		}
	}
}

// What was sampled seldom is predicted in a wider range.
func TestJudgeSamplingError(t *testing.T) {
	width := func(objects float64) float64 { // relative
		r := judge(&advise.Group{Per: "s", Count: 1, Rate: 512 << 10, Samples: []allocsite.Sample{
			sample(4096, objects, 0, "io.ReadAll", "a.example/p.F"), sample(4096, 1e6, 0, "a.example/p.G"),
		}})
		p := find(t, r, "io.ReadAll").Predicted
		return (p.Bytes[1] - p.Bytes[0]) / p.Bytes[1]
	}
	if few, many := width(30e3), width(3e6); few < 1.5*many {
		t.Errorf("the range is %v wide with few samples and %v with many", few, many)
	}
}

// cpu makes a CPU profile: nanoseconds by stack.
func cpu(t *testing.T, times map[string]int64) *profile.Profile {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}}
	for names, ns := range times {
		s := &profile.Sample{Value: []int64{ns / 1e7, ns}}
		for _, f := range stack(strings.Fields(names)...) {
			id := uint64(len(p.Function) + 1)
			fn := &profile.Function{ID: id, Name: f.Func, Filename: f.File}
			loc := &profile.Location{ID: id, Line: []profile.Line{{Function: fn, Line: int64(f.Line)}}}
			p.Function, p.Location, s.Location = append(p.Function, fn), append(p.Location, loc), append(s.Location, loc)
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

// cpuGroup is a benchmark with one site, whose CPU profile has 1000 samples per
// 10 s: malloc, collector, scheduler and other are its parts, in seconds.
func cpuGroup(t *testing.T, malloc, collector, scheduler, other float64, more ...string) *advise.Group {
	t.Helper()
	const line = "bytes.NewBuffer a.example/p.F"
	times := map[string]int64{
		"runtime.mallocgc runtime.newobject " + line: int64(malloc * 1e9),
		"runtime.gcBgMarkWorker":                     int64(collector * 1e9),
		"runtime.schedule runtime.mcall":             int64(scheduler * 1e9),
		"a.example/p.F":                              int64(other * 1e9),
	}
	for _, stack := range more {
		times[stack] = 1e9
	}
	return &advise.Group{
		Benchmark: &advise.Benchmark{Name: "BenchmarkF", CPU: 1e5, GCs: 0.1}, Per: "op", Count: 1000, Exact: true,
		Samples: []allocsite.Sample{{Stack: stack("bytes.NewBuffer", "a.example/p.F"), Size: 4096, Objects: 1000, Bytes: 4096 * 1000}},
		CPU:     cpu(t, times),
	}
}

func width(v [2]float64) float64 { return v[1] - v[0] }

// What the profile shows at a site, with its share of the collector's time and of
// the runtime's around it, is in the range, and so is more than that: what
// is left gets faster.
func TestJudgeCPU(t *testing.T) {
	r := judge(cpuGroup(t, 30, 20, 0, 50))
	s := find(t, r, "bytes.NewBuffer")
	if s.Cost == nil || s.Cost.Malloc != 0.3 || s.Cost.GC != 0.2 || s.Cost.Samples != 10000 {
		t.Fatalf("cost %+v, want 0.3 in malloc and 0.2 in the collector, of 10000 samples", s.Cost)
	}
	// What is left is faster by the collector's share: 0.5 + 0.5*0.2, less a pool.
	if got := s.Predicted.CPU; math.Abs((got[0]+got[1])/2-0.6) > 0.02 || width(got) > 0.4 {
		t.Errorf("CPU %v, want a range around 0.6", got)
	}
	// Where nearly all goes away, what is left is little, and so is the doubt.
	most := find(t, judge(cpuGroup(t, 40, 50, 0, 10)), "bytes.NewBuffer").Predicted.CPU
	if most[0] < 0.8 || width(most) > 0.75*width(s.Predicted.CPU) {
		t.Errorf("CPU %v where the profile shows 0.9, and %v where it shows 0.5", most, s.Predicted.CPU)
	}
	if got := r.Benchmarks[0].Predicted; got == nil || !near(got.CPU, s.Predicted.CPU) {
		t.Errorf("together: %+v", got)
	}
	// The scheduler's work is the collector's, in a program that does not block.
	around := find(t, judge(cpuGroup(t, 30, 10, 10, 50)), "bytes.NewBuffer")
	if !near(around.Predicted.CPU, s.Predicted.CPU) || around.Cost.Runtime != 0.1 {
		t.Errorf("CPU %v with half of the collector's time around it, want %v; cost %+v", around.Predicted.CPU, s.Predicted.CPU, around.Cost)
	}
	// A write barrier is the collector's work; where a goroutine is preempted is not.
	barrier := find(t, judge(cpuGroup(t, 30, 19, 0, 50, "gcWriteBarrier a.example/p.F")), "bytes.NewBuffer")
	stopped := find(t, judge(cpuGroup(t, 30, 20, 0, 49, "runtime.asyncPreempt a.example/p.F")), "bytes.NewBuffer")
	if !near(barrier.Predicted.CPU, s.Predicted.CPU) || !near(stopped.Predicted.CPU, s.Predicted.CPU) {
		t.Errorf("CPU %v with write barriers, %v with preemption, want %v", barrier.Predicted.CPU, stopped.Predicted.CPU, s.Predicted.CPU)
	}
	// In one that blocks, nobody knows whose it is.
	blocks := find(t, judge(cpuGroup(t, 30, 10, 10, 49, "runtime.chanrecv1 a.example/p.F")), "bytes.NewBuffer")
	if width(blocks.Predicted.CPU) <= width(around.Predicted.CPU) || blocks.Predicted.CPU[0] >= around.Predicted.CPU[0] {
		t.Errorf("CPU %v in a program that blocks, want a wider range than %v, from below", blocks.Predicted.CPU, around.Predicted.CPU)
	}
	// Nor are the collections of one that has more of them than its allocations need.
	often := cpuGroup(t, 30, 10, 10, 50)
	often.Benchmark.GCs, often.Benchmark.Measured.Bytes = 1, 4096
	if got := find(t, judge(often), "bytes.NewBuffer").Predicted; got.CPU[0] > 0.3 || got.GCs[0] != 0 {
		t.Errorf("CPU %v, collections %v with a collection for each 4096 bytes", got.CPU, got.GCs)
	}
	// A collection that the program asks for is not saved.
	forced := find(t, judge(cpuGroup(t, 30, 20, 0, 49, "runtime.GC a.example/p.F")), "bytes.NewBuffer")
	if forced.Predicted.CPU[0] > 0.35 || forced.Predicted.CPU[0] >= s.Predicted.CPU[0] || forced.Predicted.GCs[0] != 0 {
		t.Errorf("CPU %v, collections %v of a program that asks for them", forced.Predicted.CPU, forced.Predicted.GCs)
	}
}

func near(a, b [2]float64) bool {
	return math.Abs(a[0]-b[0]) < 1e-6 && math.Abs(a[1]-b[1]) < 1e-6
}

// More samples make the range narrower.
func TestJudgeSamplesOfCPU(t *testing.T) {
	few := find(t, judge(cpuGroup(t, 0.3, 0.2, 0, 0.5)), "bytes.NewBuffer").Predicted.CPU
	many := find(t, judge(cpuGroup(t, 30, 20, 0, 50)), "bytes.NewBuffer").Predicted.CPU
	if width(few) <= width(many) {
		t.Errorf("the range is %v with 100 samples and %v with 10000", few, many)
	}
}

// The cost of a pool on the machine is subtracted: a value each 200 ns does not pay
// where a pool takes as long as the allocator.
func TestJudgePoolCost(t *testing.T) {
	saves := func(cost float64) [2]float64 {
		g := cpuGroup(t, 30, 5, 0, 65)
		g.Benchmark.CPU = 200
		r := advise.Judge(&advise.Data{Source: "test", Groups: []*advise.Group{g}, PoolCost: [2]float64{cost, cost}})
		return find(t, r, "bytes.NewBuffer").Predicted.CPU
	}
	fast, slow := saves(2), saves(80)
	if fast[0] < 0.1 || slow[0] > 0 || slow[1] >= fast[1] {
		t.Errorf("CPU %v with a pool of 2 ns and %v with one of 80 ns", fast, slow)
	}
	if width(slow) <= width(fast) {
		t.Errorf("the doubt about a cost of 2 ns is %v, about 80 ns %v", width(fast), width(slow))
	}
}

// What is all of the bytes of an operation that hardly allocates is not worth it,
// and what is all of many bytes is.
func TestJudgeAbsolute(t *testing.T) {
	for _, tt := range []struct {
		name       string
		size       int64
		malloc, ns float64
		worth      bool
	}{
		{"few bytes, no time", 80, 0.05, 1e6, false},
		{"few bytes, much time", 80, 30, 300, true},
		{"many bytes, no time", 64 << 10, 0.05, 1e6, true},
	} {
		g := cpuGroup(t, tt.malloc, 0.05, 0, 99.9-tt.malloc)
		g.Benchmark.CPU = tt.ns
		g.Samples[0].Size, g.Samples[0].Bytes = tt.size, 1000*float64(tt.size)
		s := find(t, judge(g), "bytes.NewBuffer")
		if worth := s.Verdict != advise.NotWorth; worth != tt.worth || s.Share != 1 {
			t.Errorf("%s: %q, %s", tt.name, s.Verdict, s.Advice)
		}
		if !tt.worth && (s.Predicted != nil || !strings.Contains(s.Advice, "80 B/op") || !strings.Contains(s.Advice, "of CPU time")) {
			t.Errorf("%s: predicted %+v, %s", tt.name, s.Predicted, s.Advice)
		}
	}
}

// Of what encoding/json makes for a Marshal, only its result can be saved: by the bytes,
// and by the CPU time.
func TestJudgeMarshal(t *testing.T) {
	const line = "encoding/json.Marshal a.example/p.F"
	keys := strings.Fields("reflect.copyVal encoding/json.mapEncoder.encode " + line)
	group := func(result, others float64) *advise.Group {
		g := cpuGroup(t, 0, 0, 0, 40)
		g.CPU = cpu(t, map[string]int64{
			"runtime.growslice " + line:                           20e9,
			"runtime.mallocgc " + strings.Join(keys, " "):         40e9,
			"encoding/json.checkValid " + line + " a.example/p.G": 40e9,
		})
		g.Samples = []allocsite.Sample{
			sample(1024, result, 0, strings.Fields(line)...), sample(1024, others, 0, keys...),
		}
		return g
	}
	s := find(t, judge(group(250, 750)), "json.Marshal")
	if s.Verdict != advise.PoolIt || s.Share != 1 || s.Predicted.Bytes[1] != 0.25 || s.Predicted.Bytes[0] < 0.23 {
		t.Errorf("%q, share %v, predicted %+v, want a quarter of the bytes", s.Verdict, s.Share, s.Predicted)
	}
	if mid := (s.Predicted.CPU[0] + s.Predicted.CPU[1]) / 2; mid < 0.15 || mid > 0.21 {
		t.Errorf("CPU %v, want a range around 0.2", s.Predicted.CPU)
	}
	if s := find(t, judge(group(10, 990)), "json.Marshal"); s.Verdict != advise.NotWorth || s.Predicted != nil {
		t.Errorf("%q, predicted %+v where the result is 1%% of the bytes", s.Verdict, s.Predicted)
	}
}

// Generic functions of the standard library are known, whatever they are instantiated with.
func TestJudgeGenericMakers(t *testing.T) {
	for maker, want := range map[string]string{
		"slices.Clone[go.shape.[]int,go.shape.int]":                                  advise.PoolIt,
		"slices.Concat[go.shape.[]struct { A [2]int },go.shape.struct { A [2]int }]": advise.PoolIt,
		"maps.Collect[go.shape.string,go.shape.int]":                                 advise.PoolIt,
		"maps.Keys[go.shape.map[string]int,go.shape.string,go.shape.int]":            advise.NotWorth, // an iterator
	} {
		what, _, _ := strings.Cut(maker, "[")
		r := judge(&advise.Group{Per: "op", Count: 10, Exact: true, Samples: []allocsite.Sample{sample(4096, 100, 0, maker, "a.example/p.F")}})
		if s := find(t, r, what+"[...]"); s.Verdict != want {
			t.Errorf("%s: %q (%s), want %q", maker, s.Verdict, s.Advice, want)
		}
	}
}

// A map is kept in another value, so that there is no mechanical change, whatever else
// its line uses.
func TestTriesOfAMap(t *testing.T) {
	r := judge(&advise.Group{Per: "op", Count: 10, Exact: true, Samples: []allocsite.Sample{sample(4096, 100, 0, "maps.Clone[go.shape.map[string]int,go.shape.string,go.shape.int]", "a.example/p.F")}})
	s := find(t, r, "maps.Clone[...]")
	if s.Verdict != advise.PoolIt {
		t.Fatalf("%q: %s", s.Verdict, s.Advice)
	}
	tries, err := advise.Tries(t.Context(), r, advise.TryOptions{Patch: true})
	if err != nil || len(tries) > 0 || !strings.Contains(s.Try, "no mechanical change: a map") {
		t.Errorf("%d tries, %q, %v", len(tries), s.Try, err)
	}
}

// Sites of several benchmarks are ranked by the CPU time that is saved, whatever
// their shares of the bytes.
func TestJudgeRanking(t *testing.T) {
	little, much := cpuGroup(t, 5, 2, 0, 93), cpuGroup(t, 30, 20, 0, 50)
	little.Benchmark.Name, much.Benchmark.Name = "BenchmarkLittle", "BenchmarkMuch"
	much.Samples = append(much.Samples, sample(8192, 1000, 1000, "a.example/p.G"))
	r := advise.Judge(&advise.Data{Source: "test", Groups: []*advise.Group{little, much}})
	first, second := r.Sites[0], r.Sites[1]
	if first.Benchmark != "BenchmarkMuch" || first.Predicted == nil || second.Benchmark != "BenchmarkLittle" || first.Share >= second.Share {
		t.Errorf("first %s with a share of %v, then %s with %v", first.Benchmark, first.Share, second.Benchmark, second.Share)
	}
}

// heap writes a heap profile of a service.
func heap(t *testing.T, path string, counts map[string]int64) {
	t.Helper()
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"},
			{Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"}},
		PeriodType: &profile.ValueType{Type: "space", Unit: "bytes"}, Period: 512 << 10, TimeNanos: 1e18, DurationNanos: int64(10 * time.Second),
	}
	for names, n := range counts {
		s := &profile.Sample{Value: []int64{n, 2048 * n, n / 100, 2048 * (n / 100)}, NumLabel: map[string][]int64{"bytes": {2048}}}
		for _, f := range stack(strings.Fields(names)...) {
			id := uint64(len(p.Function) + 1)
			fn := &profile.Function{ID: id, Name: f.Func, Filename: f.File}
			loc := &profile.Location{ID: id, Line: []profile.Line{{Function: fn, Line: int64(f.Line)}}}
			p.Function, p.Location, s.Location = append(p.Function, fn), append(p.Location, loc), append(s.Location, loc)
		}
		p.Sample = append(p.Sample, s)
	}
	f, err := os.Create(path)
	if err == nil {
		err = p.Write(f)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Advice on merged shards is the advice on the whole.
func TestServiceOfShards(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	dir := t.TempDir()
	whole := make(map[string]int64)
	var paths []string
	for i := range 10 {
		shard := make(map[string]int64)
		for j := range 20 {
			key := fmt.Sprintf("io.ReadAll a.example/p.F%d a.example/p.Serve", (i+j)%25)
			shard[key] = int64(1000 * (j + 1))
			whole[key] += shard[key]
		}
		paths = append(paths, filepath.Join(dir, fmt.Sprint("shard", i)))
		heap(t, paths[i], shard)
	}
	all := filepath.Join(dir, "whole")
	heap(t, all, whole)
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	report := func(paths ...string) *advise.Report {
		p, err := profsource.Files(t.Context(), paths...)
		if err != nil {
			t.Fatal(err)
		}
		tc := &gotest.Toolchain{TempDir: t.TempDir()}
		if err := tc.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
		d, err := advise.Service(t.Context(), tc, p, progress.New(io.Discard))
		if err != nil {
			t.Fatal(err)
		}
		r := advise.Judge(d)
		r.Source = ""
		return r
	}
	merged, want := report(paths...), report(all)
	if len(want.Sites) != 25 || want.Span != 10 {
		t.Fatalf("%d sites over %v s, want 25 over 10", len(want.Sites), want.Span)
	}
	if !reflect.DeepEqual(merged, want) {
		a, _ := json.MarshalIndent(merged, "", " ")
		b, _ := json.MarshalIndent(want, "", " ")
		t.Errorf("merged shards:\n%.3000s\nthe whole:\n%.3000s", a, b)
	}
}

func TestWriteText(t *testing.T) {
	r := judge(&advise.Group{Per: "op", Count: 10, Exact: true, Samples: []allocsite.Sample{
		sample(1024, 10, 0, "io.ReadAll", "a.example/p.F"), sample(512, 10, 0, "io.ReadAll", "a.example/p.G"),
	}})
	var out bytes.Buffer
	if err := r.WriteText(&out, 1); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"test: 1536 B/op, 2 objects/op", "a.example/p/x.go:", "io.ReadAll", "pool it", "63..67%", "and 1 more site; -n 0 lists all", "buffer.Get()"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("the text lacks %q:\n%s", part, &out)
		}
	}
	out.Reset()
	if err := (&advise.Report{Source: "test"}).WriteText(&out, 0); err != nil || !strings.Contains(out.String(), "nothing was allocated") {
		t.Errorf("an empty report: %v\n%s", err, &out)
	}
	out.Reset()
	if err := (&advise.Report{Source: "test"}).WriteJSON(&out); err != nil || !strings.Contains(out.String(), `"sites": []`) {
		t.Errorf("an empty report as JSON: %v\n%s", err, &out)
	}
}

// What is made at its first use, and kept, is no candidate.
func TestJudgeFirstUse(t *testing.T) {
	b := &advise.Benchmark{Name: "BenchmarkF", CPU: 1e6}
	r := judge(&advise.Group{Benchmark: b, Per: "op", Count: 50, Exact: true, Samples: []allocsite.Sample{
		sample(65536, 1, 0, "io.ReadAll", "a.example/p.F"), sample(64, 50, 0, "io.ReadAll", "a.example/p.G"),
	}})
	for _, s := range r.Sites {
		if first := strings.HasSuffix(s.Func, ".F"); first != (s.Verdict == advise.NotWorth) {
			t.Errorf("%s: %q, %s", s.Func, s.Verdict, s.Advice)
		}
	}
}
