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
	"runtime/pprof"
	"strconv"
	"strings"
	"time"
)

// spareRecords is the path of the file that takes the records. Empty: this
// process behaves like the testing package that it was made from.
var spareRecords string

// spareList asks for names only: each benchmark runs once.
var spareList bool

// spareMem is the directory that takes allocation profiles of the measured
// operations, and spareProf the file that takes a CPU profile of them. Empty:
// none. A process makes one or the other, since each slows the other down.
var spareMem, spareProf string

var spareFile *os.File

func initBenchmarkFlags() {
	stdInitBenchmarkFlags()
	flag.StringVar(&spareRecords, "test.spare", "", "append measurements to `file`, for spare bench")
	flag.BoolVar(&spareList, "test.sparelist", false, "run each benchmark once, for spare bench")
	flag.StringVar(&spareMem, "test.sparemem", "", "write allocation profiles to `dir`, for spare advise")
	flag.StringVar(&spareProf, "test.sparecpu", "", "write a CPU profile to `file`, for spare advise")
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

	// When the timer first started since the last reset, and when it stopped last,
	// in ns since 1970 as in runtime.MemStats.PauseEnd; 0 for never.
	from, to int64

	idle spareCounts // while no operation ran

	// How often this run called ResetTimer and StopTimer: runN calls each once.
	resets, stops int
	parallel      bool // RunParallel was called

	profile spareProfile
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

// sparePause is one collection: when its last pause ended, and how long it
// stopped the world in all.
type sparePause struct{ end, pause uint64 }

// spareWindow is the time of the measured operations, and the collections in
// it, as far as the runtime remembers them. One benchmark runs at a time, and
// nothing is allocated for it.
var spareWindow struct {
	from, to int64
	n        int
	pauses   [len(memStats.PauseEnd)]sparePause
}

// spareKeepWindow keeps the window that ended with the last StopTimer, which
// has read the statistics.
func (b *B) spareKeepWindow() {
	w := &spareWindow
	w.from, w.to, w.n = b.spare.from, b.spare.to, 0
	const size = uint32(len(memStats.PauseEnd))
	for c := memStats.NumGC - min(memStats.NumGC, size) + 1; c <= memStats.NumGC; c++ {
		i := (c + size - 1) % size
		if end := memStats.PauseEnd[i]; end >= uint64(w.from) && end <= uint64(w.to) {
			w.pauses[w.n] = sparePause{end, memStats.PauseNs[i]}
			w.n++
		}
	}
}

var spareBefore, spareNow runtime.MemStats

// spareIdle returns the least that is allocated within a millisecond in which
// no operation runs, out of three: what a collection starts, and the first use
// of a goroutine's timer, are no steady traffic.
func spareIdle() (least spareCounts) {
	for i := range 3 {
		runtime.ReadMemStats(&spareBefore)
		time.Sleep(time.Millisecond)
		runtime.ReadMemStats(&spareNow)
		n := spareCounts{spareNow.TotalAlloc - spareBefore.TotalAlloc, spareNow.Mallocs - spareBefore.Mallocs, true}
		if i == 0 || n.allocs < least.allocs {
			least = n
		}
		if n.allocs == 0 {
			break
		}
	}
	return least
}

func (t spareTotals) counts() spareCounts { return spareCounts{t.bytes, t.allocs, true} }

func (b *B) StartTimer() {
	if b.timerOn {
		return
	}
	if b.spare.from == 0 {
		b.spare.from = time.Now().UnixNano()
	}
	b.stdStartTimer()
	b.spare.gcsStart = memStats.NumGC
	b.spare.cpuStart = spareCPU()
	b.spare.profile.resume()
}

func (b *B) StopTimer() {
	b.spare.profile.pause()
	b.spare.stops++
	if !b.timerOn {
		return
	}
	b.spare.cpu += spareCPU() - b.spare.cpuStart
	b.stdStopTimer()
	b.spare.to = time.Now().UnixNano()
	b.spare.gcs += memStats.NumGC - b.spare.gcsStart
	if b.spare.profile.armed && spareMem != "" {
		spareSettle() // again: reading the statistics stopped the world, and this may be another P
	}
}

func (b *B) ResetTimer() {
	if b.spare.settle {
		// runN has collected and is about to start the timer.
		b.spare.settle = false
		time.Sleep(time.Millisecond)
	}
	b.spare.resets++
	if b.timerOn {
		b.spare.profile.restart()
	}
	b.stdResetTimer()
	b.spare.cpu, b.spare.gcs, b.spare.from = 0, 0, 0
	if b.timerOn {
		b.spare.from = time.Now().UnixNano()
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
	if spareMem != "" {
		runtime.MemProfileRate = 0 // nothing but what the profile is about
	}
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
		s.from = 0
		s.profile.arm("")
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
	s.profile.disarm()
	spareSaved = b.spareTake()
	b.spareKeepWindow()
	runtime.GC()
	runtime.GC()
	time.Sleep(time.Millisecond)
	s.idle = spareIdle()
	s.stage = spareAfter
	b.StartTimer()
	return true
}

// doBench takes the measurement proper and, for the style of b.N, the
// operation after two collections: runN makes the second of them.
func (b *B) doBench() BenchmarkResult {
	if b.loop.n == 0 {
		b.spare.profile.arm("")
	}
	r := b.stdDoBench()
	b.spare.profile.disarm()
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
	if !loop {
		b.spareKeepWindow()
	}
	total := spareTotals{r.T, r.MemBytes, r.MemAllocs, b.spare.cpu, b.spare.gcs}
	if !b.failed && b.loop.n == 0 && spareMem != "" {
		// What the benchmark allocates before its loop, and one operation.
		b.spare.profile.arm("one-")
		b.spareRunOne()
		b.spare.profile.disarm()
	}
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
		b.spare.idle = spareIdle()
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
		if n := b.spare.idle.allocs; n > 0 {
			line = spareUint(line, "idle", n)
		}
		if race.Enabled {
			line = spareUint(line, "race", 1)
		}
		return line
	})
	if w := &spareWindow; w.n > 0 {
		spareWrite("gc", b.name, func(line []byte) []byte {
			line = append(line, ' ')
			line = strconv.AppendInt(line, w.to-w.from, 10)
			for _, p := range w.pauses[:w.n] {
				line = append(line, ' ')
				line = strconv.AppendUint(line, p.end-uint64(w.from), 10)
				line = append(line, ':')
				line = strconv.AppendUint(line, p.pause, 10)
			}
			return line
		})
	}
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

// spareProfile makes the profiles of the operations that are measured.
type spareProfile struct {
	armed    bool
	prefix   string // of the files that are written now
	restarts int
	cpu      *os.File
	done     chan bool // ends the sampler
	ended    chan bool // the sampler has ended
}

// arm says that the next spans of the timer are to be profiled. What was
// recorded so far is the base to subtract.
func (p *spareProfile) arm(prefix string) {
	p.armed, p.prefix = true, prefix
	if spareMem == "" {
		return
	}
	spareHeap(prefix + "base")
	if prefix == "" {
		p.done, p.ended = make(chan bool), make(chan bool)
		go p.sample()
	}
}

// resume begins a span of the timer.
func (p *spareProfile) resume() {
	if !p.armed {
		return
	}
	if spareProf != "" && p.cpu == nil {
		f, err := os.Create(spareProf)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			panic("spare: cannot profile: " + err.Error())
		}
		p.cpu = f
	}
	if spareMem != "" {
		runtime.MemProfileRate = 1
	}
}

// pause ends a span of the timer.
func (p *spareProfile) pause() {
	if p.armed && spareMem != "" {
		runtime.MemProfileRate = 0
		spareSettle()
	}
}

// spareSettle makes the allocation that the runtime records, after the rate has
// changed, whatever the new rate is.
//
//go:noinline
func spareSettle() { spareSink = new([64]byte) }

var spareSink *[64]byte

// restart makes the profile begin here: the benchmark called ResetTimer while
// its timer was on.
func (p *spareProfile) restart() {
	if p.restarts++; !p.armed || spareMem == "" || p.restarts > 100 {
		return // a benchmark that does so in its loop would never end
	}
	p.pause()
	spareHeap(p.prefix + "base")
	runtime.MemProfileRate = 1
}

// disarm ends the profile and writes it. For b.Loop the benchmark function is
// still on its goroutine's stack, so that what it holds counts as in use.
func (p *spareProfile) disarm() {
	if !p.armed {
		return
	}
	p.armed = false
	if p.done != nil {
		p.done <- true
		<-p.ended
		p.done = nil
	}
	if spareMem != "" {
		runtime.MemProfileRate = 0
		spareHeap(p.prefix + "end")
	}
	if p.cpu != nil {
		pprof.StopCPUProfile()
		if err := p.cpu.Close(); err != nil {
			panic("spare: cannot profile: " + err.Error())
		}
		p.cpu = nil
	}
}

// sample writes what the collections of the run found in use, as of the last
// one, at ever longer intervals: the last of the files that it writes over is
// from the later half of a run that is not short.
func (p *spareProfile) sample() {
	defer close(p.ended)
	for wait := 5 * time.Millisecond; ; wait *= 2 {
		select {
		case <-p.done:
			return
		case <-time.After(wait):
			spareDump("mid")
		}
	}
}

// spareHeap completes the collections that publish what was recorded so far,
// and writes it.
func spareHeap(name string) {
	runtime.GC()
	runtime.GC()
	spareDump(name)
}

func spareDump(name string) {
	f, err := os.Create(spareMem + "/" + name)
	if err == nil {
		err = pprof.Lookup("allocs").WriteTo(f, 0)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		panic("spare: cannot write a profile: " + err.Error())
	}
}
