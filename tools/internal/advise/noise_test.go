// SPDX-License-Identifier: BSD-3-Clause

package advise_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spare-go/spare/tools/internal/advise"
	"github.com/spare-go/spare/tools/internal/allocsite"
)

func text(t *testing.T, r *advise.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := r.WriteText(&out, 0); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func contains(t *testing.T, text string, want ...string) {
	t.Helper()
	flat := strings.Join(strings.Fields(text), " ") // lines are broken anywhere
	for _, w := range want {
		if !strings.Contains(flat, w) {
			t.Errorf("the text lacks %q:\n%s", w, text)
		}
	}
}

func lacks(t *testing.T, text string, unwanted ...string) {
	t.Helper()
	for _, w := range unwanted {
		if strings.Contains(text, w) {
			t.Errorf("the text has %q:\n%s", w, text)
		}
	}
}

// What one sample stands for is one line for all such sites together, in the text;
// the report has them all.
func TestNoiseOfSampling(t *testing.T) {
	const rate = 512 << 10
	one := func(size int64) float64 { return rate / float64(size) } // objects of one sample
	samples := []allocsite.Sample{sample(4096, 5000*one(4096), 0, "io.ReadAll", "a.example/p.Busy")}
	for i := range 40 {
		samples = append(samples, sample(1024, one(1024), 0, "io.ReadAll", fmt.Sprintf("a.example/p.Rare%d", i)))
	}
	// An object much larger than the rate is always sampled: one is no noise.
	samples = append(samples, sample(64<<20, 1, 0, "a.example/p.Large"))
	r := judge(&advise.Group{Samples: samples, Per: "s", Count: 10, Rate: rate})
	if len(r.Sites) != 42 {
		t.Fatalf("%d sites, want all 42", len(r.Sites))
	}
	for _, s := range r.Sites {
		want := ""
		if strings.Contains(s.Func, ".Rare") {
			want = advise.NoiseSampling
		}
		if s.Noise != want {
			t.Errorf("%s: noise %q, want %q", s.Func, s.Noise, want)
		}
	}
	got := text(t, r)
	contains(t, got, "p.Busy", "and 40 more sites of so few samples that their error is above 50%: at most 0.0193% each, 0.774% together", "-json has")
	lacks(t, got, "Rare")
	// With every allocation recorded there is no such error.
	r = judge(&advise.Group{Samples: samples, Per: "s", Count: 10, Rate: 1, Exact: true})
	for _, s := range r.Sites {
		if s.Noise == advise.NoiseSampling {
			t.Errorf("%s: noise %q in an exact profile", s.Func, s.Noise)
		}
	}
}

// What nobody can change is folded: the runtime's own, the profiler's, and small
// things of libraries. A request that a server reads is no noise if it is much.
func TestNoiseOfOthers(t *testing.T) {
	samples := []allocsite.Sample{
		sample(4096, 1000, 0, "io.ReadAll", "a.example/p.F"),
		sample(512, 50, 0, "runtime.malg", "runtime.newproc1"),
		sample(512, 40, 0, "testing.(*B).run1", "testing.(*B).Run"),
		sample(8192, 30, 0, "compress/flate.NewWriter", "compress/gzip.(*Writer).Write", "runtime/pprof.(*profileBuilder).build", "net/http/pprof.Index", "a.example/p.Serve"),
		sample(512, 20, 0, "net/http.(*Server).newConn", "net/http.(*Server).Serve"),
		sample(512, 100, 0, "bufio.NewReaderSize", "net/http.(*conn).serve"),
		sample(2048, 900, 0, "net/textproto.(*Reader).ReadLine", "net/http.readRequest", "net/http.(*conn).serve"),
	}
	r := judge(&advise.Group{Samples: samples, Per: "s", Count: 1, Rate: 1, Exact: true})
	noise := make(map[string]string)
	for _, s := range r.Sites {
		noise[s.What] = s.Noise
	}
	for what, want := range map[string]string{
		"io.ReadAll": "", "runtime.malg": advise.NoiseRuntime, "testing.(*B).run1": advise.NoiseRuntime,
		"http.(*Server).newConn": advise.NoiseRuntime, "pprof.Index": advise.NoiseRuntime, "bufio.NewReaderSize": advise.NoiseForeign, "textproto.(*Reader).ReadLine": "",
	} {
		got, ok := noise[what]
		if !ok || got != want {
			t.Errorf("%s: noise %q (there: %v), want %q; sites %v", what, got, ok, want, noise)
		}
	}
	got := text(t, r)
	contains(t, got, "more sites of the runtime, the profiler and the like: at most", "1 more site of libraries, with no code of the program on the stack", "textproto.(*Reader).ReadLine")
	lacks(t, got, "runtime.malg\n", "newConn\n")
	for _, s := range r.Sites {
		if s.Noise == advise.NoiseRuntime && s.Verdict != advise.NotWorth {
			t.Errorf("%s: %q of what the runtime or the profiler makes", s.What, s.Verdict)
		}
	}
}

// A heap profile says nothing of CPU time, and the report says what to do.
func TestNotesOfAHeapProfile(t *testing.T) {
	samples := []allocsite.Sample{sample(1024, 1000, 0, "io.ReadAll", "a.example/p.F")}
	r := judge(&advise.Group{Samples: samples, Per: "s", Count: 1, Exact: true})
	contains(t, text(t, r), "note: CPU time cannot be predicted from a heap profile alone", "run benchmarks")
	b := &advise.Benchmark{Name: "BenchmarkF", CPU: 1e6}
	if r = judge(&advise.Group{Benchmark: b, Samples: samples, Per: "op", Count: 1000, Exact: true}); len(r.Notes) != 0 {
		t.Errorf("notes %q on a benchmark", r.Notes)
	}
}

// A store that merges profiles drops the sizes of objects. The report says so once,
// and takes no mean for a size class.
func TestSizesThatAreMeans(t *testing.T) {
	mean := func(s allocsite.Sample) allocsite.Sample { s.Mean = true; return s }
	samples := []allocsite.Sample{
		mean(sample(1537, 1000, 0, "io.ReadAll", "a.example/p.F")),
		mean(sample(1000, 1000, 0, "io.ReadAll", "a.example/p.G")),
	}
	r := judge(&advise.Group{Samples: samples, Per: "s", Count: 1})
	got := text(t, r)
	contains(t, got, "note: the source does not tell the sizes of objects: the sizes here are means", "1537 B each on average, by a source that does not tell sizes")
	lacks(t, got, "in a class of")
	if n := strings.Count(got, "the sizes here are means"); n != 1 {
		t.Errorf("it is said %d times:\n%s", n, got)
	}
	for _, s := range r.Sites {
		if !s.SizeMean || s.SizeFrom != 0 || s.Waste != 0 {
			t.Errorf("%+v", s)
		}
	}
}

// The text fits a terminal, whatever the names.
func TestTextFits(t *testing.T) {
	var groups []*advise.Group
	for i := range 12 {
		b := &advise.Benchmark{Name: fmt.Sprintf("BenchmarkOfSomething/impl=naive/size=%d/with=everything-that-has-a-name/%s-8", 1<<i, strings.Repeat("x", 4*i)), CPU: 1e6}
		groups = append(groups, &advise.Group{Benchmark: b, Per: "op", Count: 1000, Exact: true, Samples: []allocsite.Sample{
			sample(1<<i, 1000, 0, "bytes.growSlice", "bytes.(*Buffer).grow", "bytes.(*Buffer).Write", "a.example/"+strings.Repeat("longer/", i)+"p.F"),
			sample(1<<i, 100, 900, "a.example/some/package.(*Server).HandleRequest"),
		}})
	}
	r := advise.Judge(&advise.Data{Source: "./...", Groups: groups})
	got := text(t, r)
	for line := range strings.Lines(got) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 && len(strings.Fields(line)) > 2 { // a name is not cut in a story
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
	contains(t, got, "OfSomething/impl=naive/size=1/", "…/")
	lacks(t, got, "BenchmarkOf", "-8")
}

// A place with the same advice in several benchmarks has one story, with the figures
// of each.
func TestOneStoryOfAPlace(t *testing.T) {
	var groups []*advise.Group
	for _, name := range []string{"BenchmarkF/small-2", "BenchmarkF/large-2"} {
		size := int64(1024)
		if name == "BenchmarkF/large-2" {
			size = 65536
		}
		groups = append(groups, &advise.Group{Benchmark: &advise.Benchmark{Name: name, CPU: 1e6}, Per: "op", Count: 1000, Exact: true,
			Samples: []allocsite.Sample{sample(size, 1000, 0, "io.ReadAll", "a.example/p.F")}})
	}
	got := text(t, advise.Judge(&advise.Data{Source: "test", Groups: groups}))
	if n := strings.Count(got, "   advice "); n != 1 {
		t.Errorf("%d stories, want one:\n%s", n, got)
	}
	contains(t, got, "1, 2 a.example/p/x.go:", "benchmark F/small", "benchmark F/large", "1024 B/op", "64.0 KiB/op")
}

// Misses of a pool are no reason to pool, and readers over memory cost what a pool
// costs.
func TestAlreadyPooled(t *testing.T) {
	samples := []allocsite.Sample{
		sample(4096, 500, 0, "a.example/p.init.func1", "sync.(*Pool).Get", "a.example/p.F"),
		sample(4096, 500, 0, "fmt.init.func1", "sync.(*Pool).Get", "fmt.newPrinter", "fmt.Fprintf", "a.example/p.G"),
		sample(48, 90000, 0, "bytes.NewReader", "a.example/p.H"),
		sample(32, 90000, 0, "strings.NewReader", "a.example/p.I"),
	}
	r := judge(&advise.Group{Benchmark: &advise.Benchmark{Name: "BenchmarkF", CPU: 1e6}, Samples: samples, Per: "op", Count: 1000, Exact: true})
	for _, tt := range []struct{ fn, want string }{
		{".F", "already pooled: this is what the misses of a sync.Pool cost, 0.500 in each operation"},
		{".G", "already pooled: it is a miss of a sync.Pool of the library"},
		{".H", "a bytes.Reader is 48 bytes, which cost about what a pool costs"},
		{".I", "a strings.Reader is 32 bytes, which cost about what a pool costs"},
	} {
		for _, s := range r.Sites {
			if strings.HasSuffix(s.Func, tt.fn) && (s.Verdict != advise.NotWorth || s.Predicted != nil || !strings.Contains(s.Advice, tt.want)) {
				t.Errorf("%s: %q, predicted %v: %s", tt.fn, s.Verdict, s.Predicted, s.Advice)
			}
		}
	}
}
