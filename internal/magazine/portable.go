// SPDX-License-Identifier: BSD-3-Clause

//go:build !(gc && go1.26 && !go1.27 && (amd64 || arm64)) || spare_portable

package magazine

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/spare-go/spare/internal/race"
)

// Portable reports which engine was built.
const Portable = true

// shardSlots is the number of values that a shard holds by itself.
const shardSlots = 2 * batch

// A Shard is a stack of values under a lock. A sync.Pool hands each P the shard
// that it had before, so that the lock is seldom contended; losing its content
// to a collection loses no value, because the core knows all shards.
type Shard struct {
	mu    sync.Mutex
	n     int
	low   int  // fewest values held since the last tick
	used  bool // since the last tick
	dead  bool // no longer the core's
	slots [shardSlots]unsafe.Pointer

	gets, puts, news uint64
}

// A Pool keeps values that are not in use. New makes one.
type Pool struct {
	Tag    int // Config.Tag
	core   *core
	nearby sync.Pool // of *Shard
}

// engine is the state of core that only this engine has.
type engine struct {
	shards atomic.Pointer[[]*Shard] // replaced under turn
	next   atomic.Uint32
}

// The fast paths of the other engine, which this one has not got: Has reports
// false, so that the others are never called.

// Pin returns 0.
func Pin() int { return 0 }

// Unpin does nothing.
func Unpin() {}

// Has reports false.
func (p *Pool) Has(int) bool { return false }

// At returns nil.
func (p *Pool) At(int) *Shard { return nil }

// Len returns 0.
func (s *Shard) Len() uint32 { return 0 }

// Floor returns 0.
func (s *Shard) Floor() uint32 { return 0 }

// Limit returns 0.
func (s *Shard) Limit() uint32 { return 0 }

// Pop returns nil.
func (s *Shard) Pop(uint32) unsafe.Pointer { return nil }

// Push does nothing.
func (s *Shard) Push(uint32, unsafe.Pointer) {}

// Sample reports false.
func (s *Shard) Sample() bool { return false }

// PopFull returns nil.
func (s *Shard) PopFull() unsafe.Pointer { return nil }

// PushFull reports false.
func (s *Shard) PushFull(unsafe.Pointer) bool { return false }

// PutSlow is Put.
func (p *Pool) PutSlow(x unsafe.Pointer) bool { return p.Put(x) }

// shard returns a shard, locked.
//
//go:norace
func (p *Pool) shard(c *core) *Shard {
	for {
		s, _ := p.nearby.Get().(*Shard)
		if s == nil {
			s = c.someShard()
		}
		s.mu.Lock()
		if !s.dead {
			s.used = true
			return s
		}
		s.mu.Unlock()
	}
}

// release unlocks s and leaves it to the next user on this P.
//
//go:norace
func (p *Pool) release(s *Shard) {
	s.mu.Unlock()
	p.nearby.Put(s)
}

// someShard returns one of the shards in turn, or a new one if there are fewer
// than Ps.
//
//go:norace
func (c *core) someShard() *Shard {
	procs := runtime.GOMAXPROCS(0)
	if list := c.shards.Load(); list != nil && len(*list) >= procs {
		return (*list)[int(c.next.Add(1))%len(*list)]
	}
	c.turn.Lock()
	defer c.turn.Unlock()
	var all []*Shard
	if list := c.shards.Load(); list != nil {
		if len(*list) >= procs {
			return (*list)[0]
		}
		for _, s := range *list {
			all = appended(all, s) // a new list: others read the old one
		}
	}
	s := new(Shard)
	all = appended(all, s)
	c.shards.Store(&all)
	enlist(c)
	return s
}

// list returns the shards.
func (c *core) list() []*Shard {
	if list := c.shards.Load(); list != nil {
		return *list
	}
	return nil
}

// Get returns a value that was put, or nil if the pool has none at hand.
//
//go:norace
func (p *Pool) Get() unsafe.Pointer { return p.GetSlow(true) }

// GetSlow is Get. If it is not to count a Get that finds nothing, the caller goes on to look
// elsewhere, and calls Miss if that is in vain.
//
//go:norace
func (p *Pool) GetSlow(counts bool) unsafe.Pointer {
	x := p.take()
	if x == nil && counts {
		p.Miss()
	}
	return x
}

// take takes a value from a shard or the depot.
//
//go:norace
func (p *Pool) take() unsafe.Pointer {
	c := p.core
	if c.room.Load() == 0 {
		x := c.fetchOne()
		if x != nil {
			c.gets.Add(1)
			c.conf.release(1)
		}
		return x
	}
	s := p.shard(c)
	x := s.pop()
	if x == nil && c.inMags.Load() != 0 {
		s.mu.Unlock()
		x = s.refill(c) // locks it again
	}
	if x == nil {
		for _, other := range c.list() {
			if other != s && other.mu.TryLock() {
				x = other.pop()
				other.mu.Unlock()
				if x != nil {
					break
				}
			}
		}
	}
	switch {
	case x == nil:
	case s.dead: // the tick was faster than refill
		c.gets.Add(1)
	default:
		s.gets++
	}
	p.release(s)
	if x != nil {
		c.conf.release(1)
	}
	return x
}

// Miss counts a Get that found nothing, after GetSlow and whatever the caller tried then.
//
//go:norace
func (p *Pool) Miss() {
	c := p.core
	if c.room.Load() == 0 {
		c.gets.Add(1)
		c.news.Add(1)
		c.flush(1)
		return
	}
	s := p.shard(c)
	s.gets++
	s.news++
	news := uint32(s.news)
	p.release(s)
	if flushes(news) {
		c.flush(news)
	}
}

// Surplus takes a value for a user who asked for so many bytes and so for another pool of
// the Group, and whom a larger value serves as well, if this pool has one that its own
// users do not need.
//
//go:norace
func (p *Pool) Surplus(asked int) unsafe.Pointer {
	c := p.core
	var x unsafe.Pointer
	if !c.contended.Load() && c.room.Load() != 0 && c.list() != nil {
		s := p.shard(c)
		if x = s.pop(); x != nil {
			s.gets++
		}
		p.release(s)
	}
	if x == nil {
		if x = c.surplus(int64(asked)); x != nil {
			c.gets.Add(1)
		}
	}
	if x != nil {
		c.conf.release(1)
	}
	return x
}

// pop removes the newest value. The caller holds s.mu.
//
//go:norace
func (s *Shard) pop() unsafe.Pointer {
	if s.n == 0 {
		return nil
	}
	s.n--
	s.low = min(s.low, s.n)
	x := s.slots[s.n]
	s.slots[s.n] = nil
	return x
}

// refill takes some values from the depot to s, and returns another. s is locked when it
// returns, and not before: nothing else is taken with it.
//
//go:norace
func (s *Shard) refill(c *core) (x unsafe.Pointer) {
	var buf batchBuf
	n := c.fetchSome(&buf, min(int(c.slots()+1)/2, batch))
	if n != 0 {
		n--
		x = buf[n]
		buf[n] = nil
	}
	s.mu.Lock()
	if s.dead || s.n+n > shardSlots {
		s.mu.Unlock()
		c.store(&buf, n)
		s.mu.Lock()
		return x
	}
	for i := range n {
		s.slots[s.n] = buf[i]
		s.n++
	}
	return x
}

// Put keeps x and reports true, or reports false if the pool has no room for
// it. What happened before Put happens before the Get that returns x.
//
//go:norace
func (p *Pool) Put(x unsafe.Pointer) bool {
	c := p.core
	if c.room.Load() == 0 {
		return p.putDepot(c, x, -1)
	}
	if c.conf.quota() && !c.conf.Budget.reserve(c.conf.Charge) {
		p.Refuse()
		return false
	}
	s := p.shard(c)
	s.puts++
	room := int(c.slots())
	if c.magazines() != 0 && c.wanted.Load() {
		room = shardSlots
	}
	var buf batchBuf
	k := 0
	if s.n >= room {
		k = (s.n + 1) / 2
		for i := range k {
			buf[i] = s.slots[i]
		}
		s.cut(k)
	}
	s.slots[s.n] = x
	s.n++
	p.release(s)
	c.store(&buf, k)
	return true
}

// cut removes the k oldest values of s, which are elsewhere by now. The caller holds
// s.mu.
//
//go:norace
func (s *Shard) cut(k int) {
	for i := range s.n {
		if i+k < s.n {
			s.slots[i] = s.slots[i+k]
		} else {
			s.slots[i] = nil
		}
	}
	s.n -= k
	s.low = min(s.low, s.n)
}

// clear moves the k oldest values of s to the depot, which cannot refuse what the tick
// brings. The caller holds s.mu and c.turn.
//
//go:norace
func (s *Shard) clear(c *core, k int) {
	var buf batchBuf
	c.mu.Lock()
	for done := 0; done < k; {
		part := min(k-done, batch)
		for i := range part {
			buf[i] = s.slots[(done + i)]
		}
		c.moved(int64(part), c.depot.weigh(buf[:part]))
		c.depot.push(&buf, part)
		done += part
	}
	c.inMags.Store(int64(c.depot.count))
	c.mu.Unlock()
	s.cut(k)
}

// tick visits the pool once in a collection cycle. owner is the Pool, if it is still
// there.
//
//go:norace
func (c *core) tick(owner *Pool, everything bool) {
	c.turn.Lock()
	defer c.turn.Unlock()
	c.stats() // it may be a peak
	used := false
	for _, s := range c.list() {
		s.mu.Lock()
		switch {
		case !s.used || everything:
			s.clear(c, s.n)
		case s.low > 0:
			s.clear(c, min(s.low, (s.n+1)/2))
		}
		used = used || s.used
		s.used = false
		s.low = s.n
		s.mu.Unlock()
	}
	empty := c.trimDepot(used, everything)
	if used || !empty {
		return
	}
	list := c.list()
	for _, s := range list {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	for _, s := range list {
		if s.used {
			return
		}
	}
	for _, s := range list {
		c.fold(s)
		s.dead = true
	}
	c.shards.Store(nil)
	c.listed.Store(false)
	if c.inMags.Load() != 0 {
		// Somebody stored a value and did not see that the pool is not listed.
		c.listed.Store(true)
	}
}

// fold adds the counters of a shard that is no more to the core's.
//
//go:norace
func (c *core) fold(s *Shard) {
	c.gets.Add(int64(s.gets))
	c.puts.Add(int64(s.puts))
	c.news.Add(int64(s.news))
	s.gets, s.puts, s.news = 0, 0, 0
}

func (p *Pool) addBytes(n int) { p.core.bytes.Add(int64(n)) }

// Drain lets go every value that is idle when it is called. It calls Drop on
// the caller's goroutine.
func (p *Pool) Drain() {
	race.Disable()
	values := p.core.drain()
	race.Enable()
	p.core.dropNow(values)
}

//go:norace
func (c *core) drain() []unsafe.Pointer {
	c.turn.Lock()
	defer c.turn.Unlock()
	for _, s := range c.list() {
		s.mu.Lock()
		s.clear(c, s.n)
		s.mu.Unlock()
	}
	return c.drainDepot()
}

// flows returns the counters of all shards, and what they hold. The caller holds
// c.turn.
//
//go:norace
func (c *core) flows() (s Stats) {
	gets, news, puts := c.gets.Load(), c.news.Load(), c.puts.Load()
	s.Drops = uint64(c.drops.Load())
	s.IdleBytes, s.Idle = c.bytes.Load(), c.inMags.Load()
	for _, shard := range c.list() {
		shard.mu.Lock()
		gets += int64(shard.gets)
		news += int64(shard.news)
		puts += int64(shard.puts)
		s.Idle += int64(shard.n)
		shard.mu.Unlock()
	}
	s.Gets, s.News, s.Puts = uint64(gets), uint64(news), uint64(puts)
	return s
}
