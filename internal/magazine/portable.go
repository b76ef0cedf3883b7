// SPDX-License-Identifier: BSD-3-Clause

//go:build !(go1.26 && !go1.27 && (amd64 || arm64)) || spare_portable

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

// GetSlow is Get.
func (p *Pool) GetSlow() unsafe.Pointer { return p.Get() }

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
func (p *Pool) Get() unsafe.Pointer {
	c := p.core
	s := p.shard(c)
	s.gets++
	x := s.pop()
	if x == nil && c.inMags.Load() != 0 {
		if m, more := c.fetch(nil); m != nil {
			m.n--
			x = m.slots[m.n]
			m.slots[m.n] = nil
			for m.n > 0 {
				m.n--
				s.slots[s.n] = m.slots[m.n]
				m.slots[m.n] = nil
				s.n++
			}
			s.low = 0
			c.returnMore(m, more)
		}
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
	if x == nil {
		s.news++
	}
	p.release(s)
	if x != nil && !c.conf.Sized {
		c.conf.Budget.release(c.conf.Charge)
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

// returnMore gives an emptied magazine, and the full ones that came with it, back
// to the depot. The caller holds the lock of a shard in use, so that the pool is
// not given up as idle.
//
//go:norace
func (c *core) returnMore(m, more *magazine) {
	c.mu.Lock()
	c.depot.pushEmpty(m)
	c.depot.pushChain(more)
	c.inMags.Store(int64(c.depot.count))
	c.mu.Unlock()
}

// Put keeps x and reports true, or reports false if the pool has no room for
// it. What happened before Put happens before the Get that returns x.
//
//go:norace
func (p *Pool) Put(x unsafe.Pointer) bool {
	c := p.core
	if !c.conf.Sized && !c.conf.Budget.reserve(c.conf.Charge) {
		p.Refuse()
		return false
	}
	s := p.shard(c)
	s.puts++
	if s.n == shardSlots {
		s.spill(c, batch)
	}
	s.slots[s.n] = x
	s.n++
	p.release(s)
	return true
}

// spill moves the k oldest values of s to the depot. The caller holds s.mu.
//
//go:norace
func (s *Shard) spill(c *core, k int) {
	var buf batchBuf
	c.mu.Lock()
	defer c.mu.Unlock()
	for done := 0; done < k; {
		part := min(k-done, batch)
		for i := range part {
			buf[i] = s.slots[(done + i)]
		}
		c.depot.push(&buf, part)
		done += part
	}
	for i := range s.n {
		if i+k < s.n {
			s.slots[i] = s.slots[i+k]
		} else {
			s.slots[i] = nil
		}
	}
	s.n -= k
	s.low = min(s.low, s.n)
	c.inMags.Store(int64(c.depot.count))
}

// tick visits the pool once in a collection cycle.
//
//go:norace
func (c *core) tick(everything bool) {
	c.turn.Lock()
	defer c.turn.Unlock()
	everything = everything || c.owner.Value() == nil
	used := false
	for _, s := range c.list() {
		s.mu.Lock()
		switch {
		case !s.used || everything:
			s.spill(c, s.n)
		case s.low > 0:
			s.spill(c, min(s.low, (s.n+1)/2))
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
		s.spill(c, s.n)
		s.mu.Unlock()
	}
	return c.drainDepot()
}

// Stats returns what the pool did. It is exact while nobody uses the pool.
//
//go:norace
func (p *Pool) Stats() Stats {
	c := p.core
	c.turn.Lock()
	defer c.turn.Unlock()
	gets, news, puts, drops := c.gets.Load(), c.news.Load(), c.puts.Load(), c.drops.Load()
	bytes, idle := c.bytes.Load(), c.inMags.Load()
	for _, s := range c.list() {
		s.mu.Lock()
		gets += int64(s.gets)
		news += int64(s.news)
		puts += int64(s.puts)
		idle += int64(s.n)
		s.mu.Unlock()
	}
	if !c.conf.Sized {
		bytes = idle * int64(c.conf.Size)
	}
	return Stats{
		Gets: uint64(gets), News: uint64(news), Puts: uint64(puts), Drops: uint64(drops),
		Idle: max(idle, 0), IdleBytes: max(bytes, 0),
	}
}
