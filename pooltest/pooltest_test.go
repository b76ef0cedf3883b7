// SPDX-License-Identifier: BSD-3-Clause

package pooltest_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/pooltest"
)

var (
	_ pooltest.TB = (*testing.T)(nil)
	_ pooltest.TB = (*testing.B)(nil)
	_ pooltest.TB = (*testing.F)(nil)
	_ pooltest.TB = (testing.TB)(nil)
)

// A fake is a test that may fail.
type fake struct {
	mu       sync.Mutex
	errors   []string
	logs     []string
	cleanups []func()
}

func (f *fake) Helper()          {}
func (f *fake) Cleanup(c func()) { f.cleanups = append(f.cleanups, c) }
func (f *fake) Log(args ...any)  { f.logs = append(f.logs, fmt.Sprint(args...)) }
func (f *fake) Errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.errors = append(f.errors, fmt.Sprintf(format, args...))
}

// end runs the cleanups and returns what was reported.
func (f *fake) end() []string {
	for i := len(f.cleanups) - 1; i >= 0; i-- {
		f.cleanups[i]()
	}
	return f.errors
}

type value struct {
	next *value
	_    [4]int
}

//go:noinline
func forget(p *spare.Pool[value]) { p.Get() }

func TestLeaks(t *testing.T) {
	defer pooltest.SetGrace(50 * time.Millisecond)()
	p := spare.Pool[value]{Name: "values"}
	var s spare.Slices[byte]
	early := p.Get() // before the test: not its fault

	t.Run("none", func(t *testing.T) {
		var f fake
		pooltest.Leaks(&f, &p, &s)
		x := p.Get()
		b := append(s.Get(10), make([]byte, 1000)...) // in another array
		go func() {
			time.Sleep(10 * time.Millisecond)
			p.Put(x)
			s.Put(b)
		}()
		if e := f.end(); e != nil {
			t.Errorf("reported %q", e)
		}
	})
	t.Run("values", func(t *testing.T) {
		var f fake
		pooltest.Leaks(&f, &s, &p)
		forget(&p)
		forget(&p)
		p.Put(p.Get())
		e := f.end()
		if len(e) != 1 || !strings.Contains(e[0], `2 values of spare.Pool[github.com/spare-go/spare/pooltest_test.value] "values"`) {
			t.Fatalf("reported %q", e)
		}
		if pooltest.Checked != strings.Contains(e[0], "pooltest_test.forget\n") {
			t.Errorf("reported %s", e[0])
		}
		if !pooltest.Checked && !strings.Contains(e[0], "-tags spare_checked") {
			t.Errorf("the report does not say how to see more: %s", e[0])
		}
	})
	t.Run("slices", func(t *testing.T) {
		var f fake
		pooltest.Leaks(&f, &s)
		s.Get(100)
		e := f.end()
		if len(e) != 1 || !strings.Contains(e[0], "1 value of spare.Slices[uint8]") {
			t.Fatalf("reported %q", e)
		}
	})
	t.Run("no pools", func(t *testing.T) {
		var f fake
		pooltest.Leaks(&f)
		if e := f.end(); len(e) != 1 {
			t.Errorf("reported %q", e)
		}
	})
	p.Put(early)
}

func TestAllocs(t *testing.T) {
	if why := pooltest.Uncounted(); why != "" {
		n := 0
		var f fake
		pooltest.Allocs(&f, pooltest.Counts{Cold: 99}, func() { n++ })
		if n == 0 || f.errors != nil || len(f.logs) != 1 || !strings.Contains(f.logs[0], why) {
			t.Errorf("with %s: %d calls, errors %q, log %q", why, n, f.errors, f.logs)
		}
		return
	}
	var sink *value // keeps the objects on the heap
	shape := func(cold int, every, once int) func() {
		first, n := true, 0
		return func() {
			if first {
				first = false
				for range cold {
					sink = new(value)
				}
				return
			}
			for range every {
				sink = new(value)
			}
			if n++; once > 0 && n%once == 0 {
				sink = new(value)
			}
		}
	}
	// settling makes an object in every nth call until there are that many.
	settling := func(objects, nth int) func() {
		n := 0
		return func() {
			if n++; n%nth == 0 && n/nth <= objects {
				sink = new(value)
			}
		}
	}
	for _, tt := range []struct {
		name string
		want pooltest.Counts
		f    func()
		bad  []string
	}{
		{"none", pooltest.Counts{}, func() {}, nil},
		{"cold", pooltest.Counts{Cold: 4}, shape(4, 0, 0), nil},
		{"cold, unnoticed by others", pooltest.Counts{}, shape(4, 0, 0), []string{"first call made 4 objects, want 0"}},
		{"two each", pooltest.Counts{Cold: 1, Warm: 2, AfterGC: 2}, shape(1, 2, 0), nil},
		{"fewer than wanted", pooltest.Counts{Cold: 1, Warm: 3, AfterGC: 3}, shape(1, 2, 0), []string{"1000 warm calls made 2000 objects, want 3 each", "after a collection made 2 objects, want 3"}},
		{"one in a thousand calls", pooltest.Counts{Cold: pooltest.Any, AfterGC: pooltest.Any}, shape(0, 0, 1000), []string{"1000 warm calls made 1 objects, want 0 each"}},
		{"caches that fill in the first thousands", pooltest.Counts{Cold: pooltest.Any}, settling(20, 700), nil},
		{"one in a hundred calls", pooltest.Counts{Cold: pooltest.Any, AfterGC: pooltest.Any}, shape(0, 0, 100), []string{"1000 warm calls made 10 objects, want 0 each"}},
		{"any", pooltest.Counts{Cold: pooltest.Any, Warm: pooltest.Any, AfterGC: pooltest.Any}, shape(5, 7, 0), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var f fake
			pooltest.Allocs(&f, tt.want, tt.f)
			if len(f.errors) != len(tt.bad) {
				t.Fatalf("reported %q, want %q", f.errors, tt.bad)
			}
			for i, e := range f.errors {
				if !strings.Contains(e, tt.bad[i]) {
					t.Errorf("reported %q, want %q", e, tt.bad[i])
				}
			}
		})
	}
	runtime.KeepAlive(sink)
	t.Run("sync.Pool loses its values", func(t *testing.T) {
		p := sync.Pool{New: func() any { return new(value) }}
		use := func() { x := p.Get(); p.Put(x) }
		use()
		var f fake
		pooltest.Allocs(&f, pooltest.Counts{Cold: pooltest.Any}, func() {
			runtime.GC()
			use()
		})
		if len(f.errors) == 0 {
			t.Error("a call that collects twice, and so loses its value, is not reported")
		}
	})
}

func TestStorm(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	seen := map[int]bool{}
	var f fake
	pooltest.Storm(&f, func() {
		deadline := time.Now().Add(10 * time.Second)
		for time.Now().Before(deadline) {
			seen[runtime.GOMAXPROCS(0)] = true
			runtime.ReadMemStats(&after)
			if len(seen) > 1 && after.NumGC > before.NumGC+5 {
				return
			}
		}
		t.Errorf("GOMAXPROCS was %v, and %d collections ran", seen, after.NumGC-before.NumGC)
	})
	if n := runtime.GOMAXPROCS(0); n != procs {
		t.Errorf("GOMAXPROCS is %d afterwards, want %d", n, procs)
	}

	// It ends, whichever way f does.
	n := runtime.NumGoroutine()
	var over atomic.Int32
	for _, how := range []func(){runtime.Goexit, func() { panic("oops") }} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer over.Add(1)
			defer func() { recover() }()
			pooltest.Storm(&f, how)
		}()
		<-done
	}
	for i := 0; runtime.NumGoroutine() > n && i < 1000; i++ {
		time.Sleep(time.Millisecond)
	}
	if g := runtime.NumGoroutine(); g > n || over.Load() != 2 || runtime.GOMAXPROCS(0) != procs {
		t.Errorf("%d goroutines after the storms, want %d; %d storms ended; GOMAXPROCS %d", g, n, over.Load(), runtime.GOMAXPROCS(0))
	}
}

func TestOnMisuse(t *testing.T) {
	var p spare.Pool[value]
	var reports []string
	var f fake
	pooltest.OnMisuse(&f, func(r string) { reports = append(reports, r) })
	if pooltest.Checked {
		x := p.Get()
		p.Put(x)
		p.Put(x)
	}
	if e := f.end(); e != nil {
		t.Errorf("failed with %q", e)
	}
	if (len(reports) == 1) != pooltest.Checked {
		t.Errorf("reported %q in a build with Checked = %v", reports, pooltest.Checked)
	}

	f = fake{}
	pooltest.OnMisuse(&f, nil)
	if pooltest.Checked {
		x := p.Get()
		p.Put(x)
		p.Put(x)
	}
	if e := f.end(); (len(e) == 1) != pooltest.Checked {
		t.Errorf("failed with %q", e)
	}
	if pooltest.Checked {
		defer func() {
			if recover() == nil {
				t.Error("the handler stays after the test")
			}
		}()
		x := p.Get()
		p.Put(x)
		p.Put(x)
	}
}

func TestExplainOther(t *testing.T) {
	for _, v := range []any{nil, "oops", fmt.Errorf("oops")} {
		if s, ok := pooltest.Explain(v); ok {
			t.Errorf("Explain(%v) = %q", v, s)
		}
	}
}

// TestAnyTB uses everything with a benchmark's TB, and with one as testing.TB.
func TestAnyTB(t *testing.T) {
	var p spare.Pool[value]
	all := func(tb testing.TB) {
		pooltest.Leaks(tb, &p)
		pooltest.OnMisuse(tb, nil)
		pooltest.Resets(tb, &p, func(x *value) {})
		pooltest.Storm(tb, func() { p.Put(p.Get()) })
		pooltest.Allocs(tb, pooltest.Counts{Cold: pooltest.Any, Warm: pooltest.Any, AfterGC: pooltest.Any}, func() { p.Put(p.Get()) })
	}
	all(t)
	calls := 0
	if r := testing.Benchmark(func(b *testing.B) {
		calls++
		all(b)
		for b.Loop() {
			p.Put(p.Get())
			if b.N > 100 {
				break
			}
		}
	}); r.N == 0 || calls == 0 {
		t.Errorf("the benchmark failed: %v, after %d calls", r, calls)
	}
}

// TestFailuresPassThrough has what is called panic, or end its goroutine: that
// reaches the caller, and the settings of the process are as they were.
func TestFailuresPassThrough(t *testing.T) {
	procs, percent := runtime.GOMAXPROCS(0), debug.SetGCPercent(100)
	defer debug.SetGCPercent(percent)
	for _, how := range []struct {
		name string
		fail func()
	}{{"panics", func() { panic("oops") }}, {"ends its goroutine", runtime.Goexit}} {
		for _, tt := range []struct {
			name string
			call func(f *fake, fail func())
		}{
			{"Allocs, at first", func(f *fake, fail func()) { pooltest.Allocs(f, pooltest.Counts{}, fail) }},
			{"Allocs, later", func(f *fake, fail func()) {
				n := 0
				pooltest.Allocs(f, pooltest.Counts{Cold: pooltest.Any}, func() {
					if n++; n == 2 {
						fail()
					}
				})
			}},
			{"Storm", func(f *fake, fail func()) { pooltest.Storm(f, fail) }},
			{"Resets, New", func(f *fake, fail func()) {
				pooltest.Resets(f, &spare.Pool[value]{New: func() *value { fail(); return nil }}, func(*value) {})
			}},
			{"Resets, Reset", func(f *fake, fail func()) {
				pooltest.Resets(f, &spare.Pool[value]{Reset: func(*value) { fail() }}, func(*value) {})
			}},
			{"Resets, the use", func(f *fake, fail func()) {
				pooltest.Resets(f, new(spare.Pool[value]), func(*value) { fail() })
			}},
		} {
			t.Run(tt.name+" "+how.name, func(t *testing.T) {
				var f fake
				returned, panicked := false, any(nil)
				done := make(chan struct{})
				go func() {
					defer close(done)
					defer func() { panicked = recover() }()
					tt.call(&f, how.fail)
					returned = true
				}()
				<-done
				if returned || (panicked == "oops") != (how.name == "panics") {
					t.Errorf("returned: %v, panicked with %v", returned, panicked)
				}
				if n := runtime.GOMAXPROCS(0); n != procs {
					t.Errorf("GOMAXPROCS is %d afterwards, want %d", n, procs)
				}
				if n := debug.SetGCPercent(100); n != 100 {
					t.Errorf("the collector's percentage is %d afterwards", n)
				}
			})
		}
	}
	// A handler that panics does so in the call that is misused, once.
	if pooltest.Checked {
		var f fake
		var p spare.Pool[value]
		calls := 0
		pooltest.OnMisuse(&f, func(string) { calls++; panic("oops") })
		x := p.Get()
		p.Put(x)
		func() {
			defer func() {
				if r := recover(); r != "oops" {
					t.Errorf("recovered %v", r)
				}
			}()
			p.Put(x)
		}()
		if s := p.Stats(); calls != 1 || s.Puts != 1 || s.Idle != 1 {
			t.Errorf("%d calls of the handler, Stats = %+v", calls, s)
		}
		p.Put(p.Get())
		f.end()
	}
}
