// SPDX-License-Identifier: BSD-3-Clause

package spare_test

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/internal/checked"
)

// A home is a value that knows its pool, as values do that put themselves.
type home struct {
	pool  *spare.Pool[home]
	bytes []byte
}

// A mark is found dead by a cleanup.
type mark struct{ _ [4]*mark }

// TestUnreferencedPools makes many pools that are used once and dropped, and that their
// values or callbacks lead back to. The memory goes at the next collection; where there is
// a Drop, few may stay, and those for a while.
func TestUnreferencedPools(t *testing.T) {
	if checked.Enabled {
		t.Skip("the checks watch the values, and have a Drop of their own")
	}
	// As many new pools with a Drop wait for a collection to find them alive.
	const pools, few = 2000, 64
	var live atomic.Int64
	marked := func() *mark {
		live.Add(1)
		m := new(mark)
		runtime.AddCleanup(m, func(int) { live.Add(-1) }, 0)
		return m
	}
	type value struct {
		m *mark
		p any
	}
	for _, tt := range []struct {
		name string
		use  func()
		drop bool
	}{
		{name: "values that know nothing", use: func() {
			p := new(spare.Pool[value])
			x := p.Get()
			x.m = marked()
			p.Put(x)
		}},
		{name: "values that know their pool", use: func() {
			p := new(spare.Pool[value])
			x := p.Get()
			x.m, x.p = marked(), p
			p.Put(x)
		}},
		{name: "with a name", use: func() {
			p := &spare.Pool[value]{Name: "unreferenced"}
			x := p.Get()
			x.m, x.p = marked(), p
			p.Put(x)
		}},
		{name: "with Size and MaxIdle", use: func() {
			p := &spare.Pool[value]{Size: func(*value) int { return 100_000 }, MaxIdle: 1 << 20}
			x := p.Get()
			x.m, x.p = marked(), p
			p.Put(x)
		}},
		{name: "New knows the pool", use: func() {
			p := new(spare.Pool[value])
			p.New = func() *value { return &value{marked(), p} }
			p.Put(p.Get())
		}},
		{name: "values of two pools that know the other", use: func() {
			p, q := new(spare.Pool[value]), new(spare.Pool[value])
			x, y := p.Get(), q.Get()
			x.m, x.p, y.p = marked(), q, p
			p.Put(x)
			q.Put(y)
		}},
		{name: "slices of what knows them", use: func() {
			p := new(struct {
				spare.Slices[byte]
				mine spare.Pool[value]
			})
			p.Put(p.Get(100_000))
			x := p.mine.Get()
			x.m, x.p = marked(), p
			p.mine.Put(x)
		}},
		{name: "a Drop that knows nothing", drop: true, use: func() {
			p := &spare.Pool[value]{Drop: func(*value) {}}
			x := p.Get()
			x.m = marked()
			p.Put(x)
		}},
		{name: "a Drop that knows the pool", drop: true, use: func() {
			p := new(spare.Pool[value])
			p.Drop = func(*value) { p.Stats() }
			x := p.Get()
			x.m = marked()
			p.Put(x)
		}},
		{name: "a Drop, and values that know the pool", drop: true, use: func() {
			p := &spare.Pool[value]{Drop: func(*value) {}}
			x := p.Get()
			x.m, x.p = marked(), p
			p.Put(x)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			noGC(t)
			live.Store(0)
			for range pools {
				tt.use()
			}
			limit := int64(0)
			if tt.drop {
				limit = few
			}
			for i := 0; live.Load() > limit; i++ {
				// Three: a register or the stack may hold the last one, the portable engine's
				// sync.Pools take one more.
				if i == 3 {
					eventually(t, fmt.Sprintf("all values but %d of %d to go", limit, pools), func() bool { return live.Load() <= limit })
				}
				collect(t)
			}
			for range idleCollections + 2 {
				collect(t)
			}
			eventually(t, "the rest to go", func() bool {
				runtime.GC()
				return live.Load() <= 1
			})
		})
	}
}

// TestUnreferencedCallsDrop forgets pools with a Drop that nothing leads back to, new ones
// and some that were found alive before: it is called for each value.
func TestUnreferencedCallsDrop(t *testing.T) {
	noGC(t)
	const pools, values = 20, 5
	for _, collections := range []int{0, 1, 2, 5} {
		var drops atomic.Int64
		make := func() (all []*spare.Pool[home]) {
			for range pools {
				p := &spare.Pool[home]{Drop: func(*home) { drops.Add(1) }}
				for range values {
					p.Put(new(home))
				}
				all = append(all, p)
			}
			return all
		}
		all := make()
		for range collections {
			collect(t)
		}
		runtime.KeepAlive(all)
		all = nil
		eventually(t, fmt.Sprintf("Drop of %d values, after %d collections", pools*values, collections), func() bool {
			runtime.GC()
			return drops.Load() == pools*values
		})
	}
}
