// SPDX-License-Identifier: BSD-3-Clause

package buffer

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/magazine"
	"github.com/spare-go/spare/internal/race"
	"github.com/spare-go/spare/internal/registry"
)

const (
	// minSize is the capacity that New has, and the first growth of a zero
	// Buffer if that is enough.
	minSize = 64

	// smallSize is the room inside a store, which then fills five cache lines
	// (64-bit platforms).
	smallSize = 160

	// leastArray is the capacity of the smallest array that a Buffer from Get
	// moves to.
	leastArray = 512

	// maxOwn is the capacity of the largest array that a store of Get keeps from
	// one user to the next, and maxLent that of the largest that any other keeps:
	// the engine counts the stores alone. maxOwn is also how many bytes, added up
	// over uses in a row that did not need the array, a store keeps in vain.
	maxOwn  = 8 << 10
	maxLent = 1 << 10

	// maxShard bounds the arrays of the stores that come into one magazine of a P
	// from elsewhere: such a store is put there without its array if it would be
	// beyond this, were all before it as large. So stores that are got on one P and
	// released on another do not fill the other with arrays. A store that goes
	// back to where it was got keeps its array.
	maxShard = 16 << 10

	// maxOld is the capacity of the largest array that goes back to the pool after
	// its Buffer outgrew it.
	maxOld = 1 << 20

	getName = "buffer/get"
)

// A store is memory of the pool. It is the only handle of its arrays: Buffers
// borrow them, and nothing but a store's array is ever put into arrays. A store
// is lent under its present generation, and taken back at most once under each,
// whoever holds copies of the Buffer that borrowed it.
//
// Whatever is given to a pool, or to a function that the compiler does not know,
// is loaded from a store, by way of self if it is the store itself, and never
// from a Buffer. So the compiler can see that the array of a Buffer from New
// does not get there.
type store struct {
	b Buffer // what Get returns; unused in a store that is lent to another Buffer

	self   *store
	traces checked.Traces // takes no room in a normal build

	// What Release looks at: where the memory of b begins, and how many bytes a use
	// needs so that the store may stay as it is; needAll if none does.
	base  *byte
	least uint32

	// Where Get found the store: its index in a magazine, and the P.
	pid uint16
	at  uint8

	out bool // belongs to getStores, and is b of somebody who did not release it

	recent recent
	array  []byte // a large array, with all its capacity, or nil

	// gen counts how often a store that is lent was taken back.
	gen atomic.Uint64

	// A Buffer that lies in small may move to array, but not two copies of it.
	// claim is gen+1 once one did.
	claim atomic.Uint64

	// A Buffer that outgrows a store it was lent keeps it, for copies of the
	// Buffer may see it, and gives it back with its next one.
	prev    *store
	prevGen uint64

	old *outgrown // nil in most

	lent  bool // belongs to lentStores
	again bool // checked build: released, and would have been handed out again

	_     [6]byte // so that small is aligned
	small [smallSize]byte
}

// recent says what the last uses of a store needed beyond its small memory. It
// is one word, so that it is cleared at once.
type recent struct {
	last uint16 // how large an array the last use needed, in units of 64 bytes
	want uint16 // how large an array the last two uses needed
	vain uint16 // sum of cap(array) over the last uses in a row that did not need it, in bytes
	_    uint16
}

const unit = 64

// outgrown are the arrays that the Buffer of Get outgrew. Slices of them may be
// read until Release: by whoever writes what Bytes returned in several parts, say.
type outgrown struct {
	n      int
	arrays [maxOlds][]byte
}

// maxOlds is how many arrays up to maxOld a Buffer outgrows at most, since each
// is twice as large as the last.
const maxOlds = 12

const needAll = math.MaxInt32

var (
	// arrays holds the arrays that no store has.
	arrays = spare.Slices[byte]{Name: "buffer/arrays"}

	// getStores holds the Buffers of Get. It is the engine itself, without a
	// spare.Pool around it, so that Get and Release are one call each.
	getStores = magazine.New(magazine.Config{Size: int(unsafe.Sizeof(store{})), Name: getName})
	getListed sync.Once

	// lentStores holds what other Buffers grow into. It makes no stores, so
	// that a Buffer that is not released grows as a bytes.Buffer does; Release
	// makes those that were missing.
	lentStores = spare.Pool[store]{New: func() *store { return nil }, Name: "buffer/lent"}
)

func init() {
	if checked.Enabled {
		// A store knows itself what became of it.
		checked.Exempt(unsafe.Pointer(&lentStores))
	}
}

// getSlow is Get with all that can happen.
//
// Sound: getStores holds nothing but *store.
//
//go:noinline
func getSlow() *store {
	getListed.Do(func() { registry.Register(getName, getStores) })
	if race.Enabled {
		race.Disable()
	}
	s := (*store)(getStores.Get())
	if race.Enabled {
		race.Enable()
		if s != nil {
			race.Acquire(unsafe.Pointer(s))
		}
	}
	if s == nil {
		return newStore()
	}
	if checked.Enabled {
		s = s.renew()
	}
	s.at = 0
	return s
}

// putSlow is the end of Release with all that can happen.
//
// Sound: s is a *store, as all that getStores holds, and as large as it says.
//
//go:noinline
func putSlow(s *store) {
	if race.Enabled {
		race.WriteRange(unsafe.Pointer(s), int(unsafe.Sizeof(*s)))
		race.ReleaseMerge(unsafe.Pointer(s))
		race.Disable()
		defer race.Enable()
	}
	getStores.Put(unsafe.Pointer(s))
}

// noStore is in place of the store of a Buffer that found lentStores empty.
var noStore store

func newStore() *store {
	s := new(store)
	s.self = s
	s.rewind()
	return s
}

func newLentStore() *store {
	s := new(store)
	s.self = s
	s.lent = true
	return s
}

// start makes the Buffer of s ready for its next user.
func (s *store) start() *Buffer {
	s.out = true
	if checked.Enabled {
		s.traces.Get()
	}
	b := &s.b
	b.buf = b.buf[:0]
	b.off = 0
	b.lastRead = opInvalid
	b.most = 0
	return b
}

// rewind gives the Buffer of s the store's memory, and nothing else.
func (s *store) rewind() {
	s.b.store = s.self
	if s.array == nil {
		s.b.buf = s.self.small[:0]
		s.base = &s.self.small[0]
		s.least = 0
	} else {
		s.b.buf = s.self.array[:0]
		s.setArray()
	}
}

// setArray sets what Release looks at if the Buffer of s has the array.
func (s *store) setArray() {
	s.base = unsafe.SliceData(s.self.array)
	s.least = needAll
	if size := cap(s.array); size <= maxOwn && (s.old == nil || s.old.n == 0) {
		s.least = uint32(size / 4)
	}
}

// need returns the most bytes that b held since its use began, or a little less.
func (b *Buffer) need() int { return max(int(b.most), len(b.buf)) }

// settle ends a use of s, which needed as many bytes. It decides whether the
// store keeps its large array: if the use needed a quarter of it, or did not but
// is one of few. So a load in which one use in thirty is large leaves few stores
// with an array.
//
//go:noinline
func (s *store) settle(need int) {
	s.dropOld(true)
	if checked.Enabled {
		checked.Poison(s.small[:])
		if s.array != nil {
			s.dropArray()
		}
		s.traces.Put()
		s.traces.Bury(s.self.small[:])
		return
	}
	size := cap(s.array)
	r := &s.recent
	if need >= size/4 {
		r.vain = 0
		size = min(size, 2*need, maxOld)
		if need <= maxOwn-MinRead {
			size = min(size, maxOwn) // that it can be kept
		}
		r.want = min(r.last, uint16(size/unit))
		r.last = uint16(size / unit)
	} else {
		r.last, r.want = 0, 0
		r.vain += uint16(min(size, maxOwn+1))
	}
	limit := maxOwn
	if s.lent {
		limit = maxLent
	}
	if s.array != nil && (cap(s.array) > limit || r.vain > maxOwn) {
		s.dropArray()
	}
}

// wanted returns how large an array should be for a Buffer that needs size bytes
// now.
func (s *store) wanted(size int) int { return max(size, int(s.recent.want)*unit) }

// dropArray takes the array from s. Nobody may see it any more.
func (s *store) dropArray() {
	a := s.array
	s.array = nil
	s.recent.vain = 0
	arrays.Put(a[:0])
}

// outgrow takes the array from s, which its Buffer outgrew, but keeps it where
// it is seen.
func (s *store) outgrow() {
	a := s.array
	s.array = nil
	if cap(a) == 0 || cap(a) > maxOld {
		return // to the collector, which knows who sees it
	}
	if s.old == nil {
		s.old = new(outgrown)
	}
	if n := s.old.n; n < maxOlds {
		s.old.arrays[n] = a
		s.old.n++
	}
}

// dropOld takes the arrays from s that its Buffer outgrew, and gives them to the
// pool if nobody sees them any more.
func (s *store) dropOld(unseen bool) {
	if s.old == nil {
		return
	}
	for i, a := range s.old.arrays[:s.old.n] {
		if unseen {
			arrays.Put(a[:0])
		}
		s.old.arrays[i] = nil
	}
	s.old.n = 0
}

// renew stands for s being handed out in the checked build: it returns a new
// store in its place, so that the stale users of s stay apart from the next.
func (s *store) renew() *store {
	if s.lent && s.gen.Load() == 0 {
		return s // new
	}
	if !checked.Poisoned(s.small[:]) && checked.Unreported(s.small[:]) {
		s.misuse("the memory of a Buffer was written to after its Release")
	}
	s.again = true
	if s.lent {
		return newLentStore()
	}
	return newStore()
}

// isOwn reports whether b is the Buffer of its store that Get returned, and not
// a copy of it, nor released.
func (b *Buffer) isOwn() bool {
	return b.store != nil && b == &b.store.b && b.store.out
}

// moveTo gives b a larger array of at least size bytes, and copies the unread
// bytes to its start, and p behind them. b.off is still to be corrected.
//
// What b had before is not given back, since p or a slice that is still in use
// may be a part of it.
func (b *Buffer) moveTo(size int, p []byte) {
	a := b.newArray(size)
	a = a[:cap(a)]
	n := copy(a, b.buf[b.off:])
	copy(a[n:], p)
	b.buf = a[:n]
}

// newArray returns an array of at least size bytes for b, other than that which b
// has.
func (b *Buffer) newArray(size int) []byte {
	p := b.store
	if b.isOwn() {
		a := getOwn(p.wanted(max(size, leastArray)))
		p.outgrow()
		p.array = a
		p.setArray()
		return a
	}
	if p != nil && p.lent && cap(b.buf) == smallSize && p.self.claimArray(b.gen) {
		p.reserve(p.wanted(size))
		return p.self.array
	}
	s := takeLent()
	if s == nil && p != nil && p.lent {
		// Somebody releases Buffers of this kind, probably this one too.
		s = newLentStore()
	}
	if s == nil {
		if p == nil {
			b.store = &noStore
		}
		return makeArray(size)
	}
	a := s.small[:0]
	if size > smallSize {
		s.reserve(size)
		a = s.array
	}
	if p != nil && p.lent {
		s.prev = p.self
		s.prevGen = b.gen
	}
	b.store = s
	b.gen = s.gen.Load()
	return a
}

// reserve gives s, whose array nobody sees, one of at least size bytes.
func (s *store) reserve(size int) {
	if cap(s.array) >= size {
		return
	}
	if s.array != nil {
		s.dropArray()
	}
	s.array = getOwn(size)
}

// claimArray reports whether the Buffer that s was lent to under gen may have
// the array.
func (s *store) claimArray(gen uint64) bool {
	c := s.claim.Load()
	return c <= gen && s.gen.Load() == gen && s.claim.CompareAndSwap(c, gen+1)
}

// takeLent returns a store to be lent, or nil.
func takeLent() *store {
	s := lentStores.Get()
	if checked.Enabled && s != nil {
		s = s.renew()
		s.traces.Get()
	}
	return s
}

// takeBack gives the stores that were lent to b back to the pool, unless it was
// done before through a copy of b.
func (b *Buffer) takeBack() {
	if b.store == &noStore {
		lentStores.Put(newLentStore())
		return
	}
	gen := b.gen
	var largest []byte
	for s := b.store; s != nil && s.lent; {
		if !s.self.gen.CompareAndSwap(gen, gen+1) {
			if checked.Enabled && s.again {
				s.misuse("Release of a copy of a Buffer that was released, and whose memory another Buffer may have by now")
			}
			break
		}
		if cap(largest) > cap(s.array) {
			largest, s.array = s.array, largest
		}
		t := s.self
		s, gen = s.prev, s.prevGen
		if s != nil && !checked.Enabled {
			// The largest array goes to the store that was lent first: the next
			// Buffer that is lent it, since it is put last, needs no other.
			if cap(t.array) > cap(largest) {
				largest, t.array = t.array, largest
			}
			if t.array != nil {
				t.dropArray()
			}
		}
		t.prev = nil
		t.settle(b.need())
		lentStores.Put(t)
	}
	if largest != nil {
		arrays.Put(largest[:0])
	}
}

// maxPooled is the size from which arrays are not pooled, and may be more than
// can be allocated at all.
const maxPooled = 1 << 30

func getArray(size int) []byte {
	if size > maxPooled {
		return makeArray(size)
	}
	return arrays.Get(size)
}

// getOwn is getArray for a store, which may keep the array: if it can keep one of
// that size, it does not take one that is much larger, to give it back with Release
// and take the next.
func getOwn(size int) []byte {
	a := getArray(size)
	if size <= maxOwn && cap(a) > 4*size {
		arrays.Put(a)
		a = makeArray(size)
	}
	return a
}

// makeArray returns an array of at least size bytes, as large as the allocator
// makes it for the same cost.
func makeArray(size int) []byte {
	if size > maxPooled {
		defer func() {
			if recover() != nil {
				panic(ErrTooLarge)
			}
		}()
	}
	return slices.Grow([]byte(nil), size)
}

// misuse reports what was done to a Buffer that has, or had, the store s, if any.
func (s *store) misuse(what string) {
	var stacks []checked.Section
	if s != nil && s != &noStore {
		stacks = s.traces.Sections()
	}
	checked.Report("buffer: "+what,
		"call Release once, as the last thing that is done with a Buffer, and copy or Detach what is needed for longer; do not copy a Buffer from Get",
		append(stacks, checked.Section{Title: "Misuse", Trace: checked.Callers()})...)
}

// check reports if b is used in a way that only the checked build can see.
//
// Sound: it compares pointers, and does not follow them.
func (b *Buffer) check(method string) {
	if b == nil {
		return
	}
	if b.lastRead == opReleased {
		b.store.misuse(method + " of a Buffer after its Release")
		return
	}
	s := b.store
	if s == nil || s == &noStore {
		return
	}
	if s.lent {
		if b.gen != s.self.gen.Load() {
			s.misuse(method + " of a Buffer after the Release of a copy of it")
		}
		return
	}
	if b != &s.b {
		s.misuse(method + " of a copy of a Buffer from Get")
	}
	if !s.out {
		s.misuse(method + " of a Buffer after its Release")
	}
	own := s.small[:]
	if s.array != nil {
		own = s.array
	}
	if unsafe.SliceData(b.buf) != unsafe.SliceData(own) {
		s.misuse(method + " of a Buffer from Get that was overwritten with an earlier copy of it")
	}
}
