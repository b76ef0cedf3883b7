// SPDX-License-Identifier: BSD-3-Clause

package buffer

import (
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

	// smallSize is the room inside a store, which then fills the allocator's
	// class of 256 bytes.
	smallSize = 128

	// A store keeps its large array from one user to the next after this many
	// uses in a row that needed it. A load in which one use in thirty is large
	// practically never gets there, and one that is always large is there at
	// once.
	keepAfter = 4

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

	// gen counts how often a store that is lent was taken back.
	gen atomic.Uint64

	// A Buffer that outgrows a store it was lent keeps it, for copies of the
	// Buffer may see it, and gives it back with its next one.
	prev    *store
	prevGen uint64

	array []byte // a large array, with all its capacity, or nil

	// A Buffer that lies in small may move to array, but not two copies of it.
	// claim is gen+1 once one did.
	claim atomic.Uint64

	uses  uint8 // uses in a row that needed array, up to keepAfter
	out   bool  // belongs to getStores, and is b of somebody who did not release it
	full  bool  // this use needs array
	lent  bool  // belongs to lentStores
	again bool  // checked build: released, and would have been handed out again

	_     [3]byte // so that small is aligned to its size
	small [smallSize]byte
}

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
	return b
}

// rewind gives the Buffer of s the store's memory, and nothing else. Of a large
// array it gives a quarter, so that the Buffer has to ask for the rest.
func (s *store) rewind() {
	s.b.store = s.self
	if s.array == nil {
		s.b.buf = s.self.small[:0]
	} else {
		s.b.buf = s.self.array[: 0 : cap(s.array)/4]
	}
}

// settle ends a use of s. It decides whether the store keeps its large array.
func (s *store) settle() {
	if checked.Enabled {
		checked.Poison(s.small[:])
		if s.array != nil {
			s.dropArray()
		}
		s.traces.Put()
		return
	}
	if s.full {
		s.full = false
		s.uses = min(s.uses+1, keepAfter)
	} else {
		s.uses = 0
	}
	if s.array != nil && s.uses < keepAfter {
		s.dropArray()
	}
}

// dropArray takes the array from s. Nobody may see it any more.
func (s *store) dropArray() {
	a := s.array
	s.array = nil
	arrays.Put(a[:0])
}

// renew stands for s being handed out in the checked build: it returns a new
// store in its place, so that the stale users of s stay apart from the next.
func (s *store) renew() *store {
	if s.lent && s.gen.Load() == 0 {
		return s // new
	}
	if !checked.Poisoned(s.small[:]) {
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

// moveTo gives b a larger array of at least size bytes, and moves the unread
// bytes to its start. b.off is still to be corrected.
func (b *Buffer) moveTo(size int) {
	data := b.buf[b.off:]
	if b.isOwn() {
		s := b.store
		s.full = true
		old := s.array
		if cap(old) > cap(b.buf) && cap(old) >= size {
			// b had but a quarter of it.
			a := s.self.array
			b.buf = a[:copy(a[:cap(a)], data)]
			return
		}
		a := getArray(size)
		n := copy(a[:cap(a)], data)
		if old != nil {
			s.dropArray()
		}
		s.array = a
		b.buf = a[:n]
		return
	}
	p := b.store
	if p != nil && p.lent && size <= cap(p.array) && cap(b.buf) == smallSize && p.self.claimArray(b.gen) {
		p.full = size >= cap(p.array)/4
		a := p.self.array
		b.buf = a[:copy(a[:cap(a)], data)]
		return
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
		a := makeArray(size)
		b.buf = a[:copy(a[:cap(a)], data)]
		return
	}
	var a []byte
	switch {
	case size <= smallSize:
		a = s.small[:0]
	case size <= cap(s.array):
		a = s.array
		s.full = size >= cap(a)/4
	default:
		if s.array != nil {
			s.dropArray()
		}
		s.array = getArray(size)
		a = s.array
		s.full = true
	}
	n := copy(a[:cap(a)], data)
	if p != nil && p.lent {
		s.prev = p.self
		s.prevGen = b.gen
	}
	b.store = s
	b.gen = s.gen.Load()
	b.buf = a[:n]
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
			s.full = true
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
			t.full = false
		}
		t.prev = nil
		t.settle()
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
