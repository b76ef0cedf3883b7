// SPDX-License-Identifier: BSD-3-Clause

// Right is a program whose pooled values have others than their users: goroutines and timers of
// their own, finalizers and cleanups, weak pointers. Every case is right, so that no build
// may report anything. A case that does not end as it should panics.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/spare-go/spare"
)

const rounds = 300

var cases = map[string]func(){
	"channels":               func() { channels(true) },
	"channels, no Drop":      func() { channels(false) },
	"channels elsewhere":     elsewhere,
	"reads for ever":         readsForEver,
	"mutex and Cond":         conds,
	"atomics":                atomics,
	"context":                contexts,
	"closures":               closures,
	"conn":                   conns,
	"timers":                 timers,
	"counters":               counters,
	"shared table":           tables,
	"finalizer":              finalizers,
	"finalizer, no pointers": finalizersOfNumbers,
	"cleanup":                cleanups,
	"finalizer puts":         finalizerPuts,
	"finalizer, pool gone":   poolGone,
	"files":                  files,
	"weak pointers":          weakPointers,
	"small values":           smallValues,
	"points to itself":       pointsToItself,
}

func main() {
	if len(os.Args) < 2 {
		for name := range cases {
			fmt.Println(name)
		}
		return
	}
	cases[os.Args[1]]()
	fmt.Println("right")
}

func want(ok bool, what string) {
	if !ok {
		panic(what)
	}
}

// eventually collects until ok.
func eventually(ok func() bool, what string) {
	for range 500 {
		if ok() {
			return
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	panic("not " + what)
}

// use runs f on values of the pool, and some collections.
func use[T any](p *spare.Pool[T], f func(*T)) {
	for i := range rounds {
		x := p.Get()
		f(x)
		p.Put(x)
		if i%100 == 0 {
			runtime.GC()
		}
	}
}

type worker struct {
	id   int
	jobs chan int
	out  chan int
	last int // the goroutine's own
}

func (w *worker) loop() {
	for j := range w.jobs {
		w.last = j
		w.out <- j * w.id
	}
}

func channels(drop bool) {
	p := spare.Pool[worker]{New: func() *worker {
		w := &worker{id: 2, jobs: make(chan int), out: make(chan int)}
		go w.loop()
		return w
	}}
	if drop {
		p.Drop = func(w *worker) { close(w.jobs) }
		defer p.Drain()
	}
	use(&p, func(w *worker) {
		w.jobs <- 21
		want(<-w.out == 42, "answered")
	})
}

// elsewhere has the channels in what the value points to.
func elsewhere() {
	type core struct{ in, out chan int }
	type value struct {
		n int
		c *core
	}
	p := spare.Pool[value]{New: func() *value {
		v := &value{n: 3, c: &core{make(chan int), make(chan int)}}
		go func() {
			for j := range v.c.in {
				v.c.out <- j + v.n
			}
		}()
		return v
	}}
	use(&p, func(v *value) {
		v.c.in <- 1
		want(<-v.c.out == 4, "answered")
	})
}

// readsForEver has a goroutine that never waits for the users.
func readsForEver() {
	type value struct {
		name string
		stop chan struct{}
	}
	p := spare.Pool[value]{
		New: func() *value {
			v := &value{"name", make(chan struct{})}
			go func() {
				for {
					select {
					case <-v.stop:
						return
					case <-time.After(10 * time.Microsecond):
						want(v.name == "name", "unchanged")
					}
				}
			}()
			return v
		},
		Drop: func(v *value) { close(v.stop) },
	}
	defer p.Drain()
	use(&p, func(v *value) { time.Sleep(20 * time.Microsecond) })
}

func conds() {
	type value struct {
		mu      sync.Mutex
		cond    *sync.Cond
		todo    int
		done    int
		closed  bool
		history []int
	}
	p := spare.Pool[value]{
		New: func() *value {
			v := new(value)
			v.cond = sync.NewCond(&v.mu)
			go func() {
				v.mu.Lock()
				defer v.mu.Unlock()
				for !v.closed {
					if v.todo > 0 {
						v.todo--
						v.done++
						v.mu.Unlock()
						runtime.Gosched() // and goes on after it was put
						v.mu.Lock()
						v.history = append(v.history[:0], v.done)
						continue
					}
					v.cond.Wait()
				}
			}()
			return v
		},
		Drop: func(v *value) {
			v.mu.Lock()
			v.closed = true
			v.cond.Signal()
			v.mu.Unlock()
		},
	}
	defer p.Drain()
	use(&p, func(v *value) {
		v.mu.Lock()
		v.todo++
		v.cond.Signal()
		v.mu.Unlock()
	})
}

func atomics() {
	type value struct {
		stop  atomic.Bool
		ticks atomic.Int64
	}
	p := spare.Pool[value]{
		New: func() *value {
			v := new(value)
			go func() {
				for !v.stop.Load() {
					v.ticks.Add(1)
					time.Sleep(10 * time.Microsecond)
				}
			}()
			return v
		},
		Drop: func(v *value) { v.stop.Store(true) },
	}
	defer p.Drain()
	use(&p, func(v *value) {
		for n := v.ticks.Load(); v.ticks.Load() == n; {
			runtime.Gosched()
		}
	})
}

func contexts() {
	type value struct {
		ctx  context.Context
		name string
	}
	done := make(chan string, rounds)
	ctx, cancel := context.WithCancel(context.Background())
	p := spare.Pool[value]{New: func() *value {
		v := &value{ctx, "name"}
		go func() {
			<-v.ctx.Done()
			done <- v.name
		}()
		return v
	}}
	use(&p, func(v *value) { want(v.ctx.Err() == nil, "open") })
	cancel()
	want(<-done == "name", "the name")
}

// closures has a func that knows the channels.
func closures() {
	type value struct {
		id   int
		call func(int) int
	}
	p := spare.Pool[value]{New: func() *value {
		in, out := make(chan int), make(chan int)
		v := &value{id: 5}
		v.call = func(n int) int { in <- n; return <-out }
		go func() {
			for n := range in {
				out <- n * v.id
			}
		}()
		return v
	}}
	use(&p, func(v *value) { want(v.call(2) == 10, "answered") })
}

// conns has a goroutine that waits in what an interface holds, which Drop closes.
func conns() {
	type value struct {
		r interface {
			Read([]byte) (int, error)
			Close() error
		}
		n int
	}
	p := spare.Pool[value]{
		New: func() *value {
			r, w, err := os.Pipe()
			want(err == nil, "a pipe")
			w.Write([]byte("1"))
			v := &value{r, 7}
			go func() {
				defer w.Close()
				for b := make([]byte, 1); ; {
					if _, err := v.r.Read(b); err != nil {
						return
					}
					want(v.n == 7, "unchanged")
				}
			}()
			return v
		},
		Drop: func(v *value) { v.r.Close() },
	}
	defer p.Drain()
	use(&p, func(v *value) {})
}

// timers fire when the value is put, and look whether it was meant for somebody else.
func timers() {
	type value struct {
		mu    sync.Mutex
		timer *time.Timer
		use   int
		late  int
	}
	p := spare.Pool[value]{New: func() *value {
		v := new(value)
		v.timer = time.AfterFunc(time.Hour, func() {
			v.mu.Lock()
			defer v.mu.Unlock()
			v.late = v.use
		})
		return v
	}}
	use(&p, func(v *value) {
		v.mu.Lock()
		v.use++
		v.mu.Unlock()
		v.timer.Reset(10 * time.Microsecond)
	})
	time.Sleep(5 * time.Millisecond)
}

// counters are added up by somebody who knows them all.
func counters() {
	type value struct {
		n atomic.Int64
		_ [56]byte
	}
	var mu sync.Mutex
	var all []*value
	p := spare.Pool[value]{New: func() *value {
		v := new(value)
		mu.Lock()
		defer mu.Unlock()
		all = append(all, v)
		return v
	}}
	sum := func() (sum int64) {
		mu.Lock()
		defer mu.Unlock()
		for _, v := range all {
			sum += v.n.Load()
		}
		return sum
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for sum() < 2*rounds {
			runtime.Gosched()
		}
	})
	for range 2 {
		wg.Go(func() { use(&p, func(v *value) { v.n.Add(1) }) })
	}
	wg.Wait()
	want(sum() == 2*rounds, "the sum")
}

// tables are read by everybody, and the values refer to them.
func tables() {
	type value struct {
		table map[int]string
		list  []int
		buf   []byte
	}
	table, list := map[int]string{1: "one"}, []int{1, 2, 3}
	p := spare.Pool[value]{Reset: func(v *value) { v.buf = v.buf[:0] }}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			use(&p, func(v *value) {
				v.table, v.list = table, list
				v.buf = append(v.buf, v.table[v.list[0]]...)
				want(string(v.buf) == "one", "read")
			})
		})
	}
	wg.Wait()
}

type resource struct{ open bool }

func finalizers() {
	type value struct{ r *resource }
	var open, made atomic.Int64
	p := &spare.Pool[value]{New: func() *value {
		open.Add(1)
		made.Add(1)
		v := &value{&resource{true}}
		runtime.SetFinalizer(v, func(v *value) {
			want(v.r.open, "open when it is closed")
			v.r.open = false
			open.Add(-1)
		})
		return v
	}}
	use(p, func(v *value) { want(v.r.open, "open while it is used") })
	eventually(func() bool { return open.Load() == 0 }, "all closed, as an idle pool lets its values go")
	want(made.Load() > 0, "made")
	runtime.KeepAlive(p)
}

func finalizersOfNumbers() {
	type value struct {
		handle int
		_      [3]int
	}
	var open, bad atomic.Int64
	p := &spare.Pool[value]{New: func() *value {
		open.Add(1)
		v := &value{handle: 1234}
		runtime.SetFinalizer(v, func(v *value) {
			if v.handle != 1234 {
				bad.Add(1)
			}
			open.Add(-1)
		})
		return v
	}}
	use(p, func(v *value) {})
	eventually(func() bool { return open.Load() == 0 }, "all closed")
	want(bad.Load() == 0, "finalized with its number")
	runtime.KeepAlive(p)
}

func cleanups() {
	type value struct {
		r   *resource
		buf []byte
	}
	var open atomic.Int64
	p := &spare.Pool[value]{New: func() *value {
		open.Add(1)
		v := &value{r: &resource{true}}
		runtime.AddCleanup(v, func(r *resource) {
			want(r.open, "open when it is closed")
			open.Add(-1)
		}, v.r)
		return v
	}}
	use(p, func(v *value) { v.buf = append(v.buf[:0], "text"...) })
	eventually(func() bool { return open.Load() == 0 }, "all closed")
	runtime.KeepAlive(p)
}

// finalizerPuts has values come back that their users lost.
func finalizerPuts() {
	type value struct{ n *int }
	var back atomic.Int64
	var p spare.Pool[value]
	p.New = func() *value {
		v := &value{new(int)}
		runtime.SetFinalizer(v, func(v *value) {
			*v.n++
			back.Add(1)
			p.Put(v)
		})
		return v
	}
	for range 20 {
		*p.Get().n = 1
	}
	eventually(func() bool { return back.Load() >= 20 }, "back")
}

// poolGone forgets the pools before their values leave.
func poolGone() {
	type value struct{ r *resource }
	var open atomic.Int64
	for range 20 {
		p := &spare.Pool[value]{New: func() *value {
			open.Add(1)
			v := &value{&resource{true}}
			runtime.SetFinalizer(v, func(v *value) {
				want(v.r.open, "open when it is closed")
				open.Add(-1)
			})
			return v
		}}
		a, b := p.Get(), p.Get()
		p.Put(a)
		p.Put(b)
	}
	eventually(func() bool { return open.Load() == 0 }, "all closed")
}

func files() {
	type value struct {
		f   *os.File
		buf []byte
	}
	name := os.Args[0]
	p := spare.Pool[value]{New: func() *value {
		f, err := os.Open(name)
		want(err == nil, "opened")
		return &value{f: f, buf: make([]byte, 8)}
	}}
	use(&p, func(v *value) {
		_, err := v.f.ReadAt(v.buf, 0)
		want(err == nil, "read")
	})
}

func weakPointers() {
	type value struct {
		self  weak.Pointer[value]
		other *int
		n     int
	}
	p := &spare.Pool[value]{Reset: func(v *value) { v.n = 0 }}
	var known []weak.Pointer[value]
	use(p, func(v *value) {
		v.self, v.other, v.n = weak.Make(v), new(int), 1
		want(v.self.Value() == v, "itself")
		known = append(known, v.self)
	})
	eventually(func() bool {
		for _, w := range known {
			if v := w.Value(); v != nil {
				want(v.self == w && v.n == 0, "what was put")
				return false
			}
		}
		return true
	}, "all collected, as an idle pool lets its values go")
	runtime.KeepAlive(p)
}

func smallValues() {
	var a spare.Pool[int8]
	var b spare.Pool[struct{ c, d byte }]
	var c spare.Pool[struct{}]
	var d spare.Slices[byte]
	use(&a, func(x *int8) { *x++ })
	use(&b, func(x *struct{ c, d byte }) { x.d++ })
	use(&c, func(x *struct{}) {})
	for i := range rounds {
		d.Put(make([]byte, i%20))
		d.Put(append(d.Get(i%20), 1))
	}
	for range 20 {
		runtime.GC()
		time.Sleep(100 * time.Microsecond)
	}
}

func pointsToItself() {
	type value struct {
		b    strings.Builder
		next *value
		mu   sync.RWMutex
	}
	p := spare.Pool[value]{Reset: func(v *value) { v.b.Reset() }}
	use(&p, func(v *value) {
		v.next = v
		v.mu.Lock()
		defer v.mu.Unlock()
		v.b.WriteString("text")
		want(v.next.b.String() == "text", "written")
	})
	var q spare.Pool[strings.Builder] // not reset: it comes back with what it had
	n := 0
	use(&q, func(b *strings.Builder) {
		b.WriteString("t")
		n = max(n, b.Len())
	})
	want(n > 0, "written")
}
