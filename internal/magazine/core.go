// SPDX-License-Identifier: BSD-3-Clause

package magazine

import (
	"log"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/spare-go/spare/internal/race"
)

// window is the number of ticks over which the depot looks for values that
// nobody needs. Six, so that a load that comes back every fifth collection
// finds its values again.
const window = 6

// A Config says how a pool treats its values.
type Config struct {
	// Size is the number of bytes that an idle value holds. With Sized each
	// value has a size of its own, given to PutSized, and Size is unused.
	Size  int
	Sized bool

	// Charge is the number of bytes that a value counts for in Budget; if it
	// is 0, Size.
	Charge int

	// Drop is called once for each value that the pool lets go, except for
	// those that Put refuses. It may be nil.
	Drop func(unsafe.Pointer)

	// Budget bounds the idle bytes. It may be nil and may be shared.
	Budget *Budget

	// Group bounds what the depots of several pools hold. It may be nil.
	Group *Group

	// Tag is for the user: Pool.Tag.
	Tag int

	// Name is used in the log when Drop panics.
	Name string
}

// Stats counts what a pool did. See spare.Stats.
type Stats struct {
	Gets, News, Puts, Drops uint64
	Idle, IdleBytes         int64

	InUse, InUseBytes         int64
	PeakInUse, PeakInUseBytes int64
}

// An entry is what a pool of sized values keeps in place of the value.
type entry struct {
	x    unsafe.Pointer
	size int
}

// weight is what e counts for in the depot: also where a size is 0 or makes no sense.
//
//go:norace
func (e *entry) weight() int64 {
	return min(int64(e.size), 1<<40) + int64(unsafe.Sizeof(*e)+unsafe.Sizeof(e))
}

// A core is all of a pool but its handle. The Pool refers to it, and what it holds may
// refer to the Pool; the tick must not keep the two alive (clock.go).
type core struct {
	conf           Config
	owner          weak.Pointer[Pool]
	listed         atomic.Bool // the tick visits it
	inList         bool        // guarded by registry.mu
	seen, survived bool        // as are these: a tick came by, and another, so that a collection found the Pool alive
	entries        *Pool       // spare entries of a Sized pool

	// Events outside a shard, and those of shards that are no more.
	gets, news, puts, drops, bytes atomic.Int64

	// room is what a shard may hold, as packRoom has it. 0: there are no shards, and
	// all values pass through the depot.
	room atomic.Uint32

	// small is the size above which values of a Sized pool pass through the depot.
	small int

	// What the slow paths found out lately, cleared at the end of each window.
	wanted    atomic.Bool  // somebody took a value from the depot, or made one
	contended atomic.Bool  // there was a miss: the pool has nothing to spare for others
	stamp     atomic.Int64 // when the depot was last taken from, by Group.seq

	made atomic.Int64 // values made that the demand does not know of yet
	lost atomic.Int64 // values put that were refused, of which it does not know either
	unit atomic.Int64 // bytes that a value of a Sized pool held lately, in the mean

	// peak is the most values in use at once that was seen; look for a new peak when
	// the demand exceeds peakAt values.
	peak, peakAt atomic.Int64

	// turn is held by whoever changes the set of shards or closes and takes
	// them: the tick, Drain, and a Pool that gets or replaces its shards.
	// Never taken while pinned or with mu held.
	turn sync.Mutex
	engine

	mu     sync.Mutex // guards what follows; never taken while pinned
	depot  depot
	inMags atomic.Int64 // depot.count, to see without the lock that it is empty
	demand demand       // of values, by whomever; of a Sized pool, its bytes are values
	last   int64        // bytes that the last value of a Sized pool held
	own    demand       // the part of Gets that asked for this pool, and no other of the Group
	needed [2]bool      // somebody needed values of this size, in the present window and in the last
	taken  [2]bool      // as wanted, in the present window and in the last
	procs  int          // GOMAXPROCS at the last tick
	ticks  int          // ticks in the current window
	used   bool         // used in the current window
	polls  uint16       // counts to when to look at the clock; a lost count does not matter

	// Values that wait for Drop in the background.
	pending *magazine
}

// packRoom returns the room of a shard with the given slots in the magazine in use
// and full magazines beside it.
func packRoom(slots, magazines int) uint32 { return uint32(slots) | uint32(magazines)<<8 }

// unpackRoom returns what packRoom was given.
func unpackRoom(room uint32) (slots uint32, magazines uint8) { return room & 0xff, uint8(room >> 8) }

// slots returns how many values the magazine in use may hold.
func (c *core) slots() uint32 { return c.room.Load() & 0xff }

// magazines returns how many magazines a shard may keep beside the one in use.
func (c *core) magazines() uint8 { return uint8(c.room.Load() >> 8) }

// roomFor returns the room of a shard where there are procs of them. A shard holds
// shardBytes at most, and all shards together half of the Budget: values on a P that
// does not need them are out of reach for the others, who would find neither a value
// nor room for one.
//
//go:norace
func (c *core) roomFor(procs int) uint32 {
	n := shardBytes / int(c.weight())
	if c.conf.Sized {
		n = batch // of small ones
	}
	if b := c.conf.Budget; b != nil && c.conf.Charge > 0 {
		n = int(min(int64(n), b.max/int64(2*procs*c.conf.Charge)))
	}
	if n <= 0 {
		return 0
	}
	return packRoom(min(n, batch), min(max(n/batch-1, 0), shardMagazines))
}

// weight is the number of bytes that a value counts for in the depot.
//
//go:norace
func (c *core) weight() int64 { return int64(max(c.conf.Size, int(unsafe.Sizeof(uintptr(0))))) }

// smallFor returns the size up to which the values of a Sized pool go into shards.
//
//go:norace
func (c *core) smallFor(procs int) int {
	n := shardBytes / batch
	if b := c.conf.Budget; b != nil {
		n = int(min(int64(n), b.max/int64(2*procs*batch)))
	}
	return n
}

// limit returns the bytes that the depot may hold at most. The caller holds c.mu.
//
//go:norace
func (c *core) limit() int64 {
	slack := max(int64(c.procs)*depotSlack, c.weight(), c.last)
	switch {
	case c.conf.Sized:
		return 2*c.demand.high()*c.unit.Load() + slack
	case c.conf.Group != nil:
		// The Group has the bound on what is needed. Here it is about arrays that
		// nobody asks for, and that few got as yet.
		return 8*c.demand.high() + slack
	default:
		return 2*c.demand.high() + slack
	}
}

// foldMade has the demand know of the values that were made. The caller holds c.mu.
//
//go:norace
func (c *core) foldMade() {
	if n := c.made.Swap(0); n != 0 {
		c.took(n, n*c.weight(), true)
	}
	if n := c.lost.Swap(0); n != 0 {
		c.back(n, n*c.weight())
	}
}

// back notes that n values of the given bytes are not out any more. The caller holds c.mu.
//
//go:norace
func (c *core) back(n, bytes int64) {
	if c.conf.Sized {
		bytes = n
	}
	c.own.back(n, bytes)
	c.demand.back(n, bytes)
}

// refused notes that n values were put that the pool does not keep, and that do not pass
// the depot. Nothing need be locked, and the caller may be pinned.
//
//go:norace
func (c *core) refused(n int64) {
	c.drops.Add(n)
	c.lost.Add(n)
	if g := c.conf.Group; g != nil {
		g.movedBytes.Add(n * c.weight())
		g.moved.Add(n)
	}
}

// took notes that n values of the given bytes were made or that they left the
// depot. The caller holds c.mu.
//
//go:norace
func (c *core) took(n, bytes int64, own bool) {
	c.used = true
	c.taken[0] = true
	if !c.wanted.Load() {
		c.wanted.Store(true)
	}
	if c.conf.Sized {
		bytes = n // what they will hold shows when they come back
	}
	c.demand.took(n, bytes)
	if own {
		c.own.took(n, bytes)
		c.needed[0] = true
	}
}

// left is what follows when n values of the given bytes left the depot, for users who
// asked for so many, and so many values are out in all. Nothing is locked.
//
//go:norace
func (c *core) left(n, bytes, asked, out int64, x uintptr) {
	if n == 0 {
		return
	}
	if g := c.conf.Group; g != nil {
		g.idle.Add(-bytes)
		g.took(n, bytes, asked, x)
		c.stamp.Store(int64(g.seq.Add(1)))
	}
	c.risen(out)
	c.poll()
}

// risen looks for a new peak of what is in use, if so many values are out as never
// before, give or take a sixteenth. Nothing is locked.
//
//go:norace
func (c *core) risen(out int64) {
	if out <= c.peakAt.Load() {
		return
	}
	c.peakAt.Store(out + out/16)
	if g := c.conf.Group; g != nil {
		g.notePeak()
	} else if c.turn.TryLock() {
		c.stats()
		c.turn.Unlock()
	}
}

// flushMade is how many values a P makes before it says so, but for the first ones. A
// power of two.
const flushMade = 16

// flushes reports whether a P that made a value has to say how many it made in all.
func flushes(news uint32) bool { return news <= flushMade || news%flushMade == 0 }

// flush notes that a P made so many values in all. Nothing is locked.
//
//go:norace
func (c *core) flush(news uint32) {
	n := int64(1)
	if news > flushMade || news == 0 {
		n = flushMade
	}
	if !c.contended.Load() {
		c.contended.Store(true)
	}
	if !c.wanted.Load() {
		c.wanted.Store(true)
	}
	if g := c.conf.Group; g != nil {
		g.madeBytes.Add(n * c.weight())
		g.made.Add(n)
	}
	if c.made.Add(n) < 4*flushMade && c.peakAt.Load() >= 4*flushMade && c.room.Load() != 0 {
		return
	}
	if c.mu.TryLock() {
		c.foldMade()
		out := c.demand.n
		c.mu.Unlock()
		c.risen(out)
	}
}

// admit reports whether the depot takes n values of the given bytes that come back, of
// which their users needed so many. x is the one, if it is one. If so, c.mu is locked, and
// the caller pushes them.
//
//go:norace
func (c *core) admit(n, bytes, needed int64, x unsafe.Pointer) bool {
	g := c.conf.Group
	room := g == nil || g.admit(c, n, bytes, needed, c.large(x))
	c.mu.Lock()
	if c.came(n, bytes, needed) && room {
		if g != nil && c.depot.count == 0 {
			c.stamp.Store(int64(g.seq.Load()))
		}
		return true
	}
	c.mu.Unlock()
	if room && g != nil {
		g.idle.Add(-bytes)
	}
	return false
}

// large returns the address of a value that a shard would not hold, and 0 for another.
//
//go:norace
func (c *core) large(x unsafe.Pointer) uintptr {
	if c.room.Load() != 0 || c.conf.Sized {
		return 0
	}
	return uintptr(x)
}

// pushed is what follows when the caller pushed what admit let in.
//
//go:norace
func (c *core) pushed() {
	c.inMags.Store(int64(c.depot.count))
	c.mu.Unlock()
	c.relist()
	c.poll()
}

// came notes for the demand that n values came back, and reports whether the depot has
// room for them. The caller holds c.mu.
//
//go:norace
func (c *core) came(n, bytes, needed int64) bool {
	c.foldMade()
	c.used = true
	if c.conf.Sized {
		c.last = bytes / n
		unit := c.unit.Load()
		if unit == 0 {
			unit = c.last
		}
		c.unit.Store(max(unit+(c.last-unit)/16, 1))
	}
	if needed >= bytes/8 {
		c.needed[0] = true
	}
	c.back(n, bytes)
	if !c.needed[0] && !c.needed[1] {
		// It was large once, and goes from hand to hand since, between users who
		// need little of it.
		return false
	}
	return c.depot.bytes+bytes <= c.limit()
}

// fetch takes a magazine from the depot, if it has one, and leaves the caller's
// empty ones there. If the depot has plenty, fetch takes some more that are
// full, in a chain with the newest first, for the shard to keep: most of them at most.
//
//go:norace
func (c *core) fetch(empties *magazine, most uint8) (m, more *magazine) {
	c.mu.Lock()
	c.foldMade()
	d := &c.depot
	for empties != nil {
		m := empties
		empties = m.next
		d.pushEmpty(m)
	}
	before := d.bytes
	count := d.count
	m = d.popShare()
	var last *magazine
	for range most {
		if d.count < 2*shardMagazines*batch || d.top.n < batch {
			break
		}
		full := d.popMagazine()
		if last == nil {
			more = full
		} else {
			last.next = full
		}
		last = full
	}
	n, bytes := int64(count-d.count), before-d.bytes
	c.unlockTaken(n, bytes, bytes, nil)
	return m, more
}

// fetchSome moves up to k values from the depot to buf, and returns how many: one, unless
// all are such as a shard may hold.
//
//go:norace
func (c *core) fetchSome(buf *batchBuf, k int) (n int) {
	if c.inMags.Load() == 0 {
		return 0
	}
	c.mu.Lock()
	c.foldMade()
	before := c.depot.bytes
	for n < k {
		if n > 0 && c.conf.Sized && (c.depot.newestSize() > c.small || (*entry)(buf[0]).size > c.small) {
			break
		}
		x := c.depot.popOne()
		if x == nil {
			break
		}
		buf[n] = x
		n++
	}
	bytes := before - c.depot.bytes
	c.unlockTaken(int64(n), bytes, bytes, buf[0])
	return n
}

// unlockTaken ends what took n values of the given bytes from the depot, for users who
// asked for so many. x is the first.
//
//go:norace
func (c *core) unlockTaken(n, bytes, asked int64, x unsafe.Pointer) {
	if n != 0 {
		c.took(n, bytes, asked == bytes)
	}
	out := c.demand.n
	c.inMags.Store(int64(c.depot.count))
	c.mu.Unlock()
	c.left(n, bytes, asked, out, c.large(x))
}

// fetchOne takes a value from the depot, or returns nil.
//
//go:norace
func (c *core) fetchOne() unsafe.Pointer {
	var buf batchBuf
	if c.fetchSome(&buf, 1) == 0 {
		return nil
	}
	return buf[0]
}

// surplus takes a value from the depot for a user who asked for so many bytes and so for
// another pool of the Group, if those who ask for this one do not need it.
//
//go:norace
func (c *core) surplus(asked int64) (x unsafe.Pointer) {
	if c.inMags.Load() == 0 {
		return nil
	}
	c.mu.Lock()
	c.foldMade()
	before := c.depot.bytes
	if !c.contended.Load() || before > c.own.high() {
		x = c.depot.popOne()
	}
	n := int64(0)
	if x != nil {
		n = 1
	}
	c.unlockTaken(n, before-c.depot.bytes, asked, x)
	return x
}

// fetchEmpties returns a chain of one empty magazine and up to n-1 more, if the
// depot has them, and how many more there are.
//
//go:norace
func (c *core) fetchEmpties(n int) (chain *magazine, more uint8) {
	c.mu.Lock()
	chain = c.depot.popEmpty()
	for range n - 1 {
		if c.depot.empty == nil {
			break
		}
		m := c.depot.popEmpty()
		m.next = chain
		chain = m
		more++
	}
	c.mu.Unlock()
	return chain, more
}

// storeOne gives a value to the depot, whose room in the Budget is reserved, and
// reports whether the depot took it. Its user needed so many bytes of it.
//
//go:norace
func (c *core) storeOne(x unsafe.Pointer, needed int64) bool {
	buf := batchBuf{x}
	bytes := c.depot.weigh(buf[:1])
	if needed < 0 {
		needed = bytes
	}
	if !c.admit(1, bytes, needed, x) {
		return false
	}
	c.depot.push(&buf, 1)
	c.pushed()
	return true
}

// store gives the first k values of buf, whose room is reserved, to the depot, as far
// as it takes them. The others leave the pool.
//
//go:norace
func (c *core) store(buf *batchBuf, k int) {
	if k == 0 {
		return
	}
	bytes := c.depot.weigh(buf[:k])
	if c.admit(int64(k), bytes, bytes, nil) {
		c.depot.push(buf, k)
		c.pushed()
		return
	}
	m := &magazine{slots: *buf, n: k}
	*buf = batchBuf{}
	c.letGo(m)
}

// letGo has the values of a chain leave the pool.
//
//go:norace
func (c *core) letGo(chain *magazine) {
	c.mu.Lock()
	c.retire(chain)
	c.dropLater()
	c.mu.Unlock()
	c.relist()
}

// storeMagazines gives a chain of magazines, whose room is reserved, to the
// depot, as far as it takes them.
//
//go:norace
func (c *core) storeMagazines(chain *magazine) {
	if chain == nil {
		return
	}
	n, bytes := c.depot.weighChain(chain)
	if n == 0 {
		c.mu.Lock()
	} else if !c.admit(n, bytes, bytes, nil) {
		c.letGo(chain)
		return
	}
	c.depot.pushChain(chain)
	c.pushed()
}

// depotAll moves a chain of magazines to the depot, and keeps their order. Either all
// are empty or none is. What the tick moves there comes from the slack of shards and
// hatches, and is no return by a user: the bound is enforced once all is there.
//
//go:norace
func (c *core) depotAll(chain *magazine) {
	c.mu.Lock()
	n, bytes := c.depot.weighChain(chain)
	c.moved(n, bytes)
	c.depot.pushChain(chain)
	c.inMags.Store(int64(c.depot.count))
	c.mu.Unlock()
}

// moved notes that the tick moves n values to the depot. The caller holds c.mu.
//
//go:norace
func (c *core) moved(n, bytes int64) {
	c.foldMade()
	c.back(n, bytes)
	if g := c.conf.Group; g != nil {
		g.idle.Add(bytes)
		g.movedBytes.Add(bytes)
		g.moved.Add(n)
	}
}

// relist has the tick visit the pool, in case it was given up as idle in the
// meantime.
//
//go:norace
func (c *core) relist() {
	if !c.listed.Load() {
		c.turn.Lock()
		enlist(c)
		c.turn.Unlock()
	}
}

// evict lets values of the given bytes go, and some more, the oldest first.
//
//go:norace
func (c *core) evict(bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := &c.depot
	if d.count == 0 {
		c.inMags.Store(0)
		return
	}
	mean := max(d.bytes/int64(d.count), 1)
	// Some more, since to look for the oldest takes time.
	c.letLeave(max(int(min((bytes+mean-1)/mean, int64(d.count))), d.count/8))
	c.dropLater()
}

// letLeave takes the n oldest values out of the depot. The caller holds c.mu.
//
//go:norace
func (c *core) letLeave(n int) {
	before := c.depot.bytes
	c.retire(c.depot.trim(n))
	c.inMags.Store(int64(c.depot.count))
	if g := c.conf.Group; g != nil {
		g.idle.Add(c.depot.bytes - before)
	}
}

// dropLater has what was retired dropped in the background. The caller holds c.mu.
//
//go:norace
func (c *core) dropLater() {
	if c.pending != nil {
		// A goroutine that is already at it may be stuck in a Drop that
		// blocks. The rest of the values need not wait for it.
		go c.dropPending()
	}
}

// trimDepot lets go what the depot does not need, or everything, and reports
// whether the depot is empty. It is called once for each tick, with whether the
// pool was used since the last.
//
//go:norace
func (c *core) trimDepot(used, everything bool) (empty bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := &c.depot
	c.procs = tickState.procs
	c.foldMade()
	c.ticks++
	c.used = c.used || used
	excess := 0
	if c.ticks >= window {
		excess = d.low
		switch {
		case !c.needed[0] && !c.needed[1] && c.conf.Group != nil && c.room.Load() == 0:
			excess = d.count
		case c.used:
			excess -= c.procs
			d.trimEmpty(1)
		default:
			d.trimEmpty(0)
		}
		c.ticks, c.used = 0, false
		c.needed = [2]bool{false, c.needed[0]}
		c.taken = [2]bool{false, c.taken[0]}
		c.wanted.Store(c.taken[1])
		c.contended.Store(false)
		c.demand.window()
		c.own.window()
	}
	if over := d.bytes - c.limit(); over > 0 {
		mean := max(d.bytes/int64(max(d.count, 1)), 1)
		excess = max(excess, int((over+mean-1)/mean))
	}
	if everything {
		excess = d.count
		d.empty, d.empties, d.lowEmpty = nil, 0, 0
	}
	if excess > 0 {
		c.letLeave(excess)
	}
	if c.ticks == 0 {
		d.low = d.count
	}
	c.dropLater()
	return d.count == 0 && c.pending == nil
}

// retire accounts for the values of a chain that leaves the pool and queues
// them for Drop. The caller holds c.mu.
//
//go:norace
func (c *core) retire(chain *magazine) {
	for chain != nil {
		m := chain
		chain = m.next
		c.account(m.slots[:m.n])
		if c.conf.Drop != nil && m.n > 0 {
			m.next = c.pending
			c.pending = m
		}
	}
}

// account takes values that leave the pool out of the books, and replaces
// entries by what they hold. The caller owns the values.
//
//go:norace
func (c *core) account(values []unsafe.Pointer) {
	c.drops.Add(int64(len(values)))
	if !c.conf.Sized {
		c.conf.Budget.release(len(values) * c.conf.Charge)
		return
	}
	for i, x := range values {
		e := (*entry)(x)
		c.bytes.Add(-int64(e.size))
		c.conf.Budget.release(e.size)
		values[i] = e.x
		// The entry goes to the collector: the pool has too many of them.
	}
}

// drainDepot takes everything out of the depot.
//
//go:norace
func (c *core) drainDepot() []unsafe.Pointer {
	c.mu.Lock()
	defer c.mu.Unlock()
	values := make([]unsafe.Pointer, 0, c.depot.count)
	if g := c.conf.Group; g != nil {
		g.idle.Add(-c.depot.bytes)
	}
	for m := c.depot.trim(c.depot.count); m != nil; m = m.next {
		for _, x := range m.slots[:m.n] {
			values = appended(values, x)
		}
	}
	c.depot.empty, c.depot.empties, c.depot.lowEmpty = nil, 0, 0
	c.inMags.Store(0)
	c.account(values)
	return values
}

// dropPending calls Drop for the queued values, one after the other.
//
//go:norace
func (c *core) dropPending() {
	race.Acquire(unsafe.Pointer(c))
	for {
		c.mu.Lock()
		m := c.pending
		if m == nil {
			c.mu.Unlock()
			return
		}
		m.n--
		x := m.slots[m.n]
		m.slots[m.n] = nil
		if m.n == 0 {
			c.pending = m.next
		}
		c.mu.Unlock()
		c.dropLogged(x)
	}
}

// dropLogged calls Drop where no caller could recover its panic. As net/http
// does for handlers, it writes the panic to the standard logger and goes on.
func (c *core) dropLogged(x unsafe.Pointer) {
	defer func() {
		if err := recover(); err != nil {
			log.Printf("spare: Drop of pool %q panicked on a value that the pool let go: %v\n%s", c.conf.Name, err, debug.Stack())
		}
	}()
	c.conf.Drop(x)
}

// dropNow calls Drop for all values on the caller's goroutine. A Drop that
// panics or ends the goroutine does not keep the others from theirs.
func (c *core) dropNow(values []unsafe.Pointer) {
	if c.conf.Drop == nil {
		return
	}
	i := 0
	defer func() {
		if i < len(values) {
			c.dropNow(values[i:])
		}
	}()
	for i < len(values) {
		x := values[i]
		i++
		c.conf.Drop(x)
	}
}

// New returns a pool.
//
// It is an object of its own, small and on the heap, so that the core can refer to
// it weakly at little cost: the runtime keeps weak references in a sorted list
// for each span of memory, and a user may have a hundred thousand pools in one array.
func New(conf Config) *Pool {
	if conf.Charge == 0 {
		conf.Charge = conf.Size
	}
	p := &Pool{Tag: conf.Tag}
	c := &core{conf: conf, owner: weak.Make(p), procs: runtime.GOMAXPROCS(0)}
	c.room.Store(c.roomFor(c.procs))
	if conf.Sized {
		c.entries = New(Config{Size: int(unsafe.Sizeof(entry{}))})
		c.small = c.smallFor(c.procs)
	} else {
		c.depot.weight = c.weight()
	}
	p.core = c
	race.ReleaseMerge(unsafe.Pointer(c)) // to dropPending
	return p
}

// quota reports whether shards hold reservations of the budget.
//
//go:norace
func (conf *Config) quota() bool { return conf.Budget != nil && !conf.Sized }

// release gives back the reservations of n values that shards or the depot had.
//
//go:norace
func (conf *Config) release(n int) {
	if n != 0 && conf.quota() {
		conf.Budget.release(n * conf.Charge)
	}
}

// putDepot is Put for a value that passes through the depot. Its user needed so many
// bytes of it; -1: all.
//
//go:norace
func (p *Pool) putDepot(c *core, x unsafe.Pointer, needed int64) bool {
	c.puts.Add(1)
	if c.conf.quota() && !c.conf.Budget.reserve(c.conf.Charge) {
		c.refused(1)
		return false
	}
	if !c.storeOne(x, needed) {
		c.drops.Add(1)
		c.conf.release(1)
		return false
	}
	return true
}

// PutNeeded is PutSlow for a value of which the user needed so many bytes.
//
//go:norace
func (p *Pool) PutNeeded(x unsafe.Pointer, needed int) bool {
	if c := p.core; c.room.Load() == 0 {
		return p.putDepot(c, x, int64(needed))
	}
	return p.PutSlow(x)
}

// Join makes p a member of its Group. It is called once, when it is clear that p is to be
// used; what others do with p before is noted all the same.
//
//go:norace
func (p *Pool) Join() { p.core.conf.Group.join(p.core) }

// Refuse counts a value that was put and not kept.
func (p *Pool) Refuse() {
	c := p.core
	c.puts.Add(1)
	c.refused(1)
}

// GetSized is Get for a Sized pool.
//
//go:norace
func (p *Pool) GetSized() unsafe.Pointer {
	e := (*entry)(p.Get())
	if e == nil {
		return nil
	}
	c := p.core
	x, size := e.x, e.size
	*e = entry{}
	c.entries.Put(unsafe.Pointer(e))
	c.conf.Budget.release(size)
	p.addBytes(-size)
	return x
}

// PutSized is Put for a Sized pool. The value holds size bytes.
//
//go:norace
func (p *Pool) PutSized(x unsafe.Pointer, size int) bool {
	c := p.core
	size = max(size, 0)
	if !c.conf.Budget.reserve(size) {
		p.Refuse()
		return false
	}
	e := (*entry)(c.entries.Get())
	if e == nil {
		e = new(entry)
	}
	e.x, e.size = x, size
	// Counted first: Stats must not see the bytes leave before they came.
	p.addBytes(size)
	if size <= c.small && c.room.Load() != 0 {
		// It goes into a shard, which refuses nothing, unless there are none any more.
		if p.Put(unsafe.Pointer(e)) {
			return true
		}
	} else if p.putDepot(c, unsafe.Pointer(e), -1) {
		return true
	}
	c.conf.Budget.release(size)
	p.addBytes(-size)
	*e = entry{}
	c.entries.Put(unsafe.Pointer(e))
	return false
}

// Stats returns what the pool did. It is exact while nobody uses the pool.
//
//go:norace
func (p *Pool) Stats() Stats {
	c := p.core
	c.turn.Lock()
	defer c.turn.Unlock()
	return c.stats()
}

// Bound corrects idle bytes above what b allows. A Budget holds at every moment; what is
// read one after the other may show a value twice that is on its way.
//
//go:norace
func (s *Stats) Bound(b *Budget) {
	if b != nil && s.IdleBytes > max(b.max, 0) {
		s.Idle = s.Idle * max(b.max, 0) / s.IdleBytes
		s.IdleBytes = max(b.max, 0)
	}
}

// Add adds t to s, field by field.
//
//go:norace
func (s *Stats) Add(t Stats) {
	s.Gets += t.Gets
	s.News += t.News
	s.Puts += t.Puts
	s.Drops += t.Drops
	s.Idle += t.Idle
	s.IdleBytes += t.IdleBytes
	s.InUse += t.InUse
	s.InUseBytes += t.InUseBytes
	s.PeakInUse += t.PeakInUse
	s.PeakInUseBytes += t.PeakInUseBytes
}

// stats completes flows, and notes a peak. The caller holds c.turn.
//
//go:norace
func (c *core) stats() Stats {
	s := c.flows()
	s.Idle = max(s.Idle, 0)
	if !c.conf.Sized {
		s.IdleBytes = s.Idle * int64(c.conf.Size)
	}
	s.IdleBytes = max(s.IdleBytes, 0)
	s.Bound(c.conf.Budget)
	size := int64(c.conf.Size)
	if c.conf.Sized {
		if size = c.unit.Load(); s.Idle > 0 {
			size = s.IdleBytes / s.Idle
		}
	}
	s.InUse = max(int64(s.Gets)-int64(s.Puts), 0)
	s.InUseBytes = s.InUse * size
	if s.InUse > c.peak.Load() {
		c.peak.Store(s.InUse)
	}
	s.PeakInUse = c.peak.Load()
	s.PeakInUseBytes = s.PeakInUse * size // the sizes of the first values show when they come back
	return s
}
