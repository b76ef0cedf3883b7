// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.26 && !go1.27 && (amd64 || arm64) && !spare_portable

package magazine

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/spare-go/spare/internal/race"
)

// shardSlots is the number of values that a shard holds by itself.
const shardSlots = 2 * batch

// A Shard is the part of a pool that belongs to one P: five cache lines, of
// which a load that keeps few values out touches two.
type Shard struct {
	// gate bounds the owner: it may push while n < limit (the upper half) and
	// pop while n > floor (the lower half). closed and taken make both false.
	gate atomic.Uint64

	n        uint32 // values in slots
	reserved uint8  // values in slots that the pool's budget has room for, n among them
	fulls    uint8  // length of full
	lowFulls uint8  // fewest fulls since the shard was opened
	empties  uint8  // length of empty

	gets, puts, news uint64

	full  *magazine // full magazines, newest first; they bring their own reservations
	empty *magazine // for reuse

	slots [shardSlots]unsafe.Pointer

	bytes int64 // of a Sized pool: put here less got here
}

const (
	shardSize = unsafe.Sizeof(Shard{})

	closed    = 1 << 30 // beside the floor
	taken     = 1 << 31
	floorMask = closed - 1
)

func gateOf(limit, floor uint32) uint64 { return uint64(limit)<<32 | uint64(floor) }

// A Pool keeps values that are not in use. New makes one.
type Pool struct {
	Tag    int            // Config.Tag; near, because each use reads what follows
	size   atomic.Uintptr // length of shards
	shards atomic.Pointer[Shard]
	core   *core

	// A cache line of its own: every use reads it, and whatever lay beside it
	// might be written to all the time.
	_ [64 - 4*8]byte
}

// engine is the state of core that only this engine has, guarded by turn.
type engine struct {
	shards   []Shard
	retired  [][]Shard // replaced when GOMAXPROCS grew; read after the next tick
	resting  [][]Shard // retired before the last tick: nobody reaches them any more
	retiring bool      // size is 0, shards goes with the next tick
}

// Pin pins the caller to its P and returns the P's number. The caller must
// Unpin before anything that may block, and soon.
//
// The functions down to Push are Get and Put in parts that are small enough to
// be inlined into the generic methods; a call less in each saves a tenth of
// their time. See also inline.go in package spare.
func Pin() int { return procPin() }

// Unpin ends what Pin began.
func Unpin() { procUnpin() }

// Has reports whether the P with the given number has a shard.
//
// size is stored after shards when an array is published, so that a size that
// covers pid is never followed by an older, shorter array. It is stored before
// shards when an array is withdrawn, with a tick between the two: nobody who saw
// the old size is still pinned when shards becomes nil. A withdrawn array can be
// followed by a shorter one only if GOMAXPROCS sank, which stops the world.
func (p *Pool) Has(pid int) bool { return uintptr(pid) < p.size.Load() }

// At returns the shard of the P that the caller is pinned to, if it has one.
//
//go:norace
func (p *Pool) At(pid int) *Shard {
	return (*Shard)(unsafe.Add(unsafe.Pointer(p.shards.Load()), uintptr(pid)*shardSize))
}

// shard returns the shard of the P that the caller is pinned to, or nil.
func (p *Pool) shard(pid int) *Shard {
	if p.Has(pid) {
		return p.At(pid)
	}
	return nil
}

// Len returns the number of values in the shard.
//
//go:norace
func (s *Shard) Len() uint32 { return s.n }

// Floor is the Len above which the owner may Pop.
func (s *Shard) Floor() uint32 { return uint32(s.gate.Load()) }

// Limit is the Len below which the owner may Push.
func (s *Shard) Limit() uint32 { return uint32(s.gate.Load() >> 32) }

// Pop removes the newest of n values, where n is Len and above Floor.
//
//go:norace
func (s *Shard) Pop(n uint32) unsafe.Pointer {
	n--
	slot := &s.slots[n%shardSlots]
	x := *slot
	*slot = nil
	s.n = n
	s.gets++
	return x
}

// Push adds x to n values, where n is Len and below Limit.
//
//go:norace
func (s *Shard) Push(n uint32, x unsafe.Pointer) {
	s.slots[n%shardSlots] = x
	s.n = n + 1
	s.puts++
}

// Sample is true for one Push in eight.
//
//go:norace
func (s *Shard) Sample() bool { return s.puts%8 == 0 }

// PopFull pops where n is not above Floor, if the shard keeps a full magazine,
// and returns nil otherwise. The caller remains pinned.
//
//go:noinline
//go:norace
func (s *Shard) PopFull() unsafe.Pointer {
	m := s.full
	if m == nil || s.n != 0 || s.gate.Load() != gateOf(shardSlots, 0) || s.reserved != 0 {
		return nil
	}
	s.full = m.next
	s.fulls--
	s.lowFulls = min(s.lowFulls, s.fulls)
	s.gets++
	x := m.slots[batch-1]
	*(*batchBuf)(s.slots[:batch]) = m.slots
	s.slots[batch-1] = nil // after the copy: a wide load of what a store has just split stalls
	s.n = batch - 1
	m.slots = batchBuf{}
	m.n = 0
	m.next = nil
	if s.empties <= shardMagazines {
		m.next = s.empty
		s.empty = m
		s.empties++
	}
	return x
}

// PushFull pushes where n is not below Limit, if the shard can keep its older
// half in a magazine, and reports false otherwise. The caller remains pinned.
//
//go:noinline
//go:norace
func (s *Shard) PushFull(x unsafe.Pointer) bool {
	m := s.empty
	if m == nil || s.n != shardSlots || s.fulls >= shardMagazines || s.reserved != 0 {
		return false
	}
	if g := s.gate.Load(); g != gateOf(shardSlots, 0) {
		// The values below the floor are about to leave the slots.
		if g>>32 != shardSlots || !s.gate.CompareAndSwap(g, gateOf(shardSlots, 0)) {
			return false
		}
	}
	s.empty = m.next
	s.empties--
	s.halve(m)
	m.next = s.full
	s.full = m
	s.fulls++
	s.Push(s.n, x)
	return true
}

// halve moves the older half of full slots to m, which is empty.
//
//go:norace
func (s *Shard) halve(m *magazine) {
	lower, upper := (*batchBuf)(s.slots[:batch]), (*batchBuf)(s.slots[batch:])
	m.slots = *lower
	m.n = batch
	for i := range lower {
		lower[i] = upper[i] // one by one: the newest may still be in the store buffer
	}
	*upper = batchBuf{}
	s.n = batch
}

// Get returns a value that was put, or nil if the pool has none at hand.
func (p *Pool) Get() unsafe.Pointer {
	if pid := Pin(); p.Has(pid) {
		s := p.At(pid)
		if n := s.Len(); n > s.Floor() {
			x := s.Pop(n)
			Unpin()
			return x
		}
		if x := s.PopFull(); x != nil {
			Unpin()
			return x
		}
	}
	Unpin()
	return p.GetSlow()
}

// Put keeps x and reports true, or reports false if the pool has no room for
// it. What happened before Put happens before the Get that returns x.
func (p *Pool) Put(x unsafe.Pointer) bool {
	if pid := Pin(); p.Has(pid) {
		s := p.At(pid)
		if n := s.Len(); n < s.Limit() {
			s.Push(n, x)
			Unpin()
			return true
		}
		if s.PushFull(x) {
			Unpin()
			return true
		}
	}
	Unpin()
	return p.PutSlow(x)
}

// GetSlow is Get where the shard's slots do not serve.
//
//go:noinline
//go:norace
func (p *Pool) GetSlow() unsafe.Pointer {
	c := p.core
	for {
		s := p.shard(Pin())
		if s == nil {
			Unpin()
			p.grow(c)
			continue
		}
		g := s.gate.Load()
		switch {
		case g&taken != 0:
			Unpin()
			c.wait()
			continue
		case g&closed != 0:
			c.open(s, g) // unpins
			continue
		case s.n > uint32(g):
			x := s.Pop(s.n)
			Unpin()
			return x
		case s.n > 0:
			// Down to the floor: the lower half is needed as well. If the
			// tick closes the gate first, the loop finds it closed.
			if s.gate.CompareAndSwap(g, g&^floorMask) {
				x := s.Pop(s.n)
				Unpin()
				return x
			}
			Unpin()
			continue
		}
		s.gets++
		if m := s.full; m != nil {
			s.full = m.next
			m.next = nil
			s.fulls--
			s.lowFulls = min(s.lowFulls, s.fulls)
			x, surplus := c.load(s, g, m)
			Unpin()
			c.conf.Budget.release(surplus * c.conf.Charge)
			return x
		}
		if c.inMags.Load() == 0 {
			s.news++
			Unpin()
			return nil
		}
		empties := s.empty
		s.empty, s.empties = nil, 0
		Unpin()
		return p.getDepot(c, empties)
	}
}

// getDepot takes a magazine from the depot: one value for the caller, the
// others for the P. It leaves the P's empty magazines there.
//
//go:norace
func (p *Pool) getDepot(c *core, empties *magazine) unsafe.Pointer {
	m, more := c.fetch(empties)
	if m == nil {
		c.news.Add(1)
		return nil
	}
	if s := p.shard(Pin()); s != nil {
		if g := s.gate.Load(); g&(closed|taken) == 0 && s.n == 0 {
			x, surplus := c.load(s, g, m)
			for more != nil && s.fulls < shardMagazines {
				m, more = more, more.next
				m.next = s.full
				s.full = m
				s.fulls++
			}
			Unpin()
			c.storeMagazines(more)
			c.conf.Budget.release(surplus * c.conf.Charge)
			return x
		}
	}
	Unpin()
	// This P has no use for the others: it is not the one that asked.
	c.storeMagazines(more)
	m.n--
	x := m.slots[m.n%batch]
	m.slots[m.n%batch] = nil
	if c.conf.quota() {
		c.conf.Budget.release(c.conf.Charge)
	}
	c.storeMagazines(m)
	return x
}

// quota reports whether shards hold reservations of the budget.
func (conf *Config) quota() bool { return conf.Budget != nil && !conf.Sized }

// load moves the values of m to the empty slots of s, the shard of the current
// P, whose open gate was g, but for the newest, which it returns. It returns as
// well how many reservations became superfluous.
//
//go:norace
func (c *core) load(s *Shard, g uint64, m *magazine) (x unsafe.Pointer, surplus int) {
	k := m.n - 1
	x = m.slots[k%batch]
	*(*batchBuf)(s.slots[:batch]) = m.slots
	s.slots[k%batch] = nil
	m.slots = batchBuf{}
	m.n = 0
	s.n = uint32(k)
	if c.conf.quota() {
		reserved := max(int(s.reserved), k)
		surplus = int(s.reserved) + k + 1 - reserved
		s.reserved = uint8(reserved)
		// It fails if the tick closes the shard; opening it sets the limit.
		s.gate.CompareAndSwap(g, gateOf(uint32(reserved), uint32(g)))
	}
	if s.empties <= shardMagazines { // as many as fetch brings
		m.next = s.empty
		s.empty = m
		s.empties++
	}
	return x, surplus
}

// PutSlow is Put where the shard's slots do not serve.
//
//go:noinline
//go:norace
func (p *Pool) PutSlow(x unsafe.Pointer) bool {
	c := p.core
	var fresh *magazine // empty ones, brought for the shard
	for {
		s := p.shard(Pin())
		if s == nil {
			Unpin()
			p.grow(c)
			continue
		}
		g := s.gate.Load()
		switch {
		case g&taken != 0:
			Unpin()
			c.wait()
			continue
		case g&closed != 0:
			c.open(s, g) // unpins
			continue
		case s.n < uint32(g>>32):
			s.Push(s.n, x)
			Unpin()
			return true
		case s.n < shardSlots:
			// Out of reservations. More of them than asked for, so that not
			// every Put comes here.
			got := c.conf.Budget.reserveSome(c.conf.Charge, min(batch/2, shardSlots-int(s.n)))
			if got == 0 {
				s.puts++
				c.drops.Add(1)
				Unpin()
				return false
			}
			s.reserved += uint8(got)
			s.gate.CompareAndSwap(g, gateOf(uint32(s.reserved), uint32(g)))
			Unpin()
			continue
		}
		// Full: the older half goes to a magazine.
		m := s.empty
		if m == nil && fresh == nil {
			Unpin()
			fresh = c.fetchEmpties()
			continue
		}
		if m == nil {
			m, s.empty, fresh = fresh, fresh.next, nil
			for e := s.empty; e != nil; e = e.next {
				s.empties++
			}
		} else {
			s.empty = m.next
			s.empties--
		}
		s.halve(m)
		limit := uint32(shardSlots)
		if c.conf.quota() {
			s.reserved -= batch
			limit = uint32(s.reserved)
		}
		opened := g == gateOf(limit, 0) || s.gate.CompareAndSwap(g, gateOf(limit, 0))
		m.next = s.full
		if s.fulls < shardMagazines {
			s.full = m
			s.fulls++
			m = nil
		} else {
			// One lock for all of them.
			s.full, s.fulls, s.lowFulls = nil, 0, 0
		}
		done := opened && s.n < limit
		if done {
			s.Push(s.n, x)
		}
		Unpin()
		c.storeMagazines(m)
		if done {
			return true
		}
	}
}

// wait returns when whoever took a shard has emptied it. It is a matter of
// moving some values; to go on without waiting would miss values that are there.
//
//go:norace
func (c *core) wait() {
	c.turn.Lock()
	c.turn.Unlock()
}

// takeBottom moves the k oldest values in the slots to buf. The caller owns the
// shard.
//
//go:norace
func (s *Shard) takeBottom(buf *batchBuf, k int) {
	for i := range k {
		buf[i%batch] = s.slots[i%shardSlots]
	}
	n := int(s.n)
	for i := k; i < n; i++ {
		s.slots[(i-k)%shardSlots] = s.slots[i%shardSlots]
	}
	for i := n - k; i < n; i++ {
		s.slots[i%shardSlots] = nil
	}
	s.n = uint32(n - k)
}

// takeFulls removes the k oldest full magazines and returns them in a chain. The
// caller owns the shard.
//
//go:norace
func (s *Shard) takeFulls(k int) *magazine {
	if k == 0 {
		return nil
	}
	last := &s.full
	for range int(s.fulls) - k {
		last = &(*last).next
	}
	chain := *last
	*last = nil
	s.fulls -= uint8(k)
	return chain
}

// open reopens the shard of the current P, whose gate was found closed, and
// moves to the depot what the last cycle showed to be too much, or everything
// if memory is short. The caller is pinned; open unpins.
//
//go:norace
func (c *core) open(s *Shard, g uint64) {
	if !s.gate.CompareAndSwap(g, gateOf(0, 0)) {
		// Taken, or closed anew by a later tick.
		Unpin()
		return
	}
	// The values below the floor were not needed since the shard was last
	// opened: Puts only added above them. They are batch at most.
	floor := min(uint32(g)&floorMask, s.n)
	fulls := min(int(s.lowFulls), int(s.fulls))
	shedding := shed.Load()
	if shedding {
		floor, fulls = s.n, int(s.fulls)
	}
	var buf, more batchBuf
	k := min(int(floor), batch)
	if k > 0 {
		s.takeBottom(&buf, k)
	}
	k2 := int(floor) - k
	if k2 > 0 {
		s.takeBottom(&more, k2)
	}
	chain := s.takeFulls(fulls)
	s.lowFulls = s.fulls
	limit, surplus := uint32(shardSlots), 0
	if c.conf.quota() {
		reserved := int(s.reserved) - int(floor)
		surplus = reserved - int(s.n)
		s.reserved = uint8(s.n)
		limit = s.n
	}
	// If a tick closed the shard in the meantime, it stays closed, and the
	// next operation comes here again.
	s.gate.CompareAndSwap(gateOf(0, 0), gateOf(limit, s.n/2))
	Unpin()
	c.conf.Budget.release(surplus * c.conf.Charge)
	c.store(&buf, k)
	c.store(&more, k2)
	c.storeMagazines(chain)
}

// grow gives p shards for all Ps that there are now.
//
//go:norace
func (p *Pool) grow(c *core) {
	c.turn.Lock()
	defer c.turn.Unlock()
	procs := runtime.GOMAXPROCS(0)
	if p.size.Load() >= uintptr(procs) {
		return
	}
	shards := make([]Shard, procs)
	for i := range shards {
		shards[i].gate.Store(gateOf(0, closed))
	}
	if c.shards != nil {
		c.retired = appended(c.retired, c.shards)
	}
	c.shards = shards
	c.retiring = false
	p.shards.Store(&shards[0])
	p.size.Store(uintptr(procs))
	enlist(c)
}

// tick visits the pool once in a collection cycle.
//
//go:norace
func (c *core) tick(everything bool) {
	c.turn.Lock()
	defer c.turn.Unlock()
	owner := c.owner.Value()
	if c.retiring {
		// size has been 0 since the last tick.
		c.retiring = false
		if owner != nil {
			owner.shards.Store(nil)
		}
		c.fold(c.shards)
		c.shards = nil
	}
	for _, old := range c.resting {
		for i := range old {
			c.empty(&old[i])
		}
		c.fold(old)
	}
	c.resting, c.retired = c.retired, nil

	used, quiet := false, true
	for i := range c.shards {
		s := &c.shards[i]
		for {
			g := s.gate.Load()
			if g&closed == 0 && owner != nil {
				if !s.gate.CompareAndSwap(g, gateOf(0, uint32(g)&floorMask|closed)) {
					continue
				}
				used, quiet = true, false
				break
			}
			if s.gate.CompareAndSwap(g, gateOf(0, taken)) {
				c.empty(s)
				s.gate.Store(gateOf(0, closed))
			} else {
				used, quiet = true, false // the owner was faster
			}
			break
		}
	}
	empty := c.trimDepot(used, everything || owner == nil)
	if !quiet || !empty || c.resting != nil {
		return
	}
	if c.shards != nil {
		if owner == nil || c.withdraw(owner) {
			c.retiring = true
		}
		return
	}
	c.listed.Store(false)
	if c.inMags.Load() != 0 {
		// Somebody stored a value and did not see that the pool is not listed.
		c.listed.Store(true)
	}
}

// withdraw takes all shards of an idle pool away, unless somebody uses one.
//
//go:norace
func (c *core) withdraw(p *Pool) bool {
	for i := range c.shards {
		if !c.shards[i].gate.CompareAndSwap(gateOf(0, closed), gateOf(0, taken)) {
			for j := range i {
				c.shards[j].gate.Store(gateOf(0, closed))
			}
			return false
		}
	}
	p.size.Store(0)
	return true
}

// empty moves what a shard holds to the depot, with its reservations. The
// caller owns the shard.
//
//go:norace
func (c *core) empty(s *Shard) {
	c.mu.Lock()
	defer c.mu.Unlock()
	held := s.n
	var buf batchBuf
	for s.n > 0 {
		k := min(int(s.n), batch)
		s.takeBottom(&buf, k)
		c.depot.push(&buf, k)
	}
	for m := s.full; m != nil; m = s.full {
		s.full = m.next
		c.depot.pushMagazine(m)
	}
	for m := s.empty; m != nil; m = s.empty {
		s.empty = m.next
		c.depot.pushEmpty(m)
	}
	s.fulls, s.lowFulls, s.empties = 0, 0, 0
	c.inMags.Store(int64(c.depot.count))
	if c.conf.quota() {
		c.conf.Budget.release((int(s.reserved) - int(held)) * c.conf.Charge)
		s.reserved = 0
	}
}

// fold adds the counters of shards that are no more to the core's.
//
//go:norace
func (c *core) fold(shards []Shard) {
	for i := range shards {
		s := &shards[i]
		c.gets.Add(int64(s.gets))
		c.news.Add(int64(s.news))
		c.puts.Add(int64(s.puts))
		c.bytes.Add(s.bytes)
		s.gets, s.news, s.puts, s.bytes = 0, 0, 0, 0
	}
}

//go:norace
func (p *Pool) addBytes(n int) {
	if s := p.shard(Pin()); s != nil && s.gate.Load()&(closed|taken) == 0 {
		s.bytes += int64(n)
		Unpin()
		return
	}
	Unpin()
	p.core.bytes.Add(int64(n))
}

// Drain lets go every value that is idle when it is called. It stops the world
// for a moment, after a collection that is under way, and calls Drop on the
// caller's goroutine.
func (p *Pool) Drain() {
	race.Disable()
	values := p.drain(p.core)
	race.Enable()
	p.core.dropNow(values)
}

//go:norace
func (p *Pool) drain(c *core) []unsafe.Pointer {
	c.turn.Lock()
	defer c.turn.Unlock()
	for i := range c.shards {
		s := &c.shards[i]
		for {
			g := s.gate.Load()
			if s.gate.CompareAndSwap(g, gateOf(0, taken)) {
				break
			}
		}
	}
	if len(c.shards)+len(c.retired)+len(c.resting) > 0 {
		// Whoever saw an open gate, or a replaced array, is unpinned when the
		// world has stopped.
		var ms runtime.MemStats
		runtime.ReadMemStats(&ms)
	}
	for _, replaced := range [...][][]Shard{c.retired, c.resting} {
		for _, old := range replaced {
			for i := range old {
				c.empty(&old[i])
			}
			c.fold(old)
		}
	}
	c.retired, c.resting = nil, nil
	for i := range c.shards {
		s := &c.shards[i]
		c.empty(s)
		if !c.retiring {
			s.gate.Store(gateOf(0, closed))
		}
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
	count := func(shards []Shard) {
		for i := range shards {
			s := &shards[i]
			gets += int64(atomic.LoadUint64(&s.gets))
			news += int64(atomic.LoadUint64(&s.news))
			puts += int64(atomic.LoadUint64(&s.puts))
			bytes += atomic.LoadInt64(&s.bytes)
			idle += int64(atomic.LoadUint32(&s.n)) + int64(s.fulls)*batch
		}
	}
	count(c.shards)
	for _, old := range c.retired {
		count(old)
	}
	for _, old := range c.resting {
		count(old)
	}
	if !c.conf.Sized {
		bytes = idle * int64(c.conf.Size)
	}
	return Stats{
		Gets: uint64(gets), News: uint64(news), Puts: uint64(puts), Drops: uint64(drops),
		Idle: max(idle, 0), IdleBytes: max(bytes, 0),
	}
}
