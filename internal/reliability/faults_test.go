// SPDX-License-Identifier: BSD-3-Clause

package reliability

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/race"
	"github.com/spare-go/spare/pooltest"
)

// A block is large enough to have memory of its own.
type block struct{ b [1024]byte }

// slack is what the heap may differ by for other reasons. The checked build keeps 32 MiB
// of what was put, to see whether it is written to, and a record of each value.
var slack uint64 = 4 << 20

func init() {
	if checked.Enabled {
		slack = 64 << 20
	}
}

// heap returns the live heap.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// settled waits until cond holds, with a collection before each look.
func settled(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for range 2000 {
		runtime.GC()
		if cond() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("waited in vain: %s", what)
}

// faults collects the lines of the section.
var faults []string

func fault(t *testing.T, what, format string, args ...any) {
	t.Helper()
	line := fmt.Sprintf("| %s | %s |", what, fmt.Sprintf(format, args...))
	t.Log(line)
	if !t.Failed() {
		faults = append(faults, line)
	}
}

// TestFaults runs last in this file's order, so that it can write all figures.
func TestFaults(t *testing.T) {
	if checked.Enabled || race.Enabled {
		t.Log("the figures are those of other builds")
	}
	eachReuse(func(name string) { t.Run(name, testCallbacks) })
	t.Run("Goexit", testGoexit)
	t.Run("many pools", testManyPools)
	t.Run("dropped pools", testDroppedPools)
	t.Run("GOMAXPROCS", testProcs)
	t.Run("memory limit", testMemoryLimit)
	if *update && !t.Failed() && !testing.Short() {
		document(t, "faults", "| fault | outcome |\n|---|---|\n"+strings.Join(faults, "\n")+"\n")
	}
}

// testGoexit ends goroutines between their Get and their Put.
func testGoexit(t *testing.T) {
	const n = 20_000
	var p spare.Pool[block]
	var s spare.Slices[byte]
	before := heap()
	var wg sync.WaitGroup
	// Not all at once: the runtime keeps its record of a goroutine for ever, and
	// 20,000 of them would be more than the slack.
	running := make(chan struct{}, 500)
	for i := range n {
		wg.Add(1)
		running <- struct{}{}
		go func() {
			defer wg.Done()
			defer func() { <-running }()
			x, b := p.Get(), s.Get(1000)
			x.b[0] = 1
			b = append(b, 1)
			if i%2 == 0 {
				runtime.Goexit()
			}
			p.Put(x)
			s.Put(b)
		}()
	}
	wg.Wait()
	for _, st := range []spare.Stats{p.Stats(), s.Stats()} {
		if st.Gets != n || st.Puts != n/2 || st.Puts != st.Gets-st.News+st.Drops+uint64(st.Idle) {
			t.Errorf("Stats = %+v", st)
		}
	}
	settled(t, "the values of dead goroutines to be collected", func() bool { return heap() < before+slack })
	x := p.Get()
	p.Put(x)
	fault(t, fmt.Sprintf("%d goroutines, half of which end by runtime.Goexit between Get and Put", n), "the books balance; what they held is collected; the pools go on")
	runtime.KeepAlive(&s)
}

// testManyPools uses a hundred thousand pools.
func testManyPools(t *testing.T) {
	n := 100_000
	if testing.Short() || checked.Enabled || race.Enabled {
		n = 5_000
	}
	before := heap()
	pools := make([]spare.Pool[block], n)
	made := heap()
	for i := range pools {
		pools[i].Put(pools[i].Get())
	}
	used := heap()
	for i := range pools {
		if s := pools[i].Stats(); s.Gets != 1 || s.Puts != 1 {
			t.Fatalf("pool %d: %+v", i, s)
		}
	}
	start := time.Now()
	runtime.GC()
	collection := time.Since(start)
	settled(t, "unused pools to let go", func() bool {
		idle := int64(0)
		for i := range pools {
			idle += pools[i].Stats().Idle
		}
		return idle == 0
	})
	var idle uint64
	settled(t, "the memory of unused pools to leave", func() bool {
		idle = heap()
		return idle < before+uint64(n)*1024
	})
	fault(t, fmt.Sprintf("%d pools", n), "%d bytes each unused, %d in use (with a value of 1 KiB), %d once idle; a forced collection took %v",
		int64(made-before)/int64(n), int64(used-before)/int64(n), int64(idle-before)/int64(n), collection.Round(time.Millisecond))
	runtime.KeepAlive(pools)
}

// testDroppedPools makes pools of each kind and forgets them, for a minute with
// SPARE_SOAK and for seconds without. Nothing may stay of them, not even of their names.
func testDroppedPools(t *testing.T) {
	length := 3 * time.Second
	if testing.Short() {
		length = 500 * time.Millisecond
	}
	if os.Getenv("SPARE_SOAK") != "" {
		length = time.Minute
	}
	n := 0
	use := func() {
		n++
		name := fmt.Sprint("dropped ", n)
		p := &spare.Pool[block]{Drop: func(*block) {}, Name: "dropped"}
		p.Put(p.Get())
		var own struct {
			a spare.Pool[block]
			b spare.Slices[byte]
			c spare.Pool[block]
		}
		own.a.Name = name
		own.a.Put(own.a.Get())
		own.b.Name = name + " slices"
		own.b.Put(own.b.Get(4096))
		own.c.Size = func(*block) int { return 1 }
		own.c.Put(own.c.Get())
	}
	const pools = 4 // in use
	// least is the live heap, once what was dropped is gone.
	least := func() uint64 {
		h := heap()
		for range 4 {
			time.Sleep(time.Millisecond)
			h = min(h, heap())
		}
		return h
	}
	burst := func() uint64 {
		for range 1000 {
			use()
		}
		return least()
	}
	first := uint64(0)
	for range 5 {
		first = max(first, burst())
	}
	goroutines, warm := runtime.NumGoroutine(), n
	var bursts []uint64
	for start := time.Now(); time.Since(start) < length || len(bursts) < 10; {
		bursts = append(bursts, burst())
	}
	last := slices.Min(bursts[len(bursts)-5:])
	grown := int64(last) - int64(first)
	// What would stay of a use takes 64 bytes or more, one word of each of its pools
	// and a name; the rest is for what the test does not control.
	limit := max(int64(n-warm)*16, int64(slack/16))
	if grown > limit {
		t.Errorf("the heap grew by %d bytes over %d pools", grown, pools*(n-warm))
	}
	if g := runtime.NumGoroutine(); g > goroutines+5 {
		t.Errorf("%d goroutines run, %d before", g, goroutines)
	}
	names := 0
	for name := range spare.All() {
		if strings.HasPrefix(name, "dropped") {
			names++
		}
	}
	if names > 100 {
		t.Errorf("All lists %d names of pools that are gone", names)
	}
	fault(t, fmt.Sprintf("%d pools of four kinds, half of them with a name of their own, used once and dropped, in %v", pools*(n-warm), length),
		"live heap %.2f MiB after the first %d, %.2f MiB at the end", mib(first), pools*warm, mib(last))
}

// testProcs changes GOMAXPROCS from 1 to 64 and back under load.
func testProcs(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var p spare.Pool[block]
	var s spare.Slices[uint32]
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for g := range uint32(16) {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				x := p.Get()
				x.b[0] = byte(g)
				b := s.Get(100)[:100]
				for i := range b {
					b[i] = g
				}
				runtime.Gosched()
				if x.b[0] != byte(g) || b[0] != g || b[99] != g {
					t.Error("memory in use was handed to somebody else")
				}
				p.Put(x)
				s.Put(b)
			}
		})
	}
	changes := 0
	for range 2 {
		for _, n := range []int{1, 2, 4, 8, 16, 32, 64, 32, 16, 8, 4, 2, 1} {
			runtime.GOMAXPROCS(n)
			changes++
			time.Sleep(5 * time.Millisecond)
			runtime.GC()
		}
	}
	close(stop)
	wg.Wait()
	for _, st := range []spare.Stats{p.Stats(), s.Stats()} {
		if st.Gets != st.Puts || st.Puts != st.Gets-st.News+st.Drops+uint64(st.Idle) {
			t.Errorf("Stats = %+v", st)
		}
	}
	p.Drain()
	s.Drain()
	if a, b := p.Stats().Idle, s.Stats().Idle; a != 0 || b != 0 {
		t.Errorf("%d values and %d slices are left after Drain: lost on a P that is no more", a, b)
	}
	fault(t, fmt.Sprintf("GOMAXPROCS from 1 to 64 and back, %d changes under load", changes), "nothing lost, nothing shared")
}

// testMemoryLimit runs a process with a limit of 64 MiB.
func testMemoryLimit(t *testing.T) {
	if checked.Enabled || race.Enabled {
		t.Skip("these builds need more memory")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestUnderLimit$", "-test.v")
	cmd.Env = append(os.Environ(), "GOMEMLIMIT=64MiB", "SPARE_TEST_LIMIT=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if _, figures, ok := strings.Cut(line, "FIGURES "); ok {
			fault(t, "GOMEMLIMIT=64MiB", "%s", strings.TrimSpace(figures))
			return
		}
	}
	t.Errorf("no figures in\n%s", out)
}

// TestUnderLimit is the process of testMemoryLimit: it fills a pool, needs the memory
// elsewhere, and goes on to serve.
func TestUnderLimit(t *testing.T) {
	if os.Getenv("SPARE_TEST_LIMIT") == "" {
		t.Skip("needs a process with a memory limit")
	}
	const limit = 64 << 20
	if debug.SetMemoryLimit(-1) != limit {
		t.Fatal("no limit")
	}
	var s spare.Slices[byte]
	var held [][]byte
	for range 40 {
		held = append(held, s.Get(1<<20))
	}
	for _, b := range held {
		s.Put(b)
	}
	held = nil
	full := s.Stats().IdleBytes
	live := make([][]byte, 0, 40)
	peak := uint64(0)
	var m runtime.MemStats
	need := func(mibs int) { // others need that much, a MiB at a time
		for range mibs {
			live = append(live, make([]byte, 1<<20))
			runtime.ReadMemStats(&m)
			peak = max(peak, m.Sys-m.HeapReleased)
		}
	}
	// An idle pool is trimmed as well, but nothing leaves it before its eighth collection. What
	// leaves before, does so for the limit.
	const few = 4
	percent := debug.SetGCPercent(-1)
	need(14) // beyond four fifths of the limit, and not so near that the runtime collects by itself
	before := m.NumGC
	for range few {
		runtime.GC()
		for i := 0; i < 1000 && s.Stats().IdleBytes >= 8<<20; i++ {
			time.Sleep(time.Millisecond)
		}
	}
	shed := s.Stats().IdleBytes
	runtime.ReadMemStats(&m)
	if n := m.NumGC - before; n > few+2 {
		t.Fatalf("%d collections ran: the test proves nothing", n)
	}
	if full < 40<<20 || shed >= 8<<20 {
		t.Errorf("%d bytes were idle, and %d are, near the memory limit", full, shed)
	}
	debug.SetGCPercent(percent)
	need(26)
	start := time.Now()
	n := 0
	for time.Since(start) < time.Second {
		b := s.Get(64 << 10)
		b = append(b, byte(n))
		s.Put(b)
		n++
	}
	runtime.ReadMemStats(&m)
	if used := m.Sys - m.HeapReleased; used > limit+limit/4 {
		t.Errorf("the process uses %d bytes", used)
	}
	runtime.KeepAlive(live)
	t.Logf("FIGURES %.0f MiB idle fell to %.0f as others came to need 40 MiB; %.0f MiB in use at most; %d Gets served in the second after that", mib(uint64(full)), mib(uint64(shed)), mib(peak), n)
}

// TestFaultsUnderStorm repeats ordinary use under collections and changing
// GOMAXPROCS.
func TestFaultsUnderStorm(t *testing.T) {
	var p spare.Pool[block]
	pooltest.Leaks(t, &p)
	pooltest.Storm(t, func() {
		var wg sync.WaitGroup
		for g := range byte(4) {
			wg.Go(func() {
				for range 2000 {
					x := p.Get()
					x.b[7] = g
					runtime.Gosched()
					if x.b[7] != g {
						t.Error("shared")
					}
					p.Put(x)
				}
			})
		}
		wg.Wait()
	})
}
