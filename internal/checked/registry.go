// SPDX-License-Identifier: BSD-3-Clause

//go:build spare_checked

package checked

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/spare-go/spare/internal/race"
)

// A state is what became of a value.
type state uint8

const (
	out     state = iota // handed out
	putting              // being put, or lost in a callback that failed
	idle                 // held by the pool
	gone                 // put, and not the pool's any more
	dropped              // put, and given to the Drop callback, whose it is
)

// A record is what the registry knows about one value. It does not keep the value
// alive, unless it is buried.
type record struct {
	lo, hi      uintptr
	left, right *record // for tree
	prio        uint32

	state   state
	how     verification
	weak    bool               // live says whether the memory is still this value
	live    weak.Pointer[byte] // if weak
	kept    unsafe.Pointer     // keeps a buried value
	pages   []byte             // guard pages
	pool    *info
	covered uintptr // bytes that how covers
	sum     uint64
	saved   unsafe.Pointer // what the value was before it was wiped
	since   int            // the sweep before its burial
	missed  int            // the sweep that found it collected
	got     *Trace         // last Get
	put     *Trace         // last Put
}

// A verification is how a write to idle memory shows.
type verification uint8

const (
	unseen   verification = iota
	patterns              // every byte is the pattern
	zeros                 // every byte is zero
	sums                  // the bytes add up as before
)

// A Pool is what the checks know about one pool.
type Pool struct{ info atomic.Pointer[info] }

// An info outlives its pool, for the reports.
type info struct {
	Kind
	exempt    bool
	fed       bool // Get returned a value
	makesNone bool // Get returned nil
	lost      []*Trace
}

// A Kind says what the checks may do with the memory of a pool.
type Kind struct {
	Type        string // "Pool[T]" or "Slices[E]"
	Name        string
	Slices      bool // Put takes memory of any origin
	PointerFree bool
	Wiped       bool // Put leaves nothing but zeros
	Drop        bool // values that leave are handed to a callback
	Foreign     bool // Get returns memory of any origin

	Restore func(x, saved unsafe.Pointer) // sets a value to what was saved
}

func (in *info) String() string {
	if in.Name == "" {
		return in.Type
	}
	return fmt.Sprintf("%s %q", in.Type, in.Name)
}

// An Outcome says what is to be done with a value that is put.
type Outcome int

const (
	Proceed Outcome = iota // it is given up
	Ignore                 // misuse, which was reported
	Guarded                // it is on guard pages, and taken care of
)

var registry struct {
	sync.Mutex
	tree
	exempt []uintptr

	arrays graves  // of Slices and Buffers
	values graves  // of Pools: buried, or wiped
	sweeps int     // collections
	lost   *record // to be reported, linked by right

	// Guard pages that were put, the oldest first.
	guards     []*record
	guardBytes uintptr // mapped
}

const (
	maxGraves     = 4096
	maxGraveBytes = 32 << 20
	maxAge        = 8   // collections for which a value stays wiped
	maxLost       = 256 // stacks kept for each pool
	maxGuards     = 512 // slices that stay inaccessible after their Put
	maxGuardBytes = 256 << 20
)

// lock and unlock hide the registry's lock from the race detector, since it orders nothing
// for the users of a pool. So the detector does not see that the lock guards the
// records either, and who touches them has to be norace.
//
//go:norace
func lock() {
	race.Disable()
	registry.Lock()
}

//go:norace
func unlock() {
	registry.Unlock()
	race.Enable()
}

// Exempt leaves the pool at owner without checks. It is called before the first
// use of the pool, which stays where it is.
func Exempt(owner unsafe.Pointer) {
	lock()
	defer unlock()
	registry.exempt = append(registry.exempt, uintptr(owner))
}

// Use is called at the first use of the pool at owner.
func (p *Pool) Use(owner unsafe.Pointer, k Kind) {
	lock()
	exempt := slices.Contains(registry.exempt, uintptr(owner))
	unlock()
	in := &info{Kind: k, exempt: exempt}
	if p.info.CompareAndSwap(nil, in) {
		infos.Lock()
		infos.of[uintptr(owner)] = in
		infos.Unlock()
		// It makes the owner escape, too, so that its address stays the same.
		runtime.AddCleanup((*byte)(owner), func(owner uintptr) {
			infos.Lock()
			defer infos.Unlock()
			if infos.of[owner] == in {
				delete(infos.of, owner)
			}
		}, uintptr(owner))
	}
}

// infos finds the info of a pool for Outstanding: the newest, since the address may
// have been another pool's before.
var infos = struct {
	sync.Mutex
	of map[uintptr]*info
}{of: make(map[uintptr]*info)}

// watched returns the info of p, or nil if p is not checked.
func (p *Pool) watched() *info {
	in := p.info.Load()
	if in == nil || in.exempt {
		return nil
	}
	return in
}

// find returns the record of memory in [lo, hi), the last if there are several.
//
//go:norace
func find(lo, hi uintptr) *record {
	for {
		r := registry.before(hi)
		if r == nil || r.hi <= lo {
			return nil
		}
		if !r.stale() {
			return r
		}
		r.forget()
	}
}

// at returns the record of the value at x.
//
//go:norace
func at(x unsafe.Pointer) *record {
	r := find(uintptr(x), uintptr(x)+1)
	if r == nil || r.lo != uintptr(x) {
		return nil
	}
	return r
}

// stale reports whether the memory of r was collected, and may be somebody
// else's by now.
//
//go:norace
func (r *record) stale() bool { return r.weak && r.live.Value() == nil }

// newRecord returns a record that is forgotten when its memory is collected. made says
// that a pool allocated it.
//
//go:norace
func newRecord(in *info, x unsafe.Pointer, n uintptr, made bool) *record {
	r := &record{pool: in, lo: uintptr(x), hi: uintptr(x) + n}
	if made || collectable(x, n) {
		r.weak, r.live = true, weak.Make((*byte)(x))
	}
	return r
}

// collectable reports whether the n bytes at x are memory that the collector knows.
func collectable(x unsafe.Pointer, n uintptr) (ok bool) {
	if n < 16 {
		// The allocator puts several of these into one block, and no cleanup of it
		// would run in time, of which checkfinalizers warns. Small pieces of C's
		// memory are not foreseen.
		return true
	}
	defer func() {
		if recover() != nil {
			ok = false // C memory, or mapped by the user
		}
	}()
	runtime.AddCleanup((*byte)(x), func(struct{}) {}, struct{}{}).Stop()
	return true
}

// forget removes r, whose memory was collected, and notes a loss.
//
//go:norace
func (r *record) forget() {
	registry.remove(r)
	if in := r.pool; r.state == out {
		if len(in.lost) < maxLost {
			in.addLost(r.got)
		}
		if settings.leaks.Load() && !in.Slices {
			r.right = registry.lost
			registry.lost = r
		}
	}
}

//go:norace
func (in *info) addLost(t *Trace) {
	longer := make([]*Trace, len(in.lost)+1)
	for i := range in.lost {
		longer[i] = in.lost[i]
	}
	longer[len(in.lost)] = t
	in.lost = longer
}

// MakesNone notes that Get returned nil: its callers make values.
//
//go:norace
func (p *Pool) MakesNone() {
	if in := p.watched(); in != nil {
		lock()
		in.makesNone = true
		unlock()
	}
}

// Ref returns a Pool that stands for p and does not keep it alive.
func (p *Pool) Ref() *Pool {
	q := new(Pool)
	q.info.Store(p.info.Load())
	return q
}

// Got notes that new memory of n bytes at x is handed out.
//
//go:norace
func (p *Pool) Got(x unsafe.Pointer, n uintptr) {
	in := p.watched()
	if in == nil || n == 0 || settings.guardOnly.Load() {
		return
	}
	if in.Slices && in.PointerFree && !in.Wiped {
		fill(bytesAt(x, n), pattern) // what is left from an earlier use may be anything
	}
	r := newRecord(in, x, n, !in.Foreign)
	r.got = Callers()
	lock()
	in.fed = true
	for {
		old := find(r.lo, r.hi)
		if old == nil {
			registry.insert(r)
			unlock()
			return
		}
		if old.lo == r.lo && (old.state == dropped || old.state == gone) {
			registry.remove(old) // New may well hand out what Drop was given
			continue
		}
		known := old.lo == r.lo && old.pool == in
		got, put := old.got, old.put
		unlock()
		if known {
			Report(fmt.Sprintf("New of %s returned a value that the pool has handed out before, at %#x", in, r.lo), "let New make a value at each call",
				Section{"New", r.got}, Section{"Get of the same value", got}, Section{"Put of the same value", put})
		}
		return
	}
}

// Again verifies x, which was idle, and reports whether it may be handed out.
//
//go:norace
func (p *Pool) Again(x unsafe.Pointer) bool {
	in := p.watched()
	if in == nil || settings.guardOnly.Load() {
		return true
	}
	lock()
	r := at(x)
	if r == nil || r.state != idle {
		unlock()
		return true
	}
	bad := r.verify(x)
	reuse := settings.reuse.Load()
	got, put := r.got, r.put
	switch {
	case reuse:
		r.unwipe()
		r.state, r.how, r.got, r.put = out, unseen, Callers(), nil
	case in.Drop:
		r.state, r.how = dropped, unseen
	default:
		r.state = gone
		if bad != "" {
			r.how = unseen // once is enough
		}
		bury(r, x)
	}
	unlock()
	if bad != "" {
		reportWrite(in, uintptr(x), bad, got, put)
	}
	return reuse
}

// bury keeps the memory of r for a while, to see whether it is written to.
//
//go:norace
func bury(r *record, x unsafe.Pointer) {
	switch {
	case !r.weak:
		// The address may be used for something else once the user unmaps it.
		r.unwipe()
		registry.remove(r)
	case r.how == unseen || r.saved != nil: // nothing to see, or kept as it is
	case r.pool.Slices:
		registry.arrays.keep(r, x)
	default:
		registry.values.keep(r, x)
	}
}

// graves keep memory that may still be written to alive, the oldest first, in a ring.
type graves struct {
	ring     [maxGraves]*record
	first, n int
	bytes    uintptr
}

// keep keeps x, which is the memory of r. It returns one of the older ones that had to
// leave and that was written to, if any, and how.
//
//go:norace
func (g *graves) keep(r *record, x unsafe.Pointer) (written *record, bad string) {
	for g.n == maxGraves || g.n > 0 && g.bytes+r.covered > maxGraveBytes {
		old := g.ring[g.first]
		if old.saved != nil && bad == "" {
			if bad = old.verify(old.kept); bad != "" {
				written, old.how = old, unseen
			}
		}
		g.pop()
	}
	r.kept, r.since = x, registry.sweeps
	g.ring[(g.first+g.n)%maxGraves] = r
	g.n++
	g.bytes += r.covered
	return written, bad
}

// pop lets the oldest go.
//
//go:norace
func (g *graves) pop() {
	r := g.ring[g.first]
	g.ring[g.first] = nil
	g.first = (g.first + 1) % maxGraves
	g.n--
	g.bytes -= r.covered
	watched := r.how != unseen
	x := r.kept
	r.unwipe()
	r.kept, r.how = nil, unseen
	if r.state == idle && watched && x != nil {
		r.how, r.sum = sums, sum(bytesAt(x, r.covered))
	}
	if !r.weak && r.state != idle {
		registry.remove(r)
	}
}

// unwipe gives a value its contents back. The registry does not keep it any longer.
//
//go:norace
func (r *record) unwipe() {
	if r.saved != nil {
		r.pool.Restore(r.kept, r.saved)
		r.kept, r.saved = nil, nil
	}
}

// released stands for the memory that Bury was given.
var released = &info{Kind: Kind{Type: "buffer.Buffer"}}

// Bury keeps memory for a while that was released for ever and filled by Poison, to
// see whether it is written to. t has the stacks of its last Get and Put.
//
//go:norace
func (t *Traces) Bury(p []byte) {
	if settings.guardOnly.Load() {
		return
	}
	x := unsafe.Pointer(unsafe.SliceData(p))
	n := uintptr(len(p))
	r := &record{pool: released, lo: uintptr(x), hi: uintptr(x) + n, state: gone, how: patterns, covered: n, got: t.get.Load(), put: t.put.Load()}
	lock()
	defer unlock()
	if find(r.lo, r.hi) == nil {
		registry.insert(r)
		registry.arrays.keep(r, x)
	}
}

// Unreported reports whether nobody has reported yet that p, which was given to
// Bury, was written to. Who asks is to do so.
//
//go:norace
func Unreported(p []byte) bool {
	lock()
	defer unlock()
	r := at(unsafe.Pointer(unsafe.SliceData(p)))
	if r == nil || r.pool != released {
		return true
	}
	first := r.how != unseen
	r.how = unseen
	return first
}

// verify says where the memory of r, at x, was written to since its Put, or "".
//
//go:norace
func (r *record) verify(x unsafe.Pointer) string {
	b := bytesAt(x, r.covered)
	i := -1
	switch r.how {
	case patterns:
		i = firstOther(b, pattern)
	case zeros:
		i = firstOther(b, 0)
	case sums:
		if sum(b) != r.sum {
			return fmt.Sprintf("its %d bytes are not what they were", r.covered)
		}
	}
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("byte %d of %d is %#02x", i, r.covered, b[i])
}

func reportWrite(in *info, x uintptr, what string, got, put *Trace) {
	Report(fmt.Sprintf("write after Put: memory of %s at %#x was written to while it belonged to the pool: %s", in, x, what),
		"look for what still holds the value after this Put: a slice of it, a goroutine, a field that was not set to nil; to see the write itself, run with SPARE_GUARD=1 (slices of elements without pointers) or with -race",
		Section{"Get", got}, Section{"Put", put})
}

// Putting checks a Put of n bytes at x.
//
//go:norace
func (p *Pool) Putting(x unsafe.Pointer, n uintptr) Outcome {
	in := p.watched()
	if in == nil || n == 0 {
		return Proceed
	}
	if settings.guardOnly.Load() && (!in.Slices || !mayBeGuarded(uintptr(x))) {
		return Proceed
	}
	here := Callers()
	lo, hi := uintptr(x), uintptr(x)+n
	lock()
	revived := false
	if r := registry.before(lo + 1); r != nil && r.lo == lo && r.pool == in && r.state == out && r.stale() {
		// A finalizer of the program found a value that its user lost, and puts it.
		revived = true
		registry.remove(r)
	}
	r := find(lo, hi)
	if r == nil {
		fed := in.fed && !in.makesNone && !revived
		unlock()
		if settings.guardOnly.Load() {
			return Proceed
		}
		if fed && !in.Slices && !settings.strangers.Load() {
			Report(fmt.Sprintf("Put of a stranger: no Get returned the value at %#x that is put into %s", lo, in),
				"put only what Get of the same pool returned; values made elsewhere may fill the pool before its first Get, and later with the word strangers in SPARE_CHECKED",
				Section{"Put", here})
			return Ignore
		}
		r = newRecord(in, x, n, false)
		r.state, r.put = putting, here
		lock()
		if find(lo, hi) == nil {
			registry.insert(r)
		}
		unlock()
		return Proceed
	}
	if r.lo == lo && r.state == out && r.pool == in {
		r.put = here
		if r.pages != nil {
			enclose(r)
			unlock()
			return Guarded
		}
		r.state = putting
		unlock()
		return Proceed
	}
	if r.lo == lo && r.state == dropped && r.pool != in {
		// What Drop was given may go to another pool.
		r.pool, r.state, r.put = in, putting, here
		unlock()
		return Proceed
	}
	other, was, got, put, rlo, rhi := r.pool, r.state, r.got, r.put, r.lo, r.hi
	unlock()
	if rlo != lo {
		what := fmt.Sprintf("Put of memory that is not the caller's alone: [%#x, %#x) put into %s overlaps [%#x, %#x), which %s", lo, hi, in, rlo, rhi, other)
		switch {
		case was == out:
			what += " handed out and did not get back"
		default:
			what += " got back before"
		}
		Report(what, "put the slice that Get returned, from its first element, and no other slice of the same array",
			Section{"Get", got}, Section{"Put of the other", put}, Section{"Put", here})
		return Ignore
	}
	if was == out {
		Report(fmt.Sprintf("Put to another pool: the value at %#x was taken from %s and put into %s", lo, other, in),
			"put each value into the pool that it came from",
			Section{"Get", got}, Section{"Put", here})
		return Ignore
	}
	what := fmt.Sprintf("double Put: the value at %#x was put into %s, and is put again into %s", lo, other, in)
	if other == in {
		what = fmt.Sprintf("double Put: the value at %#x was put into %s, and is put again", lo, in)
	}
	Report(what, "one of the two has to go: who puts a value must be its only owner, and forget it (set the field to nil) as it does so; look for a Close or Release that runs twice and for a deferred Put beside another",
		Section{"Get", got}, Section{"Put", put}, Section{"Put again", here})
	return Ignore
}

// keeps reports whether the contents of idle memory matter to the next user, or to
// Drop.
func (in *info) keeps() bool { return in.Drop || settings.reuse.Load() }

// Wipes reports whether a value that is put, and that nobody but its users knows, is
// to be copied and set to zero, before Keeping: because no user wants what it was.
func (p *Pool) Wipes() bool {
	in := p.watched()
	return in != nil && !in.Slices && !in.keeps() && !settings.guardOnly.Load()
}

// Keeping notes that x is about to become idle, and that n bytes of it must not change
// until it is not. saved is what it was before it was wiped, or nil.
//
//go:norace
func (p *Pool) Keeping(x unsafe.Pointer, n uintptr, saved unsafe.Pointer) {
	in := p.watched()
	if in == nil || settings.guardOnly.Load() {
		return
	}
	how := unseen
	var s uint64
	switch {
	case n == 0:
	case in.Wiped:
		how = zeros
	case in.PointerFree && (in.Slices || saved != nil):
		how = patterns
		fill(bytesAt(x, n), pattern)
	case saved != nil:
		how = zeros
	default:
		how = sums // the next user, or Drop, wants the contents
		s = sum(bytesAt(x, n))
	}
	var written *record
	var bad string
	var got, put *Trace
	lock()
	r := at(x)
	if r != nil {
		r.state, r.how, r.covered, r.sum = idle, how, n, s
		if saved != nil {
			r.saved = saved
			if written, bad = registry.values.keep(r, x); bad != "" {
				got, put = written.got, written.put
			}
		}
	}
	unlock()
	if r == nil && saved != nil {
		in.Restore(x, saved) // it is not watched
	}
	if bad != "" {
		reportWrite(written.pool, written.lo, bad, got, put)
	}
}

// LetGo notes that the pool does not hold x any more.
//
//go:norace
func (p *Pool) LetGo(x unsafe.Pointer) {
	in := p.watched()
	if in == nil || settings.guardOnly.Load() {
		return
	}
	lock()
	r := at(x)
	if r == nil || r.pool != in || r.state == out {
		unlock()
		return
	}
	bad := r.verify(x)
	r.unwipe()
	r.how = unseen
	r.state = gone
	if in.Drop {
		r.state = dropped
	}
	if !r.weak {
		registry.remove(r)
	}
	got, put := r.got, r.put
	unlock()
	if bad != "" {
		reportWrite(in, uintptr(x), bad, got, put)
	}
}

// Sweep verifies all idle memory now.
//
//go:norace
func Sweep() {
	type finding struct {
		in       *info
		x        uintptr
		what     string
		got, put *Trace
	}
	var found [16]finding // what is not found now is found by the next sweep
	n := 0
	lock()
	for r := registry.lowest(); r != nil && n < len(found); r = registry.after(r.lo) {
		if r.how == unseen || r.state != idle && r.kept == nil {
			continue
		}
		x := r.kept
		if x == nil && r.weak {
			x = unsafe.Pointer(r.live.Value())
		}
		if x == nil {
			continue
		}
		if bad := r.verify(x); bad != "" {
			r.how = unseen
			found[n] = finding{r.pool, r.lo, bad, r.got, r.put}
			n++
		}
	}
	unlock()
	for i := range n {
		f := &found[i]
		reportWrite(f.in, f.x, f.what, f.got, f.put)
	}
}

func init() { sweepAgain(0) }

// sweepAgain does what there is to do once for each collection.
func sweepAgain(n int) {
	if n > 0 {
		Sweep()
		tidy()
	}
	runtime.AddCleanup(new([8]uintptr), sweepAgain, n+1)
}

// tidy forgets what was collected, and lets values go that were kept for long enough.
//
//go:norace
func tidy() {
	lock()
	registry.sweeps++
	for r := registry.lowest(); r != nil; r = registry.after(r.lo) {
		if !r.stale() {
			continue
		}
		if r.missed == 0 {
			r.missed = registry.sweeps // a finalizer may still want it
		} else if r.missed < registry.sweeps {
			r.forget()
		}
	}
	g := &registry.values
	for g.n > 0 && g.ring[g.first].since+maxAge <= registry.sweeps {
		g.pop()
	}
	lost := registry.lost
	registry.lost = nil
	unlock()
	for ; lost != nil; lost = lost.right {
		Report(fmt.Sprintf("a value of %s was never put back: the collector found it unreachable while it was out", lost.pool), "see that every path from this Get, errors and panics too, comes to one Put; if values are meant to be dropped, leave the word leaks out of SPARE_CHECKED",
			Section{"Get", lost.got})
	}
}

// A Stack is a call stack that was seen Count times.
type Stack struct {
	Count int
	Text  string
}

// Outstanding returns the stacks of the Gets of what the pool at owner handed out and
// did not get back, each with how often it occurs, the most frequent first.
//
//go:norace
func Outstanding(owner unsafe.Pointer) []Stack {
	infos.Lock()
	in := infos.of[uintptr(owner)]
	infos.Unlock()
	if in == nil {
		return nil
	}
	var traces []*Trace
	lock()
	for r := registry.lowest(); r != nil; r = registry.after(r.lo) {
		if r.pool == in && r.state == out {
			traces = push(traces, r.got)
		}
	}
	for i := range in.lost {
		traces = push(traces, in.lost[i])
	}
	unlock()
	counts := make(map[string]int)
	for i := range traces {
		counts[traces[i].String()]++
	}
	var all []Stack
	for text, n := range counts {
		all = append(all, Stack{n, text})
	}
	slices.SortFunc(all, func(a, b Stack) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		if a.Text < b.Text {
			return -1
		}
		return 1
	})
	return all
}

//go:norace
func push(list []*Trace, t *Trace) []*Trace {
	if t == nil {
		return list
	}
	return append(list, t)
}
