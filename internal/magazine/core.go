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

	// Tag is for the user: Pool.Tag.
	Tag int

	// Name is used in the log when Drop panics.
	Name string
}

// Stats counts what a pool did. See spare.Stats.
type Stats struct {
	Gets, News, Puts, Drops uint64
	Idle, IdleBytes         int64
}

// Add adds t to s, field by field.
func (s *Stats) Add(t Stats) {
	s.Gets += t.Gets
	s.News += t.News
	s.Puts += t.Puts
	s.Drops += t.Drops
	s.Idle += t.Idle
	s.IdleBytes += t.IdleBytes
}

// An entry is what a pool of sized values keeps in place of the value.
type entry struct {
	x    unsafe.Pointer
	size int
}

// A core is the part of a pool that the tick knows. It does not keep the Pool
// alive: when the Pool is gone, the next tick lets the values go.
type core struct {
	conf    Config
	owner   weak.Pointer[Pool]
	listed  atomic.Bool // the tick visits it
	inList  bool        // guarded by registry.mu
	entries *Pool       // spare entries of a Sized pool

	// Events outside a shard, and those of shards that are no more.
	gets, news, puts, drops, bytes atomic.Int64

	// turn is held by whoever changes the set of shards or closes and takes
	// them: the tick, Drain, and a Pool that gets or replaces its shards.
	// Never taken while pinned or with mu held.
	turn sync.Mutex
	engine

	mu     sync.Mutex // guards what follows; never taken while pinned
	depot  depot
	inMags atomic.Int64 // depot.count, to see without the lock that it is empty
	ticks  int          // ticks in the current window
	used   bool         // used in the current window

	// Values that wait for Drop in the background.
	pending *magazine
}

// fetch takes a magazine from the depot, if it has one, and leaves the caller's
// empty ones there. If the depot has plenty, fetch takes some more that are
// full, in a chain with the newest first, for the shard to keep.
//
//go:norace
func (c *core) fetch(empties *magazine) (m, more *magazine) {
	c.mu.Lock()
	d := &c.depot
	for empties != nil {
		m := empties
		empties = m.next
		d.pushEmpty(m)
	}
	m = d.popShare()
	var last *magazine
	for range shardMagazines {
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
	c.inMags.Store(int64(d.count))
	c.mu.Unlock()
	return m, more
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

// store gives the first k values of buf, whose room is reserved, to the depot.
//
//go:norace
func (c *core) store(buf *batchBuf, k int) {
	if k == 0 {
		return
	}
	c.mu.Lock()
	c.depot.push(buf, k)
	c.inMags.Store(int64(c.depot.count))
	c.mu.Unlock()
	c.relist()
}

// storeMagazines gives a chain of magazines, whose room is reserved, to the
// depot.
//
//go:norace
func (c *core) storeMagazines(chain *magazine) {
	if chain == nil {
		return
	}
	c.depotAll(chain)
	c.relist()
}

// depotAll moves a chain of magazines to the depot, and keeps their order. Either all
// are empty or none is.
//
//go:norace
func (c *core) depotAll(chain *magazine) {
	c.mu.Lock()
	c.depot.pushChain(chain)
	c.inMags.Store(int64(c.depot.count))
	c.mu.Unlock()
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

// trimDepot lets go what the depot does not need, or everything, and reports
// whether the depot is empty. It is called once for each tick, with whether the
// pool was used since the last.
//
//go:norace
func (c *core) trimDepot(used, everything bool) (empty bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := &c.depot
	c.ticks++
	c.used = c.used || used
	excess := 0
	if c.ticks >= window {
		excess = d.low
		if c.used {
			excess -= runtime.GOMAXPROCS(0)
			d.trimEmpty(1)
		} else {
			d.trimEmpty(0)
		}
		c.ticks, c.used = 0, false
	}
	if everything {
		excess = d.count
		d.empty, d.empties, d.lowEmpty = nil, 0, 0
	}
	if excess > 0 {
		c.retire(d.trim(excess))
	}
	if c.ticks == 0 {
		d.low = d.count
	}
	c.inMags.Store(int64(d.count))
	if c.pending != nil {
		// A goroutine that is already at it may be stuck in a Drop that
		// blocks. The rest of the values need not wait for it.
		go c.dropPending()
	}
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
		if c.conf.Drop != nil {
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
	c := &core{conf: conf, owner: weak.Make(p)}
	if conf.Sized {
		c.entries = New(Config{Size: int(unsafe.Sizeof(entry{}))})
	}
	p.core = c
	race.ReleaseMerge(unsafe.Pointer(c)) // to dropPending
	return p
}

// Refuse counts a value that was put and not kept.
func (p *Pool) Refuse() {
	c := p.core
	c.puts.Add(1)
	c.drops.Add(1)
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
	p.Put(unsafe.Pointer(e)) // a Sized pool refuses nothing by itself
	return true
}
