// SPDX-License-Identifier: BSD-3-Clause

package reliability

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/race"
)

// An item of a rig is what the pool holds.
type item struct {
	*life
	_ [7]*int
}

// A life says where an item is and how often it was let go. It is no part of the
// item, which is the pool's while it is idle.
type life struct {
	where atomic.Int32
	drops atomic.Int32
	id    int
}

// Where an item is.
const (
	made   int32 = iota // by New, on its way to a caller
	inHand              // a Get returned it
	inPool              // it was put
)

const itemSize = int(unsafe.Sizeof(item{}))

// A rig is a pool whose callbacks can be made to fail, and the books about it.
type rig struct {
	t     *testing.T
	p     *spare.Pool[item]
	onHit atomic.Pointer[func(callback string)]
	size  int // bytes of an item, by the pool's view

	gone    atomic.Bool // nobody has the pool any more
	refuse  atomic.Bool // Keep refuses
	hooked  bool        // the pool has Drop or Size
	drops   bool        // it has Drop
	gets    atomic.Int64
	puts    atomic.Int64
	failed  atomic.Int64 // Puts that did not return
	dropped atomic.Int64 // calls of Drop

	mu  sync.Mutex
	all []*life
}

// hit is what each callback calls.
func (r *rig) hit(callback string) {
	if f := r.onHit.Load(); f != nil {
		(*f)(callback)
	}
}

// arm has f called by each callback.
func (r *rig) arm(f func(callback string)) { r.onHit.Store(&f) }

// newRig returns a rig of which each callback in with is set. room is how many
// items MaxIdle has room for, or 0.
func newRig(t *testing.T, with []string, room int) *rig {
	r := &rig{t: t, size: itemSize}
	p := &spare.Pool[item]{Name: "rig"}
	for _, c := range with {
		switch c {
		case "New":
			p.New = func() *item { r.hit("New"); return r.item() }
		case "Keep":
			p.Keep = func(x *item) bool { r.hit("Keep"); return !r.refuse.Load() && x.id%7 != 3 }
		case "Reset":
			p.Reset = func(*item) { r.hit("Reset") }
		case "Size":
			r.size = 10
			p.Size = func(*item) int { r.hit("Size"); return 10 }
		case "Drop":
			p.Drop = func(x *item) {
				r.dropped.Add(1)
				if x.where.Load() == inHand {
					t.Errorf("item %d was dropped while somebody has it", x.id)
				}
				if n := x.drops.Add(1); n != 1 {
					t.Errorf("item %d was dropped %d times", x.id, n)
				}
				r.hit("Drop")
			}
		}
	}
	r.drops = p.Drop != nil
	r.hooked = r.drops || p.Size != nil
	p.MaxIdle = room * r.size
	r.p = p
	return r
}

// item makes an item.
func (r *rig) item() *item {
	r.mu.Lock()
	defer r.mu.Unlock()
	// Keep refuses none of the first three, nor those that the tests fill a pool with.
	x := &life{id: 7 * len(r.all)}
	r.all = append(r.all, x)
	return &item{life: x}
}

// lives returns those of all items that there are.
func (r *rig) lives() []*life {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}

func (r *rig) get() *item {
	r.gets.Add(1)
	x := r.p.Get()
	if x.drops.Load() != 0 || x.where.Swap(inHand) == inHand {
		r.t.Errorf("Get returned item %d, which somebody has, or which was dropped", x.id)
	}
	return x
}

func (r *rig) put(x *item) {
	r.puts.Add(1)
	x.where.Store(inPool)
	ok := false
	defer func() {
		if !ok {
			r.failed.Add(1)
		}
	}()
	r.p.Put(x)
	ok = true
}

func (r *rig) fill(n int) {
	for range n {
		r.put(r.item())
	}
}

// try runs f to its end, on a goroutine, and says how it ended.
func (r *rig) try(f func()) (returned bool, panicked any) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		f()
		returned = true
	}()
	r.wait(done, "the call to end")
	return returned, panicked
}

func (r *rig) wait(c chan struct{}, what string) {
	r.t.Helper()
	select {
	case <-c:
	case <-time.After(time.Minute):
		buf := make([]byte, 1<<16)
		r.t.Fatalf("waited in vain for %s:\n%s", what, buf[:runtime.Stack(buf, true)])
	}
}

// audit checks the books of a pool that nobody uses, and that each item is where it has
// to be. reused says whether Get hands out again what was put: otherwise, in a
// checked build, what would be handed out is dropped.
func (r *rig) audit(s spare.Stats) {
	r.t.Helper()
	puts := r.puts.Load()
	if !r.hooked {
		// A Put that fails before the engine knows of the value does not count.
		puts -= r.failed.Load()
	}
	if s.Gets != uint64(r.gets.Load()) || s.Puts != uint64(puts) {
		r.t.Errorf("Stats = %+v after %d Gets and %d Puts, %d of which failed", s, r.gets.Load(), r.puts.Load(), r.failed.Load())
	}
	if s.Puts != s.Gets-s.News+s.Drops+uint64(s.Idle) || s.IdleBytes != s.Idle*int64(r.size) {
		r.t.Errorf("the books do not balance: %+v", s)
	}
	if !r.drops {
		return
	}
	calls := s.Drops
	if !reuses() {
		calls += s.Gets - s.News
	}
	if n := r.dropped.Load(); uint64(n) != calls {
		r.t.Errorf("Drop was called %d times, want %d for %+v", n, calls, s)
	}
	idle := int64(0)
	for _, x := range r.lives() {
		where, n := x.where.Load(), x.drops.Load()
		switch {
		case where == inHand && n != 0, n > 1:
			r.t.Errorf("item %d, in hand: %v, was dropped %d times", x.id, where == inHand, n)
		case where == inPool && n == 0:
			idle++
		case where == made:
			r.t.Errorf("New made item %d, and nobody got it", x.id)
		}
	}
	if idle != s.Idle {
		r.t.Errorf("%d items were put and not dropped, and Stats = %+v: some are lost", idle, s)
	}
}

// end uses the pool once more, lets everything go, and audits it.
func (r *rig) end() {
	r.t.Helper()
	r.arm(func(string) {})
	r.refuse.Store(false)
	for range 3 {
		r.put(r.get())
	}
	r.audit(r.p.Stats())
	if s := r.p.Stats(); s.Idle == 0 {
		r.t.Errorf("the pool keeps nothing any more: %+v", s)
	}
	r.p.Drain()
	s := r.p.Stats()
	if s.Idle != 0 {
		r.t.Errorf("Stats = %+v after Drain", s)
	}
	r.audit(s)
}

// A moment is one at which callbacks are called.
type moment struct {
	name  string
	calls []string // the callbacks that may be made to fail then
	also  string   // a callback that fails before them
	needs []string // what the pool must have for the moment to come
	fill  int      // items put before
	room  int      // for MaxIdle
	op    func(r *rig)

	background bool // the callbacks run on a goroutine of the pools
	reuseless  bool // comes only where Get hands out nothing twice
}

// dropAll is the work of the collector, until all items are dropped.
func dropAll(r *rig) {
	for range 5000 {
		runtime.GC()
		all := true
		for _, x := range r.lives() {
			all = all && x.drops.Load() > 0
		}
		if all {
			return
		}
		time.Sleep(time.Millisecond)
	}
	r.t.Error("waited in vain for Drop")
}

func putOne(r *rig)      { r.put(r.item()) }
func putUnwanted(r *rig) { r.refuse.Store(true); r.put(r.item()) }

var moments = []moment{
	{name: "Get of an unused pool", calls: []string{"New"}, op: func(r *rig) { r.get() }},
	{name: "Get of an empty pool", calls: []string{"New"}, fill: 2, op: func(r *rig) { r.get(); r.get(); r.get() }},
	{name: "Get in place of reuse", calls: []string{"New", "Drop"}, fill: 5, op: func(r *rig) { r.get() }, reuseless: true},
	{name: "first Put", calls: []string{"Keep", "Reset", "Size"}, op: putOne},
	{name: "Put", calls: []string{"Keep", "Reset", "Size"}, fill: 5, op: putOne},
	{name: "Put that overflows to the depot", calls: []string{"Keep", "Reset", "Size"}, fill: 96, op: putOne},
	{name: "Put refused by Keep", calls: []string{"Keep", "Drop"}, needs: []string{"Keep"}, fill: 5, op: putUnwanted},
	{name: "first Put refused by Keep", calls: []string{"Keep", "Drop"}, needs: []string{"Keep"}, op: putUnwanted},
	{name: "Put beyond MaxIdle", calls: []string{"Keep", "Reset", "Size", "Drop"}, fill: 10, room: 10, op: putOne},
	{name: "Put beyond MaxIdle by Size", calls: []string{"Keep", "Reset", "Size", "Drop"}, needs: []string{"Size"}, fill: 10, room: 10, op: putOne},
	{name: "Put whose Keep fails", calls: []string{"Drop"}, also: "Keep", needs: []string{"Keep"}, fill: 5, op: putOne},
	{name: "Put whose Reset fails", calls: []string{"Drop"}, also: "Reset", needs: []string{"Reset"}, fill: 5, op: putOne},
	{name: "Put whose Size fails", calls: []string{"Drop"}, also: "Size", needs: []string{"Size"}, fill: 5, op: putOne},
	{name: "Drain", calls: []string{"Drop"}, fill: 120, op: func(r *rig) { r.p.Drain() }},
	{name: "Drain by Size", calls: []string{"Drop"}, needs: []string{"Size"}, fill: 120, op: func(r *rig) { r.p.Drain() }},
	{name: "trimming", calls: []string{"Drop"}, fill: 40, op: dropAll, background: true},
	{name: "trimming by Size", calls: []string{"Drop"}, needs: []string{"Size"}, fill: 40, op: dropAll, background: true},
	{name: "memory limit", calls: []string{"Drop"}, fill: 40, background: true, op: func(r *rig) {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(1))
		dropAll(r)
	}},
	{name: "unreachable pool", calls: []string{"Drop"}, fill: 40, background: true, op: func(r *rig) {
		r.gone.Store(true)
		r.p = nil
		dropAll(r)
	}},
}

// The ways in which a callback may fail.
var failures = []struct {
	name   string
	fail   func() // nil: it blocks, or uses the pool
	always bool   // each time, and not only the first
}{
	{"panics", func() { panic("oops") }, false},
	{"panics each time", func() { panic("oops") }, true},
	{"ends its goroutine", runtime.Goexit, false},
	{"ends its goroutine each time", runtime.Goexit, true},
	{"blocks", nil, false},
	{"uses the pool", nil, false},
}

// testCallbacks has each callback fail in each way at each moment, in a pool
// that has no other callbacks than it must, and in one that has all of them.
func testCallbacks(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	combinations := 0
	for _, m := range moments {
		for _, callback := range m.calls {
			for _, way := range failures {
				for _, with := range [][]string{append(append([]string{callback}, m.needs...), "New"), {"New", "Keep", "Reset", "Size", "Drop"}} {
					if m.reuseless && (reuses() || with[0] != "New" && len(with) < 5) || t.Failed() {
						continue
					}
					combinations++
					name := fmt.Sprintf("%s/%s %s/%d callbacks", m.name, callback, way.name, len(with))
					t.Run(name, func(t *testing.T) {
						runMoment(t, m, callback, way.name, way.fail, way.always, with)
					})
				}
			}
		}
	}
	if combinations < 300 {
		t.Errorf("%d combinations were run", combinations)
	}
	calls, items := everyCall(t)
	fault(t, fmt.Sprintf("New, Keep, Reset, Size and Drop panic, end their goroutine, block, or use their pool: %d combinations with the moments at which they are called; each of %d callback calls of a script panics, and ends its goroutine", combinations, calls),
		"the call at hand failed, and no other; nothing but its value left the pool; Drop ran once for each of %d values; the books balanced", items)
}

func runMoment(t *testing.T, m moment, callback, way string, fail func(), always bool, with []string) {
	var logged lockedBuffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	r := newRig(t, with, m.room)
	r.fill(m.fill)
	before := spare.Stats{}
	if m.fill > 0 {
		before = r.p.Stats()
		if before.Idle != int64(m.fill) {
			t.Fatalf("Stats = %+v after %d Puts", before, m.fill)
		}
	}

	entered, leave := make(chan struct{}), make(chan struct{})
	var fired, depth atomic.Int32
	alsoFired := false
	r.arm(func(c string) {
		if c == m.also && !alsoFired {
			alsoFired = true
			if fail == nil {
				panic("oops")
			}
			fail()
		}
		if c != callback {
			return
		}
		if way == "uses the pool" {
			if depth.Add(1) == 1 {
				fired.Add(1)
				r.reenter()
			}
			depth.Add(-1)
			return
		}
		if fired.Add(1) > 1 && !always {
			return
		}
		switch way {
		case "blocks":
			close(entered)
			<-leave
		default:
			fail()
		}
	})

	if way == "blocks" {
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() { recover() }() // of what failed before
			m.op(r)
		}()
		r.wait(entered, "the callback")
		if !m.background {
			for range 50 {
				r.put(r.get())
			}
			r.fill(3)
			r.p.Stats()
			r.p.Drain()
		}
		if m.background {
			// All others go, while one Drop blocks.
			runtime.GC()
			settled(t, "the others to be dropped", func() bool { return r.dropped.Load() == int64(m.fill) })
		}
		close(leave)
		r.wait(done, "the call that was blocked")
	} else {
		returned, panicked := r.try(func() { m.op(r) })
		failed := fail != nil || m.also != ""
		if want := !failed || m.background; returned != want {
			t.Errorf("the call returned: %v, want %v", returned, want)
		}
		if want := failed && !m.background && (fail == nil || strings.HasPrefix(way, "panics")); (panicked != nil) != want || want && panicked != "oops" {
			t.Errorf("the call panicked with %v, want that it does: %v", panicked, want)
		}
		if fail != nil && !m.background {
			// Nothing left the pool but what had to, and nothing came.
			want := before.Idle
			switch {
			case strings.HasPrefix(m.name, "Drain"):
				want = 0
			case strings.HasPrefix(m.name, "Get") && reuses():
				want = 0
			case strings.HasPrefix(m.name, "Get") && want > 0:
				want-- // the first one fails
			}
			if s := r.p.Stats(); s.Idle != want {
				t.Errorf("%d items are idle afterwards, want %d", s.Idle, want)
			}
		}
	}
	if fired.Load() == 0 {
		t.Error("the callback was not called")
	}
	settled(t, "the callback to return", func() bool { return depth.Load() == 0 })
	if m.background {
		want := 0
		if fail != nil && strings.HasPrefix(way, "panics") {
			want = int(fired.Load())
			if !always {
				want = 1
			}
		}
		settled(t, "the log", func() bool { return strings.Count(logged.String(), "oops") == want })
		if want > 0 && !strings.Contains(logged.String(), `"rig"`) {
			t.Errorf("the log does not name the pool:\n%s", logged.String())
		}
	}
	if !r.gone.Load() {
		r.end()
		return
	}
	for _, x := range r.lives() {
		if n := x.drops.Load(); n != 1 {
			t.Errorf("item %d was dropped %d times", x.id, n)
		}
	}
}

// reenter does with the pool what its users do.
func (r *rig) reenter() {
	for range spare.All() {
	}
	runtime.GC()
	if r.gone.Load() {
		return
	}
	x := r.get()
	r.put(x)
	r.fill(2)
	r.p.Stats()
	r.p.Drain()
	r.put(r.get())
}

// everyCall runs a script once for each callback that it calls, and has that one
// fail, in two ways. It returns how many calls the script makes, and how many
// items were dropped in all.
func everyCall(t *testing.T) (calls int, items int64) {
	script := func(t *testing.T, fail func(), at int) (calls int, items int64) {
		r := newRig(t, []string{"New", "Keep", "Reset", "Size", "Drop"}, 110)
		n := 0
		r.arm(func(string) {
			n++
			if n == at {
				fail()
			}
		})
		step := func(f func()) {
			if at == 0 {
				f()
				return
			}
			r.try(f)
		}
		var own []*item
		give := func() {
			x := own[len(own)-1]
			own = own[:len(own)-1]
			step(func() { r.put(x) })
		}
		for round := range 2 {
			for range 5 {
				step(func() { own = append(own, r.get()) })
			}
			for len(own) > 0 {
				give()
			}
			for i := range 115 { // to the depot, and beyond MaxIdle
				x := r.item()
				x.id += i % 5 // some are refused
				step(func() { r.put(x) })
			}
			for range 20 {
				step(func() { own = append(own, r.get()) })
			}
			for len(own) > 0 {
				give()
			}
			if round == 0 {
				step(func() { r.p.Drain() })
			}
		}
		r.end()
		return n, r.dropped.Load()
	}
	calls, _ = script(t, nil, 0)
	if calls < 500 {
		t.Errorf("the script calls but %d callbacks", calls)
	}
	stride := 1
	if testing.Short() || race.Enabled || checked.Enabled {
		stride = 13
	}
	for _, way := range failures[:4] {
		if way.always {
			continue
		}
		for at := 1; at <= calls && !t.Failed(); at += stride {
			n, dropped := script(t, way.fail, at)
			items += dropped
			if n < at {
				t.Errorf("call %d of %d was not reached", at, n)
			}
			if t.Failed() {
				t.Logf("when callback %d %s", at, way.name)
			}
		}
	}
	return calls, items
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
