// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/advise"
)

// lineOf returns the line of testdata/mod/sites/sites.go that ends with a
// comment.
func lineOf(t *testing.T, comment string) int {
	t.Helper()
	enter(t)
	data, err := os.ReadFile(filepath.Join("sites", "sites.go"))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(data), "\n") {
		if strings.HasSuffix(line, "// "+comment) {
			return i + 1
		}
	}
	t.Fatalf("no line of sites.go ends with // %s", comment)
	return 0
}

// adviseJSON runs spare advise -json and returns its report.
func adviseJSON(t *testing.T, args ...string) *advise.Report {
	t.Helper()
	stdout, stderr, code := spare(t, append([]string{"advise", "-json"}, args...)...)
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	r := new(advise.Report)
	if err := json.Unmarshal([]byte(stdout), r); err != nil {
		t.Fatalf("%v:\n%s", err, stdout)
	}
	return r
}

// siteAt returns the site of a benchmark on a line; "" is any benchmark.
func siteAt(t *testing.T, r *advise.Report, bench string, line int, what ...string) *advise.Site {
	t.Helper()
	for i := range r.Sites {
		if s := &r.Sites[i]; s.Line == line && filepath.Base(s.File) == "sites.go" && (bench == "" || strings.TrimSuffix(s.Benchmark, "-2") == bench) &&
			(len(what) == 0 || s.What == what[0]) {
			return s
		}
	}
	var has []string
	for _, s := range r.Sites {
		has = append(has, s.Benchmark+" "+filepath.Base(s.File)+":"+strconv.Itoa(s.Line)+" "+s.What)
	}
	t.Fatalf("no site of %s on line %d; there are\n%s", bench, line, strings.Join(has, "\n"))
	return nil
}

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance*want }

// Each benchmark of testdata/mod/sites has one site that is known to the byte.
func TestAdviseFindsSites(t *testing.T) {
	needsProcesses(t)
	// On one P: a goroutine that comes to another while the timer is stopped has an
	// allocation recorded there.
	r := adviseJSON(t, "-cpu=1", "-benchtime=20ms", "-cputime=150ms", "./sites")
	for _, tt := range []struct {
		bench, line    string
		what           string
		bytes, objects float64 // per operation; 0: not known
		class          int64
		size           int64
		verdict        string
		advice         string
		escape         string
	}{
		{"BenchmarkSlice", "slice", "make([]byte, n)", 1024, 1, 1024, 0, advise.PoolIt, "spare.Slices[byte]", "use(b)"},
		{"BenchmarkSetup", "slice", "make([]byte, n)", 1024, 1, 1024, 0, advise.PoolIt, "", ""},
		{"BenchmarkReset", "slice", "make([]byte, n)", 1024, 1, 1024, 0, advise.PoolIt, "", ""},
		{"BenchmarkCompress", "gzip", "gzip.NewWriter", 0, 0, 0, 0, advise.PoolIt, "gzippool", "compress/gzip.(*Writer).Write"},
		{"BenchmarkFormat", "buffer", "bytes.Buffer", 0, 0, 0, 0, advise.PoolIt, "buffer.Buffer", ""},
		{"BenchmarkThings", "thing", "newThing", 0, 0, 0, 0, advise.PoolIt, "spare.Pool[sites.thing]", ""},
		{"BenchmarkKeep", "kept", "make([]byte, 512)", 512, 1, 512, 512, advise.Retained, "", ""},
		{"BenchmarkCount", "boxed", "n + 1000 in an interface", 24, 1.5, 16, 0, advise.FixEscape, "interface", ""},
		{"BenchmarkGrow", "grown", "[]int grown by append", 0, 0, 0, 0, advise.PoolIt, "spare.Slices[int]", ""},
	} {
		s := siteAt(t, r, tt.bench, lineOf(t, tt.line), tt.what)
		if tt.bytes > 0 && (!near(s.Traffic.Bytes, tt.bytes, 0.003) || !near(s.Traffic.Objects, tt.objects, 0.003)) {
			t.Errorf("%s: %v bytes and %v objects per operation, want %v and %v", tt.bench, s.Traffic.Bytes, s.Traffic.Objects, tt.bytes, tt.objects)
		}
		if tt.class > 0 && s.ClassSize != tt.class || tt.size != s.Size {
			t.Errorf("%s: size %d in a class of %d, want %d in %d", tt.bench, s.Size, s.ClassSize, tt.size, tt.class)
		}
		if tt.class == 1024 && s.SizeFrom != 897 {
			t.Errorf("%s: sizes from %d are in its class, want 897", tt.bench, s.SizeFrom)
		}
		if s.Verdict != tt.verdict {
			t.Errorf("%s: verdict %q, want %q; lifetime %s", tt.bench, s.Verdict, tt.verdict, s.Lifetime)
		}
		if !strings.Contains(s.Advice, tt.advice) {
			t.Errorf("%s: advice %q lacks %q", tt.bench, s.Advice, tt.advice)
		}
		if !strings.Contains(strings.Join(s.Escape, "\n"), tt.escape) {
			t.Errorf("%s: the reasons %q lack %q", tt.bench, s.Escape, tt.escape)
		}
		if (s.Predicted != nil) != (tt.verdict == advise.PoolIt || tt.verdict == advise.FixEscape) {
			t.Errorf("%s: verdict %q and prediction %v", tt.bench, s.Verdict, s.Predicted)
		}
	}
	// All that Compress allocates but its own is blamed on NewWriter.
	if s := siteAt(t, r, "BenchmarkCompress", lineOf(t, "gzip"), "gzip.NewWriter"); s.Share < 0.98 {
		t.Errorf("gzip.NewWriter has %v of the bytes, want nearly all", s.Share)
	}
	if s := siteAt(t, r, "BenchmarkFormat", lineOf(t, "buffer"), "bytes.Buffer"); s.Share < 0.8 || len(s.TakenAt) == 0 {
		t.Errorf("the buffer has %v of the bytes, taken at %v", s.Share, s.TakenAt)
	}
	for _, b := range r.Benchmarks {
		if name := strings.TrimSuffix(b.Name, "-2"); name == "BenchmarkOnStack" && b.Traffic.Bytes > 1 {
			t.Errorf("%s allocates %v bytes, want none", name, b.Traffic.Bytes)
		} else if name == "BenchmarkSlice" && !near(b.Traffic.Bytes, b.Measured.Bytes, 0.01) {
			t.Errorf("%s: the profile has %v bytes, the runtime counted %v", name, b.Traffic.Bytes, b.Measured.Bytes)
		}
	}
	if s := siteAt(t, r, "BenchmarkOnStack", lineOf(t, "stack")); s.Verdict != advise.OnStack {
		t.Errorf("the scratch array: %q, want %q", s.Verdict, advise.OnStack)
	}
}

func TestAdvisePrints(t *testing.T) {
	needsProcesses(t)
	stdout, stderr, code := spare(t, "advise", "-cpu=2", "-benchtime=20ms", "-cputime=30ms", "-bench=Slice", "./sites")
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	contains(t, "the report", stdout, "./sites: 1024 B/op", "sites.go:"+strconv.Itoa(lineOf(t, "slice")), "make([]byte, n)",
		"pool it", "97..100%", "all changes together", "b := pool.Get(n)[:n]; defer", "its elements are not zero", "it is passed to a call that may keep it: use(b)")
	// Some that were just made may be there when the run ends; more than a few hundred never are.
	if !regexp.MustCompile(`lifetime +(short:|(about|at most) \d{1,3}(\.\d+)? operations)`).MatchString(stdout) {
		t.Errorf("the report lacks a short lifetime:\n%s", stdout)
	}
	contains(t, "standard error", stderr, "profiling 1/1: BenchmarkSlice", "asking the compiler")
}

func TestAdviseExplains(t *testing.T) {
	needsTrials(t)
	for _, tt := range []struct {
		line, bench string
		want        []string
	}{
		{"stack", "OnStack", []string{"already on the stack", "make([]byte, 4096) does not escape", "only add its own cost"}},
		{"write", "Compress", []string{"gzip.NewWriter", "pool it"}},
		{"grow", "Format", []string{"bytes.Buffer", "pool it", "not worth it", "\"a line that is long enough"}},
		// Without a benchmark there is the compiler's word.
		{"slice", "NoSuchBenchmark", []string{"make([]byte, n) is on the heap", "no operation of the profile made it"}},
	} {
		at := filepath.Join("sites", "sites.go") + ":" + strconv.Itoa(lineOf(t, tt.line))
		stdout, stderr, code := spare(t, "advise", "-cpu=2", "-benchtime=20ms", "-cputime=30ms", "-bench="+tt.bench, "-explain", at)
		if code != 0 {
			t.Fatalf("%s: code %d: %s", tt.line, code, stderr)
		}
		contains(t, tt.line, stdout, tt.want...)
	}
}

// profileOf runs a benchmark of ./sites, or of another package, under go test's own
// memory profiler.
func profileOf(t *testing.T, bench, rate string, pkg ...string) string {
	t.Helper()
	enter(t)
	file := filepath.Join(t.TempDir(), "mem")
	cmd := exec.Command("go", "test", "-run=^$", "-bench="+bench, "-benchtime=2000x", "-o", filepath.Join(t.TempDir(), "x.test"), "-memprofile="+file, "-memprofilerate="+rate, append(pkg, "./sites")[0])
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go test: %v\n%s", err, out)
	}
	return file
}

func TestAdviseOfAFile(t *testing.T) {
	needsTrials(t)
	one, two := profileOf(t, "Slice", "1"), profileOf(t, "Compress", "65536")
	r := adviseJSON(t, "-profile", one)
	s := siteAt(t, r, "", lineOf(t, "slice"))
	if s.Traffic.Per != "" || !near(s.Traffic.Bytes, 2000*1024, 0.05) {
		t.Errorf("the slice: %+v, want 2000 of 1024 bytes and a few", s.Traffic)
	}
	if s.Verdict != advise.PoolIt || s.Predicted == nil || !s.Predicted.NoCPU {
		t.Errorf("the slice: %q, predicted %+v, want %q without CPU", s.Verdict, s.Predicted, advise.PoolIt)
	}
	// Files are added up.
	r = adviseJSON(t, "-profile", one, "-profile", two)
	if s := siteAt(t, r, "", lineOf(t, "slice")); !near(s.Traffic.Bytes, 2000*1024, 0.05) {
		t.Errorf("the slice in both: %+v, want 2000 of 1024 bytes and a few", s.Traffic)
	}
	if s := siteAt(t, r, "", lineOf(t, "gzip")); s.What != "gzip.NewWriter" || len(s.Escape) == 0 {
		t.Errorf("the compressor: %q, %v", s.What, s.Escape)
	}
}

func TestAdviseOfALiveProcess(t *testing.T) {
	needsProcesses(t)
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: mux}
	go srv.Serve(l)
	t.Cleanup(func() { srv.Close() })
	stop := make(chan bool)
	ended := make(chan bool)
	go func() {
		defer close(ended)
		for i := 1; ; i++ {
			select {
			case <-stop:
				return
			default:
				if sink = make([]byte, 1<<16); i%256 == 0 {
					runtime.GC() // which publishes counts, however large the heap's goal is
				}
			}
		}
	}()
	// What the tests before this one allocated gets into the profile by collections.
	runtime.GC()
	runtime.GC()
	r := adviseJSON(t, "-profile", "http://"+l.Addr().String(), "-span=1s")
	close(stop)
	<-ended
	if r.Total.Per != "s" || r.Total.Bytes < 1<<20 || r.Span < 0.5 || r.Span > 60 {
		t.Errorf("%+v over %v s, want much per second over about one", r.Total, r.Span)
	}
	// What the profile's own server makes may be worth a change, and then comes first.
	if !slices.ContainsFunc(r.Sites, func(s advise.Site) bool {
		return s.Share >= 0.5 && strings.Contains(s.Func, "TestAdviseOfALiveProcess")
	}) {
		t.Errorf("no site has the loop's share: %+v", r.Sites)
	}
}

var sink []byte

func TestAdviseRefusesWrongInput(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad")
	if err := os.WriteFile(bad, []byte("this is no profile"), 0o666); err != nil {
		t.Fatal(err)
	}
	dead, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + dead.Addr().String()
	dead.Close()
	for _, tt := range []struct {
		args   []string
		stderr []string
	}{
		{[]string{"-profile", filepath.Join(dir, "missing")}, []string{"missing"}},
		{[]string{"-profile", bad}, []string{"bad"}},
		{[]string{"-profile", url, "-span=10ms"}, []string{url}},
		{[]string{"-profile", url + "/debug/pprof/profile"}, []string{"CPU profile"}},
		{[]string{"-pyroscope", url, "-query", "{a=\"b\"}"}, []string{url}},
		{[]string{"-parca", url, "-query", "{a=\"b\"}"}, []string{url}},
		{[]string{"-pyroscope", url}, []string{"-pyroscope needs -query"}},
		{[]string{"-pyroscope", url, "-parca", url}, []string{"-pyroscope and -parca"}},
		{[]string{"-query", "x"}, []string{"-query goes with -pyroscope or -parca"}},
		{[]string{"-profile", bad, "./sites"}, []string{"-profile and the packages ./sites"}},
		{[]string{"-profile", bad, "-bench", "X"}, []string{"-bench is for benchmarks"}},
		{[]string{"-span", "1s"}, []string{"-span goes with -profile URL"}},
		{[]string{"-header", "nocolon"}, []string{"-header", "Name: value"}},
		{[]string{"-header", "a: b"}, []string{"-header goes with a URL"}},
		{[]string{"-cputime", "0s"}, []string{"-cputime 0s"}},
		{[]string{"-n", "-1"}, []string{"-n -1"}},
		{[]string{"-bench", "("}, []string{"-bench (", "regular expression"}},
		{[]string{"-explain", "sites/sites.go"}, []string{"want FILE:LINE"}},
		{[]string{"-explain", "sites/none.go:3"}, []string{"none.go"}},
		{[]string{"-explain", "sites/sites.go:9999"}, []string{"the file has"}},
		{[]string{"./none"}, []string{"no benchmark in ./none"}},
		{[]string{"./missing"}, []string{"missing"}},
	} {
		stdout, stderr, code := spare(t, append([]string{"advise"}, tt.args...)...)
		if code != 2 || stdout != "" {
			t.Errorf("%v: code %d, want 2; standard output %q", tt.args, code, stdout)
		}
		contains(t, strings.Join(tt.args, " "), stderr, append(tt.stderr, "spare advise: ")...)
	}
}

func TestAdviseIsInterrupted(t *testing.T) {
	needsProcesses(t)
	enter(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	if code := run(ctx, &out, &errs, []string{"advise", "./sites"}); code != exitInterrupted || out.Len() > 0 {
		t.Errorf("code %d, want %d; standard output %q", code, exitInterrupted, out.String())
	}
}

// A change is tried with nothing written to the tree, and its patch is printed.
func TestAdviseTries(t *testing.T) {
	needsTrials(t)
	enter(t)
	file := filepath.Join("sites", "sites.go")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := spare(t, "advise", "-try", "-diff", "-trycount=2", "-cpu=2", "-benchtime=5ms", "-cputime=20ms", "-bench=Join", "./sites")
	if code != 0 {
		t.Fatalf("code %d: %s", code, stderr)
	}
	contains(t, "the report", stdout, "bytes.Buffer", "predicted", "measured", "1 mechanical change of 1 place tried, 0 failed",
		"the tests of 1 package pass", "--- a/sites/sites.go", "-	var buf bytes.Buffer // joined", "+	buf := buffer.")
	after, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the tree changed: %v", err)
	}
}

func TestAdviseDiffOfAProfile(t *testing.T) {
	needsTrials(t)
	r := adviseJSON(t, "-diff", "-profile", profileOf(t, "Join", "512"))
	s := siteAt(t, r, "", lineOf(t, "joined"), "bytes.Buffer")
	if s.Measured != nil || !strings.Contains(s.Patch, "buffer.") || s.Try == "" {
		t.Errorf("the buffer: try %q, measured %v, patch\n%s", s.Try, s.Measured, s.Patch)
	}
	if _, stderr, code := spare(t, "advise", "-try", "-profile", "x"); code != 2 || !strings.Contains(stderr, "-try runs benchmarks") {
		t.Errorf("-try with a profile: code %d, %s", code, stderr)
	}
}
