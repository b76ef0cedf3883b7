// SPDX-License-Identifier: BSD-3-Clause

package spare_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
	"unsafe"
	"weak"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/race"
)

func TestSlicesZeroValue(t *testing.T) {
	oneP(t)
	noGC(t)
	var p spare.Slices[int]
	for _, n := range []int{0, 1, 7, 8, 9, 1000} {
		if s := p.Get(n); s == nil || len(s) != 0 || cap(s) < n {
			t.Errorf("Get(%d) has length %d and capacity %d", n, len(s), cap(s))
		}
	}
	s := append(p.Get(100), 1, 2, 3)
	p.Put(s)
	if r := p.Get(100); len(r) != 0 || !sameArray(r, s) {
		t.Errorf("Get does not return the array that was put")
	}
	if r := p.Get(100); sameArray(r, s) {
		t.Error("Get returned the same array twice")
	}
}

func sameArray[E any](a, b []E) bool { return unsafe.SliceData(a) == unsafe.SliceData(b) }

func TestSlicesNilReceiver(t *testing.T) {
	var p *spare.Slices[byte]
	wantPanic(t, "Get of a nil Slices", func() { p.Get(1) })
	wantPanic(t, "Put to a nil Slices", func() { p.Put(make([]byte, 100)) })
}

func TestSlicesNegativeCounts(t *testing.T) {
	var p spare.Slices[byte]
	wantPanic(t, "Get(-1)", func() { p.Get(-1) })
	wantPanic(t, "Get(MinInt)", func() { p.Get(math.MinInt) })
	wantPanic(t, "Grow(s, -1)", func() { p.Grow(make([]byte, 5), -1) })
	wantPanic(t, "Grow beyond an int", func() { p.Grow(make([]byte, 5), math.MaxInt) })
	var large spare.Slices[int64]
	wantPanic(t, "Get(MaxInt)", func() { large.Get(math.MaxInt) }) // as make does
	if s := p.Get(10); cap(s) < 10 {
		t.Error("the pool is of no use after a panic")
	}
}

func TestSlicesNeverUsed(t *testing.T) {
	var p spare.Slices[byte]
	p.Drain()
	if s := p.Stats(); s != (spare.Stats{}) {
		t.Errorf("Stats = %+v, want zeros", s)
	}
}

func TestSlicesIgnoresNoArray(t *testing.T) {
	var p spare.Slices[byte]
	p.Put(nil)
	p.Put([]byte{})
	if s := p.Stats(); s != (spare.Stats{}) {
		t.Errorf("Stats = %+v, want zeros", s)
	}
}

// TestSlicesOddCapacities asks for every n up to 5000 after arrays of odd
// capacities were put; a pool that files by the class above hands out too little.
func TestSlicesOddCapacities(t *testing.T) {
	oneP(t)
	noGC(t)
	var p spare.Slices[uint16]
	for _, odd := range []int{33, 47, 63, 65, 600, 1023, 1025, 3333} {
		for n := range 5000 {
			p.Put(make([]uint16, 0, odd))
			s := p.Get(n)
			if len(s) != 0 || cap(s) < n {
				t.Fatalf("Get(%d) after a Put of capacity %d: length %d, capacity %d", n, odd, len(s), cap(s))
			}
			clear(s[:cap(s)]) // all of it is there to be written to
		}
		p.Drain()
	}
	p.Put(make([]uint16, 0, 600))
	if s := p.Get(1000); cap(s) < 1000 {
		t.Errorf("Get(1000) after Put of 600 has capacity %d", cap(s))
	}
	if s := p.Get(500); cap(s) < 500 || cap(s) > 600 {
		t.Errorf("Get(500) with an array of 600 at hand has capacity %d", cap(s))
	}
}

func TestSlicesReuseByClass(t *testing.T) {
	oneP(t)
	noGC(t)
	for n := 64; n < 100_000; n += 1 + n/7 {
		var p spare.Slices[byte]
		s := p.Get(n)
		p.Put(s[:0:n]) // as much as was asked for is too little for its class, unless exact
		p.Put(make([]byte, 0, cap(s)))
		if r := p.Get(n); cap(r) < n || cap(r) > n+n/4+1 {
			t.Errorf("Get(%d) has capacity %d", n, cap(r))
		}
		if s := p.Stats(); s.News != 1 {
			t.Errorf("Get(%d) after a Put of the same capacity found nothing: %+v", n, s)
		}
	}
}

func TestSlicesGrow(t *testing.T) {
	oneP(t)
	noGC(t)
	var p spare.Slices[int]
	s := append(p.Get(20), 1, 2, 3)
	if r := p.Grow(s, cap(s)-len(s)); !sameArray(r, s) || len(r) != 3 {
		t.Error("Grow moves a slice that has the room")
	}
	old := s
	want := slices.Clone(s)
	s = p.Grow(s, 1000)
	if cap(s)-len(s) < 1000 || !slices.Equal(s, want) {
		t.Errorf("Grow = %v with room for %d, want %v with room for 1000", s, cap(s)-len(s), want)
	}
	if r := p.Get(20); !sameArray(r, old) {
		t.Error("Grow did not give the old array back")
	}
	if s := p.Grow(nil, 0); s != nil {
		t.Errorf("Grow(nil, 0) = %v, want nil", s)
	}
	if s := p.Grow(nil, 10); len(s) != 0 || cap(s) < 10 {
		t.Errorf("Grow(nil, 10) has length %d, capacity %d", len(s), cap(s))
	}
	if s := new(spare.Slices[int]).Grow([]int{1}, 5); len(s) != 1 || s[0] != 1 || cap(s) < 6 {
		t.Errorf("Grow of a slice that is no pool's = %v", s)
	}
	// Growth by one costs as few moves as append does.
	moves := 0
	s = p.Get(1)
	for i := range 100_000 {
		was := unsafe.SliceData(s)
		s = append(p.Grow(s, 1), i)
		if unsafe.SliceData(s) != was {
			moves++
		}
	}
	for i, v := range s {
		if v != i {
			t.Fatalf("element %d is %d after growth", i, v)
		}
	}
	if moves > 30 {
		t.Errorf("%d moves for 100,000 elements", moves)
	}
}

func TestSlicesMaxCap(t *testing.T) {
	oneP(t)
	noGC(t)
	for _, tt := range []struct {
		max, cap int
		kept     bool
	}{
		{0, 64, true},
		{0, 1 << 20, true},
		{0, 63, false}, // too small to be worth it
		{1000, 1000, true},
		{1000, 1024, true}, // rounded up to the class
		{1000, 1025, false},
		{1024, 1024, true},
		{1025, 1280, true},
		{1, 64, false},
		{-1, 64, false},
		{math.MaxInt, 4096, true},
		{math.MinInt, 4096, false},
	} {
		p := spare.Slices[byte]{MaxCap: tt.max}
		p.Put(make([]byte, 0, tt.cap))
		s := p.Stats()
		if kept := s.Idle == 1; kept != tt.kept {
			t.Errorf("MaxCap %d keeps capacity %d: %v, want %v", tt.max, tt.cap, kept, tt.kept)
		}
		wantBooks(t, s)
		for _, n := range []int{0, 1, tt.cap, 5000} {
			if r := p.Get(n); len(r) != 0 || cap(r) < n {
				t.Errorf("MaxCap %d: Get(%d) has length %d, capacity %d", tt.max, n, len(r), cap(r))
			}
		}
		wantBooks(t, p.Stats())
	}
}

func TestSlicesZeroSizedElements(t *testing.T) {
	var p spare.Slices[struct{}]
	for _, n := range []int{0, 1, 1<<30 + 1, math.MaxInt} {
		s := p.Get(n)
		if len(s) != 0 || cap(s) < n {
			t.Errorf("Get(%d) has length %d, capacity %d", n, len(s), cap(s))
		}
		p.Put(append(s, struct{}{}))
	}
	if s := p.Grow(make([]struct{}, 5), 10); len(s) != 5 || cap(s) < 15 {
		t.Errorf("Grow has length %d, capacity %d", len(s), cap(s))
	}
	wantBooks(t, p.Stats())
}

func TestSlicesLargeElements(t *testing.T) {
	oneP(t)
	noGC(t)
	var p spare.Slices[[1000]int]
	s := p.Get(1)
	p.Put(s)
	if r := p.Get(1); !sameArray(r, s) || cap(r) != 1 {
		t.Error("an array of one large element is not kept")
	}
	wantPanic(t, "Get of more than there can be", func() { p.Get(math.MaxInt / 1000) })
}

func TestSlicesBeyondTheLargestClass(t *testing.T) {
	if strconv.IntSize == 32 || race.Enabled {
		t.Skip("needs a large address space")
	}
	var p spare.Slices[byte]
	n := 1<<30 + 1
	s := p.Get(n) // which the system backs with memory only when it is written to
	if cap(s) < n {
		t.Errorf("Get(%d) has capacity %d", n, cap(s))
	}
	p.Put(s)
	if s := p.Stats(); s.Idle != 0 || s.Drops != 1 {
		t.Errorf("Stats = %+v, want the array refused", s)
	}
}

// TestSlicesClearsPointers looks at all of an array that comes back.
func TestSlicesClearsPointers(t *testing.T) {
	oneP(t)
	noGC(t)
	type pair struct {
		n    int
		name string
	}
	wantCleared(t, "string", "x")
	wantCleared(t, "*int", new(int))
	wantCleared[any](t, "any", 5)
	wantCleared(t, "struct with a string", pair{1, "a"})
	wantCleared(t, "array of slices", [2][]int{{1}, {2}})
	wantCleared(t, "func", any(func() {}))
	wantCleared(t, "unsafe.Pointer", unsafe.Pointer(new(int)))
}

func wantCleared[E any](t *testing.T, name string, e E) {
	t.Helper()
	var p spare.Slices[E]
	s := p.Get(100)
	s = s[:cap(s)]
	for i := range s {
		s[i] = e
	}
	p.Put(s[:10]) // beyond the length, too
	r := p.Get(100)
	if !sameArray(r, s) {
		t.Fatalf("%s: another array", name)
	}
	var zero E
	for i, v := range r[:cap(r)] {
		if any(v) != nil && fmt.Sprint(v) != fmt.Sprint(zero) {
			t.Fatalf("%s: element %d of an array that was put is %v", name, i, v)
		}
	}
}

func TestSlicesZeroWipes(t *testing.T) {
	oneP(t)
	noGC(t)
	for _, zero := range []bool{false, true} {
		p := spare.Slices[byte]{Zero: zero}
		s := p.Get(1000)
		s = s[:cap(s)]
		for i := range s {
			s[i] = 0xa5
		}
		p.Put(s[:0])
		left := bytes.Count(s, []byte{0xa5}) //spare:ignore use-after-put looks at what Put left
		if zero && left > 0 || !zero && left != len(s) && !checked.Enabled {
			t.Errorf("Zero %v: %d of %d bytes are left after Put", zero, left, len(s))
		}
	}
}

// TestSlicesLetGoOfPointers plants a pointer that only an idle array could hold.
func TestSlicesLetGoOfPointers(t *testing.T) {
	oneP(t)
	noGC(t)
	var p spare.Slices[*thing]
	ref := plant(&p)
	runtime.GC()
	if s := p.Stats(); s.Idle != 1 {
		t.Fatalf("Stats = %+v, want one idle array", s)
	}
	if ref.Value() != nil {
		t.Error("an idle array keeps what its elements pointed to")
	}
	runtime.KeepAlive(&p)
}

//go:noinline
func plant(p *spare.Slices[*thing]) weak.Pointer[thing] {
	x := new(thing)
	s := append(p.Get(10), x)
	p.Put(s[:0])
	return weak.Make(x)
}

func TestSlicesDrain(t *testing.T) {
	var p spare.Slices[byte]
	for n := 64; n < 1<<20; n *= 2 {
		for range 100 {
			p.Put(make([]byte, 0, n))
		}
	}
	p.Drain()
	s := p.Stats()
	if s.Idle != 0 || s.IdleBytes != 0 || s.Drops != s.Puts {
		t.Errorf("Stats after Drain = %+v", s)
	}
	p.Put(p.Get(100))
	wantBooks(t, p.Stats())
}

// TestSlicesMaxIdle fills the room with arrays of several classes at once.
func TestSlicesMaxIdle(t *testing.T) {
	const most = 1 << 20
	for _, how := range []string{"serial", "parallel"} {
		t.Run(how, func(t *testing.T) {
			p := spare.Slices[byte]{MaxIdle: most}
			var wg sync.WaitGroup
			work := func(seed uint64) {
				r := rand.New(rand.NewPCG(seed, 2))
				var own [][]byte
				for range 20_000 {
					if r.IntN(2) == 0 && len(own) > 0 {
						p.Put(own[len(own)-1])
						own = own[:len(own)-1]
					} else if len(own) < 100 {
						own = append(own, p.Get(r.IntN(64<<10)))
					} else {
						for _, s := range own {
							p.Put(s)
						}
						own = own[:0]
					}
					if how == "serial" {
						if s := p.Stats(); s.IdleBytes > most {
							t.Fatalf("Stats = %+v, want %d bytes idle at most", s, most)
						}
					}
				}
			}
			if how == "serial" {
				work(1)
			} else {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
				for g := range uint64(4) {
					wg.Go(func() { work(g) })
				}
				wg.Wait()
			}
			s := p.Stats()
			wantBooks(t, s)
			if s.IdleBytes > most || s.IdleBytes == 0 || s.Drops == 0 {
				t.Errorf("Stats = %+v, want between 1 and %d bytes idle, and some refused", s, most)
			}
		})
	}
	p := spare.Slices[byte]{MaxIdle: -1}
	p.Put(make([]byte, 64))
	if s := p.Stats(); s.Idle != 0 || s.Drops != 1 {
		t.Errorf("a negative MaxIdle keeps: %+v", s)
	}
}

func TestSlicesRetention(t *testing.T) {
	oneP(t)
	noGC(t)
	var p spare.Slices[byte]
	round := func() {
		a, b := p.Get(100), p.Get(10_000)
		p.Put(a)
		p.Put(b)
		collect(t)
	}
	for range 20 {
		round()
	}
	if s := p.Stats(); s.News != 2 {
		t.Errorf("%d arrays were made for a working set of 2", s.News)
	}
	for i := 1; p.Stats().Idle > 0; i++ {
		if i > idleCollections {
			t.Fatalf("%+v after %d collections without use", p.Stats(), idleCollections)
		}
		collect(t)
	}
}

// usualCap uses Get(0) for slices of the given length.
func useUsual(p *spare.Slices[byte], length int) (got int) {
	s := p.Get(0)
	got = cap(s)
	if length > cap(s) {
		s = p.Grow(s, length)
	}
	p.Put(s[:length])
	return got
}

func TestSlicesUsualSize(t *testing.T) {
	for _, size := range []int{1, 64, 65, 1000, 5000, 100_000, 3 << 20} {
		oneP(t)
		noGC(t)
		var p spare.Slices[byte]
		for range 10 {
			useUsual(&p, size)
		}
		made := p.Stats().News
		for range 100 {
			// Twice: Grow gave half as much again, rounded up to a class, to the
			// first that was too small, and that array is handed out as well.
			if got := useUsual(&p, size); got < size || got > max(64, 2*size) {
				t.Fatalf("Get(0) has capacity %d where the usual length is %d", got, size)
			}
		}
		if s := p.Stats(); s.News != made {
			t.Errorf("length %d: %d arrays were made once warm", size, s.News-made)
		}
	}
}

func TestSlicesOneGiant(t *testing.T) {
	const giant = 100 << 10
	for _, at := range []int{0, 1, 10, 1000} {
		oneP(t)
		noGC(t)
		var p spare.Slices[byte]
		big := 0
		for i := range 3000 {
			length := 32
			if i == at {
				length = giant
			}
			if useUsual(&p, length) >= giant {
				big++
			}
		}
		if big > 1 {
			t.Errorf("a giant in use %d makes %d later slices giants", at, big)
		}
	}
}

func TestSlicesFewGiants(t *testing.T) {
	const n, giant = 50_000, 100 << 10
	var p spare.Slices[byte]
	r := rand.New(rand.NewPCG(3, 3))
	big := 0
	for range n {
		length := 32
		if r.IntN(100) < 3 {
			length = giant
		}
		if useUsual(&p, length) >= giant {
			big++
		}
	}
	t.Logf("%d of %d slices were as large as the 3%% largest", big, n)
	if big > n/10 {
		t.Errorf("%d of %d slices were as large as the 3%% largest", big, n)
	}
}

// TestSlicesUsualFollows changes the load.
func TestSlicesUsualFollows(t *testing.T) {
	oneP(t)
	noGC(t)
	var p spare.Slices[byte]
	for _, size := range []int{100, 100_000, 100} {
		for range 5000 {
			useUsual(&p, size)
		}
		if got := useUsual(&p, size); got < size || got > size+size/4 {
			t.Errorf("Get(0) has capacity %d after 5000 uses of %d", got, size)
		}
	}
}

func TestSlicesUsualObeysMaxCap(t *testing.T) {
	p := spare.Slices[byte]{MaxCap: 1024}
	for range 100 {
		if got := useUsual(&p, 5000); got > 1024 {
			t.Fatalf("Get(0) has capacity %d, above MaxCap", got)
		}
	}
}

func TestSlicesDoesNotAllocate(t *testing.T) {
	t.Run("[]int", func(t *testing.T) {
		var p spare.Slices[int]
		wantMallocs(t, 10_000, 0, func() { s := p.Get(100); s = append(s, 1, 2, 3); p.Put(s) })
	})
	t.Run("[]byte", func(t *testing.T) {
		var p spare.Slices[byte]
		wantMallocs(t, 10_000, 0, func() { s := p.Get(1000); s = append(s, "hello"...); p.Put(s) })
	})
	t.Run("[]string", func(t *testing.T) {
		var p spare.Slices[string]
		wantMallocs(t, 10_000, 0, func() { s := p.Get(10); s = append(s, "hello"); p.Put(s) })
	})
	t.Run("unknown size", func(t *testing.T) {
		var p spare.Slices[int]
		wantMallocs(t, 1000, 0, func() {
			s := p.Get(0)
			for i := range 500 {
				s = append(s, i)
			}
			p.Put(s)
		})
	})
	t.Run("Grow", func(t *testing.T) {
		var p spare.Slices[int]
		wantMallocs(t, 1000, 0, func() {
			s := p.Get(1)
			for i := range 500 {
				s = append(p.Grow(s, 1), i)
			}
			p.Put(s)
		})
	})
	t.Run("many sizes", func(t *testing.T) {
		var p spare.Slices[byte]
		for n := 1; n < 10_000; n += 50 {
			p.Put(p.Get(n))
		}
		wantMallocs(t, 100, 0, func() {
			for n := 1; n < 10_000; n += 50 {
				p.Put(p.Get(n))
			}
		})
	})
}

// TestSlicesStress writes to the whole of each array that it owns, and looks
// whether somebody else did.
func TestSlicesStress(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    *spare.Slices[uint32]
	}{
		{"plain", new(spare.Slices[uint32])},
		{"bounded", &spare.Slices[uint32]{MaxIdle: 100 << 10, MaxCap: 4096, Zero: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := tt.p
			stop := make(chan struct{})
			var wg sync.WaitGroup
			storm(&wg, stop)
			for g := range uint64(8) {
				wg.Go(func() {
					r := rand.New(rand.NewPCG(g, 1))
					tag := uint32(g + 1)
					var own [][]uint32
					add := func(s []uint32) {
						s = s[:cap(s)]
						if p.Zero {
							for i, v := range s {
								if v != 0 {
									t.Errorf("element %d of %d is %d, not wiped", i, len(s), v)
									break
								}
							}
						}
						for i := range s {
							s[i] = tag
						}
						own = append(own, s)
					}
					take := func() []uint32 {
						s := own[len(own)-1]
						own = own[:len(own)-1]
						for i, v := range s {
							if v != tag {
								t.Errorf("element %d of %d of goroutine %d was written by %d", i, len(s), tag, v)
								break
							}
						}
						return s
					}
					for most := 1; !t.Failed(); {
						switch k := r.IntN(10_000); {
						case k == 0:
							p.Drain()
						case k < 50:
							most = 1 + r.IntN(50)
							select {
							case <-stop:
								for len(own) > 0 {
									p.Put(take())
								}
								return
							default:
							}
						case k < 5000 && len(own) < most:
							n := int(math.Exp(r.Float64() * math.Log(5000)))
							s := p.Get(n)
							if cap(s) < n {
								t.Errorf("Get(%d) has capacity %d", n, cap(s))
							}
							add(s)
						case k < 5100:
							add(make([]uint32, 1+r.IntN(3000)))
						case k < 5500 && len(own) > 0:
							s := take()
							if g := p.Grow(s[:len(s)/2], len(s)); !p.Zero {
								add(g)
							}
						case len(own) > 0:
							p.Put(take()[:0])
						}
					}
				})
			}
			timer := time.NewTimer(stressTime(t))
			defer timer.Stop()
			<-timer.C
			close(stop)
			wg.Wait()
			p.Drain()
			s := p.Stats()
			t.Logf("%+v", s)
			wantBooks(t, s)
			if s.Idle != 0 || s.IdleBytes != 0 {
				t.Errorf("Stats after Drain = %+v", s)
			}
		})
	}
}

// FuzzSlices runs a sequence of operations against a model that knows which
// memory each live slice owns. Each operation is an opcode and an operand of
// two bytes.
func FuzzSlices(f *testing.F) {
	f.Add([]byte{0, 0, 100, 2, 0, 0, 0, 0, 80}, 0, 0)
	f.Add([]byte{1, 2, 88, 2, 0, 0, 0, 3, 232, 3, 16, 0, 2, 0, 0}, 1000, 5000)
	f.Add([]byte{4, 1, 0, 0, 0, 0, 3, 255, 255, 4, 0, 9, 2, 0, 1, 5, 0, 0, 0, 0, 0}, -1, 0)
	f.Fuzz(func(t *testing.T, ops []byte, maxCap, maxIdle int) {
		p := spare.Slices[byte]{MaxCap: maxCap, MaxIdle: maxIdle}
		var live [][]byte
		check := func(s []byte, n int) {
			if cap(s)-len(s) < n {
				t.Fatalf("length %d, capacity %d: no room for %d", len(s), cap(s), n)
			}
			lo := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
			hi := lo + uintptr(cap(s))
			for _, o := range live {
				olo := uintptr(unsafe.Pointer(unsafe.SliceData(o)))
				if lo < olo+uintptr(cap(o)) && olo < hi {
					t.Fatalf("a slice of %d bytes overlaps one of %d", cap(s), cap(o))
				}
			}
			live = append(live, s)
		}
		take := func(k int) []byte {
			i := k % len(live)
			s := live[i]
			live = slices.Delete(live, i, i+1)
			return s
		}
		for ; len(ops) >= 3; ops = ops[3:] {
			n := int(ops[1])<<8 | int(ops[2])
			switch op := ops[0] % 6; {
			case op == 0:
				s := p.Get(n)
				if len(s) != 0 {
					t.Fatalf("Get(%d) has length %d", n, len(s))
				}
				check(s, n)
			case op == 1:
				p.Put(make([]byte, n/2, n))
			case op == 2 && len(live) > 0:
				p.Put(take(n))
			case op == 3 && len(live) > 0:
				s := take(n)
				s = s[:cap(s)]
				for i := range s {
					s[i] = byte(i)
				}
				s = s[:len(s)/2]
				want := bytes.Clone(s)
				s = p.Grow(s, n)
				if !bytes.Equal(s, want) {
					t.Fatal("Grow changed the contents")
				}
				check(s, n)
			case op == 4 && len(live) > 0 && !checked.Enabled: // which reports it
				// A part of an array whose other part nobody uses.
				if s := take(n); cap(s) > 0 {
					from := n % cap(s)
					p.Put(s[:cap(s)][from:])
				}
			case op == 5:
				p.Drain()
				if s := p.Stats(); s.Idle != 0 {
					t.Fatalf("Stats after Drain = %+v", s)
				}
			}
			s := p.Stats()
			if s.Puts != s.Gets-s.News+s.Drops+uint64(s.Idle) {
				t.Fatalf("the books do not balance: %+v", s)
			}
			if maxIdle != 0 && s.IdleBytes > int64(max(maxIdle, 0)) {
				t.Fatalf("Stats = %+v with a MaxIdle of %d", s, maxIdle)
			}
		}
	})
}

// TestSlicesModel runs the fuzz target's model on random sequences.
func TestSlicesModel(t *testing.T) {
	var p spare.Slices[int16]
	r := rand.New(rand.NewPCG(1, 2))
	owner := map[*int16]int{} // by first element; parts are not put here
	var live [][]int16
	for i := range 200_000 {
		switch r.IntN(3) {
		case 0:
			n := r.IntN(1 << r.IntN(14))
			s := p.Get(n)
			if len(s) != 0 || cap(s) < n {
				t.Fatalf("Get(%d) has length %d, capacity %d", n, len(s), cap(s))
			}
			if j, ok := owner[unsafe.SliceData(s)]; ok {
				t.Fatalf("step %d returned the array of step %d, which is in use", i, j)
			}
			owner[unsafe.SliceData(s)] = i
			live = append(live, s)
		case 1:
			if len(live) > 0 {
				k := r.IntN(len(live))
				s := live[k]
				live[k] = live[len(live)-1]
				live = live[:len(live)-1]
				delete(owner, unsafe.SliceData(s))
				p.Put(s)
			}
		case 2:
			if len(live) > 50 {
				for _, s := range live {
					delete(owner, unsafe.SliceData(s))
					p.Put(s)
				}
				live = live[:0]
			}
		}
	}
	wantBooks(t, p.Stats())
}
