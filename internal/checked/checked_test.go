// SPDX-License-Identifier: BSD-3-Clause

//go:build spare_checked

package checked_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/checked"
)

// reports collects what is reported in the rest of a test.
type reports struct {
	mu  sync.Mutex
	all []string
}

func watch(t *testing.T) *reports {
	r := new(reports)
	old := checked.SetHandler(func(s string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.all = append(r.all, s)
	})
	t.Cleanup(func() { checked.SetHandler(old) })
	return r
}

// want checks that one report came, and that it has all parts, in order. It
// forgets the report.
func (r *reports) want(t *testing.T, parts ...string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.all = nil }()
	if len(parts) == 0 {
		if len(r.all) > 0 {
			t.Errorf("reported:\n%s", strings.Join(r.all, "\n"))
		}
		return
	}
	if len(r.all) != 1 {
		t.Errorf("%d reports, want one: %q", len(r.all), r.all)
		return
	}
	rest := r.all[0]
	for _, p := range append(parts, "What to do: ") {
		i := strings.Index(rest, p)
		if i < 0 {
			t.Errorf("no %q, in its order, in the report:\n%s", p, r.all[0])
			return
		}
		rest = rest[i+len(p):]
	}
}

type node struct {
	next *node
	n    int
}

type point struct{ x, y, z int64 }

// The functions that use the pools have names to look for in the reports.

//go:noinline
func takeNode(p *spare.Pool[node]) *node { return p.Get() }

//go:noinline
func giveNode(p *spare.Pool[node], x *node) { p.Put(x) }

//go:noinline
func giveNodeAgain(p *spare.Pool[node], x *node) { p.Put(x) }

func TestDoublePut(t *testing.T) {
	r := watch(t)
	p := spare.Pool[node]{Name: "nodes"}
	x := takeNode(&p)
	giveNode(&p, x)
	r.want(t)
	giveNodeAgain(&p, x)
	r.want(t, "double Put", `Pool[checked_test.node] "nodes"`, "Get:", "takeNode", "Put:", "giveNode\n", "Put again:", "giveNodeAgain", "checked_test.go")
	if s := p.Stats(); s.Puts != 1 || s.Idle != 1 {
		t.Errorf("Stats = %+v after a double Put, want it ignored", s)
	}
	a, b := p.Get(), p.Get()
	if a == b {
		t.Error("two Gets return the same value")
	}

	var s spare.Slices[byte]
	b1 := s.Get(100)
	s.Put(b1)
	s.Put(b1[:0:80])
	r.want(t, "double Put", "Slices[uint8]")
	small := make([]byte, 3) // not kept
	s.Put(small)
	s.Put(small)
	r.want(t, "double Put", "Slices[uint8]")
}

// TestDoublePutMuchLater puts a value again when others had it, or might have had.
func TestDoublePutMuchLater(t *testing.T) {
	r := watch(t)
	var p spare.Pool[node]
	x := takeNode(&p)
	giveNode(&p, x)
	for range 100 {
		y := p.Get()
		if y == x {
			t.Fatal("a value was handed out twice")
		}
		p.Put(y)
	}
	runtime.GC()
	r.want(t)
	giveNodeAgain(&p, x)
	r.want(t, "double Put", "takeNode", "giveNode\n", "giveNodeAgain")
	for range 20 {
		runtime.GC()
	}
	giveNodeAgain(&p, x)
	r.want(t, "double Put", "takeNode", "giveNode\n", "giveNodeAgain")
}

func TestStranger(t *testing.T) {
	r := watch(t)
	var p spare.Pool[node]
	for range 10 {
		p.Put(new(node)) // to fill it
	}
	p.Put(p.Get())
	r.want(t)
	giveNode(&p, new(node))
	r.want(t, "stranger", "Pool[checked_test.node]", "Put:", "giveNode")

	q := spare.Pool[node]{New: func() *node { return nil }}
	if x := q.Get(); x != nil {
		t.Fatal("New was not called")
	}
	q.Put(new(node)) // its callers make the values
	q.Put(q.Get())
	q.Put(new(node))
	r.want(t)

	var s spare.Slices[int]
	s.Put(make([]int, 100))
	s.Put(append(s.Get(10), make([]int, 1000)...))
	r.want(t)
}

func TestOtherPool(t *testing.T) {
	r := watch(t)
	p, q := spare.Pool[node]{Name: "p"}, spare.Pool[node]{Name: "q"}
	x := takeNode(&p)
	giveNode(&q, x)
	r.want(t, "another pool", `"p"`, `"q"`, "Get:", "takeNode", "Put:", "giveNode")
	p.Put(x)
	giveNode(&q, x)
	r.want(t, "double Put", `"p"`, `"q"`)

	var a, b spare.Slices[byte]
	s := a.Get(100)
	b.Put(s)
	r.want(t, "another pool")
	a.Put(s)
	r.want(t)
}

// TestDropMayPassOn has Drop give values to somebody else, whose they are then.
func TestDropMayPassOn(t *testing.T) {
	r := watch(t)
	var next spare.Pool[node]
	p := spare.Pool[node]{MaxIdle: -1, Drop: func(x *node) { next.Put(x) }}
	for range 10 {
		p.Put(p.Get())
	}
	r.want(t)
	x := p.Get()
	p.Put(x)
	p.Put(x)
	r.want(t, "double Put")
}

func TestOverlap(t *testing.T) {
	r := watch(t)
	var p spare.Slices[byte]
	s := p.Get(1000)
	s = s[:cap(s)]
	p.Put(s[100:])
	r.want(t, "not the caller's alone", "did not get back", "Get:", "TestOverlap", "Put:")
	p.Put(s)
	r.want(t)
	p.Put(s[:500][200:])
	r.want(t, "not the caller's alone", "got back before")

	foreign := make([]byte, 2000)
	p.Put(foreign[1000:])
	p.Put(foreign)
	r.want(t, "not the caller's alone")

	var inner spare.Pool[point]
	type outer struct {
		a int64
		b point
	}
	var pool spare.Pool[outer]
	o := pool.Get()
	inner.Put(&o.b)
	r.want(t, "not the caller's alone", "Pool[checked_test.outer]")
	pool.Put(o)
	r.want(t)
}

func TestWriteAfterPut(t *testing.T) {
	r := watch(t)
	report := []string{"write after Put", "Get:", "Put:"}
	t.Run("slice, at Get", func(t *testing.T) {
		var p spare.Slices[byte]
		s := append(p.Get(100), "hello"...)
		p.Put(s)
		if s[0] != 0xCC {
			t.Errorf("the memory holds %#x after Put, want the pattern", s[0])
		}
		s[3] = 'x'
		p.Get(100)
		r.want(t, append(report, "TestWriteAfterPut")...)
		s[4] = 'x' // buried by now, and reported once
		checked.Sweep()
		r.want(t)
	})
	t.Run("slice, by the sweep", func(t *testing.T) {
		var p spare.Slices[uint32]
		s := p.Get(100)[:100]
		p.Put(s)
		s[99] = 7
		checked.Sweep()
		r.want(t, append(report, "byte 396 of 448 is 0x07")[0], "byte 396 of 448 is 0x07")
		checked.Sweep()
		r.want(t)
	})
	t.Run("buried slice, by the sweep", func(t *testing.T) {
		var p spare.Slices[byte]
		s := p.Get(100)[:100]
		p.Put(s)
		p.Get(100)
		s[50] = 1
		checked.Sweep()
		r.want(t, report...)
	})
	t.Run("slice of pointers", func(t *testing.T) {
		var p spare.Slices[*node]
		s := p.Get(100)[:100]
		p.Put(s)
		s[10] = new(node)
		checked.Sweep()
		r.want(t, report...)
	})
	t.Run("wiped slice", func(t *testing.T) {
		p := spare.Slices[byte]{Zero: true}
		s := p.Get(100)[:100]
		p.Put(s)
		s[10] = 1
		checked.Sweep()
		r.want(t, report...)
	})
	t.Run("value", func(t *testing.T) {
		var p spare.Pool[point]
		x := p.Get()
		p.Put(x)
		x.y = 1
		checked.Sweep()
		r.want(t, report...)
	})
	t.Run("value with pointers", func(t *testing.T) {
		var p spare.Pool[node]
		x := p.Get()
		x.next, x.n = x, 7
		p.Put(x)
		if x.next != nil || x.n != 0 {
			t.Errorf("the value is %v after Put, want zeros", *x)
		}
		x.n = 1
		checked.Sweep()
		r.want(t, report...)
	})
	t.Run("value with pointers that Drop wants", func(t *testing.T) {
		var p spare.Pool[node]
		p.Drop = func(x *node) {
			if x.n != 7 {
				t.Errorf("Drop saw %d", x.n)
			}
		}
		x := p.Get()
		x.n = 7
		p.Put(x)
		x.next = x
		checked.Sweep()
		r.want(t, report...)
		p.Drain()
		r.want(t)
	})
	t.Run("value that Drop wants", func(t *testing.T) {
		seen := int64(0)
		p := spare.Pool[point]{Drop: func(x *point) { seen = x.x }}
		x := p.Get()
		x.x = 5
		p.Put(x)
		x.x = 6
		p.Drain()
		r.want(t, report...)
		if seen != 6 {
			t.Errorf("Drop saw %d: the checks changed the value", seen)
		}
	})
	// No call of the pool, nor of Sweep: the collector is enough. What idles would be
	// looked at when it leaves the pool, some collections later; what is buried
	// has left it, so that nothing but the sweep can find the write.
	for _, buried := range []bool{false, true} {
		t.Run(fmt.Sprintf("by itself, buried: %v", buried), func(t *testing.T) {
			var p spare.Slices[byte]
			s := p.Get(100)[:100]
			p.Put(s)
			if buried {
				p.Get(100)
			}
			s[1] = 1
			for range 1000 {
				runtime.GC()
				time.Sleep(time.Millisecond)
				r.mu.Lock()
				n := len(r.all)
				r.mu.Unlock()
				if n > 0 {
					break
				}
			}
			r.want(t, report...)
			runtime.KeepAlive(&p)
		})
	}
}

// TestContentsComeBack has a value leave the registry's graves while it is idle, since
// others came: it has its contents again, and is watched all the same.
func TestContentsComeBack(t *testing.T) {
	r := watch(t)
	var p, q spare.Pool[node]
	others := func() {
		for range checked.MaxGraves {
			q.Put(new(node))
		}
	}
	x := p.Get()
	next := new(node)
	x.next, x.n = next, 7
	p.Put(x)
	if x.next != nil || x.n != 0 {
		t.Fatalf("the value is %v after Put, want zeros", *x)
	}
	others()
	if x.next != next || x.n != 7 {
		t.Errorf("the value is %v when it is not kept any more, want what it was", *x)
	}
	checked.Sweep()
	r.want(t)
	x.n = 8
	checked.Sweep()
	r.want(t, "write after Put", "Get:", "Put:")

	var points spare.Pool[point]
	y := points.Get()
	y.x = 5
	points.Put(y)
	if uint64(y.x) != 0xCCCC_CCCC_CCCC_CCCC {
		t.Errorf("the value holds %#x after Put, want the pattern", y.x)
	}
	points.Drain()
	if y.x != 5 {
		t.Errorf("the value holds %#x when it left the pool, want what it was", y.x)
	}
	r.want(t)

	y = points.Get()
	points.Put(y)
	y.z = 1
	others()
	r.want(t, "write after Put", "Get:", "Put:")
}

// TestSharedValuesAreLeftAlone looks at values that may have a goroutine of their own.
func TestSharedValuesAreLeftAlone(t *testing.T) {
	r := watch(t)
	type core struct{ jobs chan int }
	type value struct {
		call func()
		n    int
	}
	var p spare.Pool[struct {
		c *core
		n int
	}]
	x := p.Get()
	x.n = 7
	p.Put(x)
	if x.n != 7 {
		t.Errorf("n is %d after Put of a value that leads to a channel", x.n)
	}
	x.n = 8
	checked.Sweep()
	r.want(t)
	p.Put(x)
	r.want(t, "double Put")

	var q spare.Pool[value]
	y := q.Get()
	y.call, y.n = func() {}, 7
	q.Put(y)
	if y.n != 7 {
		t.Errorf("n is %d after Put of a value with a func", y.n)
	}
	y = q.Get()
	y.n = 7
	q.Put(y)
	if y.n != 0 {
		t.Errorf("n is %d after Put of a value without a func", y.n)
	}
	y.n = 1
	checked.Sweep()
	r.want(t, "write after Put")
}

func TestNothingIsReadStale(t *testing.T) {
	r := watch(t)
	var p spare.Slices[byte]
	s := p.Get(100)
	for _, c := range s[:cap(s)] {
		if c != 0xCC {
			t.Fatalf("new memory holds %#x beyond the length, want the pattern", c)
		}
	}
	z := spare.Slices[byte]{Zero: true}
	s = z.Get(100)
	for _, c := range s[:cap(s)] {
		if c != 0 {
			t.Fatalf("memory of a pool with Zero holds %#x", c)
		}
	}
	r.want(t)
}

//go:noinline
func loseNode(p *spare.Pool[node]) { takeNode(p).n = 1 }

func TestNeverReturned(t *testing.T) {
	r := watch(t)
	checked.SetLeaks(true)
	defer checked.SetLeaks(false)
	p := spare.Pool[node]{Name: "leaky"}
	loseNode(&p)
	kept := p.Get()
	for range 1000 {
		runtime.GC()
		time.Sleep(time.Millisecond)
		r.mu.Lock()
		n := len(r.all)
		r.mu.Unlock()
		if n > 0 {
			break
		}
	}
	r.want(t, `"leaky" was never put back`, "Get:", "takeNode", "loseNode")
	p.Put(kept)
	r.want(t)
}

// TestLostIsOutstanding loses values, which are listed before the registry knows
// that they were collected, and afterwards.
func TestLostIsOutstanding(t *testing.T) {
	r := watch(t)
	var p spare.Pool[node]
	const lost = 3
	for range lost {
		loseNode(&p)
	}
	for i := range 20 {
		n := 0
		for _, s := range checked.Outstanding(unsafe.Pointer(&p)) {
			n += s.Count
		}
		if n != lost {
			t.Fatalf("%d values are out after %d collections, want %d", n, i, lost)
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	r.want(t)
	runtime.KeepAlive(&p)
}

// TestForgets makes sure that the registry does not grow, nor takes new memory
// for old.
func TestForgets(t *testing.T) {
	r := watch(t)
	var p spare.Slices[byte]
	var q spare.Pool[node]
	for range 50_000 {
		p.Get(100)     // dropped
		q.Put(q.Get()) // buried
		p.Put(make([]byte, 64))
	}
	r.want(t)
	for range 1000 {
		runtime.GC()
		if checked.Records() < 10_000 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d values are known, of which few exist", checked.Records())
}

// TestPanics looks at what happens when nobody replaces the handler.
func TestPanics(t *testing.T) {
	defer func() {
		if s, ok := recover().(string); !ok || !strings.HasPrefix(s, "spare: double Put") {
			t.Errorf("recovered %v, want a report", s)
		}
	}()
	var p spare.Pool[node]
	x := p.Get()
	p.Put(x)
	p.Put(x)
	t.Error("no panic")
}

func TestSettings(t *testing.T) {
	for _, tt := range []struct {
		words, guard string
		canGuard     bool
		err          string
	}{
		{"", "", true, ""},
		{"reuse, leaks,strangers", "100", true, ""},
		{"guardonly", "10000", true, ""},
		{"reuze", "", true, `unknown word "reuze"`},
		{"", "x", true, "SPARE_GUARD=x: want a number"},
		{"", "-1", true, "SPARE_GUARD=-1: want a number"},
		{"", "100", false, "SPARE_GUARD=100: there are no guard pages on this system"},
		{"", "0", false, ""},
	} {
		err := checked.Parse(tt.words, tt.guard, tt.canGuard)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%q, %q: %v, want an error with %q", tt.words, tt.guard, err, tt.err)
		}
	}
}

var exempt spare.Pool[node]

func init() { checked.Exempt(unsafe.Pointer(&exempt)) }

func TestExempt(t *testing.T) {
	r := watch(t)
	p := &exempt
	x := p.Get()
	p.Put(x)
	p.Put(x)
	r.want(t)
}
