// SPDX-License-Identifier: BSD-3-Clause

package spare_test

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spare-go/spare"
)

// TestMaxIdleIsShared fills a pool up to its MaxIdle on one P, and then takes and returns
// one value at a time on others. Those values are not out of reach there, and do not take
// all the room: the others need not make and drop one for each use.
func TestMaxIdleIsShared(t *testing.T) {
	const uses = 2000
	size := func(*thing) int { return 1000 }
	for _, procs := range []int{1, 2, 8, 64} {
		for _, room := range []int{1, 2, 8, 100, 1000} {
			for _, tt := range []struct {
				name string
				use  func() (put func(n int), stats func() spare.Stats)
			}{
				{"Pool", func() (func(int), func() spare.Stats) {
					p := &spare.Pool[[64]byte]{MaxIdle: room * 64}
					return func(n int) { takeAndPut(n, p.Get, p.Put) }, p.Stats
				}},
				{"Pool with Size", func() (func(int), func() spare.Stats) {
					p := &spare.Pool[thing]{MaxIdle: room * 1000, Size: size}
					return func(n int) { takeAndPut(n, p.Get, p.Put) }, p.Stats
				}},
				{"Slices", func() (func(int), func() spare.Stats) {
					p := &spare.Slices[byte]{MaxIdle: room * 1279} // as many as fit, of the class of 1024
					return func(n int) {
						takeAndPut(n, func() []byte { return p.Get(1000) }, p.Put)
					}, p.Stats
				}},
			} {
				t.Run(fmt.Sprintf("%s/procs=%d/room=%d", tt.name, procs, room), func(t *testing.T) {
					noGC(t)
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
					put, stats := tt.use()
					put(room)
					filled := stats()
					if filled.Idle < int64(room) {
						t.Errorf("%+v, want %d idle", filled, room)
					}
					// On as many threads as there are Ps for, one after the other.
					for range 4 {
						done := make(chan bool)
						go func() {
							defer close(done)
							runtime.LockOSThread()
							for range uses {
								put(1)
							}
						}()
						<-done
					}
					if s := stats(); s.News-filled.News > 16 {
						t.Errorf("%d of %d Gets made a value though %d lay idle: %+v", s.News-filled.News, 4*uses, room, s)
					}
				})
			}
		}
	}
}

// takeAndPut takes n values and puts them.
func takeAndPut[T any](n int, get func() T, put func(T)) {
	all := make([]T, n)
	for i := range all {
		all[i] = get()
	}
	for _, x := range all {
		put(x)
	}
}

// TestStatsWithinMaxIdle reads the Stats of pools with a MaxIdle while they are used.
func TestStatsWithinMaxIdle(t *testing.T) {
	const size, room = 64, 50
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	p := spare.Pool[[size]byte]{MaxIdle: room * size}
	q := spare.Slices[byte]{MaxIdle: 100_000}
	var stop atomic.Bool
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := 0; !stop.Load(); i++ {
				takeAndPut(1+(i+g)%40, p.Get, p.Put)
				takeAndPut(1+(i+g)%20, func() []byte { return q.Get(100 << (i % 6)) }, q.Put)
				if i%64 == 0 {
					runtime.Gosched()
				}
			}
		})
	}
	for i := range 3000 {
		if s := p.Stats(); s.IdleBytes > room*size || s.Idle > room {
			t.Errorf("Stats of the Pool: %+v, more than MaxIdle", s)
			break
		}
		if s := q.Stats(); s.IdleBytes > 100_000 {
			t.Errorf("Stats of the Slices: %+v, more than MaxIdle", s)
			break
		}
		if i%500 == 0 {
			runtime.GC()
		}
	}
	stop.Store(true)
	wg.Wait()
}

// TestStatsInUse follows what is in use, and the most that was.
func TestStatsInUse(t *testing.T) {
	oneP(t)
	noGC(t)
	want := func(what string, s spare.Stats, n, bytes, peak, peakBytes int64) {
		t.Helper()
		if s.InUse != n || s.InUseBytes != bytes || s.PeakInUse != peak || s.PeakInUseBytes != peakBytes {
			t.Errorf("%s: %d in use, %d bytes, at most %d, %d bytes; want %d, %d, %d, %d", what,
				s.InUse, s.InUseBytes, s.PeakInUse, s.PeakInUseBytes, n, bytes, peak, peakBytes)
		}
	}
	var p spare.Pool[[100]byte]
	x, y, z := p.Get(), p.Get(), p.Get()
	want("three", p.Stats(), 3, 300, 3, 300)
	p.PutFrom(&x)
	p.PutFrom(&y)
	want("one", p.Stats(), 1, 100, 3, 300)
	p.Put(z)
	p.Put(new([100]byte))
	want("one put more than got", p.Stats(), 0, 0, 3, 300)

	q := spare.Pool[thing]{Size: func(*thing) int { return 1000 }}
	a, b := q.Get(), q.Get()
	q.Put(a)
	want("Size", q.Stats(), 1, 1000, 2, 2000)
	q.Put(b)
	want("Size, none", q.Stats(), 0, 0, 2, 2000)

	var s spare.Slices[byte]
	u, v := s.Get(1000), s.Get(1<<20)
	want("Slices", s.Stats(), 2, 1024+1<<20, 2, 1024+1<<20)
	v = append(v, make([]byte, 3<<20)...)
	s.PutFrom(&u)
	s.PutFrom(&v)
	want("Slices, none", s.Stats(), 0, 0, 2, 1024+1<<20)
	w := s.Get(4000)
	if cap(w) < 3<<20 {
		t.Errorf("Get(4000) has capacity %d where only what append made larger is idle", cap(w))
	}
}

// TestPutFrom clears the variable, and takes nil.
func TestPutFrom(t *testing.T) {
	oneP(t)
	var p spare.Pool[thing]
	var q spare.Slices[byte]
	func() {
		x := p.Get()
		defer func() {
			if x != nil {
				t.Error("PutFrom left the value in the variable")
			}
		}()
		defer p.PutFrom(&x)
		s := q.Get(10)
		defer func() {
			if s != nil {
				t.Error("PutFrom left the slice in the variable")
			}
		}()
		defer q.PutFrom(&s)
		s = append(s, make([]byte, 5000)...)
	}()
	x, s := p.Get(), q.Get(4000)
	if st := q.Stats(); st.Puts != 1 || st.IdleBytes > 0 && st.IdleBytes < 5000 {
		t.Errorf("%+v: PutFrom did not put what append made", st)
	}
	for range 3 {
		p.PutFrom(&x)
		q.PutFrom(&s)
	}
	if a, b := p.Stats(), q.Stats(); a.Puts != 2 || b.Puts != 2 {
		t.Errorf("PutFrom of nil counts: %+v, %+v", a, b)
	}
}
