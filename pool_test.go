// SPDX-License-Identifier: BSD-3-Clause

package spare_test

import (
	"bytes"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
	"weak"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/magazine"
	"github.com/spare-go/spare/internal/race"
)

// A thing counts what happens to it. It is large enough not to share its memory
// with others.
type thing struct {
	id    int
	drops atomic.Int32
	_     [4]*int
}

func TestPoolZeroValue(t *testing.T) {
	oneP(t)
	noGC(t)
	var p spare.Pool[thing]
	x := p.Get()
	if x == nil || x.id != 0 {
		t.Fatalf("Get of the zero Pool = %v, want a new value", x)
	}
	if y := p.Get(); y == x {
		t.Fatal("Get returned the same value twice")
	}
	x.id = 7
	p.Put(x)
	if y := p.Get(); y != x || y.id != 7 {
		//spare:ignore use-after-put the pool is to return this very value
		t.Errorf("Get = %p with id %d, want %p with id 7 as it was put", y, y.id, x)
	}
}

func TestPoolNewMakesValues(t *testing.T) {
	n := 0
	p := spare.Pool[thing]{New: func() *thing { n++; return &thing{id: n} }}
	if a, b := p.Get(), p.Get(); a.id != 1 || b.id != 2 {
		t.Errorf("Get returned values %d and %d, want what New made: 1 and 2", a.id, b.id)
	}
	q := spare.Pool[thing]{New: func() *thing { return nil }}
	if x := q.Get(); x != nil {
		t.Errorf("Get = %v, want the nil that New returned", x)
	}
}

func TestPoolIgnoresNil(t *testing.T) {
	fail := func(*thing) { t.Error("a callback was called") }
	p := spare.Pool[thing]{
		Reset: fail,
		Drop:  fail,
		Keep:  func(*thing) bool { fail(nil); return true },
		Size:  func(*thing) int { fail(nil); return 1 },
	}
	p.Put(nil)
	if s := p.Stats(); s != (spare.Stats{}) {
		t.Errorf("Stats after Put(nil) = %+v, want zeros", s)
	}
}

// wantPanic reports whether f panics in a way that can be recovered from.
func wantPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if recover() == nil {
			t.Errorf("%s does not panic", what)
		}
	}()
	f()
}

func TestPoolNilReceiver(t *testing.T) {
	var p *spare.Pool[thing]
	wantPanic(t, "Get of a nil Pool", func() { p.Get() })
	wantPanic(t, "Put to a nil Pool", func() { p.Put(new(thing)) })
}

func TestPoolNeverUsed(t *testing.T) {
	for _, p := range []*spare.Pool[thing]{{}, {Size: func(*thing) int { return 1 }}} {
		p.Drain()
		if s := p.Stats(); s != (spare.Stats{}) {
			t.Errorf("Stats = %+v, want zeros", s)
		}
	}
}

func TestPoolUnusedSize(t *testing.T) {
	if n := unsafe.Sizeof(spare.Pool[thing]{}); n > 200 {
		t.Errorf("an unused Pool takes %d bytes, want 200 at most", n)
	}
	if n := unsafe.Sizeof(spare.Slices[byte]{}); n > 200 {
		t.Errorf("an unused Slices takes %d bytes, want 200 at most", n)
	}
}

func TestPoolZeroSizedValues(t *testing.T) {
	p := spare.Pool[struct{}]{MaxIdle: 8}
	for range 100 {
		p.Put(p.Get())
	}
	if s := p.Stats(); s.IdleBytes != 0 || s.Drops != 0 {
		t.Errorf("Stats = %+v: values without a size fit any bound", s)
	}
	wantBooks(t, p.Stats())
}

func TestPoolCallbackOrder(t *testing.T) {
	oneP(t)
	noGC(t)
	var calls []string
	note := func(s string) { calls = append(calls, s) }
	keep := true
	p := spare.Pool[thing]{
		New:   func() *thing { note("New"); return new(thing) },
		Keep:  func(*thing) bool { note("Keep"); return keep },
		Reset: func(*thing) { note("Reset") },
		Size:  func(*thing) int { note("Size"); return 100 },
		Drop:  func(*thing) { note("Drop") },
	}
	want := func(what string, names ...string) {
		t.Helper()
		if !slices.Equal(calls, names) {
			t.Errorf("%s calls %v, want %v", what, calls, names)
		}
		calls = nil
	}
	x := p.Get()
	want("Get of an empty pool", "New")
	p.Put(x)
	want("Put", "Keep", "Reset", "Size")
	x = p.Get()
	want("Get of a full pool")
	keep = false
	p.Put(x)
	want("a refused Put", "Keep", "Drop")
	keep = true
	p.Put(new(thing))
	calls = nil
	p.Drain()
	want("Drain", "Drop")
	wantBooks(t, p.Stats())
}

// TestPoolDropOnce lets values go in each of the ways there are.
func TestPoolDropOnce(t *testing.T) {
	const n = 100
	drop := func(x *thing) { x.drops.Add(1) }
	put := func(p *spare.Pool[thing]) []*thing {
		all := make([]*thing, n)
		for i := range all {
			all[i] = &thing{id: i}
			p.Put(all[i])
		}
		return all
	}
	dropped := func(all []*thing) (d int) {
		for _, x := range all {
			d += int(x.drops.Load()) //spare:ignore use-after-put what Drop did to the values is the test
		}
		return d
	}
	for _, tt := range []struct {
		name string
		pool *spare.Pool[thing]
		let  func(t *testing.T, p *spare.Pool[thing], all []*thing)
		want int
	}{
		{"kept", &spare.Pool[thing]{}, func(*testing.T, *spare.Pool[thing], []*thing) {}, 0},
		{"refused", &spare.Pool[thing]{Keep: func(x *thing) bool { return x.id%2 == 0 }}, func(*testing.T, *spare.Pool[thing], []*thing) {}, n / 2},
		{"no room", &spare.Pool[thing]{MaxIdle: 10 * int(unsafe.Sizeof(thing{}))}, func(*testing.T, *spare.Pool[thing], []*thing) {}, n - 10},
		{"no room by size", &spare.Pool[thing]{MaxIdle: 1000, Size: func(*thing) int { return 100 }}, func(*testing.T, *spare.Pool[thing], []*thing) {}, n - 10},
		{"keeps nothing", &spare.Pool[thing]{MaxIdle: -1}, func(*testing.T, *spare.Pool[thing], []*thing) {}, n},
		{"drained", &spare.Pool[thing]{}, func(t *testing.T, p *spare.Pool[thing], all []*thing) {
			p.Drain()
			if d := dropped(all); d != n {
				t.Errorf("Drain returned when %d of %d values were dropped", d, n)
			}
		}, n},
		{"drained by size", &spare.Pool[thing]{Size: func(*thing) int { return 1 }}, func(t *testing.T, p *spare.Pool[thing], all []*thing) {
			p.Drain()
			if d := dropped(all); d != n {
				t.Errorf("Drain returned when %d of %d values were dropped", d, n)
			}
		}, n},
		{"trimmed", &spare.Pool[thing]{}, func(t *testing.T, p *spare.Pool[thing], all []*thing) {
			for range idleCollections {
				collect(t)
			}
		}, n},
		{"trimmed by size", &spare.Pool[thing]{Size: func(*thing) int { return 1 }}, func(t *testing.T, p *spare.Pool[thing], all []*thing) {
			for range idleCollections {
				collect(t)
			}
		}, n},
	} {
		t.Run(tt.name, func(t *testing.T) {
			oneP(t)
			noGC(t)
			p := tt.pool
			p.Drop = drop
			all := put(p)
			tt.let(t, p, all)
			eventually(t, "Drop", func() bool { return dropped(all) >= tt.want })
			p.Drain()
			collect(t)
			for _, x := range all {
				if d := x.drops.Load(); d != 1 { //spare:ignore use-after-put what Drop did to the values is the test
					t.Fatalf("value %d was dropped %d times after Drain, want once", x.id, d)
				}
			}
			s := p.Stats()
			wantBooks(t, s)
			if s.Idle != 0 || s.IdleBytes != 0 || s.Drops != n || s.Puts != n {
				t.Errorf("Stats = %+v after all %d left", s, n)
			}
		})
	}
	t.Run("way", func(t *testing.T) {
		// As above, but counted before the final Drain.
		oneP(t)
		noGC(t)
		p := &spare.Pool[thing]{Keep: func(x *thing) bool { return x.id%2 == 0 }, Drop: drop}
		if all := put(p); dropped(all) != n/2 {
			t.Errorf("%d of %d values dropped, want each refused one at once", dropped(all), n)
		}
	})
	t.Run("unreachable", func(t *testing.T) {
		var all []*thing
		func() { all = put(&spare.Pool[thing]{Drop: drop}) }()
		collect(t)
		collect(t)
		collect(t) // the portable engine needs two, a register may hold it for one
		eventually(t, "Drop", func() bool { return dropped(all) >= n })
		collect(t)
		for _, x := range all {
			if d := x.drops.Load(); d != 1 { //spare:ignore use-after-put what Drop did to the values is the test
				t.Fatalf("value %d was dropped %d times", x.id, d)
			}
		}
	})
}

// TestPoolCallbackFails has each callback panic, or end its goroutine, and
// looks whether anything but the call at hand suffers.
func TestPoolCallbackFails(t *testing.T) {
	fail := map[string]func(){
		"panic":  func() { panic("oops") },
		"Goexit": runtime.Goexit,
	}
	for _, how := range []string{"panic", "Goexit"} {
		for _, which := range []string{"New", "Keep", "Reset", "Reset alone", "Size", "Drop", "Drop in Drain", "Keep and Drop"} {
			t.Run(which+" "+how, func(t *testing.T) {
				oneP(t)
				noGC(t)
				armed := ""
				at := func(name string) {
					if armed != "" && strings.HasPrefix(armed, name) {
						if armed == "Keep and Drop" {
							armed = "Drop"
						}
						fail[how]()
					}
				}
				refuse := false
				p := &spare.Pool[thing]{
					New:   func() *thing { at("New"); return new(thing) },
					Keep:  func(*thing) bool { at("Keep"); return !refuse },
					Reset: func(*thing) { at("Reset") },
					Size:  func(*thing) int { at("Size"); return 10 },
					Drop:  func(x *thing) { x.drops.Add(1); at("Drop") },
				}
				if which == "Reset alone" {
					p = &spare.Pool[thing]{Reset: p.Reset}
				}
				first := make([]*thing, 10)
				for i := range first {
					first[i] = &thing{id: i}
					p.Put(first[i])
				}

				victim := new(thing)
				returned, panicked := false, false
				done := make(chan struct{})
				armed = which
				go func() {
					defer close(done)
					defer func() { panicked = recover() != nil }()
					switch which {
					case "New":
						for range 11 {
							p.Get()
						}
					case "Drop":
						refuse = true
						p.Put(victim)
					case "Drop in Drain":
						p.Drain()
					default:
						p.Put(victim)
					}
					returned = true
				}()
				<-done
				armed, refuse = "", false
				if returned || panicked != (how == "panic") {
					t.Errorf("the call returned: %v, panicked: %v", returned, panicked)
				}

				switch which {
				case "New", "Reset alone":
				case "Drop in Drain":
					for _, x := range first {
						if d := x.drops.Load(); d != 1 {
							t.Errorf("value %d was dropped %d times by a Drain whose Drop fails, want once", x.id, d)
						}
					}
				default:
					if d := victim.drops.Load(); d != 1 {
						t.Errorf("the value at hand was dropped %d times, want once", d)
					}
				}

				// The pool goes on as if nothing had been.
				wantBooks(t, p.Stats())
				x := p.Get()
				if x == victim {
					t.Error("the value at hand was kept")
				}
				p.Put(x)
				if y := p.Get(); y != x {
					t.Error("the pool keeps nothing any more")
				}
				p.Drain()
				if s := p.Stats(); s.Idle != 0 || s.IdleBytes != 0 {
					t.Errorf("Stats after Drain = %+v", s)
				}
			})
		}
	}
}

// TestPoolBackgroundDropFails trims values whose Drop fails.
func TestPoolBackgroundDropFails(t *testing.T) {
	noGC(t)
	var out lockedBuffer
	log.SetOutput(&out)
	defer log.SetOutput(os.Stderr)
	var drops atomic.Int32
	p := &spare.Pool[thing]{
		Name: "fragile",
		Drop: func(x *thing) {
			drops.Add(1)
			if x.id%3 == 1 {
				panic("oops")
			}
			if x.id%3 == 2 {
				runtime.Goexit()
			}
		},
	}
	const n = 30
	for i := range n {
		p.Put(&thing{id: i})
	}
	// Each Goexit ends the goroutine; the next collection starts another.
	for range idleCollections + n {
		collect(t)
		if drops.Load() == n {
			break
		}
	}
	collect(t)
	if d := drops.Load(); d != n {
		t.Errorf("Drop was called %d times for %d values", d, n)
	}
	eventually(t, "the log", func() bool { return strings.Count(out.String(), "oops") == n/3 })
	if s := out.String(); !strings.Contains(s, `"fragile"`) {
		t.Errorf("the log does not name the pool:\n%s", s)
	}
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

// TestPoolCallbackReenters has each callback use the pool it belongs to.
func TestPoolCallbackReenters(t *testing.T) {
	noGC(t)
	var p *spare.Pool[thing]
	var depth, calls atomic.Int32 // Drop may come from another goroutine
	use := func() {
		defer depth.Add(-1)
		nested := depth.Add(1) > 1
		if depth.Load() > 2 {
			return
		}
		calls.Add(1)
		x := p.Get()
		p.Put(x)
		p.Put(&thing{id: 1})
		p.Stats()
		if !nested {
			p.Drain()
		}
		for name := range spare.All() {
			_ = name
		}
	}
	p = &spare.Pool[thing]{
		Name:  "reentrant",
		New:   func() *thing { use(); return new(thing) },
		Keep:  func(x *thing) bool { use(); return x.id == 0 },
		Reset: func(*thing) { use() },
		Size:  func(*thing) int { use(); return 1 },
		Drop: func(x *thing) {
			if x.drops.Add(1) != 1 {
				t.Error("dropped twice")
			}
			use()
		},
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 3 {
			x, y := p.Get(), p.Get()
			p.Put(x)
			p.Put(y)
			p.Drain()
		}
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("deadlock")
	}
	if calls.Load() == 0 {
		t.Error("no callback was called")
	}
	wantBooks(t, p.Stats())
}

// TestPoolCallbackBlocks blocks each callback and uses the pool meanwhile.
func TestPoolCallbackBlocks(t *testing.T) {
	for _, which := range []string{"New", "Keep", "Reset", "Size", "Drop", "Drop in Drain", "Drop in the background"} {
		t.Run(which, func(t *testing.T) {
			noGC(t)
			enter, leave := make(chan struct{}), make(chan struct{})
			var armed atomic.Bool
			at := func(name string) {
				if strings.HasPrefix(which, name) && armed.CompareAndSwap(true, false) {
					close(enter)
					<-leave
				}
			}
			p := &spare.Pool[thing]{
				New:   func() *thing { at("New"); return new(thing) },
				Keep:  func(x *thing) bool { at("Keep"); return x.id != 99 },
				Reset: func(*thing) { at("Reset") },
				Size:  func(*thing) int { at("Size"); return 1 },
				Drop:  func(*thing) { at("Drop") },
			}
			if which != "New" {
				for range 10 {
					p.Put(new(thing))
				}
			}
			armed.Store(true)
			done := make(chan struct{})
			go func() {
				defer close(done)
				switch which {
				case "New":
					p.Get()
				case "Drop":
					p.Put(&thing{id: 99})
				case "Drop in Drain":
					p.Drain()
				case "Drop in the background":
					for armed.Load() {
						collect(t)
					}
				default:
					p.Put(new(thing))
				}
			}()
			<-enter
			for range 100 {
				p.Put(p.Get())
			}
			p.Put(&thing{id: 99})
			p.Drain()
			for range 3 {
				collect(t)
			}
			p.Stats()
			close(leave)
			<-done
			eventually(t, "balanced books", func() bool {
				s := p.Stats()
				return s.Puts == s.Gets-s.News+s.Drops+uint64(s.Idle)
			})
		})
	}
}

// TestPoolMaxIdle holds the bound by a count that is never above the number of
// values in the pool: what was put and kept, less what was asked for.
func TestPoolMaxIdle(t *testing.T) {
	const size, room = int(unsafe.Sizeof(thing{})), 20
	sized := func(*thing) int { return size }
	for _, tt := range []struct {
		name string
		size func(*thing) int
	}{{"by type", nil}, {"by Size", sized}} {
		t.Run(tt.name, func(t *testing.T) {
			noGC(t)
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
			var idle, missed atomic.Int64
			p := &spare.Pool[thing]{
				MaxIdle: room*size + size - 1, // the rest is of no use
				Size:    tt.size,
				Drop:    func(*thing) { idle.Add(-1) },
				New:     func() *thing { idle.Add(1); missed.Add(1); return new(thing) },
			}
			check := func() {
				if n := idle.Load(); n > room {
					t.Errorf("at least %d values are idle, want %d at most", n, room)
				}
			}
			stop := make(chan struct{})
			var wg sync.WaitGroup
			for g := range 8 {
				wg.Go(func() {
					r := rand.New(rand.NewPCG(1, uint64(g)))
					var own []*thing
					for {
						select {
						case <-stop:
							return
						default:
						}
						if r.IntN(2) == 0 && len(own) > 0 {
							x := own[len(own)-1]
							own = own[:len(own)-1]
							p.Put(x)
							idle.Add(1) // only now that it is in
							check()
						} else if len(own) < 30 {
							idle.Add(-1) // already now; New puts it right
							own = append(own, p.Get())
						}
					}
				})
			}
			end := time.Now().Add(300 * time.Millisecond)
			for time.Now().Before(end) {
				if s := p.Stats(); s.Idle < 0 || s.IdleBytes < 0 {
					t.Errorf("Stats = %+v", s)
				}
				runtime.Gosched()
			}
			close(stop)
			wg.Wait()
			s := p.Stats()
			wantBooks(t, s)
			if s.IdleBytes > int64(p.MaxIdle) || s.Idle != idle.Load() {
				t.Errorf("Stats = %+v, want %d idle and %d bytes at most", s, idle.Load(), p.MaxIdle)
			}
			if s.Drops == 0 || missed.Load() == 0 {
				t.Errorf("Stats = %+v: the bound was never reached", s)
			}
		})
	}
}

// TestPoolMaxIdleUsed fills the room to the last value, wherever it went before.
func TestPoolMaxIdleUsed(t *testing.T) {
	oneP(t)
	noGC(t)
	const size, room = int(unsafe.Sizeof(thing{})), 100
	p := &spare.Pool[thing]{MaxIdle: room * size}
	for round := range 5 {
		var own []*thing
		for range 3 * room {
			own = append(own, p.Get())
		}
		for _, x := range own {
			p.Put(x)
		}
		if s := p.Stats(); s.Idle != room || s.IdleBytes != room*int64(size) {
			t.Fatalf("round %d: Stats = %+v, want %d idle", round, s, room)
		}
		if round == 3 {
			p.Drain()
		}
	}
}

// TestPoolSizeLies gives a pool sizes that change, and that make no sense.
func TestPoolSizeLies(t *testing.T) {
	oneP(t)
	noGC(t)
	next := 0
	p := &spare.Pool[thing]{MaxIdle: 1000, Size: func(*thing) int { return next }}
	put := func(size int, wantIdle, wantBytes int64) {
		t.Helper()
		next = size
		p.Put(new(thing))
		if s := p.Stats(); s.Idle != wantIdle || s.IdleBytes != wantBytes {
			t.Fatalf("after a Put of %d bytes: Stats = %+v, want %d idle, %d bytes", size, s, wantIdle, wantBytes)
		}
	}
	put(1000, 1, 1000)
	next = 5 // what Get gives back is what Put was told
	p.Get()
	if s := p.Stats(); s.Idle != 0 || s.IdleBytes != 0 {
		t.Fatalf("Stats = %+v, want nothing", s)
	}
	put(1001, 0, 0)
	put(math.MaxInt, 0, 0)
	put(600, 1, 600)
	put(401, 1, 600)
	put(400, 2, 1000)
	put(1, 2, 1000)
	put(0, 3, 1000)
	put(-5, 4, 1000)
	put(math.MinInt, 5, 1000)
	next = math.MaxInt
	p.Drain()
	if s := p.Stats(); s.Idle != 0 || s.IdleBytes != 0 {
		t.Fatalf("Stats = %+v, want nothing after Drain", s)
	}
	put(1000, 1, 1000)
	wantBooks(t, p.Stats())
}

// TestPoolKeepsWorkingSet takes values at a steady rate through collections.
func TestPoolKeepsWorkingSet(t *testing.T) {
	for _, n := range []int{1, 10, 32, 100, 1000} {
		for _, between := range []int{1, 3} {
			t.Run(fmt.Sprintf("n=%d/collections=%d", n, between), func(t *testing.T) {
				oneP(t)
				noGC(t)
				var p spare.Pool[thing]
				own := make([]*thing, n)
				round := func() {
					for i := range own {
						own[i] = p.Get()
					}
					for i := range own {
						p.Put(own[i])
						own[i] = nil
					}
					for range between {
						collect(t)
					}
				}
				round()
				for range 12 {
					round()
				}
				if s := p.Stats(); s.News != uint64(n) {
					t.Errorf("%d values were made for a working set of %d", s.News, n)
				}
			})
		}
	}
}

// TestPoolKeepsWorkingSetOfManyPs is the same on several Ps. Values that one P
// put may be out of another's reach until a collection, so that there may be
// more of them than anybody uses, but not for ever more.
func TestPoolKeepsWorkingSetOfManyPs(t *testing.T) {
	noGC(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var p spare.Pool[thing]
	const workers, n = 8, 50
	round := func() {
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				own := make([]*thing, n)
				for range 10 {
					for i := range own {
						own[i] = p.Get()
					}
					runtime.Gosched()
					for _, x := range own {
						p.Put(x)
					}
				}
			})
		}
		wg.Wait()
		collect(t)
	}
	for range 10 {
		round()
	}
	warm := p.Stats()
	for range 20 {
		round()
	}
	s := p.Stats()
	gets, news := s.Gets-warm.Gets, s.News-warm.News
	t.Logf("%d Gets, %d made", gets, news)
	if news > gets/20 {
		t.Errorf("%d of %d Gets found nothing, once warm", news, gets)
	}
}

// TestPoolIdleLeaves holds the number of collections that Pool documents.
func TestPoolIdleLeaves(t *testing.T) {
	for _, n := range []int{1, 5, 20, 1000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			noGC(t)
			p := new(spare.Pool[thing])
			refs := fill(p, n)
			for i := 1; p.Stats().Idle > 0; i++ {
				if i > idleCollections {
					t.Fatalf("%d values are idle after %d collections without use", p.Stats().Idle, idleCollections)
				}
				collect(t)
			}
			runtime.GC()
			if checked.Enabled {
				// It tells the checks of each in the background.
				eventually(t, "the values to be forgotten", func() bool {
					runtime.GC()
					return !slices.ContainsFunc(refs, func(r weak.Pointer[thing]) bool { return r.Value() != nil })
				})
			}
			for _, r := range refs {
				if r.Value() != nil {
					t.Fatal("a value that the pool let go is still alive")
				}
			}
			// And it can be used again.
			p.Put(p.Get())
			wantBooks(t, p.Stats())
		})
	}
}

//go:noinline
func fill(p *spare.Pool[thing], n int) []weak.Pointer[thing] {
	refs := make([]weak.Pointer[thing], n)
	for i := range refs {
		x := &thing{id: i}
		refs[i] = weak.Make(x)
		p.Put(x)
	}
	return refs
}

// TestPoolSurplusLeaves uses one value of a pool that had a burst of many.
func TestPoolSurplusLeaves(t *testing.T) {
	for _, n := range []int{20, 100, 5000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			noGC(t)
			p := new(spare.Pool[thing])
			fill(p, n)
			for range 50 {
				p.Put(p.Get())
				collect(t)
			}
			// Values travel between Ps in batches of 16. Beyond one of those,
			// each P may hold the one that it uses, and one is kept for it.
			limit := int64(16 + 2*runtime.GOMAXPROCS(0))
			if s := p.Stats(); s.Idle > limit {
				t.Errorf("%d values are idle where one is used, want %d at most", s.Idle, limit)
			}
			if s := p.Stats(); s.News > 2 {
				t.Errorf("%d values were made though %d had been put", s.News, n)
			}
		})
	}
}

func TestPoolEmptiesNearMemoryLimit(t *testing.T) {
	noGC(t)
	var p spare.Pool[thing]
	fill(&p, 1000)
	collect(t)
	if s := p.Stats(); s.Idle != 1000 {
		t.Fatalf("%d values are idle before memory is short, want 1000", s.Idle)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1))
	defer collect(t) // with the old limit
	collect(t)
	collect(t) // the first may have begun before
	if s := p.Stats(); s.Idle != 0 {
		t.Errorf("%d values are idle near the memory limit, want none", s.Idle)
	}
	wantBooks(t, p.Stats())
}

// TestPoolUnreachable forgets a pool; nothing may keep it or its values.
func TestPoolUnreachable(t *testing.T) {
	pool, refs := forgotten()
	// The values leave the pool, then memory. The portable engine needs one
	// more, and a register may hold the pool during the first.
	for range 4 {
		collect(t)
	}
	if pool.Value() != nil {
		t.Error("the pool is still alive")
	}
	alive := 0
	for _, r := range refs {
		if r.Value() != nil {
			alive++
		}
	}
	if alive > 0 {
		t.Errorf("%d of its values are still alive", alive)
	}
}

//go:noinline
func forgotten() (weak.Pointer[spare.Pool[thing]], []weak.Pointer[thing]) {
	p := &spare.Pool[thing]{Name: "forgotten"}
	return weak.Make(p), fill(p, 100)
}

// TestPoolInBubble uses a pool of things that belong to a synctest bubble.
func TestPoolInBubble(t *testing.T) {
	type conn struct {
		c     chan int
		timer *time.Timer
	}
	synctest.Test(t, func(t *testing.T) {
		var p spare.Pool[conn]
		p.New = func() *conn { return &conn{c: make(chan int, 1), timer: time.NewTimer(time.Hour)} }
		p.Drop = func(x *conn) { x.timer.Stop() }
		for range 3 {
			var wg sync.WaitGroup
			for range 10 {
				wg.Go(func() {
					x := p.Get()
					x.timer.Reset(time.Second)
					<-x.timer.C
					x.c <- 1
					<-x.c
					p.Put(x)
				})
			}
			wg.Wait()
			runtime.GC()
		}
		p.Drain()
		wantBooks(t, p.Stats())
	})
}

func TestPoolDoesNotAllocate(t *testing.T) {
	t.Run("bytes.Buffer", func(t *testing.T) {
		p := spare.Pool[bytes.Buffer]{Reset: (*bytes.Buffer).Reset}
		wantMallocs(t, 10_000, 0, func() {
			b := p.Get()
			b.WriteString("hello, world")
			p.Put(b)
		})
	})
	t.Run("all callbacks", func(t *testing.T) {
		p := spare.Pool[thing]{
			Reset: func(x *thing) { x.id = 0 },
			Keep:  func(x *thing) bool { return true },
			Drop:  func(x *thing) {},
			Size:  func(x *thing) int { return 100 },
		}
		wantMallocs(t, 10_000, 0, func() {
			x := p.Get()
			x.id++
			p.Put(x)
		})
	})
	t.Run("100 held", func(t *testing.T) {
		var p spare.Pool[thing]
		var own [100]*thing
		wantMallocs(t, 1000, 0, func() {
			for i := range own {
				own[i] = p.Get()
			}
			for _, x := range own {
				p.Put(x)
			}
		})
	})
	t.Run("MaxIdle", func(t *testing.T) {
		p := spare.Pool[thing]{MaxIdle: 1000}
		wantMallocs(t, 10_000, 0, func() { p.Put(p.Get()) })
	})
	t.Run("the measure", func(t *testing.T) {
		// It would see one object in 10 calls.
		n := 0
		wantMallocs(t, 1000, 100, func() {
			if n++; n%10 == 0 {
				sink = new(thing)
			}
		})
	})
}

var sink *thing

// A tracked value knows in whose hands it is.
type tracked struct {
	state atomic.Int32
	owner uint64 // written without synchronization by whoever owns it
	more  [4]uint64
}

const (
	idle int32 = iota
	owned
	gone
)

func (x *tracked) move(t *testing.T, from, to int32) {
	if !x.state.CompareAndSwap(from, to) {
		t.Errorf("value %p is in state %d when it goes from %d to %d", x, x.state.Load(), from, to)
	}
}

func (x *tracked) use(t *testing.T, me uint64) {
	x.owner = me
	for i := range x.more {
		x.more[i] = me
	}
}

func (x *tracked) check(t *testing.T, me uint64) {
	if x.owner != me || x.more != [4]uint64{me, me, me, me} {
		t.Errorf("value %p of %d is used by %d, too", x, me, x.owner)
	}
}

// storm collects garbage and changes GOMAXPROCS until stop is closed.
func storm(wg *sync.WaitGroup, stop chan struct{}) {
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
				time.Sleep(time.Duration(rand.IntN(1000)) * time.Microsecond)
			}
		}
	})
	wg.Go(func() {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
		for {
			select {
			case <-stop:
				return
			default:
				procs := []int{1, 2, 3, 4, 8, 64}
				runtime.GOMAXPROCS(procs[rand.IntN(len(procs))])
				time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
			}
		}
	})
}

// TestPoolStress tracks every value by identity: none is lost, none is in two
// hands, each is dropped once.
func TestPoolStress(t *testing.T) {
	for _, tt := range []struct {
		name    string
		hooks   bool // with Drop and failing callbacks, so that each value's end is seen
		size    func(*tracked) int
		maxIdle int
	}{
		{name: "plain"},
		{name: "bounded", maxIdle: 100 * int(unsafe.Sizeof(tracked{}))},
		{name: "hooks", hooks: true},
		{name: "hooks sized bounded", hooks: true, size: func(x *tracked) int { return 10 + int(x.owner%7) }, maxIdle: 1000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var mu sync.Mutex
			var all []*tracked
			p := &spare.Pool[tracked]{
				New: func() *tracked {
					x := new(tracked)
					mu.Lock()
					all = append(all, x)
					mu.Unlock()
					return x
				},
				Size:    tt.size,
				MaxIdle: tt.maxIdle,
			}
			if tt.hooks {
				p.Drop = func(x *tracked) {
					x.use(t, 0)
					x.move(t, idle, gone)
				}
				p.Keep = func(x *tracked) bool {
					switch rand.IntN(1000) {
					case 0:
						panic("Keep")
					case 1:
						return false
					}
					return true
				}
				p.Reset = func(x *tracked) {
					if rand.IntN(1000) == 0 {
						panic("Reset")
					}
				}
			} else {
				// Without Drop there is no end to see, and all must not keep
				// the values: the pool lets them go to the collector.
				p.New = nil
			}
			put := func(x *tracked) {
				defer func() {
					if r := recover(); r != nil && !tt.hooks {
						panic(r)
					}
				}()
				p.Put(x)
			}
			stop := make(chan struct{})
			var wg sync.WaitGroup
			storm(&wg, stop)
			for g := range uint64(8) {
				wg.Go(func() {
					r := rand.New(rand.NewPCG(g, 1))
					me := g + 1
					var own []*tracked
					give := func() {
						x := own[len(own)-1]
						own = own[:len(own)-1]
						x.check(t, me)
						x.move(t, owned, idle)
						put(x)
					}
					for most := 1; ; {
						switch k := r.IntN(10_000); {
						case k == 0:
							p.Drain()
						case k < 10:
							s := p.Stats()
							if s.Idle < 0 || s.IdleBytes < 0 {
								t.Errorf("Stats = %+v", s)
							}
						case k < 50:
							most = 1 + r.IntN(100)
							select {
							case <-stop:
								for len(own) > 0 {
									give()
								}
								return
							default:
							}
						case k < 5000 && len(own) < most:
							x := p.Get()
							x.move(t, idle, owned)
							x.use(t, me)
							own = append(own, x)
						case len(own) > 0:
							give()
						}
						if t.Failed() {
							return
						}
					}
				})
			}
			timer := time.NewTimer(stressTime(t))
			defer timer.Stop()
			<-timer.C
			close(stop)
			wg.Wait()
			if t.Failed() {
				return
			}
			p.Drain()
			s := p.Stats()
			wantBooks(t, s)
			if s.Idle != 0 || s.IdleBytes != 0 {
				t.Errorf("Stats after Drain = %+v", s)
			}
			t.Logf("%+v", s)
			if tt.hooks {
				eventually(t, "each value to be dropped", func() bool {
					for _, x := range all {
						if x.state.Load() != gone {
							return false
						}
					}
					return true
				})
				if uint64(len(all)) != s.News || s.Drops != s.News {
					t.Errorf("%d values were made, Stats = %+v", len(all), s)
				}
			}
		})
	}
}

// TestPoolHandOver takes values on some goroutines and puts them on others, many
// at a time, so that they travel between Ps by whole magazines. Collections,
// Drain and changes of GOMAXPROCS come in between.
func TestPoolHandOver(t *testing.T) {
	for _, maxIdle := range []int{0, 1000 * int(unsafe.Sizeof(tracked{}))} {
		t.Run("MaxIdle="+strconv.Itoa(maxIdle), func(t *testing.T) {
			var made, dropped atomic.Int64
			p := &spare.Pool[tracked]{
				New: func() *tracked {
					made.Add(1)
					return new(tracked)
				},
				Drop: func(x *tracked) {
					x.move(t, idle, gone)
					dropped.Add(1)
				},
				MaxIdle: maxIdle,
			}
			stop := make(chan struct{})
			var weather, takers, putters sync.WaitGroup
			storm(&weather, stop)
			batches := make(chan []*tracked, 4)
			for g := range uint64(2) {
				takers.Go(func() {
					r := rand.New(rand.NewPCG(g, 2))
					for !t.Failed() {
						select {
						case <-stop:
							return
						default:
						}
						batch := make([]*tracked, 1+r.IntN(500))
						for i := range batch {
							x := p.Get()
							x.move(t, idle, owned)
							x.use(t, g)
							batch[i] = x
						}
						for _, x := range batch {
							x.check(t, g)
						}
						batches <- batch
					}
				})
				putters.Go(func() {
					for batch := range batches {
						for _, x := range batch {
							x.move(t, owned, idle)
							p.Put(x)
						}
					}
				})
			}
			timer := time.NewTimer(stressTime(t))
			defer timer.Stop()
			ticker := time.NewTicker(20 * time.Millisecond)
			defer ticker.Stop()
		drains:
			for {
				select {
				case <-ticker.C:
					p.Drain()
				case <-timer.C:
					break drains
				}
			}
			close(stop)
			takers.Wait()
			close(batches)
			putters.Wait()
			weather.Wait()
			if s := p.Stats(); maxIdle > 0 && s.IdleBytes > int64(maxIdle) {
				t.Errorf("IdleBytes = %d, more than MaxIdle = %d", s.IdleBytes, maxIdle)
			}
			p.Drain()
			s := p.Stats()
			wantBooks(t, s)
			if s.Idle != 0 || s.IdleBytes != 0 {
				t.Errorf("Stats after Drain = %+v", s)
			}
			eventually(t, "each value to be dropped", func() bool { return dropped.Load() == made.Load() })
			t.Logf("%+v", s)
		})
	}
}

// TestPoolOrder holds that values that are put one after the other come back in the
// opposite order, however many they are: so those that lie side by side in memory
// are used, and marked by the collector, one after the other.
func TestPoolOrder(t *testing.T) {
	if magazine.Portable || race.Enabled || checked.Enabled {
		t.Skip("the portable engine finds its shards at random; the detector makes sync.Pool drop values; the checks reuse nothing")
	}
	oneP(t)
	type value struct {
		id int
		_  [9]int
	}
	made := 0
	p := spare.Pool[value]{New: func() *value { made++; return &value{id: made} }}
	values := make([]*value, 5000)
	for i := range values {
		values[i] = p.Get()
	}
	for round := range 5 {
		for _, x := range values {
			p.Put(x)
		}
		for i := range values {
			values[i] = p.Get()
		}
		for i := 1; i < len(values); i++ {
			if step := values[i].id - values[i-1].id; step != 1 && step != -1 {
				t.Fatalf("round %d: value %d comes after %d", round, values[i].id, values[i-1].id)
			}
		}
		collect(t)
	}
}

// TestPoolOrderOfTheRest checks that values which a P had no use for come back in
// stack order too, newest first, wherever the collections left them: in use by
// the P, aside in the depot, or all in the depot after the P was idle.
func TestPoolOrderOfTheRest(t *testing.T) {
	if magazine.Portable || race.Enabled || checked.Enabled {
		t.Skip("the portable engine finds its shards at random; the detector makes sync.Pool drop values; the checks reuse nothing")
	}
	oneP(t)
	noGC(t)
	type value struct {
		id int
		_  [9]int
	}
	for n := 1; n <= 150; n++ {
		for idle := range 3 {
			var p spare.Pool[value]
			for id := range n {
				p.Put(&value{id: id})
			}
			for cycle := range 4 {
				if cycle%(idle+1) == 0 {
					p.Put(p.Get())
				}
				collect(t)
			}
			for i := range n {
				if got := p.Get().id; got != n-1-i {
					t.Fatalf("%d values, used in one of %d cycles: value %d comes where %d was expected", n, idle+1, got, n-1-i)
				}
			}
		}
	}
}
