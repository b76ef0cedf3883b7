// SPDX-License-Identifier: BSD-3-Clause

package magazine

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"

	"github.com/spare-go/spare/internal/race"
)

// The pools that the tick visits: those that were used lately or still hold
// something.
var registry struct {
	mu    sync.Mutex
	cores []*core
	armed bool
	sent  *sentinel // kept only while not armed: armed, it must be unreachable
}

// shed is set while the process is near its memory limit.
var shed atomic.Bool

// A sentinel is found dead by every collection. It is no tiny object, whose
// finalizer might wait for its neighbours.
type sentinel struct {
	_ [4]uintptr
	_ *sentinel
}

// enlist makes the tick visit c. The caller holds c.turn or c is new.
//
//go:norace
func enlist(c *core) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	c.listed.Store(true)
	if !c.inList {
		c.inList = true
		registry.cores = appended(registry.cores, c)
	}
	if !registry.armed {
		registry.armed = true
		s := registry.sent
		registry.sent = nil
		if s == nil {
			s = new(sentinel)
		}
		runtime.SetFinalizer(s, collected)
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

// collected runs once for each collection on the runtime's finalizer
// goroutine, which it must not keep busy.
func collected(s *sentinel) { go tick(s) }

// tickState belongs to the tick, of which there is one at a time.
var tickState struct {
	cores   [256]*core
	samples [6]metrics.Sample
}

//go:norace
func tick(s *sentinel) {
	race.Disable()
	defer race.Enable()

	nearLimit := nearMemoryLimit()
	shed.Store(nearLimit)

	// In small steps: what is copied at once cannot be preempted, and there may
	// be a hundred thousand pools. The list only grows meanwhile.
	cores := &tickState.cores
	unlisted := false
	for i := 0; ; i += len(cores) {
		registry.mu.Lock()
		n := 0
		for n < len(cores) && i+n < len(registry.cores) {
			cores[n] = registry.cores[i+n]
			n++
		}
		registry.mu.Unlock()
		for j := range n {
			cores[j].tick(nearLimit)
			unlisted = unlisted || !cores[j].listed.Load()
			cores[j] = nil
		}
		if n < len(cores) {
			break
		}
	}

	registry.mu.Lock()
	defer registry.mu.Unlock()
	if unlisted {
		all, kept := registry.cores, 0
		for _, c := range all {
			if c.listed.Load() {
				all[kept] = c
				kept++
			} else {
				c.inList = false
			}
		}
		for i := kept; i < len(all); i++ {
			all[i] = nil
		}
		registry.cores = all[:kept]
		if kept == 0 {
			registry.cores = nil
			registry.armed = false
			registry.sent = s
			return
		}
	}
	// Last of all: the next tick must come after a collection that ended after
	// everything above.
	runtime.SetFinalizer(s, collected)
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
