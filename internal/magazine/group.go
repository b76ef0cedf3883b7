// SPDX-License-Identifier: BSD-3-Clause

package magazine

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// groupSlack is the number of bytes for each P that the depots of a Group may hold
// whatever was in use.
const groupSlack = 256 << 10

// A Group bounds the bytes that the depots of several pools hold together: to what was
// needed at once lately, over all of them, and a slack. With what is out it is half as
// much again at most. Each pool has a bound of its own as well, but a load whose values
// spread over many pools would have the sum of many high tides there.
//
// What is needed at once is what the users of all that is out asked for, at least. How much
// of a value its user needed in the end shows when it comes back: the user may have made it
// larger, and may have been given a large one for want of a small one. The Group adds up
// what comes back, as many values as were in use when it began to. It does not count
// what goes to and fro between users and shards, and so has to look now and then how many
// are in use.
//
// If there is no room, the pool gives way that was not taken from for the longest time.
type Group struct {
	idle atomic.Int64  // bytes in depots
	seq  atomic.Uint64 // counts what leaves the depots: the Group's clock

	// What out does not know of yet: values that were made, and those that the tick moved to
	// a depot or that left without passing one.
	made, madeBytes   atomic.Int64
	moved, movedBytes atomic.Int64

	mu    sync.Mutex // taken before core.mu, never while pinned or with core.mu held
	out   demand     // what left the depots, or was made, and did not come back
	asked demand     // the same, by what the users asked for
	most  [2]int64   // the most bytes needed at once in the present window of ticks, and in the last
	sum   int64      // bytes needed of what came back
	left  int64      // values to come back before the sum begins anew
	users int64      // values in use when the Group last looked
	seen  int64      // out at that time
	backs int        // values that came back since
	each  int64      // bytes of a value that was made last
	cores []*core
	procs int
	last  uint64 // the tick that was counted last
	ticks int    // in the present window

	peaks     sync.Mutex // guards what follows; taken before core.turn
	grown     int64      // bytes by which users made values larger that came back
	peak      int64      // the most values in use at once that was seen
	peakBytes int64
}

// NewGroup returns a Group without pools.
func NewGroup() *Group { return &Group{procs: runtime.GOMAXPROCS(0)} }

//go:norace
func (g *Group) join(c *core) {
	g.mu.Lock()
	g.cores = appended(g.cores, c)
	g.mu.Unlock()
}

// fold brings out up to date. The caller holds g.mu.
//
//go:norace
func (g *Group) fold() {
	if n := g.made.Swap(0); n != 0 {
		bytes := g.madeBytes.Swap(0)
		g.each = bytes / n
		g.out.took(n, bytes)
		g.asked.took(n, bytes)
	}
	if n := g.moved.Swap(0); n != 0 {
		bytes := g.movedBytes.Swap(0)
		g.out.back(n, bytes)
		g.asked.back(n, bytes)
	}
}

// limit is the bound on idle. The caller holds g.mu.
//
//go:norace
func (g *Group) limit() int64 {
	high := max(g.most[0], g.most[1], g.asked.high())
	return max(min(high, high+high/2-g.out.bytes), 0) + int64(g.procs)*groupSlack
}

// took notes that n values left the depot of a pool, for users who asked for so many
// bytes.
//
//go:norace
func (g *Group) took(n, bytes, asked int64) {
	g.mu.Lock()
	g.fold()
	g.out.took(n, bytes)
	g.asked.took(n, asked)
	g.mu.Unlock()
}

// back notes that n values of the given bytes come back, of which their users needed so
// many. Those that the pool had not handed out were smaller when they left. The caller holds
// g.mu.
//
//go:norace
func (g *Group) back(n, bytes, needed, handed int64) {
	g.fold()
	g.backs += int(n)
	if g.left <= 0 {
		// To look takes a while: seldom, but when much has left since.
		if g.backs >= max(16, len(g.cores)*g.procs/8) || g.out.n > 2*g.seen {
			users, _, ok := inUse(g.cores, false)
			if ok {
				g.users, g.seen, g.backs = users+n, g.out.n, 0
			}
		}
		g.left, g.sum = min(g.out.n, g.users), 0
	}
	g.left -= n
	g.sum += needed
	g.most[0] = max(g.most[0], g.sum)
	known := min(n, handed)
	g.out.back(n, bytes/n*known+g.each*(n-known))
	g.asked.back(n, needed)
}

// admit notes that n values come back to c, of which their users needed the given
// bytes, and reports whether there is room for them. If so, the room is theirs.
//
//go:norace
func (g *Group) admit(c *core, n, bytes, needed int64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.back(n, bytes, needed, c.handed.Load())
	if !g.makeRoom(c, bytes) {
		return false
	}
	g.idle.Add(bytes)
	return true
}

// makeRoom has other pools than c let values go until there is room for the given
// bytes. It reports whether there is. The caller holds g.mu.
//
//go:norace
func (g *Group) makeRoom(c *core, bytes int64) bool {
	limit := g.limit()
	if bytes > limit {
		return false
	}
	for {
		excess := g.idle.Load() + bytes - limit
		if excess <= 0 {
			return true
		}
		stalest := g.stalest()
		if stalest == nil || stalest == c {
			return false
		}
		stalest.evict(excess)
	}
}

// stalest returns the pool with values in its depot that were not taken from for the
// longest time, or nil. The caller holds g.mu.
//
//go:norace
func (g *Group) stalest() (stalest *core) {
	for _, c := range g.cores {
		if c.inMags.Load() != 0 && (stalest == nil || c.stamp.Load() < stalest.stamp.Load()) {
			stalest = c
		}
	}
	return stalest
}

// tick is called by each of the pools once for each tick.
//
//go:norace
func (g *Group) tick(seq uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.last == seq {
		return
	}
	g.last = seq
	g.procs = tickState.procs
	g.fold()
	if g.ticks++; g.ticks == window {
		g.ticks = 0
		g.most = [2]int64{g.sum, g.most[0]}
		g.out.window()
		g.asked.window()
	}
	g.makeRoom(nil, 0)
}

// Usage returns how many values of all pools are in use, and their bytes, and the most
// of both that was seen.
//
//go:norace
func (g *Group) Usage() (n, bytes, peak, peakBytes int64) {
	g.peaks.Lock()
	defer g.peaks.Unlock()
	return g.usage(true)
}

// notePeak looks whether more is in use than ever. It does not wait: whoever has a
// pool's turn looks as well.
//
//go:norace
func (g *Group) notePeak() {
	if g.peaks.TryLock() {
		g.usage(false)
		g.peaks.Unlock()
	}
}

// usage is Usage for a caller who holds g.peaks. Without wait it gives up where it would
// have to wait.
//
//go:norace
func (g *Group) usage(wait bool) (n, bytes, peak, peakBytes int64) {
	g.mu.Lock()
	cores := g.cores // it only grows
	g.mu.Unlock()
	n, bytes, ok := inUse(cores, wait)
	if !ok {
		return 0, 0, g.peak, g.peakBytes
	}
	// What users made larger came back as more than it was. How much that was shows when
	// nothing is in use, or less than nothing seems to be.
	if n == 0 || bytes+g.grown < 0 {
		g.grown = -bytes
	}
	bytes += g.grown
	g.peak = max(g.peak, n)
	g.peakBytes = max(g.peakBytes, bytes)
	return n, bytes, g.peak, g.peakBytes
}

// inUse returns how many values of all pools are in use, and what left the pools in
// bytes less what came back. Without wait, ok is false where it would have to wait.
//
//go:norace
func inUse(cores []*core, wait bool) (n, bytes int64, ok bool) {
	for _, c := range cores {
		if wait {
			c.turn.Lock()
		} else if !c.turn.TryLock() {
			return 0, 0, false
		}
		s := c.flows()
		c.turn.Unlock()
		out := int64(s.Gets) - int64(s.Puts)
		n += out
		bytes += out * int64(c.conf.Size)
	}
	return max(n, 0), bytes, true
}
