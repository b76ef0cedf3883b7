// SPDX-License-Identifier: BSD-3-Clause

package reliability

import (
	"math"
	"testing"

	"github.com/spare-go/spare"
)

// A modelled value knows what the model says about it.
type modelled struct {
	id    int
	drops int
	out   bool
	next  *modelled
}

// FuzzPool runs a sequence of operations on a pool whose callbacks do what the input
// says, against a model: who owns each value, how often it was let go, and the counts.
func FuzzPool(f *testing.F) {
	f.Add([]byte{0, 0, 1, 1, 2, 0, 1, 3}, uint8(0), int16(0))
	f.Add([]byte{0, 1, 0, 1, 0, 1, 3, 4, 0, 2, 1, 0}, uint8(0xff), int16(200))
	f.Add([]byte{1, 1, 1, 4, 4, 0, 0, 3, 1, 0, 5, 1, 5, 0}, uint8(5), int16(-1))
	f.Fuzz(func(t *testing.T, ops []byte, callbacks uint8, maxIdle int16) {
		if len(ops) > 2000 {
			return
		}
		made, keep := 0, true
		var all []*modelled
		add := func() *modelled {
			made++
			x := &modelled{id: made}
			all = append(all, x)
			return x
		}
		p := &spare.Pool[modelled]{MaxIdle: int(maxIdle)}
		p.New = add
		if callbacks&1 != 0 {
			p.Reset = func(x *modelled) { x.next = nil }
		}
		if callbacks&2 != 0 {
			p.Keep = func(*modelled) bool { return keep }
		}
		if callbacks&4 != 0 {
			p.Drop = func(x *modelled) { x.drops++ }
		}
		if callbacks&8 != 0 {
			p.Size = func(x *modelled) int { return x.id % 50 }
		}
		var live []*modelled
		var gets, puts uint64
		for _, op := range ops {
			switch {
			case op%6 == 0:
				x := p.Get()
				gets++
				if x.out || x.drops > 0 {
					t.Fatalf("Get returned value %d, which is out (%v) or was dropped %d times", x.id, x.out, x.drops)
				}
				if p.Reset != nil && x.next != nil {
					t.Fatalf("value %d was not reset", x.id)
				}
				x.out = true
				x.next = x
				live = append(live, x)
			case op%6 == 1 && len(live) > 0:
				i := int(op) % len(live)
				x := live[i]
				live = append(live[:i], live[i+1:]...)
				x.out = false
				p.Put(x)
				puts++
			case op%6 == 2:
				keep = !keep
			case op%6 == 3:
				p.Drain()
				if s := p.Stats(); s.Idle != 0 || s.IdleBytes != 0 {
					t.Fatalf("Stats after Drain = %+v", s)
				}
			case op%6 == 4:
				if gets == 0 { // to fill it
					p.Put(add())
					puts++
				}
			case op%6 == 5:
				p.Put(nil)
			}
			s := p.Stats()
			if s.Gets != gets || s.Puts != puts || s.Puts != s.Gets-s.News+s.Drops+uint64(s.Idle) {
				t.Fatalf("Stats = %+v after %d Gets and %d Puts", s, gets, puts)
			}
			if maxIdle != 0 && s.IdleBytes > int64(max(maxIdle, 0)) {
				t.Fatalf("Stats = %+v with a MaxIdle of %d", s, maxIdle)
			}
		}
		p.Drain()
		if p.Drop != nil {
			for _, x := range all {
				if want := 1; x.out && x.drops != 0 || !x.out && x.drops != want {
					t.Fatalf("value %d, out: %v, was dropped %d times", x.id, x.out, x.drops)
				}
			}
		}
	})
}

// FuzzSlicesCapacity takes and puts slices of elements of several sizes at any
// capacity.
func FuzzSlicesCapacity(f *testing.F) {
	f.Add(1, 1)
	f.Add(600, 1000)
	f.Add(math.MaxInt16, 31)
	f.Add(0, 65)
	f.Fuzz(func(t *testing.T, put, get int) {
		if put < 0 || get < 0 || put > 1<<20 || get > 1<<20 {
			return
		}
		capacity(t, new(spare.Slices[byte]), put, get)
		capacity(t, new(spare.Slices[[3]byte]), put, get)
		capacity(t, new(spare.Slices[string]), put, get)
	})
}

func capacity[E any](t *testing.T, p *spare.Slices[E], put, get int) {
	t.Helper()
	p.Put(make([]E, put/2, put))
	s := p.Get(get)
	if len(s) != 0 || cap(s) < get {
		t.Fatalf("%T: Get(%d) after Put of %d has length %d, capacity %d", s, get, put, len(s), cap(s))
	}
	clear(s[:cap(s)])
	p.Put(s)
	if r := p.Get(get); cap(r) < get {
		t.Fatalf("%T: second Get(%d) has capacity %d", s, get, cap(r))
	}
}
