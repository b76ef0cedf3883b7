// SPDX-License-Identifier: BSD-3-Clause

package spare_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/spare-go/spare"
)

func TestStatsCount(t *testing.T) {
	oneP(t)
	noGC(t)
	p := spare.Pool[thing]{Keep: func(x *thing) bool { return x.id == 0 }, Size: func(*thing) int { return 7 }}
	a, b := p.Get(), p.Get()
	p.Put(a)
	p.Put(b)
	p.Put(&thing{id: 1})
	p.Get()
	want := spare.Stats{Gets: 3, News: 2, Puts: 3, Drops: 1, Idle: 1, IdleBytes: 7, PeakInUse: 2, PeakInUseBytes: 14}
	if s := p.Stats(); s != want {
		t.Errorf("Stats = %+v, want %+v", s, want)
	}

	q := spare.Slices[int32]{MaxCap: 1000}
	q.Put(q.Get(100)) // of the class of 112
	q.Put(make([]int32, 0, 3))
	q.Get(5000)
	want = spare.Stats{Gets: 2, News: 2, Puts: 2, Drops: 1, Idle: 1, IdleBytes: 4 * 112, PeakInUse: 1, PeakInUseBytes: 4 * 112}
	if s := q.Stats(); s != want {
		t.Errorf("Stats of Slices = %+v, want %+v", s, want)
	}
}

// TestStatsNeverDecrease reads the counters while the pool is used, trimmed,
// and spread over more and fewer Ps.
func TestStatsNeverDecrease(t *testing.T) {
	var p spare.Pool[thing]
	stop := make(chan struct{})
	var wg sync.WaitGroup
	storm(&wg, stop)
	for range 4 {
		wg.Go(func() {
			var own []*thing
			for {
				select {
				case <-stop:
					return
				default:
				}
				for range 50 {
					own = append(own, p.Get())
				}
				for _, x := range own {
					p.Put(x)
				}
				own = own[:0]
				runtime.Gosched()
			}
		})
	}
	var last spare.Stats
	for range 3000 {
		s := p.Stats()
		if s.Gets < last.Gets || s.News < last.News || s.Puts < last.Puts || s.Drops < last.Drops {
			t.Errorf("Stats went from %+v to %+v", last, s)
			break
		}
		last = s
		runtime.Gosched()
	}
	close(stop)
	wg.Wait()
	wantBooks(t, p.Stats())
}

// all returns what All lists under names with a prefix.
func all(prefix string) (names []string, stats map[string]spare.Stats) {
	stats = make(map[string]spare.Stats)
	for name, s := range spare.All() {
		if len(name) >= len(prefix) && name[:len(prefix)] == prefix {
			names = append(names, name)
			stats[name] = s
		}
	}
	return names, stats
}

func TestAllListsNames(t *testing.T) {
	const prefix = "TestAllListsNames "
	a := spare.Pool[thing]{Name: prefix + "a"}
	b := spare.Slices[byte]{Name: prefix + "b"}
	c := spare.Pool[int]{Name: prefix + "c", Size: func(*int) int { return 1 }}
	a2 := spare.Slices[int]{Name: prefix + "a"}
	unused := spare.Pool[int]{Name: prefix + "unused"}
	var nameless spare.Pool[int]
	nameless.Get()

	c.Put(c.Get())
	b.Put(b.Get(100))
	a.Get()
	a.Get()
	a2.Get(1)
	if names, _ := all(prefix); !slices.Equal(names, []string{prefix + "a", prefix + "b", prefix + "c"}) {
		t.Errorf("All lists %q", names)
	}
	if names, _ := all(""); slices.Contains(names, "") || !slices.IsSorted(names) {
		t.Errorf("All lists %q", names)
	}
	_, stats := all(prefix)
	if s := stats[prefix+"a"]; s.Gets != 3 || s.News != 3 {
		t.Errorf("two pools of one name: %+v, want 3 Gets in sum", s)
	}
	if s := stats[prefix+"b"]; s != b.Stats() {
		t.Errorf("All says %+v, Stats %+v", s, b.Stats())
	}
	if s := stats[prefix+"c"]; s != c.Stats() || s.Puts != 1 {
		t.Errorf("All says %+v, Stats %+v", s, c.Stats())
	}
	for range spare.All() {
		break // which All has to notice
	}
	for range spare.All() {
		spare.All()(func(string, spare.Stats) bool { return true }) // no lock is held
		unused.Get()
	}
	if _, stats := all(prefix); stats[prefix+"unused"].Gets == 0 {
		t.Error("All does not list a pool that was used meanwhile")
	}
	runtime.KeepAlive(&a)
	runtime.KeepAlive(&a2)
	runtime.KeepAlive(&b)
	runtime.KeepAlive(&c)
	runtime.KeepAlive(&unused)
}

func TestAllForgetsThePoolsThatAreGone(t *testing.T) {
	const prefix = "TestAllForgets "
	stays := &spare.Pool[thing]{Name: prefix + "both"}
	stays.Get()
	leave(prefix)
	for range 4 {
		collect(t)
	}
	names, stats := all(prefix)
	if !slices.Equal(names, []string{prefix + "both"}) || stats[prefix+"both"].Gets != 1 {
		t.Errorf("All lists %v after pools were forgotten, want one Get of one pool", stats)
	}
	runtime.KeepAlive(stays)
}

//go:noinline
func leave(prefix string) {
	(&spare.Pool[thing]{Name: prefix + "both"}).Get()
	(&spare.Pool[thing]{Name: prefix + "pool"}).Get()
	(&spare.Pool[thing]{Name: prefix + "sized", Size: func(*thing) int { return 1 }}).Get()
	(&spare.Slices[thing]{Name: prefix + "slices"}).Get(10)
}

// TestAllConcurrently registers pools while All is read.
func TestAllConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				p := &spare.Pool[thing]{Name: "TestAllConcurrently"}
				p.Put(p.Get())
				for range spare.All() {
				}
			}
		})
	}
	wg.Wait()
}

// TestStatsOfUsualSizes counts Get(0), which may look into several classes.
func TestStatsOfUsualSizes(t *testing.T) {
	var p spare.Slices[byte]
	stop := make(chan struct{})
	var wg sync.WaitGroup
	const workers, n = 4, 5000
	for g := range uint64(workers) {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(g, g))
			for range n {
				s := p.Get(0)
				s = append(s, make([]byte, 1+r.IntN(1<<r.IntN(16)))...)
				p.Put(s)
			}
		})
	}
	go func() {
		wg.Wait()
		close(stop)
	}()
	for done := false; !done; {
		select {
		case <-stop:
			done = true
		default:
		}
		// While it is used, the counters may lag, but not by more than what is
		// under way, and never below zero.
		if s := p.Stats(); s.Gets > 2*workers*n || s.News > 2*workers*n || s.Puts > workers*n {
			t.Fatalf("Stats = %+v while %d operations of each kind run", s, workers*n)
		}
		runtime.Gosched()
	}
	s := p.Stats()
	wantBooks(t, s)
	if s.Gets != workers*n || s.Puts != workers*n || s.News > s.Gets {
		t.Errorf("Stats = %+v after %d Gets and Puts", s, workers*n)
	}
}
