// SPDX-License-Identifier: BSD-3-Clause

package measure

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestReadRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records")
	if recs, err := readRecords(path); err != nil || recs != nil {
		t.Errorf("a missing file gives %v, %v", recs, err)
	}
	text := `start "BenchmarkX/a\"b"
leaf "BenchmarkX/a\"b"
result "BenchmarkX/a\"b" n=3000 ns=6000 bytes=64000 allocs=1000 gcs=3 setbytes=1000 cpu=9000 coldbytes=64 coldallocs=2 gcbytes=0 gcallocs=0 peak=4096 loop=1 idle=3
gc "BenchmarkX/a\"b" 6000 1000:20 5000:30
metric "BenchmarkX/a\"b" 0.25 "hits/op"
metric "BenchmarkX/a\"b" 7 "B/op"
done "BenchmarkX/a\"b"
start "BenchmarkTor`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	recs, err := readRecords(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(recs) != 4 || recs[2].kind != "result" || recs[2].name != `BenchmarkX/a"b` {
		t.Fatalf("records %+v, want start, leaf, result and done: the last line is torn", recs)
	}
	s := recs[2].sample
	for unit, want := range map[string]float64{
		NsPerOp: 2, CPUPerOp: 3, AllocsPerOp: 1.0 / 3, ColdBytes: 64, ColdAllocs: 2, GCBytes: 0, GCAllocs: 0,
		Cycles: 0.001, PeakRSS: 4096, "MB/s": 500000, "hits/op": 0.25,
		BytesPerOp: 7, // reported by the benchmark: it wins, as in go test
	} {
		if got, ok := s.Value(unit); !ok || math.Abs(got-want) > 1e-12 {
			t.Errorf("%v %s, want %v", got, unit, want)
		}
	}
	if s.Window != 6000 || !slices.Equal(s.Collections, []Collection{{1000, 20}, {5000, 30}}) {
		t.Errorf("collections %v within %v", s.Collections, s.Window)
	}
	if s.Iters != 3000 || !s.Loop || s.Race || s.Idle != 3 {
		t.Errorf("sample %+v", s)
	}

	for _, bad := range []string{"result BenchmarkX n=1\n", "result \"X\" n=x\n", "result \"X\" n=0\n", "metric \"X\" 1\n", "metric \"X\" 1 \"u\"\n",
		"gc \"X\" 1 1:1\n", "result \"X\" n=1\ngc \"X\"\n", "result \"X\" n=1\ngc \"X\" 5 1\n", "result \"X\" n=1\ngc \"X\" -5\n"} {
		if err := os.WriteFile(path, []byte(bad), 0o666); err != nil {
			t.Fatal(err)
		}
		if recs, err := readRecords(path); err == nil {
			t.Errorf("%q gives %+v and no error", bad, recs)
		}
	}
}

func TestReadBenchfmt(t *testing.T) {
	recs, err := readBenchfmt(strings.NewReader(`goos: linux
something a benchmark printed
BenchmarkX/size-3-8   	 100	 12.5 ns/op	 3.00 MB/s	 64 B/op	 1 allocs/op
BenchmarkY   	 1	 5 ns/op
PASS
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(recs) != 4 || recs[1].name != "BenchmarkX/size-3" || recs[3].name != "BenchmarkY" {
		t.Fatalf("records %+v", recs)
	}
	for unit, want := range map[string]float64{NsPerOp: 12.5, "MB/s": 3, BytesPerOp: 64, AllocsPerOp: 1} {
		if got, ok := recs[1].sample.Value(unit); !ok || got != want {
			t.Errorf("%v %s, want %v", got, unit, want)
		}
	}
}

func TestMedianNeedsEveryRound(t *testing.T) {
	s := &Series{Case: &Case{Name: "BenchmarkX", Procs: 1}}
	for _, v := range []float64{5, 1, 100, 2} {
		smp := Sample{}
		smp.override(v, "x")
		s.Samples = append(s.Samples, smp)
	}
	if got, ok := s.Median("x"); !ok || got != 3.5 {
		t.Errorf("median %v, want 3.5", got)
	}
	s.Samples[2] = Sample{}
	if got, ok := s.Median("x"); ok {
		t.Errorf("median %v of a unit that one round lacks", got)
	}
}

func TestBudget(t *testing.T) {
	cases := make([]*Case, 9)
	for i := range cases {
		cases[i] = &Case{}
	}
	plan := &Plan{Cases: cases, Replica: map[*Case]bool{cases[0]: true}, Rounds: 10, Budget: 16 * time.Second}
	// 100 blocks of 160 ms: 40 for the process, and a fifth on top of 100.
	if got := plan.FirstBenchtime(); got != "100ms" {
		t.Errorf("benchtime %s, want 100ms", got)
	}
	const ms = time.Millisecond
	for _, tt := range []struct {
		name                  string
		round                 int
		length, took, elapsed time.Duration
		least, most           time.Duration
		more                  bool
	}{
		{"as planned", 1, 100 * ms, 1600 * ms, 1600 * ms, 100 * ms, 100 * ms, true},
		{"far too slow", 1, 100 * ms, 8000 * ms, 8000 * ms, minBenchtime, minBenchtime, true},
		{"time left over", 1, 100 * ms, 1250 * ms, 1250 * ms, 101 * ms, 200 * ms, true},
		{"slow from the middle on", 4, 100 * ms, 2400 * ms, 7200 * ms, minBenchtime, 60 * ms, true},
		{"beyond the budget before the least rounds", 5, minBenchtime, 4000 * ms, 20000 * ms, minBenchtime, minBenchtime, true},
		{"beyond the budget after them", 6, minBenchtime, 3500 * ms, 17000 * ms, minBenchtime, minBenchtime, false},
		{"less than half a round left", 6, minBenchtime, 2400 * ms, 15000 * ms, minBenchtime, minBenchtime, false},
		{"more than half a round left", 6, minBenchtime, 2400 * ms, 14600 * ms, minBenchtime, minBenchtime, true},
	} {
		got, more := plan.adjust(tt.round, tt.length, tt.took, tt.elapsed)
		if got < tt.least || got > tt.most || more != tt.more {
			t.Errorf("%s: %v, %v; want %v to %v, %v", tt.name, got, more, tt.least, tt.most, tt.more)
		}
	}
	plan.Enough = 8
	for _, tt := range []struct {
		name    string
		round   int
		elapsed time.Duration
		more    bool
	}{
		{"the test tells nothing yet", 7, 18000 * ms, true},
		{"now it can", 8, 18000 * ms, false},
		{"half as much again as the budget", 7, 23500 * ms, false},
	} {
		if _, more := plan.adjust(tt.round, minBenchtime, 2400*ms, tt.elapsed); more != tt.more {
			t.Errorf("%s: %v, want %v", tt.name, more, tt.more)
		}
	}
	plan.Benchtime = "7x"
	if got := plan.FirstBenchtime(); got != "7x" {
		t.Errorf("benchtime %s, want the user's", got)
	}
	tiny := &Plan{Cases: cases, Rounds: 10, Budget: time.Millisecond}
	if got := tiny.FirstBenchtime(); got != minBenchtime.String() {
		t.Errorf("benchtime %s, want the least", got)
	}
}
