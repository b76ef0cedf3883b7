// SPDX-License-Identifier: BSD-3-Clause

//go:build gc && go1.26 && !go1.27 && (amd64 || arm64) && !spare_portable

package magazine

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/spare-go/spare/internal/race"
)

// A Shard is the part of a pool that belongs to one P: one cache line, and the
// magazine that is in use.
type Shard struct {
	// gate bounds the owner: it may push while n < limit (the upper half) and
	// pop while n > floor (the lower half). closed and taken make both false.
	// While limit is not 0, cur is not nil.
	gate atomic.Uint32

	n        uint32 // values in cur
	reserved uint8  // values in cur that the pool's budget has room for, n among them
	fulls    uint8  // length of full
	lowFulls uint8  // fewest fulls since the shard was opened
	empties  uint8  // length of empty
	news     uint32

	gets, puts uint64

	cur   *magazine // in use; nil at first
	full  *magazine // full magazines, newest first; they bring their own reservations
	empty *magazine // for reuse

	// The last word of a long array's shards lies beside the next one's gate,
	// since the allocator puts a word before them. It is not written often.
	bytes int64 // of a Sized pool: put here less got here
}

const (
	shardSize = unsafe.Sizeof(Shard{})

	floorShift = 8
	closed     = 1 << 30
	taken      = 1 << 31
)

// gateOf returns the gate with the given limit and floor, which may have closed or
// taken in it, shifted like the floor.
func gateOf(limit, floor uint32) uint32 { return floor<<floorShift | limit }

func limitOf(gate uint32) uint32 { return gate & (1<<floorShift - 1) }
func floorOf(gate uint32) uint32 { return gate &^ (closed | taken) >> floorShift }

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

	hatches atomic.Pointer[hatches] // made when a shard has a bundle to leave there
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

// Len returns the number of values in the magazine in use.
//
//go:norace
func (s *Shard) Len() uint32 { return s.n }

// Floor is the Len above which the owner may Pop.
func (s *Shard) Floor() uint32 { return s.gate.Load() >> floorShift }

// Limit is the Len below which the owner may Push.
func (s *Shard) Limit() uint32 { return limitOf(s.gate.Load()) }

// at returns the slot with the given index, which is below batch.
func (m *magazine) at(i uint32) *unsafe.Pointer {
	return (*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(&m.slots), uintptr(i)*unsafe.Sizeof(m.slots[0])))
}

// Pop removes the newest of n values, where n is Len and above Floor.
//
//go:norace
func (s *Shard) Pop(n uint32) unsafe.Pointer {
	n--
	slot := s.cur.at(n)
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
	*s.cur.at(n) = x
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
	if m == nil || s.n != 0 || s.gate.Load() != gateOf(batch, 0) || s.reserved != 0 {
		return nil
	}
	s.full = m.next
	s.fulls--
	s.lowFulls = min(s.lowFulls, s.fulls)
	old := s.cur
	old.n = 0
	old.next = s.empty
	s.empty = old
	s.empties++
	m.next = nil
	s.cur = m
	return s.Pop(batch)
}

// PushFull pushes where n is not below Limit, if the shard has an empty magazine
// to go on with, and reports false otherwise. The caller remains pinned.
//
//go:noinline
//go:norace
func (s *Shard) PushFull(x unsafe.Pointer) bool {
	m := s.empty
	if m == nil || s.n != batch || s.fulls >= shardMagazines || s.reserved != 0 {
		return false
	}
	if g := s.gate.Load(); g != gateOf(batch, 0) {
		// The values below the floor are about to leave the magazine in use.
		if limitOf(g) != batch || !s.gate.CompareAndSwap(g, gateOf(batch, 0)) {
			return false
		}
	}
	s.empty = m.next
	s.empties--
	m.next = nil
	s.replace(m)
	s.Push(0, x)
	return true
}

// replace puts the magazine in use, which is full, with the full ones and takes
// m, which is empty, into use.
//
//go:norace
func (s *Shard) replace(m *magazine) {
	old := s.cur
	old.n = batch
	old.next = s.full
	s.full = old
	s.fulls++
	s.cur = m
	s.n = 0
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
	return p.GetSlow(true)
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

// GetSlow is Get where the shard's magazines in use and in reach do not serve. If it is not
// to count a Get that finds nothing, the caller goes on to look elsewhere, and calls Miss
// if that is in vain.
//
//go:noinline
//go:norace
func (p *Pool) GetSlow(counts bool) unsafe.Pointer {
	c := p.core
	for {
		if c.room.Load() == 0 {
			x := c.fetchOne()
			switch {
			case x != nil:
				c.gets.Add(1)
				c.conf.release(1)
			case counts:
				p.Miss()
			}
			return x
		}
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
		case s.n > floorOf(g):
			x := s.Pop(s.n)
			Unpin()
			return x
		case s.n > 0:
			// Down to the floor: the lower half is needed as well. If the
			// tick closes the gate first, the loop finds it closed.
			if s.gate.CompareAndSwap(g, gateOf(limitOf(g), 0)) {
				x := s.Pop(s.n)
				Unpin()
				return x
			}
			Unpin()
			continue
		}
		var empties *magazine
		var n uint8
		m := s.full
		if m != nil {
			s.full = m.next
			s.fulls--
			s.lowFulls = min(s.lowFulls, s.fulls)
		} else if m = c.takeFull(); m != nil {
			s.full = m.next
			s.fulls, s.lowFulls = shardMagazines-1, 0
			empties, n = s.takeEmpties(c)
		}
		if m != nil {
			s.gets++
			x, surplus := c.load(s, g, m)
			Unpin()
			c.giveEmpties(empties, n)
			c.conf.release(surplus)
			return x
		}
		if c.inMags.Load() == 0 {
			if !counts {
				Unpin()
				return nil
			}
			news := s.missed(c)
			Unpin()
			if flushes(news) {
				c.flush(news)
			}
			return nil
		}
		if c.magazines() == 0 {
			Unpin()
			x := p.getSome(c)
			if x == nil && counts {
				p.Miss()
			}
			return x
		}
		empties, n = s.takeEmpties(c)
		Unpin()
		if n == shardMagazines {
			c.giveEmpties(empties, n)
			empties = nil
		}
		x := p.getDepot(c, empties)
		if x == nil && counts {
			p.Miss()
		}
		return x
	}
}

// Miss counts a Get that found nothing, after GetSlow and whatever the caller tried then.
//
//go:norace
func (p *Pool) Miss() {
	c := p.core
	s := p.shard(Pin())
	if s == nil {
		Unpin()
		c.gets.Add(1)
		c.news.Add(1)
		c.flush(1)
		return
	}
	news := s.missed(c)
	Unpin()
	if flushes(news) {
		c.flush(news)
	}
}

// missed counts a Get that found nothing, and returns how many there were.
//
//go:norace
func (s *Shard) missed(c *core) uint32 {
	s.gets++
	s.news++
	if s.news == 1<<31 {
		c.news.Add(int64(s.news))
		s.news = 0
	}
	return s.news
}

// Surplus takes a value for a user who asked for so many bytes and so for another pool of
// the Group, and whom a larger value serves as well, if this pool has one that its own
// users do not need.
//
//go:norace
func (p *Pool) Surplus(asked int) unsafe.Pointer {
	c := p.core
	if !c.contended.Load() {
		if s := p.shard(Pin()); s != nil {
			if n := s.n; n > s.Floor() {
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
	}
	x := c.surplus(int64(asked))
	if x != nil {
		c.gets.Add(1)
		c.conf.release(1)
	}
	return x
}

// getSome is GetSlow where the magazine in use is all that a shard has: it takes some
// values from the depot.
//
//go:norace
func (p *Pool) getSome(c *core) unsafe.Pointer {
	var buf batchBuf
	n := c.fetchSome(&buf, int(c.slots()+1)/2)
	if n == 0 {
		return nil
	}
	n--
	x := buf[n]
	buf[n] = nil
	var fresh *magazine
	if n > 0 {
		fresh, _ = c.fetchEmpties(1)
	}
	freed := 1 // reservations: that of x, and those that the shard has already
	s := p.shard(Pin())
	if s == nil {
		Unpin()
		c.gets.Add(1)
	} else {
		s.gets++
		if g := s.gate.Load(); n > 0 && g&(closed|taken) == 0 && s.n == 0 {
			if s.cur == nil {
				s.cur, fresh = fresh, nil
			}
			for i := range n {
				*s.cur.at(uint32(i)) = buf[i]
				buf[i] = nil
			}
			s.n = uint32(n)
			limit := c.slots()
			if c.conf.quota() {
				reserved := max(int(s.reserved), n)
				freed += int(s.reserved) + n - reserved
				s.reserved = uint8(reserved)
				limit = uint32(reserved)
			}
			// It fails if the tick closes the shard; opening it sets the limit.
			s.gate.CompareAndSwap(g, gateOf(limit, floorOf(g)))
			n = 0
		}
		Unpin()
	}
	c.store(&buf, n) // this P has no use for them: it is not the one that asked
	c.storeMagazines(fresh)
	c.conf.release(freed)
	return x
}

// takeEmpties removes the empty magazines of s, the shard of the current P, and
// leaves them in the hatch if they are a bundle and there is room. Otherwise it
// returns them, for giveEmpties.
//
//go:norace
func (s *Shard) takeEmpties(c *core) (chain *magazine, n uint8) {
	chain, n = s.empty, s.empties
	s.empty, s.empties = nil, 0
	if n == shardMagazines {
		if h := c.hatches.Load(); h != nil && h.empty.put(chain) {
			return nil, 0
		}
	}
	return chain, n
}

// giveEmpties takes back what takeEmpties returned.
//
//go:norace
func (c *core) giveEmpties(chain *magazine, n uint8) {
	if n == shardMagazines {
		c.putBundle(&c.needHatches().empty, chain)
	} else {
		c.storeMagazines(chain)
	}
}

// getDepot takes a magazine from the depot: one value for the caller, the
// others for the P. It leaves the P's empty magazines there.
//
//go:norace
func (p *Pool) getDepot(c *core, empties *magazine) unsafe.Pointer {
	m, more := c.fetch(empties, c.magazines())
	if m == nil {
		return nil
	}
	if s := p.shard(Pin()); s != nil {
		if g := s.gate.Load(); g&(closed|taken) == 0 && s.n == 0 {
			s.gets++
			x, surplus := c.load(s, g, m)
			if s.full == nil {
				s.full = more // as many as it may keep, at most
				for ; more != nil; more = more.next {
					s.fulls++
				}
			}
			Unpin()
			c.storeMagazines(more)
			c.conf.release(surplus)
			return x
		}
	}
	Unpin()
	// This P has no use for the others: it is not the one that asked.
	c.storeMagazines(more)
	m.n--
	x := m.slots[m.n]
	m.slots[m.n] = nil
	c.gets.Add(1)
	c.conf.release(1)
	if m.n == 0 {
		m.next = nil
	}
	c.storeMagazines(m)
	return x
}

// load takes m, which is not empty, into use in s, the shard of the current P,
// which holds nothing there and whose open gate was g. It returns the newest
// value, and how many reservations became superfluous.
//
//go:norace
func (c *core) load(s *Shard, g uint32, m *magazine) (x unsafe.Pointer, surplus int) {
	k := m.n - 1
	x = m.slots[k]
	m.slots[k] = nil
	m.next = nil
	old := s.cur
	s.cur = m
	s.n = uint32(k)
	limit := c.slots()
	if c.conf.quota() {
		reserved := max(int(s.reserved), k)
		surplus = int(s.reserved) + k + 1 - reserved
		s.reserved = uint8(reserved)
		limit = uint32(reserved)
	}
	if limitOf(g) != limit {
		// It fails if the tick closes the shard; opening it sets the limit.
		s.gate.CompareAndSwap(g, gateOf(limit, floorOf(g)))
	}
	if old != nil && s.empties+s.fulls < c.magazines() {
		old.n = 0
		old.next = s.empty
		s.empty = old
		s.empties++
	}
	return x, surplus
}

// PutSlow is Put where the shard's magazines in use and in reach do not serve.
//
//go:noinline
//go:norace
func (p *Pool) PutSlow(x unsafe.Pointer) bool {
	c := p.core
	var fresh *magazine // empty ones, brought for the shard
	var more uint8      // those after the first
	for {
		// Once for each turn: grow may change it.
		room := c.room.Load()
		if room == 0 {
			return p.putDepot(c, x, -1)
		}
		slots, magazines := unpackRoom(room)
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
		case s.n < limitOf(g):
			s.Push(s.n, x)
			Unpin()
			return true
		case s.cur != nil && s.n < slots:
			// Out of reservations. More of them than asked for, so that not
			// every Put comes here.
			got := c.conf.Budget.reserveSome(c.conf.Charge, min(batch/2, int(slots-s.n)))
			if got == 0 {
				s.puts++
				c.refused(1)
				Unpin()
				return false
			}
			s.reserved += uint8(got)
			s.gate.CompareAndSwap(g, gateOf(uint32(s.reserved), floorOf(g)))
			Unpin()
			continue
		case s.cur != nil && (magazines == 0 || !c.wanted.Load()):
			// What was put longest ago makes room. With it goes its reservation.
			var buf batchBuf
			k := int(s.n+1) / 2
			s.takeBottom(&buf, k)
			if c.conf.quota() {
				s.reserved -= uint8(k)
				s.gate.CompareAndSwap(g, gateOf(uint32(s.reserved), 0))
			} else {
				s.gate.CompareAndSwap(g, gateOf(slots, 0))
			}
			Unpin()
			c.store(&buf, k)
			continue
		}
		// An empty magazine is needed: the first, or to go on with.
		m := s.empty
		switch {
		case m != nil:
			s.empty = m.next
			s.empties--
		case fresh != nil:
			m, fresh = fresh, nil
			s.empty, s.empties = m.next, more
		case s.cur == nil || s.fulls < magazines:
			Unpin()
			fresh, more = c.fetchEmpties(1)
			continue
		case magazines < shardMagazines:
			Unpin()
			fresh, more = c.fetchEmpties(int(magazines))
			continue
		default:
			// All that the shard has is full: a bundle for a bundle.
			m = c.takeEmpty()
			if m == nil {
				Unpin()
				fresh, more = c.fetchEmpties(shardMagazines)
				continue
			}
			s.empty, s.empties = m.next, shardMagazines-1
		}
		m.next = nil
		var bundle *magazine
		if s.cur == nil {
			s.cur = m
		} else {
			if s.fulls >= magazines {
				bundle = s.full
				s.full, s.fulls, s.lowFulls = nil, 0, 0
			}
			s.replace(m)
			if c.conf.quota() {
				s.reserved -= batch
			}
		}
		limit := slots
		if c.conf.quota() {
			limit = uint32(s.reserved)
		}
		opened := g == gateOf(limit, 0) || s.gate.CompareAndSwap(g, gateOf(limit, 0))
		done := opened && s.n < limit
		if done {
			s.Push(s.n, x)
		}
		small := magazines < shardMagazines
		h := c.hatches.Load()
		if bundle != nil && h != nil && !small && h.full.put(bundle) {
			bundle = nil
		}
		Unpin()
		switch {
		case bundle == nil:
		case small:
			c.storeMagazines(bundle)
		default:
			c.putBundle(&c.needHatches().full, bundle)
		}
		c.relist()
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

// takeBottom moves the k oldest values in use to buf. The caller owns the
// shard.
//
//go:norace
func (s *Shard) takeBottom(buf *batchBuf, k int) {
	if k == 0 {
		return
	}
	slots := &s.cur.slots
	for i := range k {
		buf[i] = slots[i]
	}
	n := int(s.n)
	for i := k; i < n; i++ {
		slots[i-k] = slots[i]
	}
	for i := n - k; i < n; i++ {
		slots[i] = nil
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
func (c *core) open(s *Shard, g uint32) {
	if !s.gate.CompareAndSwap(g, gateOf(0, 0)) {
		// Taken, or closed anew by a later tick.
		Unpin()
		return
	}
	// The values below the floor were not needed since the shard was last
	// opened: Puts only added above them.
	floor := min(floorOf(g), s.n)
	fulls := min(int(s.lowFulls), int(s.fulls))
	shedding := shed.Load()
	if shedding {
		floor, fulls = s.n, int(s.fulls)
	}
	var buf batchBuf
	k := int(floor)
	s.takeBottom(&buf, k)
	chain := s.takeFulls(fulls)
	s.lowFulls = s.fulls
	limit, surplus := c.slots(), 0
	if c.conf.quota() {
		surplus = int(s.reserved) - k - int(s.n)
		s.reserved = uint8(s.n)
		limit = s.n
	} else if s.cur == nil {
		limit = 0
	}
	// If a tick closed the shard in the meantime, it stays closed, and the
	// next operation comes here again.
	s.gate.CompareAndSwap(gateOf(0, 0), gateOf(limit, s.n/2))
	Unpin()
	c.conf.release(surplus)
	c.storeMagazines(chain) // older than those that were in use
	c.store(&buf, k)
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
	if c.shards != nil {
		c.retired = appended(c.retired, c.shards)
		c.shards = nil
	}
	c.room.Store(c.roomFor(procs))
	c.small = c.smallFor(procs)
	if c.room.Load() == 0 {
		// More Ps divide the Budget so that no value is left for each.
		p.size.Store(0)
		enlist(c)
		return
	}
	shards := make([]Shard, procs)
	for i := range shards {
		shards[i].gate.Store(closed)
	}
	c.shards = shards
	c.retiring = false
	p.shards.Store(&shards[0])
	p.size.Store(uintptr(procs))
	enlist(c)
}

// tick visits the pool once in a collection cycle. owner is the Pool, if it is still
// there.
//
//go:norace
func (c *core) tick(owner *Pool, everything bool) {
	c.turn.Lock()
	defer c.turn.Unlock()
	c.stats() // it may be a peak
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
				if !s.gate.CompareAndSwap(g, gateOf(0, floorOf(g))|closed) {
					continue
				}
				used, quiet = true, false
				break
			}
			if s.gate.CompareAndSwap(g, taken) {
				c.empty(s)
				s.gate.Store(closed)
			} else {
				used, quiet = true, false // the owner was faster
			}
			break
		}
	}
	c.emptyHatches()
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
	if c.inMags.Load() != 0 || c.bundles() != 0 {
		// Somebody stored a value and did not see that the pool is not listed.
		c.listed.Store(true)
	}
}

// withdraw takes all shards of an idle pool away, unless somebody uses one.
//
//go:norace
func (c *core) withdraw(p *Pool) bool {
	for i := range c.shards {
		if !c.shards[i].gate.CompareAndSwap(closed, taken) {
			for j := range i {
				c.shards[j].gate.Store(closed)
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
	c.moved(c.depot.weighChain(s.full))
	c.depot.pushChain(s.full)
	s.full = nil
	if s.cur != nil {
		var buf batchBuf
		s.takeBottom(&buf, int(held))
		c.moved(int64(held), c.depot.weigh(buf[:held]))
		c.depot.push(&buf, int(held))
		s.cur.n = 0
		c.depot.pushEmpty(s.cur)
		s.cur = nil
	}
	for m := s.empty; m != nil; m = s.empty {
		s.empty = m.next
		c.depot.pushEmpty(m)
	}
	s.fulls, s.lowFulls, s.empties = 0, 0, 0
	c.inMags.Store(int64(c.depot.count))
	if c.conf.quota() {
		c.conf.release(int(s.reserved) - int(held))
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
			if s.gate.CompareAndSwap(g, taken) {
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
			s.gate.Store(closed)
		}
	}
	c.emptyHatches()
	return c.drainDepot()
}

// flows returns the counters of all shards, and what they hold. The caller holds
// c.turn.
//
//go:norace
func (c *core) flows() (s Stats) {
	gets, news, puts := c.gets.Load(), c.news.Load(), c.puts.Load()
	s.Drops = uint64(c.drops.Load())
	s.IdleBytes = c.bytes.Load()
	s.Idle = c.inMags.Load() + int64(c.bundles())*shardMagazines*batch
	count := func(shards []Shard) {
		for i := range shards {
			t := &shards[i]
			gets += int64(atomic.LoadUint64(&t.gets))
			news += int64(atomic.LoadUint32(&t.news))
			puts += int64(atomic.LoadUint64(&t.puts))
			s.IdleBytes += atomic.LoadInt64(&t.bytes)
			s.Idle += int64(atomic.LoadUint32(&t.n)) + int64(t.fulls)*batch
		}
	}
	count(c.shards)
	for _, old := range c.retired {
		count(old)
	}
	for _, old := range c.resting {
		count(old)
	}
	s.Gets, s.News, s.Puts = uint64(gets), uint64(news), uint64(puts)
	return s
}
