// SPDX-License-Identifier: BSD-3-Clause

// This file joins package testing through an overlay, for the processes that
// spare bench starts. The methods that it defines without the prefix std are
// the ones that the overlay renamed in benchmark.go; each calls its original.
//
// Nothing here may use fmt, or any other package with pools or lazy state of
// its own, before the first operation has been measured: that operation's cost
// in a fresh process is one of the figures.

package testing

import (
	"flag"
	"internal/race"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// spareRecords is the path of the file that takes the records. Empty: this
// process behaves like the testing package that it was made from.
var spareRecords string

// spareList asks for names only: each benchmark runs once.
var spareList bool

var spareFile *os.File

func initBenchmarkFlags() {
	stdInitBenchmarkFlags()
	flag.StringVar(&spareRecords, "test.spare", "", "append measurements to `file`, for spare bench")
	flag.BoolVar(&spareList, "test.sparelist", false, "run each benchmark once, for spare bench")
}

// spareCounts is what one operation allocated.
type spareCounts struct {
	bytes, allocs uint64
	ok            bool
}

// A spareStage says which operation of b.Loop comes next.
type spareStage uint8

const (
	spareNone  spareStage = iota
	spareFirst            // the first operation of the loop runs
	spareWarm             // the measured operations run
	spareAfter            // the operation after two collections runs
	spareDone
)

// spareState is the state that each B carries for spare.
type spareState struct {
	cpu      int64 // CPU time of the process while the timer ran, in ns
	cpuStart int64
	gcs      uint32 // collections while the timer ran
	gcsStart uint32

	stage  spareStage
	target uint64 // the loop.n that the first operation stood in for
	settle bool   // let the work that a collection leaves behind finish first

	cold, after spareCounts

	// How often this run called ResetTimer and StopTimer: runN calls each once.
	resets, stops int
	parallel      bool // RunParallel was called
}

// spareTotals is what B accumulates while the timer runs.
type spareTotals struct {
	duration      time.Duration
	bytes, allocs uint64
	cpu           int64
	gcs           uint32
}

var spareSaved spareTotals // one benchmark runs at a time

func (b *B) spareTake() spareTotals {
	t := spareTotals{b.duration, b.netBytes, b.netAllocs, b.spare.cpu, b.spare.gcs}
	b.sparePut(spareTotals{})
	return t
}

func (b *B) sparePut(t spareTotals) {
	b.duration, b.netBytes, b.netAllocs, b.spare.cpu, b.spare.gcs = t.duration, t.bytes, t.allocs, t.cpu, t.gcs
}

func (t spareTotals) counts() spareCounts { return spareCounts{t.bytes, t.allocs, true} }

func (b *B) StartTimer() {
	if b.timerOn {
		return
	}
	b.stdStartTimer()
	b.spare.gcsStart = memStats.NumGC
	b.spare.cpuStart = spareCPU()
}

func (b *B) StopTimer() {
	b.spare.stops++
	if !b.timerOn {
		return
	}
	b.spare.cpu += spareCPU() - b.spare.cpuStart
	b.stdStopTimer()
	b.spare.gcs += memStats.NumGC - b.spare.gcsStart
}

func (b *B) ResetTimer() {
	if b.spare.settle {
		// runN has collected and is about to start the timer.
		b.spare.settle = false
		time.Sleep(time.Millisecond)
	}
	b.spare.resets++
	b.stdResetTimer()
	b.spare.cpu, b.spare.gcs = 0, 0
	if b.timerOn {
		b.spare.gcsStart = memStats.NumGC
		b.spare.cpuStart = spareCPU()
	}
}

func (b *B) RunParallel(body func(*PB)) {
	b.spare.parallel = true
	b.stdRunParallel(body)
}

// run1 runs the first operation of a benchmark in the style of b.N.
func (b *B) run1() bool {
	if spareRecords == "" || b.name == "" {
		return b.stdRun1()
	}
	spareWrite("start", b.name, nil)
	leaf := b.stdRun1()
	switch {
	case b.failed:
		spareWrite("fail", b.name, nil)
	case leaf:
		if b.loop.n == 0 {
			b.spare.cold = spareCounts{b.netBytes, b.netAllocs, true}
		}
		spareWrite("leaf", b.name, nil)
	case b.skipped:
		spareWrite("skip", b.name, nil)
	}
	return leaf
}

// loopSlowPath splits one b.Loop into the first operation, the measured ones,
// and one more after two collections.
func (b *B) loopSlowPath() bool {
	s := &b.spare
	if spareRecords == "" || spareList || b.name == "" {
		return b.stdLoopSlowPath()
	}
	if b.loop.n == 0 {
		if !b.stdLoopSlowPath() {
			return false
		}
		s.target, b.loop.n = b.loop.n, 1
		s.stage = spareFirst
		return true
	}
	if !b.timerOn {
		return b.stdLoopSlowPath() // it reports the mistake
	}
	switch s.stage {
	case spareFirst:
		b.StopTimer()
		s.cold = b.spareTake().counts()
		s.stage = spareWarm
		b.loop.n = s.target
		b.StartTimer()
		b.loop.i = 1
		return true
	case spareAfter:
		b.StopTimer()
		s.after = b.spareTake().counts()
		b.sparePut(spareSaved)
		s.stage = spareDone
		return false
	}
	if b.stdLoopSlowPath() {
		return true
	}
	spareSaved = b.spareTake()
	runtime.GC()
	runtime.GC()
	time.Sleep(time.Millisecond)
	s.stage = spareAfter
	b.StartTimer()
	return true
}

// doBench takes the measurement proper and, for the style of b.N, the
// operation after two collections: runN makes the second of them.
func (b *B) doBench() BenchmarkResult {
	r := b.stdDoBench()
	if spareRecords == "" || b.name == "" {
		return r
	}
	if b.failed {
		spareWrite("fail", b.name, nil)
		return r
	}
	loop := b.loop.n > 0
	if !loop && !spareList && b.benchTime.n == 1 {
		// One operation was asked for, and the one that run1 made is the cold one.
		b.spareRunOne()
		r = BenchmarkResult{b.N, b.duration, b.bytes, b.netAllocs, b.netBytes, b.extra}
	}
	total := spareTotals{r.T, r.MemBytes, r.MemAllocs, b.spare.cpu, b.spare.gcs}
	extra := make(map[string]float64, len(r.Extra))
	for unit, v := range r.Extra {
		extra[unit] = v
	}
	r.Extra = extra
	if !loop && !spareList && !b.failed {
		runtime.GC()
		b.spare.settle = true
		b.spareRunOne()
		b.spare.after = spareCounts{b.netBytes, b.netAllocs, true}
	}
	var setup uint64
	if !loop && !spareList && !b.failed {
		setup = b.spareSetup(total.bytes / uint64(r.N))
	}
	if b.failed {
		spareWrite("fail", b.name, nil)
		return r
	}
	spareWrite("result", b.name, func(line []byte) []byte {
		line = spareUint(line, "n", uint64(r.N))
		line = spareUint(line, "ns", uint64(total.duration))
		line = spareUint(line, "bytes", total.bytes)
		line = spareUint(line, "allocs", total.allocs)
		line = spareUint(line, "gcs", uint64(total.gcs))
		line = spareUint(line, "setbytes", uint64(r.Bytes))
		if spareHasCPU {
			line = spareUint(line, "cpu", uint64(max(total.cpu, 0)))
		}
		if b.spare.cold.ok {
			line = spareUint(line, "coldbytes", b.spare.cold.bytes)
			line = spareUint(line, "coldallocs", b.spare.cold.allocs)
		}
		if b.spare.after.ok {
			line = spareUint(line, "gcbytes", b.spare.after.bytes)
			line = spareUint(line, "gcallocs", b.spare.after.allocs)
		}
		if peak := sparePeak(); peak > 0 {
			line = spareUint(line, "peak", peak)
		}
		if loop {
			line = spareUint(line, "loop", 1)
		}
		if setup > 0 {
			line = spareUint(line, "setup", setup)
		}
		if race.Enabled {
			line = spareUint(line, "race", 1)
		}
		return line
	})
	for unit, v := range extra {
		spareWrite("metric", b.name, func(line []byte) []byte {
			line = append(line, ' ')
			line = strconv.AppendFloat(line, v, 'g', -1, 64)
			line = append(line, ' ')
			return strconv.AppendQuote(line, unit)
		})
	}
	spareWrite("done", b.name, nil)
	return r
}

// spareSetup returns how many bytes a benchmark in the style of b.N allocates
// each time it is called, beyond an operation of warm bytes, while its timer
// runs: what it does before its loop. It is asked after the figures have been
// taken. Pools that outlive the call are filled by then, and one collection
// does not empty them, so that their first use is not mistaken for set-up; only
// sync.Pool's tables, 128 bytes for each P, are made anew, and allowed for. It
// returns 0 if the benchmark sees to its timer, or if its first operations cost
// next to nothing beyond the warm ones.
func (b *B) spareSetup(warm uint64) uint64 {
	procs := uint64(runtime.GOMAXPROCS(0))
	allowed := warm + 64 + 256*procs
	if b.spare.parallel {
		// RunParallel's goroutines are started with the timer on; no call of
		// ResetTimer would mend that.
		allowed += 512 * procs
	}
	if max(b.spare.cold.bytes, b.spare.after.bytes) <= allowed {
		return 0
	}
	b.spare.resets, b.spare.stops = 0, 0
	b.spareRunOne()
	if b.spare.resets > 1 || b.spare.stops > 1 || b.failed || b.netBytes <= allowed {
		return 0
	}
	return b.netBytes - warm
}

// spareRunOne runs the benchmark once more, with N=1, on a goroutine of its
// own, as the testing package does: FailNow and Skip end that goroutine.
func (b *B) spareRunOne() {
	done := make(chan bool)
	go func() {
		defer func() { done <- true }()
		b.runN(1)
	}()
	<-done
}

// sparePeak returns the most memory that this process has had resident, in
// bytes, or 0 where /proc does not tell. The figure that rusage has is no
// substitute: Linux carries it over from the process that called exec.
func sparePeak() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, ok := strings.Cut(string(status), "\nVmHWM:")
	if !ok {
		return 0
	}
	line, _, _ := strings.Cut(rest, "\n")
	kib, ok := strings.CutSuffix(strings.TrimSpace(line), " kB")
	if !ok {
		return 0
	}
	n, err := strconv.ParseUint(kib, 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}

func spareUint(line []byte, key string, v uint64) []byte {
	line = append(line, ' ')
	line = append(line, key...)
	line = append(line, '=')
	return strconv.AppendUint(line, v, 10)
}

// spareWrite appends one record: its kind, the quoted name of the benchmark,
// and what more adds.
func spareWrite(kind, name string, more func([]byte) []byte) {
	if spareFile == nil {
		f, err := os.OpenFile(spareRecords, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			panic("spare: cannot write its records: " + err.Error())
		}
		spareFile = f
	}
	line := append([]byte(kind), ' ')
	line = strconv.AppendQuote(line, name)
	if more != nil {
		line = more(line)
	}
	line = append(line, '\n')
	if _, err := spareFile.Write(line); err != nil {
		panic("spare: cannot write its records: " + err.Error())
	}
}
