// SPDX-License-Identifier: BSD-3-Clause

package twoholders

import "sync"

type parcel struct{ lines []string }

var parcels = sync.Pool{New: func() any { return new(parcel) }}

func (p *parcel) recycle() {
	p.lines = nil
	parcels.Put(p)
}

type carrier struct {
	mu      sync.Mutex
	parcels []*parcel
}

func (c *carrier) add(lines []string) {
	p := parcels.Get().(*parcel)
	p.lines = lines
	c.mu.Lock()
	c.parcels = append(c.parcels, p)
	c.mu.Unlock()
}

func (c *carrier) unload() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.parcels {
		p.recycle()
	}
	c.parcels = nil
}

type depot struct {
	mu  sync.Mutex
	now *carrier
}

func (d *depot) cancel() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.now; c != nil {
		for _, p := range c.parcels {
			p.recycle() // want `the elements of parcels are put but stay in it: gather, which set now to their object and still has it, puts them again`
		}
		d.now = nil
	}
}

func (d *depot) gather(in chan []string) {
	c := &carrier{}
	d.mu.Lock()
	d.now = c
	d.mu.Unlock()
	for lines := range in {
		c.add(lines)
	}
	c.unload()
}

// The carrier is emptied when the function that made it ends, however it ends.
type latchedDepot struct {
	sync.RWMutex
	now *carrier
}

func (d *latchedDepot) cancel() {
	d.Lock()
	if d.now != nil {
		for i := range d.now.parcels {
			d.now.parcels[i].recycle() // want `the elements of parcels are put but stay in it: gather, which set now to their object and still has it, puts them again`
		}
		d.now = nil
	}
	d.Unlock()
}

func (d *latchedDepot) gather(in chan []string, ok func([]string) bool) {
	c := new(carrier)
	defer c.unload()
	d.Lock()
	d.now = c
	d.Unlock()
	for lines := range in {
		if !ok(lines) {
			return
		}
		c.add(lines)
	}
}

// A generic list, and a goroutine.
type crates[T any] struct {
	mu   sync.Mutex
	list []*crate[T]
}

type crate[T any] struct{ v T }

var cratePool = sync.Pool{New: func() any { return new(crate[int]) }}

func (c *crates[T]) drop() {
	c.mu.Lock()
	for _, x := range c.list {
		cratePool.Put(x)
	}
	c.list = c.list[:0]
	c.mu.Unlock()
}

type crateDepot[T any] struct {
	mu  sync.Mutex
	cur *crates[T]
}

func (d *crateDepot[T]) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	cs := d.cur
	if cs == nil {
		return
	}
	d.cur = nil
	for _, x := range cs.list {
		cratePool.Put(x) // want `the elements of list are put but stay in it: start, which set cur to their object and still has it, puts them again`
	}
}

func (d *crateDepot[T]) start(in chan T) {
	cs := &crates[T]{}
	d.mu.Lock()
	d.cur = cs
	d.mu.Unlock()
	go func() {
		defer cs.drop()
		for range in {
			cs.mu.Lock()
			if x, ok := cratePool.Get().(*crate[T]); ok {
				cs.list = append(cs.list, x)
			}
			cs.mu.Unlock()
		}
	}()
}

// Two objects have the carrier.
type road struct {
	load *carrier
	name string
}

type roadDepot struct {
	mu  sync.Mutex
	now *carrier
}

func (d *roadDepot) open(r *road) {
	c := &carrier{}
	d.mu.Lock()
	d.now = c
	d.mu.Unlock()
	r.load = c
}

func (d *roadDepot) cancel() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.now; c != nil {
		for _, p := range c.parcels {
			p.recycle() // want `the elements of parcels are put but stay in it: arrive, which has their object by load, puts them again`
		}
		d.now = nil
	}
}

func (r *road) arrive() { r.load.unload() }

// Here the one who made the carrier asks whether it is still there.
type askingDepot struct {
	mu  sync.Mutex
	now *carrier
}

func (d *askingDepot) cancel() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.now; c != nil {
		for _, p := range c.parcels {
			p.recycle()
		}
		d.now = nil
	}
}

func (d *askingDepot) gather(in chan []string) {
	c := &carrier{}
	d.mu.Lock()
	d.now = c
	d.mu.Unlock()
	for lines := range in {
		d.mu.Lock()
		if d.now == c {
			c.add(lines)
		}
		d.mu.Unlock()
	}
	d.mu.Lock()
	gone := d.now != c
	d.mu.Unlock()
	if !gone {
		c.unload()
	}
}

// Here a flag tells.
type flaggedDepot struct {
	mu       sync.Mutex
	now      *carrier
	canceled bool
}

func (d *flaggedDepot) cancel() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.now; c != nil {
		for _, p := range c.parcels {
			p.recycle()
		}
		d.now, d.canceled = nil, true
	}
}

func (d *flaggedDepot) gather(in chan []string) {
	c := &carrier{}
	d.mu.Lock()
	d.now = c
	d.mu.Unlock()
	for lines := range in {
		c.add(lines)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.canceled {
		c.unload()
	}
}

// Here who cancels waits until nobody gathers any more.
type waitingDepot struct {
	mu   sync.Mutex
	now  *carrier
	work sync.WaitGroup
}

func (d *waitingDepot) cancel() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.now; c != nil {
		for _, p := range c.parcels {
			p.recycle()
		}
		d.now = nil
	}
}

func (d *waitingDepot) gather(in chan []string) {
	defer d.work.Done()
	c := &carrier{}
	d.mu.Lock()
	d.now = c
	d.mu.Unlock()
	for lines := range in {
		c.add(lines)
	}
	c.unload()
}

func (d *waitingDepot) run(in chan []string) {
	d.work.Add(1)
	go d.gather(in)
}

func (d *waitingDepot) close(in chan []string) {
	close(in)
	d.work.Wait()
	d.cancel()
}

// Here one function runs both, one after the other.
type turnDepot struct {
	mu  sync.Mutex
	now *carrier
}

func (d *turnDepot) cancel() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.now; c != nil {
		for _, p := range c.parcels {
			p.recycle()
		}
		d.now = nil
	}
}

func (d *turnDepot) gather(in chan []string, fail bool) {
	c := &carrier{}
	d.mu.Lock()
	d.now = c
	d.mu.Unlock()
	for lines := range in {
		c.add(lines)
	}
	if fail {
		c.unload()
	}
}

func (d *turnDepot) serve(in chan []string, fail bool) {
	d.gather(in, fail)
	d.cancel()
}

// Here it is out of the field before it is emptied.
type lettingDepot struct {
	mu  sync.Mutex
	now *carrier
}

func (d *lettingDepot) cancel() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.now; c != nil {
		for _, p := range c.parcels {
			p.recycle()
		}
		d.now = nil
	}
}

func (d *lettingDepot) gather(in chan []string) {
	c := &carrier{}
	d.mu.Lock()
	d.now = c
	d.mu.Unlock()
	for lines := range in {
		c.add(lines)
	}
	d.mu.Lock()
	c, d.now = d.now, nil
	d.mu.Unlock()
	if c != nil {
		c.unload()
	}
}
