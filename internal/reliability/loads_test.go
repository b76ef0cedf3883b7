// SPDX-License-Identifier: BSD-3-Clause

package reliability

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/race"
)

// A load is a way to use a pool. What it needs is not what it asks for, and what comes back
// need not be what was taken.
type load struct {
	kind      string  // of pool: see pooled
	ask       float64 // how many times too small a Get is; 0 asks for 0
	lengths   string  // how large values become: see lengths
	use       int     // values in use at once
	handOver  bool    // a value is put by another goroutine than took it
	procs     int     // GOMAXPROCS
	strangers bool    // slices are put that nobody asks for
	leaks     bool    // half of the values are never put
	collect   bool    // collections run, or else none
}

func (l load) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s,%s", l.kind, l.lengths)
	switch {
	case !strings.HasPrefix(l.kind, "Slices"):
	case l.ask == 0:
		b.WriteString(",Get(0)")
	case l.ask == 1:
		b.WriteString(",exact")
	default:
		fmt.Fprintf(&b, ",%gx too small", l.ask)
	}
	fmt.Fprintf(&b, ",%d in use,%d procs", l.use, l.procs)
	for _, s := range []struct {
		on   bool
		name string
	}{{l.handOver, ",handed over"}, {l.strangers, ",strangers"}, {l.leaks, ",leaks"}, {l.collect, ",collections"}} {
		if s.on {
			b.WriteString(s.name)
		}
	}
	return b.String()
}

// lengths are the distributions, in bytes.
var lengths = map[string]func(r *rand.Rand) int{
	"1 KiB":           func(*rand.Rand) int { return 1 << 10 },
	"64 KiB":          func(*rand.Rand) int { return 64 << 10 },
	"1 MiB":           func(*rand.Rand) int { return 1 << 20 },
	"lognormal 1":     func(r *rand.Rand) int { return lognormal(r, 1) },
	"lognormal 2":     func(r *rand.Rand) int { return lognormal(r, 2) },
	"Pareto":          func(r *rand.Rand) int { return int(min(100/math.Pow(1-r.Float64(), 1/1.1), 64<<20)) },
	"one large in 30": func(r *rand.Rand) int { return []int{500, 1 << 20}[r.IntN(30)/29] },
}

var distributions = []string{"1 KiB", "64 KiB", "1 MiB", "lognormal 1", "lognormal 2", "Pareto", "one large in 30"}

func lognormal(r *rand.Rand, sigma float64) int {
	return max(int(math.Exp(math.Log(1024)+sigma*r.NormFloat64())), 8)
}

// A pooled pool takes values that grow to a number of bytes, and says how many bytes they hold,
// and whether they had to grow.
type pooled interface {
	take(ask, need int) (x any, held int, grown bool)
	put(x any)
	stats() spare.Stats
	drain()
}

type slicesOf[E any] struct {
	spare.Slices[E]
	size int
}

func (p *slicesOf[E]) take(ask, need int) (any, int, bool) {
	s := p.Get(ask / p.size)
	grown := cap(s) < need/p.size
	s = slices.Grow(s, need/p.size)[:need/p.size]
	return s, cap(s) * p.size, grown
}
func (p *slicesOf[E]) put(x any)          { p.Put(x.([]E)) }
func (p *slicesOf[E]) stats() spare.Stats { return p.Stats() }
func (p *slicesOf[E]) drain()             { p.Drain() }

type arrays struct{ spare.Pool[[1 << 20]byte] }

func (p *arrays) take(int, int) (any, int, bool) { return p.Get(), 1 << 20, false }
func (p *arrays) put(x any)                      { p.Put(x.(*[1 << 20]byte)) }
func (p *arrays) stats() spare.Stats             { return p.Stats() }
func (p *arrays) drain()                         { p.Drain() }

// An owner holds memory that only Size tells of.
type owner struct{ b []byte }

func (x *owner) size() int { return 24 + cap(x.b) }

type owners struct{ spare.Pool[owner] }

func (p *owners) take(_, need int) (any, int, bool) {
	x := p.Get()
	grown := cap(x.b) < need
	x.b = slices.Grow(x.b[:0], need)[:need]
	return x, x.size(), grown
}
func (p *owners) put(x any)          { p.Put(x.(*owner)) }
func (p *owners) stats() spare.Stats { return p.Stats() }
func (p *owners) drain()             { p.Drain() }

func newPooled(kind string) pooled {
	switch kind {
	case "Slices[byte]":
		return &slicesOf[byte]{size: 1}
	case "Slices[*int]":
		return &slicesOf[*int]{size: 8}
	case "Pool[1 MiB]":
		return new(arrays)
	case "Pool, Size":
		p := new(owners)
		p.Size = (*owner).size
		return p
	}
	panic(kind)
}

// loads are the rows of the table: each property with each of those that it may depend on.
func loads() (all []load) {
	add := func(l load) { all = append(all, l) }
	asks := []float64{1, 1.1, 10, 655, 0}
	// How large slices become, and what was asked for.
	for _, lengths := range distributions {
		for _, ask := range asks {
			for _, collect := range []bool{false, true} {
				add(load{kind: "Slices[byte]", ask: ask, lengths: lengths, use: 1, procs: 1, collect: collect})
				add(load{kind: "Slices[byte]", ask: ask, lengths: lengths, use: 16, procs: 2, handOver: true, collect: collect})
			}
		}
		add(load{kind: "Pool, Size", lengths: lengths, use: 16, procs: 2, handOver: true})
	}
	// How values move.
	for _, procs := range []int{1, 2, 8, 64} {
		for _, use := range []int{1, 16, 200} {
			for _, handOver := range []bool{false, true} {
				move := load{use: use, procs: procs, handOver: handOver, collect: procs == 8}
				for _, of := range []load{
					{kind: "Slices[byte]", lengths: "64 KiB", ask: 655},
					{kind: "Slices[byte]", lengths: "64 KiB", ask: 1},
					{kind: "Slices[byte]", lengths: "lognormal 2", ask: 0},
					{kind: "Slices[*int]", lengths: "1 KiB", ask: 10},
					{kind: "Pool[1 MiB]", lengths: "1 MiB"},
					{kind: "Pool, Size", lengths: "64 KiB"},
					{kind: "Pool, Size", lengths: "one large in 30"},
				} {
					l := move
					l.kind, l.lengths, l.ask = of.kind, of.lengths, of.ask
					add(l)
				}
			}
		}
	}
	// What does not come back, and what comes that nobody wants.
	for _, kind := range []string{"Slices[byte]", "Slices[*int]", "Pool, Size"} {
		for _, ask := range []float64{1, 10, 0} {
			for _, handOver := range []bool{false, true} {
				l := load{kind: kind, ask: ask, lengths: "lognormal 1", use: 16, procs: 2, handOver: handOver}
				l.leaks = true
				add(l)
				if kind != "Pool, Size" {
					l.strangers = true
					add(l)
					l.leaks = false
					add(l)
					l.lengths, l.collect = "1 KiB", true
					add(l)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b load) int { return a.procs - b.procs })
	known := make(map[load]bool)
	return slices.DeleteFunc(all, func(l load) bool {
		twice := known[l]
		known[l] = true
		return twice
	})
}

// TestLoads holds the bound on idle memory under every load: at each moment a pool keeps at most
// twice what was in use at once, and a slack for each P, whatever the collector
// does. Where all values are of one size, nearly every Get finds one that is large enough, also if it asks for too
// little.
func TestLoads(t *testing.T) {
	if checked.Enabled {
		t.Skip("a checked build keeps what was put")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	all := loads()
	steps, every := 4000, 1
	if testing.Short() || race.Enabled {
		steps, every = 3000, 4
	}
	for i, l := range all {
		if i%every == 0 {
			t.Run(l.String(), func(t *testing.T) { l.run(t, steps) })
		}
	}
}

const (
	// warmUp is after how many steps, and one for each value in use, Gets find what they want.
	warmUp = 200

	// most is how much a load may allocate while no collection runs. The loads whose values find each other again
	// need far less.
	most = 1 << 30
)

func (l load) slack() int64 {
	if strings.HasPrefix(l.kind, "Slices") {
		return 4<<20 + int64(l.procs)<<20
	}
	return 1<<20 + int64(l.procs)<<19
}

// held is a value in use.
type held struct {
	x     any
	bytes int
}

func (l load) run(t *testing.T, steps int) {
	runtime.GOMAXPROCS(l.procs)
	percent := 100
	if !l.collect {
		runtime.GC()
		percent = -1
	}
	defer debug.SetGCPercent(debug.SetGCPercent(percent))
	p := newPooled(l.kind)
	defer p.drain()

	// The values in use lie in boxes, the oldest in front. A worker puts the value in front
	// and gets another in its place, in boxes of its own. Or, if values are handed over, one worker of
	// each pair empties boxes and the other fills them again.
	workers := min(l.procs, l.use)
	boxes := make([]chan held, workers)
	full, empty := make(chan held, l.use), make(chan held, l.use)
	if l.handOver {
		workers = max(l.procs/2, 1) * 2
	} else {
		for i := range boxes {
			n := l.use / workers
			boxes[i] = make(chan held, n)
			for range n {
				boxes[i] <- held{}
			}
		}
	}

	var inUse, peak, growths atomic.Int64
	put := func(h held, r *rand.Rand) {
		if h.x != nil {
			if !l.leaks || r.IntN(2) == 0 {
				p.put(h.x)
			}
			inUse.Add(-int64(h.bytes)) // afterwards: else it would be nowhere for a while
		}
		if l.strangers {
			n := []int{3000, 40 << 10}[r.IntN(2)]
			switch p := p.(type) {
			case *slicesOf[byte]:
				p.put(make([]byte, n))
			case *slicesOf[*int]:
				p.put(make([]*int, n/8))
			}
		}
	}
	take := func(r *rand.Rand) (h held) {
		n := lengths[l.lengths](r)
		ask := 0
		if l.ask > 0 {
			ask = max(int(float64(n)/l.ask), 1)
		}
		var grown bool
		if h.x, h.bytes, grown = p.take(ask, n); grown {
			growths.Add(1)
		}
		now := inUse.Add(int64(h.bytes))
		for old := peak.Load(); now > old && !peak.CompareAndSwap(old, now); old = peak.Load() {
		}
		return h
	}
	work := func(w, batch int, r *rand.Rand) {
		for range batch {
			switch {
			case !l.handOver:
				put(<-boxes[w], r)
				boxes[w] <- take(r)
			case w%2 == 0:
				put(<-full, r)
				empty <- held{}
			default:
				<-empty
				full <- take(r)
			}
		}
	}
	if l.handOver {
		for r := rand.New(rand.NewPCG(0, 0)); len(full) < l.use; {
			full <- take(r)
		}
	}

	const batch = 16 // steps of a worker between two looks at the pool
	allocated := allocatedBytes()
	var warm spare.Stats
	var warmGrowths int64
	for done, collected, round := 0, 0, uint64(0); done < steps; round++ {
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				work(w, batch, rand.New(rand.NewPCG(round, uint64(w))))
			})
		}
		wg.Wait()
		if done += workers * batch; l.handOver {
			done -= workers / 2 * batch
		}
		s := p.stats()
		if bound := 2*peak.Load() + l.slack(); s.IdleBytes > bound {
			t.Fatalf("after %d steps %.1f MiB are idle, want at most %.1f: %.1f were in use at once at most; %d of %d Gets made a value",
				done, mib(uint64(s.IdleBytes)), mib(uint64(bound)), mib(uint64(peak.Load())), s.News, s.Gets)
		}
		if warm.Gets == 0 && done >= warmUp+l.use {
			warm, warmGrowths = s, growths.Load()
		}
		switch {
		case l.collect && done-collected >= 200:
			runtime.GC()
			collected = done
		case !l.collect && allocatedBytes()-allocated > most:
			if done < steps/2 {
				t.Logf("no more than %d steps, which allocated %d MiB", done, most>>20)
			}
			done = steps
		}
	}
	if constant := strings.HasSuffix(l.lengths, "iB"); !constant || l.leaks {
		return
	}
	s := p.stats()
	gets, news, grown := s.Gets-warm.Gets, s.News-warm.News, growths.Load()-warmGrowths
	if float64(news) > 0.05*float64(gets) || float64(grown) > 0.05*float64(gets) {
		t.Errorf("once %d values were in use, %d of %d Gets made a value, and %d values had to grow: want one in twenty at most", l.use, news, gets, grown)
	}
}

func allocatedBytes() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
