// SPDX-License-Identifier: BSD-3-Clause

package magazine

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/spare-go/spare/internal/race"
)

// The tick visits the pools that were used lately or still hold something, once for
// each collection.
//
// # Who keeps a pool alive
//
// The registry refers to pools weakly. A pool of which the program has let go is
// garbage with all that it holds, whatever that refers to.
//
// A pool with a Drop is to call it in that case, and so must outlive its handle. For
// such a pool the registry refers to the core, which does not refer to the handle. But
// the values may, or Drop itself: then the handle lives as long as the registry has the
// core. Nothing shows which it is. The registry therefore holds on to the pools with a
// Drop that have been found alive by a collection, and of those that are new, to a few
// only. A program that makes pools with a Drop faster than that and drops them before
// the next collection loses the others without a call of Drop; one whose dropped pools
// are held by their values has few of them, and each is empty after some collections.
var registry struct {
	mu    sync.Mutex
	pools []listing
	young int // new pools with a Drop that are held

	armed   bool   // there is something to visit
	ticking bool   // a tick is under way
	epoch   uint64 // of the sentinels: one for each tick
	done    uint64 // ticks
	waits   [2]bool

	looking atomic.Bool // a look is under way
	since   uint64      // collections at the first look of the epoch, or 0
}

// mostYoung is the number of new pools with a Drop that the registry holds.
const mostYoung = 64

// A listing refers to a pool.
type listing struct {
	pool weak.Pointer[Pool]
	held *core // or nil
	idle bool  // at the last visit it had nothing to be visited for
}

// shed is set while the process is near its memory limit.
var shed atomic.Bool

// A sentinel is found dead by the next collection. It is no tiny object, whose
// finalizer might wait for its neighbours.
type sentinel struct {
	epoch uint64
	_     [4]uintptr
	_     *sentinel
}

// The clocks. Either tells of a collection: should a finalizer of the program block, no
// other is run, and the same goes for cleanups. If both are stuck, the pools find out by
// themselves (poll).
const (
	byFinalizer = iota
	byCleanup
)

// enlist makes the tick visit c. The caller holds c.turn or c is new.
//
//go:norace
func enlist(c *core) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	c.listed.Store(true)
	if !c.inList {
		c.inList = true
		l := listing{pool: c.owner}
		if c.conf.Drop != nil && (c.survived || registry.young < mostYoung) {
			if !c.survived {
				registry.young++
			}
			l.held = c
		}
		registry.pools = appended(registry.pools, l)
	}
	if !registry.armed {
		registry.armed = true
		arm()
	}
}

// arm sets the clocks. The caller holds registry.mu.
//
//go:norace
func arm() {
	registry.epoch++
	registry.since = 0
	for clock := range registry.waits {
		if !registry.waits[clock] {
			wind(clock)
		}
	}
}

// wind sets a clock to the next collection. The caller holds registry.mu.
//
//go:norace
func wind(clock int) {
	registry.waits[clock] = true
	s := &sentinel{epoch: registry.epoch}
	if clock == byFinalizer {
		runtime.SetFinalizer(s, finalized)
	} else {
		runtime.AddCleanup(s, cleaned, s.epoch)
	}
}

func finalized(s *sentinel) { collected(byFinalizer, s.epoch) }
func cleaned(epoch uint64)  { collected(byCleanup, epoch) }

// collected is called by a clock that was set in the given epoch, on a goroutine of the
// runtime, which it must not keep busy.
//
//go:norace
func collected(clock int, epoch uint64) {
	race.Disable()
	defer race.Enable()
	registry.mu.Lock()
	defer registry.mu.Unlock()
	registry.waits[clock] = false
	if registry.armed && !registry.ticking {
		if epoch == registry.epoch {
			registry.ticking = true
			go tick()
		} else {
			// The other clock was faster. This one is set for the epoch that began.
			wind(clock)
		}
	}
}

// poll is called by the pools in use as values pass their depots. Now and then it looks
// whether there were collections that no clock told of.
//
//go:norace
func (c *core) poll() {
	if c.polls++; c.polls%1024 == 0 && registry.looking.CompareAndSwap(false, true) {
		go look() // it may wait for a moment
	}
}

// lookSample belongs to look, of which there is one at a time.
var lookSample = [1]metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}

// look starts the tick if two collections ended since an earlier look in this epoch: the
// second one began after that.
//
//go:norace
func look() {
	race.Acquire(unsafe.Pointer(&lookSample))
	metrics.Read(lookSample[:])
	cycles := lookSample[0].Value.Uint64() + 1
	race.ReleaseMerge(unsafe.Pointer(&lookSample))

	race.Disable()
	registry.mu.Lock()
	due := false
	if registry.armed && !registry.ticking {
		if registry.since == 0 {
			registry.since = cycles
		}
		due = cycles >= registry.since+2
		registry.ticking = due
	}
	registry.looking.Store(false)
	registry.mu.Unlock()
	race.Enable()
	if due {
		tick()
	}
}

// appended is append without its reports to the race detector. The functions of
// this package that change what several goroutines share are marked norace,
// because the detector must not see their locks (internal/race.Disable); append
// and copy report what they touch even there.
//
//go:norace
func appended[T any](list []T, x T) []T {
	n := len(list)
	if n == cap(list) {
		longer := make([]T, n, 2*n+4)
		for i := range list {
			longer[i] = list[i]
		}
		list = longer
	}
	list = list[:n+1]
	list[n] = x
	return list
}

// tickState belongs to the tick, of which there is one at a time.
var tickState struct {
	seq      uint64 // of the tick
	procs    int    // GOMAXPROCS
	listings [256]listing
	samples  [6]metrics.Sample
}

// Ticks returns how many ticks there were, whether the next collection brings one, and
// whether one is under way. It is for tests.
//
//go:norace
func Ticks() (n uint64, armed, ticking bool) {
	race.Disable()
	defer race.Enable()
	registry.mu.Lock()
	defer registry.mu.Unlock()
	return registry.done, registry.armed, registry.ticking
}

//go:norace
func tick() {
	// The ticks follow each other. The runtime's own metrics have to know.
	race.Acquire(unsafe.Pointer(&tickState))
	nearLimit := nearMemoryLimit()
	race.ReleaseMerge(unsafe.Pointer(&tickState))

	race.Disable()
	defer race.Enable()
	shed.Store(nearLimit)
	tickState.seq++
	tickState.procs = runtime.GOMAXPROCS(0)

	// In small steps: what is copied at once cannot be preempted, and there may
	// be a hundred thousand pools. The list only grows meanwhile.
	listings := &tickState.listings
	for i := 0; ; i += len(listings) {
		registry.mu.Lock()
		n := 0
		for n < len(listings) && i+n < len(registry.pools) {
			listings[n] = registry.pools[i+n]
			n++
		}
		registry.mu.Unlock()
		for j := range n {
			listings[j].visit(nearLimit)
		}
		registry.mu.Lock()
		for j := range n {
			registry.pools[i+j] = listings[j]
			listings[j] = listing{}
		}
		registry.mu.Unlock()
		if n < len(listings) {
			break
		}
	}

	registry.mu.Lock()
	defer registry.mu.Unlock()
	all, kept := registry.pools, 0
	for _, l := range all {
		if !l.idle || l.listed() {
			l.idle = false
			all[kept] = l
			kept++
		}
	}
	for i := kept; i < len(all); i++ {
		all[i] = listing{}
	}
	registry.pools = all[:kept]
	registry.young = 0
	registry.ticking = false
	registry.done++
	if kept == 0 {
		registry.pools = nil
		registry.armed = false
		return
	}
	// Last of all: the next tick must come after a collection that began after
	// everything above.
	arm()
}

// visit has the pool look at itself.
//
//go:norace
func (l *listing) visit(everything bool) {
	p := l.pool.Value()
	c := l.held
	if p != nil {
		c = p.core
		// What was made while the collector ran survives that collection in any case.
		c.survived = c.seen
		c.seen = true
		if c.conf.Drop != nil && c.survived {
			l.held = c
		}
	}
	if c == nil {
		l.idle = true
		return
	}
	c.tick(p, everything || p == nil)
	if g := c.conf.Group; g != nil {
		g.tick(tickState.seq)
	}
	l.idle = !c.listed.Load()
}

// listed reports whether the tick is to visit the pool again. The caller holds
// registry.mu.
//
//go:norace
func (l *listing) listed() bool {
	c := l.held
	if c == nil {
		p := l.pool.Value()
		if p == nil {
			return false
		}
		c = p.core
	}
	if c.listed.Load() {
		return true
	}
	c.inList = false
	return false
}

// nearMemoryLimit reports whether what the last collection found alive, with the
// memory that is no heap, takes more than four fifths of the memory limit, if
// there is one. What is free already does not count: a process that collects
// only when it reaches its limit (GOGC=off) is always near it by the figure
// that the limit governs, and has room all the same.
func nearMemoryLimit() bool {
	limit := debug.SetMemoryLimit(-1)
	if limit == math.MaxInt64 {
		return false
	}
	s := tickState.samples[:]
	if s[0].Name == "" {
		for i, name := range [...]string{
			"/memory/classes/total:bytes",
			"/memory/classes/heap/released:bytes",
			"/memory/classes/heap/free:bytes",
			"/memory/classes/heap/unused:bytes",
			"/memory/classes/heap/objects:bytes",
			"/gc/heap/live:bytes",
		} {
			s[i].Name = name
		}
	}
	metrics.Read(s)
	used := int64(s[0].Value.Uint64())
	for _, free := range s[1:5] {
		used -= int64(free.Value.Uint64())
	}
	used += int64(s[5].Value.Uint64())
	return used > limit/5*4
}
