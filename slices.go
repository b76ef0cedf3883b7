// SPDX-License-Identifier: BSD-3-Clause

package spare

import (
	"math/rand/v2"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/magazine"
	"github.com/spare-go/spare/internal/race"
	"github.com/spare-go/spare/internal/sizeclass"
)

// Slices keeps the arrays of slices that are not in use, so that the next user
// need not allocate one:
//
//	s := p.Get(n)
//	s = append(s, ...)
//	p.Put(s)
//
// allocates nothing once the pool is warm: the pool stores arrays, not slice
// headers, and takes back whichever array append left.
//
// Get hands a slice to the caller, who owns its array alone until Put. Put gives
// up the array with its whole capacity: the caller must not touch it any more,
// nor keep another slice of it. A slice that is not put back is no leak.
//
// The zero Slices is ready for use. It is safe for concurrent use and must not be
// copied after first use. Its fields must not change after first use. Put of an
// array happens before the Get that returns it.
//
// Arrays are filed by capacity in classes, four to each doubling. Get takes from the
// class that holds n or more, and never returns less; Put files an array under the largest
// class that it fills. If the class of n has none, Get takes an array of a larger class
// that those who ask for that do not need. So a Get that asks for less than is needed in
// the end finds the array again that append made.
//
// # What is kept
//
// At every moment the idle arrays hold at most twice the bytes that users needed at once
// lately, over all classes, and beyond that 3 MiB for each P and 3 MiB: that is what arrays
// of up to 64 KiB in all classes may come to. What is needed at once is an estimate: while
// many small slices are in use, the pool may count a few large ones, eight at most, where
// there is one. How much of an array its user needed Put sees
// from the length of s: put slices as long as they were, not cut to s[:0]. A class from
// which nobody takes keeps 128 KiB for each P, or one array. What is kept through
// collections, and for how long, is as for Pool, for each class by itself. MaxIdle is a
// bound that you choose.
//
// # When not to use Slices
//
// A slice of constant, modest size that does not outlive its function costs nothing: it lives
// on the stack. A small slice of unknown size is cheap for the allocator,
// too; measure before (spare bench). For building bytes, package buffer is more
// convenient. Never put a slice that somebody else may still see: of a
// bytes.Buffer, of a larger slice, of a result that was returned.
type Slices[E any] struct {
	_ noCopy

	// MaxCap bounds the capacity, in elements, of the slices that are kept,
	// rounded up to a size class. If it is 0, slices of up to 2^30 elements
	// are kept; a negative MaxCap keeps none.
	MaxCap int

	// MaxIdle bounds the bytes held idle, over all classes. The pool never
	// holds more, not even for a moment. An array counts for the largest
	// that its class may hold. If MaxIdle is 0, they are bounded by what was
	// needed; a negative MaxIdle keeps nothing.
	MaxIdle int

	// Zero makes Put wipe the whole array, so that what it held does not stay
	// in memory. Elements that hold pointers are wiped in any case.
	Zero bool

	// Name is the name under which All lists the pool. A pool without a name
	// is not listed.
	Name string

	state atomic.Pointer[classes]
}

// minBytes is the size of the smallest arrays that are worth keeping: less
// costs the allocator no more than it costs a pool.
const minBytes = 64

// What classes.special says.
const (
	wipe  = 1 << iota // clear the array
	learn             // Get(0) was called: look at how large slices become
)

// classes is the state of a Slices that was used.
type classes struct {
	check checked.Pool
	pools [sizeclass.Count]atomic.Pointer[magazine.Pool]

	least             int // the smallest class that is kept
	leastCap, mostCap int // capacities of the smallest and the largest class that are kept
	elemSize          int
	pointerFree       bool          // known in checked builds
	special           atomic.Uint32 // what Put has to do, beside keeping the array
	name              string
	budget            *magazine.Budget

	group *magazine.Group // of the pools

	usual usual

	// Gets of more than the pool keeps, and Puts that it refused; large is the bytes
	// of the former less those of the latter.
	gets, puts atomic.Uint64
	large      atomic.Int64
}

// Get returns a slice of length 0 and capacity n or more. The caller owns its
// array. Elements beyond the length are zero if they hold pointers or Zero is
// set, and may be left from an earlier use otherwise: a caller who reslices must
// write before reading.
//
// Get(0) asks for a slice of the usual size: large enough for all but the
// largest sixteenth of the slices that were put lately, by their length. It
// may return up to eight times as much, if an array that outgrew the usual size
// is at hand, and whatever is at hand if all slices are put with a length of 0. Get
// panics if n is negative.
func (p *Slices[E]) Get(n int) []E {
	st := p.state.Load()
	if st == nil {
		st = p.init()
	}
	c := st.least
	if n > st.leastCap {
		if n > st.mostCap {
			return p.getLarge(st, n)
		}
		c = sizeclass.Ceil(n)
	} else if n <= 0 {
		if n < 0 || st.special.Load()&learn == 0 {
			st.learn(n)
		}
		c = int(st.usual.next.Load())
	}
	if m := st.pools[c].Load(); m != nil && !race.Enabled && !checked.Enabled {
		if pid := magazine.Pin(); m.Has(pid) {
			s := m.At(pid)
			if n := s.Len(); n > s.Floor() {
				x := s.Pop(n)
				magazine.Unpin()
				return slice[E](x, m.Tag)
			}
			if x := s.PopFull(); x != nil {
				magazine.Unpin()
				return slice[E](x, m.Tag)
			}
		}
		magazine.Unpin()
	}
	if n <= 0 {
		return p.getUsual(st, c)
	}
	return p.getSlow(st, c)
}

// slice returns the empty slice of an array that holds n elements.
func slice[E any](x unsafe.Pointer, n int) []E {
	// Sound: n is the capacity of the class under which x was filed, and only
	// arrays of E that hold as much are filed there.
	return unsafe.Slice((*E)(x), n)[:0]
}

//go:noinline
func (p *Slices[E]) getSlow(st *classes, c int) []E {
	if checked.Enabled {
		if s := guarded[E](st, c); s != nil {
			return s
		}
	}
	m := st.pool(c)
	if x := tryFrom(m); x != nil {
		return reused[E](st, x, c)
	}
	if s := surplus[E](st, c, st.usual.most); s != nil {
		return s
	}
	m.Miss()
	return made[E](st, c)
}

// surplus returns a slice of a class above c, up to most, that has more than those need
// who ask for it; nil if there is none. Whoever asks for less than is needed in the end
// finds the grown array again.
func surplus[E any](st *classes, c, most int) []E {
	asked := sizeclass.Size(c) * st.elemSize
	for c++; c <= most; c++ {
		if m := st.pools[c].Load(); m != nil {
			if x := surplusFrom(m, asked); x != nil {
				return reused[E](st, x, c)
			}
		}
	}
	return nil
}

// reused is slice for an array of class c that was put.
func reused[E any](st *classes, x unsafe.Pointer, c int) []E {
	if checked.Enabled && !st.check.Again(x) {
		return made[E](st, c)
	}
	return slice[E](x, sizeclass.Size(c))
}

// made returns a slice of a new array of class c.
func made[E any](st *classes, c int) []E {
	s := make([]E, 0, sizeclass.Size(c))
	if checked.Enabled {
		st.check.Got(unsafe.Pointer(unsafe.SliceData(s)), uintptr(cap(s)*st.elemSize))
	}
	return s
}

// getUsual is Get(0) where the class to try first has nothing at hand.
//
//go:noinline
func (p *Slices[E]) getUsual(st *classes, tried int) []E {
	if checked.Enabled {
		if s := guarded[E](st, tried); s != nil {
			return s
		}
	}
	if x := tryFrom(st.pool(tried)); x != nil {
		return reused[E](st, x, tried)
	}
	least := int(st.usual.class.Load())
	m := st.pool(least)
	if least != tried {
		if x := tryFrom(m); x != nil {
			return reused[E](st, x, least)
		}
	}
	most := st.usual.most
	if st.usual.known.Load() {
		most = min(least+usualReach, most)
	}
	if s := surplus[E](st, least, most); s != nil {
		return s
	}
	m.Miss()
	return made[E](st, least)
}

// getLarge returns a slice that will not be kept.
//
//go:noinline
func (p *Slices[E]) getLarge(st *classes, n int) []E {
	st.gets.Add(1)
	st.large.Add(int64(n * st.elemSize))
	s := make([]E, 0, n)
	if checked.Enabled {
		st.check.Got(unsafe.Pointer(unsafe.SliceData(s)), uintptr(n)*uintptr(st.elemSize))
	}
	return s
}

// Put gives the array of s, from its first element to its capacity, to the pool.
// The caller must own all of it, and must not use it any more. It need not
// come from Get. Slices without an array are ignored; those too small or too
// large to be kept are left to the collector.
//
// Put the slice from where its array begins. One that you consumed from the front (s = s[k:])
// is filed by what is left of it, and counts as much, though it pins the whole array.
func (p *Slices[E]) Put(s []E) {
	st := p.state.Load()
	if st == nil {
		st = p.init()
	}
	n := cap(s)
	if checked.Enabled && !putSlicesChecked(st, s) {
		return
	}
	if n < st.leastCap || n > st.mostCap {
		if n > 0 {
			st.refuse(n)
		}
		return
	}
	special := st.special.Load()
	if special&wipe != 0 {
		clear(s[:n])
	}
	c := st.classOf(n)
	used := len(s)
	x := unsafe.Pointer(unsafe.SliceData(s))
	if m := st.pools[c].Load(); m != nil && !race.Enabled && !checked.Enabled {
		if pid := magazine.Pin(); m.Has(pid) {
			s := m.At(pid)
			if n := s.Len(); n < s.Limit() {
				s.Push(n, x)
				if special&learn == 0 {
					magazine.Unpin()
					return
				}
				sample := s.Sample()
				magazine.Unpin()
				st.usual.observe(used, c, sample)
				return
			}
			if s.PushFull(x) {
				magazine.Unpin()
				return
			}
		}
		magazine.Unpin()
	}
	st.putSlow(c, x, used, n)
	if special&learn != 0 {
		st.usual.observe(used, c, rand.Uint32()%8 == 0)
	}
}

// Grow returns a slice with the elements of s and room for n more. If s has the
// room, it is s itself. Otherwise the elements move to a larger array, at
// least half as large again so that repeated growth costs little, and the old
// array goes to the pool: the caller, who must own all of it, must not use s any
// more. Grow panics if n is negative.
func (p *Slices[E]) Grow(s []E, n int) []E {
	if n < 0 {
		panic("spare: Slices.Grow: negative count")
	}
	if n <= cap(s)-len(s) {
		return s
	}
	need := len(s) + n
	if need < 0 {
		panic("spare: Slices.Grow: the length overflows an int")
	}
	t := append(p.Get(max(need, cap(s)+cap(s)/2)), s...)
	if cap(s) > 0 {
		p.Put(s[:0]) // its length is not the usual one
	}
	return t
}

// Drain lets every array go that is idle when it is called. The pool remains
// usable. Drain stops the world for some microseconds for each class in use.
func (p *Slices[E]) Drain() {
	if st := p.state.Load(); st != nil {
		for i := range st.pools {
			if m := st.pools[i].Load(); m != nil {
				m.Drain()
			}
		}
	}
}

// Stats returns what the pool did since its first use, over all classes. It is
// exact while nobody uses the pool.
func (p *Slices[E]) Stats() Stats {
	if st := p.state.Load(); st != nil {
		return Stats(st.Stats())
	}
	return Stats{}
}

func (st *classes) Stats() magazine.Stats {
	large, refused := st.gets.Load(), st.puts.Load()
	sum := magazine.Stats{Gets: large, News: large, Puts: refused, Drops: refused}
	for i := range st.pools {
		if m := st.pools[i].Load(); m != nil {
			sum.Add(m.Stats())
		}
	}
	sum.Bound(st.budget)
	sum.InUse, sum.InUseBytes, sum.PeakInUse, sum.PeakInUseBytes = st.group.Usage()
	// Those that are too large to be kept are few, and have no peak of their own.
	sum.InUse = max(sum.InUse+int64(large)-int64(refused), 0)
	if sum.InUseBytes = max(sum.InUseBytes+st.large.Load(), 0); sum.InUse == 0 {
		sum.InUseBytes = 0
	}
	sum.PeakInUse = max(sum.PeakInUse, sum.InUse)
	sum.PeakInUseBytes = max(sum.PeakInUseBytes, sum.InUseBytes)
	return sum
}

// PutFrom is Put of *s, and sets *s to nil, so that a use after it shows at its line and not
// in somebody else's slice. A second PutFrom of the variable does nothing. It suits defer,
// which finds in the variable what append left there at the end:
//
//	s := p.Get(n)
//	defer p.PutFrom(&s)
func (p *Slices[E]) PutFrom(s *[]E) {
	t := *s
	*s = nil
	p.Put(t)
}

// putSlow gives the array x, which holds n elements of which used were in use, to a
// class. A caller who cut the slice off before does not say how many were.
//
//go:noinline
func (st *classes) putSlow(c int, x unsafe.Pointer, used, n int) {
	size := n * st.elemSize
	if checked.Enabled {
		keepSlicesChecked(st, c, x, size)
		return
	}
	// append makes an array up to twice as large as it has to be.
	needed := min(n, 2*used)
	if used == 0 {
		needed = n
	}
	putNeeded(st.pool(c), x, size, needed*st.elemSize)
}

// refuse counts a Put of n elements that are not kept.
//
//go:noinline
func (st *classes) refuse(n int) {
	st.puts.Add(1)
	st.large.Add(int64(-n * st.elemSize))
}

// learn makes Puts say how large slices become, from the first Get(n) with n = 0
// on.
//
//go:noinline
func (st *classes) learn(n int) {
	if n < 0 {
		panic("spare: Slices.Get: negative count")
	}
	st.special.Or(learn)
}

// classOf returns the class under which an array of capacity n is filed. It is
// not in Put itself for the reason given in inline.go.
func (st *classes) classOf(n int) int { return sizeclass.Floor(n) }

// pool returns the pool of a class.
func (st *classes) pool(c int) *magazine.Pool {
	if m := st.pools[c].Load(); m != nil {
		return m
	}
	largest := sizeclass.Size(c)
	if c+1 < sizeclass.Count {
		largest = sizeclass.Size(c+1) - 1
	}
	conf := magazine.Config{
		Size:   sizeclass.Size(c) * st.elemSize,
		Charge: min(largest, st.mostCap) * st.elemSize,
		Tag:    sizeclass.Size(c),
		Budget: st.budget,
		Group:  st.group,
		Name:   st.name,
	}
	if checked.Enabled {
		conf.Drop = st.check.Ref().LetGo
	}
	m := magazine.New(conf)
	if st.pools[c].CompareAndSwap(nil, m) {
		m.Join()
		return m
	}
	return st.pools[c].Load()
}

// init decides what the pool keeps.
//
//go:noinline
func (p *Slices[E]) init() *classes {
	t := reflect.TypeFor[E]()
	st := &classes{
		elemSize: int(t.Size()),
		name:     p.Name,
		budget:   magazine.NewBudget(p.MaxIdle),
		group:    magazine.NewGroup(),
	}
	if p.Zero || hasPointers(t) {
		st.special.Store(wipe)
	}
	if st.elemSize > 0 {
		st.least = sizeclass.Ceil((minBytes + st.elemSize - 1) / st.elemSize)
		st.leastCap = sizeclass.Size(st.least)
		st.mostCap = sizeclass.Max
		if p.MaxCap != 0 {
			st.mostCap = 0
			if p.MaxCap > 0 {
				st.mostCap = sizeclass.Size(sizeclass.Ceil(min(p.MaxCap, sizeclass.Max)))
			}
		}
		st.usual.init(st.least, max(st.least, sizeclass.Floor(max(st.mostCap, 1))))
	}
	if checked.Enabled {
		initSlicesChecked(st, unsafe.Pointer(p), t)
	}
	if !p.state.CompareAndSwap(nil, st) {
		return p.state.Load()
	}
	if p.Name != "" {
		register(p.Name, st)
	}
	return st
}

// hasPointers reports whether values of type t hold pointers.
func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.Uintptr,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return false
	case reflect.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	default:
		return true
	}
}
