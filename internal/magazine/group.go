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

	// What asked does not know of yet: values that were made, and those that the tick moved
	// to a depot, or that were refused without passing one.
	made, madeBytes   atomic.Int64
	moved, movedBytes atomic.Int64

	mu    sync.Mutex // taken before core.mu, never while pinned or with core.mu held
	out   [2]lent    // large arrays with users: those lent in the present window and those in the last
	asked demand     // what left the depots, or was made, and did not come back, by what users asked for
	small tally      // of values that shards hold, too
	large tally      // of the others
	users int64      // values in use when the Group last looked
	backs int        // values that came back since
	cores []*core
	procs int
	last  uint64 // the tick that was counted last
	ticks int    // in the present window

	peaks     sync.Mutex // guards what follows; taken before core.turn
	grown     int64      // bytes by which users made values larger that came back
	peak      int64      // the most values in use at once that was seen
	peakBytes int64
}

// A tally adds up the bytes needed of values that come back: as many as were in use at once.
type tally struct {
	sum  int64
	left int64    // values to come back before the sum begins anew
	most [2]int64 // the largest sum in the present window of ticks, and in the last
}

// add adds the bytes needed of n values that come back. If it begins anew, it takes as many
// as users says.
//
//go:norace
func (t *tally) add(n, needed int64, users int64) {
	if t.left <= 0 {
		t.left, t.sum = users, 0
	}
	t.left -= n
	t.sum += needed
	t.most[0] = max(t.most[0], t.sum)
}

//go:norace
func (t *tally) high() int64 { return max(t.most[0], t.most[1]) }

//go:norace
func (t *tally) window() { t.most = [2]int64{t.sum, t.most[0]} }

// NewGroup returns a Group without pools.
func NewGroup() *Group { return &Group{procs: runtime.GOMAXPROCS(0)} }

//go:norace
func (g *Group) join(c *core) {
	g.mu.Lock()
	g.cores = appended(g.cores, c)
	g.mu.Unlock()
}

// fold brings asked up to date. The caller holds g.mu.
//
//go:norace
func (g *Group) fold() {
	if n := g.made.Swap(0); n != 0 {
		g.asked.took(n, g.madeBytes.Swap(0))
	}
	if n := g.moved.Swap(0); n != 0 {
		g.asked.back(n, g.movedBytes.Swap(0))
	}
}

// limit is the bound on idle. The caller holds g.mu.
//
//go:norace
func (g *Group) limit() int64 {
	high := max(g.small.high()+g.large.high(), g.asked.high())
	return max(min(high, high+high/2-g.out[0].bytes-g.out[1].bytes), 0) + int64(g.procs)*groupSlack
}

// took notes that n values left the depot of a pool, for users who asked for so many
// bytes. x is a large one, or 0.
//
//go:norace
func (g *Group) took(n, bytes, asked int64, x uintptr) {
	g.mu.Lock()
	g.fold()
	g.asked.took(n, asked)
	if x != 0 {
		g.out[1].remove(x, bytes) // an array that was lost, and had this address
		g.out[0].add(x, bytes)
	}
	g.mu.Unlock()
}

// back notes that n values of the given bytes come back, of which their users needed so
// many. x is a large one, or 0. The caller holds g.mu.
//
//go:norace
func (g *Group) back(n, bytes, needed int64, x uintptr) {
	g.fold()
	// To look how many are in use takes a while: seldom.
	if g.backs += int(n); g.backs >= max(16, len(g.cores)*g.procs/8) || g.users == 0 {
		if users, _, ok := inUse(g.cores, false); ok {
			g.users, g.backs = users+n, 0
		}
	}
	if x == 0 {
		g.small.add(n, needed, g.users)
	} else {
		// Many may be in use that are small, and held while few large ones come and go.
		// Those that were lent show how many of them are in use; four times as many, for
		// users make others large.
		g.large.add(n, needed, min(g.users, 4*int64(g.out[0].n+g.out[1].n+1)))
	}
	g.asked.back(n, bytes)
	if x != 0 && !g.out[0].remove(x, bytes) {
		g.out[1].remove(x, bytes)
	}
}

// admit notes that n values come back to c, of which their users needed the given
// bytes, and reports whether there is room for them. If so, the room is theirs.
//
//go:norace
func (g *Group) admit(c *core, n, bytes, needed int64, x uintptr) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.back(n, bytes, needed, x)
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
		g.small.window()
		g.large.window()
		g.asked.window()
		// Arrays that are held for long, or lost, do not narrow the bound for ever.
		g.out[0], g.out[1] = g.out[1], g.out[0]
		g.out[0].clear()
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
