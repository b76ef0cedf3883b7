// SPDX-License-Identifier: BSD-3-Clause

package spare

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/magazine"
	"github.com/spare-go/spare/internal/race"
)

// A Pool keeps values of one type that are not in use, so that the next user
// need not allocate and initialize a new one.
//
// Get hands a value to the caller, who owns it alone until Put. Put gives it
// up: from then on the caller must not touch it, nor keep anything that points
// into it. A value that is not put back is no leak, the collector frees it.
//
// The zero Pool is ready for use. A Pool is safe for concurrent use and must
// not be copied after first use. Its fields must not change after first use.
//
// Put of a value happens before the Get that returns it, as does New.
//
// # What a pool keeps
//
// At every moment the idle values hold at most twice the bytes that were in use at once
// lately, and beyond that 256 KiB for each P and 2 MiB. "Lately" is the last six to twelve
// collections; the bound itself does not wait for one. A value counts as in use from its
// Get to its Put, so that values that you put without a Get stay within the slack only.
// The bound is on what the pool knows of: set Size if values own more than they are.
//
// Within the bound, values in use at the rate of the last collections stay, through any
// number of collections. What was not needed for some of them leaves, down to nothing for a
// pool that is not used: after at most fourteen collections. When the live heap nears the
// memory limit (GOMEMLIMIT), everything idle leaves at the next collection. MaxIdle bounds
// the idle bytes at all times.
//
// A pool that is no longer referenced is collected with its values, also if they or its
// callbacks refer to it. If there is a Drop, the pool calls it for them first, unless the
// values or the callbacks refer to the pool: then the values are trimmed as those of a pool
// that is not used. If a program makes more than 64 pools with a Drop between two
// collections and drops them before the second, it loses the further ones without a call.
//
// Values of up to 64 KiB wait on the P that put them, up to 64 KiB of them for each P.
// Larger ones wait where all Ps find them, at the price of a lock.
//
// # Callbacks
//
// The callbacks run outside every lock, on the caller's goroutine, except for
// Drop of values that leave with time, which runs on a goroutine of its own.
// One that panics, blocks, ends its goroutine or calls back into the pool affects its own
// call alone; the value at hand is let go if Put was to keep it. A panic in a
// Drop that has no caller is written to the standard logger.
//
// # Values that others know
//
// A value may own a goroutine, a timer or a finalizer, which goes on while it is idle. With the race
// detector, and in a checked build, a Put marks a value as written or wipes it only if there is
// no Drop and T has nothing, nor points to anything, that goroutines synchronize by: a channel, a
// Context, a type of package sync or sync/atomic, an open file, a func that is set. If others look at values
// of plain data, by the functions of sync/atomic, say, set Drop or use the types of that
// package. What is wiped gets its contents back before a finalizer runs.
//
// # When not to use a Pool
//
// A value that a function makes and drops without its escaping costs nothing:
// it lives on the stack. Small values without costly parts (some words, no
// buffer, no connection) are cheap for the allocator, too; measure before
// (spare bench). Values of unlike size pin the memory of the largest: use Slices
// or package buffer for those, or Keep. A Pool is no cache, since values have
// no names, and no limit on how many are in use.
//
// In a testing/synctest bubble, values that hold channels or timers belong to
// the bubble: let such a test have its own Pool, without a Drop that uses them.
type Pool[T any] struct {
	_       noCopy
	check   checked.Pool // these take no room in a normal build
	sharing sharing

	// New makes a value when the pool has none. If it is nil, Get returns
	// new(T). It should not return nil, which Get passes on.
	New func() *T

	// Reset, if not nil, prepares a value for its next user when it is put:
	// it drops references and clears secrets. It runs after Keep.
	Reset func(*T)

	// Keep, if not nil, looks at a value that is put, and refuses it by
	// returning false: because it grew too large, or is broken.
	Keep func(*T) bool

	// Drop, if not nil, is called exactly once for each value that the pool
	// lets go: refused by Keep or for lack of room, trimmed, drained. It
	// closes files and stops goroutines.
	Drop func(*T)

	// Size, if not nil, returns the number of bytes that a value holds while
	// idle. If it is nil, that is the size of T, without what it points to.
	// It makes Get and Put four to five times as slow.
	Size func(*T) int

	// MaxIdle bounds the bytes held idle. The pool never holds more, not even
	// for a moment. If it is 0, they are bounded by what was in use; a negative
	// MaxIdle keeps nothing.
	MaxIdle int

	// Name is the name under which All lists the pool. A pool without a name
	// is not listed.
	Name string

	mode  atomic.Uint32                 // what Put has to do
	m     atomic.Pointer[magazine.Pool] // nil before first use, and if Size is set
	keeps atomic.Pointer[magazine.Pool] // m, if all that Put has to do is to keep the value
	sized atomic.Pointer[magazine.Pool] // in place of m if Size is set
}

// The modes of Put. They are decided at first use, so that Put has one thing to
// look at.
const (
	unused     = iota // not decided yet
	plain             // keep the value
	resetFirst        // Reset it, then keep it
	keepFirst         // Keep may refuse it; then the same
	hooked            // there are Drop or Size
)

// noCopy makes vet's copylocks report copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

var _ sync.Locker = (*noCopy)(nil)

// Get returns a value that was put before, or a new one. The caller owns it.
// A value that was put comes in the state in which Reset left it.
func (p *Pool[T]) Get() *T {
	if m := p.m.Load(); m != nil && !race.Enabled && !checked.Enabled {
		if pid := magazine.Pin(); m.Has(pid) {
			s := m.At(pid)
			if n := s.Len(); n > s.Floor() {
				x := s.Pop(n)
				magazine.Unpin()
				return (*T)(x)
			}
			if x := s.PopFull(); x != nil {
				magazine.Unpin()
				return (*T)(x)
			}
		}
		magazine.Unpin()
	}
	return p.getSlow()
}

// getSlow is Get with all that can happen.
//
//go:noinline
func (p *Pool[T]) getSlow() *T {
	if p.mode.Load() == unused {
		p.init()
	}
	if race.Enabled {
		race.Disable()
	}
	var x *T
	if p.Size == nil {
		x = (*T)(p.m.Load().GetSlow(true))
	} else {
		x = (*T)(p.sized.Load().GetSized())
	}
	if race.Enabled {
		race.Enable()
		if x != nil {
			race.Acquire(unsafe.Pointer(x))
		}
	}
	if checked.Enabled {
		return getPoolChecked(p, x)
	}
	if x != nil {
		return x
	}
	if p.New != nil {
		return p.New()
	}
	return new(T)
}

// Put gives x to the pool. The caller must not use x any more. A nil x is
// ignored.
func (p *Pool[T]) Put(x *T) {
	m := p.keeps.Load()
	if x == nil {
		return
	}
	if m == nil {
		if checked.Enabled && !putPoolChecked(p, x) {
			return
		}
		if mode := p.mode.Load(); mode != plain {
			if mode != resetFirst && !p.prepare(x) {
				return
			}
			if p.Reset != nil {
				p.Reset(x)
			}
		}
		m = p.m.Load()
	}
	if m != nil && !race.Enabled && !checked.Enabled {
		if pid := magazine.Pin(); m.Has(pid) {
			s := m.At(pid)
			if n := s.Len(); n < s.Limit() {
				s.Push(n, unsafe.Pointer(x))
				magazine.Unpin()
				return
			}
			if s.PushFull(unsafe.Pointer(x)) {
				magazine.Unpin()
				return
			}
		}
		magazine.Unpin()
	}
	p.keep(x, 0)
}

// PutFrom is Put of *x, and sets *x to nil, so that a use after it comes to grief at its
// line and not in somebody else's value. A second PutFrom of the variable does nothing. It
// suits defer, which finds in the variable what is there at the end:
//
//	x := p.Get()
//	defer p.PutFrom(&x)
func (p *Pool[T]) PutFrom(x **T) {
	y := *x
	*x = nil
	p.Put(y)
}

// keep gives x to the engine. size is used if Size is set.
//
//go:noinline
func (p *Pool[T]) keep(x *T, size int) (kept bool) {
	if checked.Enabled {
		keepPoolChecked(p, x)
		defer func() {
			if !kept {
				p.check.LetGo(unsafe.Pointer(x))
			}
		}()
	}
	if race.Enabled {
		if p.Drop == nil && !p.sharing.possible(unsafe.Pointer(x)) {
			race.WriteRange(unsafe.Pointer(x), int(unsafe.Sizeof(*x)))
		}
		race.ReleaseMerge(unsafe.Pointer(x))
		race.Disable()
		defer race.Enable()
	}
	if p.Size == nil {
		return p.m.Load().PutSlow(unsafe.Pointer(x))
	}
	return p.sized.Load().PutSized(unsafe.Pointer(x), size)
}

// prepare is what Put does before Reset, where it is more than nothing. It
// reports whether Put has to go on.
//
//go:noinline
func (p *Pool[T]) prepare(x *T) bool {
	switch p.mode.Load() {
	case unused:
		p.init()
		p.Put(x)
		return false
	case keepFirst:
		if p.Keep(x) {
			return true
		}
		p.engine().Refuse()
		return false
	default:
		p.putHooked(x)
		return false
	}
}

// putHooked is Put with all callbacks. If a callback
// panics or ends the goroutine, the value is let go.
func (p *Pool[T]) putHooked(x *T) {
	kept, counted := false, false
	defer func() {
		if kept {
			return
		}
		if !counted {
			p.engine().Refuse()
		}
		if checked.Enabled {
			p.check.LetGo(unsafe.Pointer(x))
		}
		if p.Drop != nil {
			p.Drop(x)
		}
	}()
	if p.Keep != nil && !p.Keep(x) {
		return
	}
	if p.Reset != nil {
		p.Reset(x)
	}
	size := 0
	if p.Size != nil {
		size = p.Size(x)
	}
	counted = true
	kept = p.keep(x, size)
}

// engine returns the engine that holds the values, or nil.
func (p *Pool[T]) engine() *magazine.Pool {
	if p.Size == nil {
		return p.m.Load()
	}
	return p.sized.Load()
}

// init makes the engine ready and decides the mode.
func (p *Pool[T]) init() {
	var zero T
	conf := magazine.Config{
		Size:   int(unsafe.Sizeof(zero)),
		Sized:  p.Size != nil,
		Budget: magazine.NewBudget(p.MaxIdle),
		Name:   p.Name,
	}
	if drop := p.Drop; drop != nil {
		// It must not refer to p, which has to stay collectable.
		conf.Drop = func(x unsafe.Pointer) {
			race.Acquire(x)
			drop((*T)(x))
		}
	}
	learnSharing[T](&p.sharing)
	if checked.Enabled {
		initPoolChecked(p, &conf)
	}
	at := &p.m
	if p.Size != nil {
		// m stays nil, so that the fast path of Get finds nothing.
		at = &p.sized
	}
	if m := magazine.New(conf); at.CompareAndSwap(nil, m) && p.Name != "" {
		register(p.Name, m)
	}
	mode := uint32(plain)
	switch {
	case p.Drop != nil || p.Size != nil:
		mode = hooked
	case p.Keep != nil:
		mode = keepFirst
	case p.Reset != nil:
		mode = resetFirst
	}
	p.mode.Store(mode)
	if mode == plain && !checked.Enabled {
		p.keeps.Store(p.m.Load())
	}
}

// Drain lets every value go that is idle when it is called, and returns when
// Drop returned for each of them. The pool remains usable. Drain stops the
// world for some microseconds.
func (p *Pool[T]) Drain() {
	if m := p.engine(); m != nil {
		m.Drain()
	}
}

// Stats returns what the pool did since its first use. It is exact while nobody
// uses the pool.
func (p *Pool[T]) Stats() Stats {
	if m := p.engine(); m != nil {
		return Stats(m.Stats())
	}
	return Stats{}
}
