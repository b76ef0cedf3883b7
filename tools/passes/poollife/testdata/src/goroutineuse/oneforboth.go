package goroutineuse

import "sync"

// Objects in a map that a goroutine has as well.

var cloths = sync.Pool{New: func() any { return new([1 << 12]byte) }}

type sail interface {
	draw(func([]byte))
	furl()
}

type canvas struct {
	mu sync.RWMutex
	b  *[1 << 12]byte
}

func (c *canvas) draw(f func([]byte)) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	f(c.b[:])
}

func (c *canvas) furl() {
	c.mu.Lock()
	defer c.mu.Unlock()
	cloths.Put(c.b)
}

func newCanvas() *canvas { return &canvas{b: cloths.Get().(*[1 << 12]byte)} }

type mast struct {
	sail sail
	refs int
}

func (m *mast) lower() {
	if m.refs--; m.refs == 0 {
		m.sail.furl()
	}
}

func (m *mast) raise() { m.refs++ }

type dock struct{ slots chan struct{} }

func (d *dock) run(job func()) {
	d.slots <- struct{}{}
	go func() {
		defer func() { <-d.slots }()
		job()
	}()
}

type fleet struct {
	mu    sync.Mutex
	dock  *dock
	masts map[int]*mast
	show  func([]byte)
}

// Wrong: the mast of before may still be drawn.
func (f *fleet) rig(n int, s sail) {
	f.mu.Lock()
	if old, ok := f.masts[n]; ok {
		old.lower() // want `the mast under this key is given up here, but the goroutine that was started with it may still use it`
	}
	m := &mast{sail: s, refs: 1}
	f.masts[n] = m
	f.mu.Unlock()
	f.dock.run(func() {
		m.sail.draw(f.show)
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.masts, n)
		m.lower()
	})
}

// Wrong: started here, and given up by a deferred call.
func (f *fleet) rigDirect(n int, s sail) {
	f.mu.Lock()
	defer f.mu.Unlock()
	old := f.masts[n]
	m := &mast{refs: 1}
	m.sail = s
	if old != nil {
		old.lower() // want `the mast under this key is given up here, but the goroutine that was started with it may still use it`
	}
	f.masts[n] = m
	go func() {
		defer m.lower()
		m.sail.draw(f.show)
	}()
}

// Right: one reference for each.
func (f *fleet) rigTwo(n int, s sail) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if old, ok := f.masts[n]; ok {
		old.lower()
	}
	m := &mast{sail: s, refs: 2}
	f.masts[n] = m
	f.dock.run(func() {
		m.sail.draw(f.show)
		f.mu.Lock()
		defer f.mu.Unlock()
		m.lower()
	})
}

// Right: counted up for the goroutine.
func (f *fleet) rigCounted(n int, s sail) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if old, ok := f.masts[n]; ok {
		old.lower()
	}
	m := &mast{sail: s, refs: 1}
	f.masts[n] = m
	m.raise()
	f.dock.run(func() {
		m.sail.draw(f.show)
		f.mu.Lock()
		defer f.mu.Unlock()
		m.lower()
	})
}

// Right: it waits for the goroutine of before.
func (f *fleet) rigAfter(n int, s sail, done *sync.WaitGroup) {
	f.mu.Lock()
	old := f.masts[n]
	f.mu.Unlock()
	if old != nil {
		done.Wait()
		old.lower()
	}
	m := &mast{sail: s, refs: 1}
	f.mu.Lock()
	f.masts[n] = m
	f.mu.Unlock()
	done.Add(1)
	go func() {
		defer done.Done()
		m.sail.draw(f.show)
		m.lower()
	}()
}

// Right: the function runs it here.
func now(job func()) { job() }

func (f *fleet) rigNow(n int, s sail) {
	if old, ok := f.masts[n]; ok {
		old.lower()
	}
	m := &mast{sail: s, refs: 1}
	f.masts[n] = m
	now(func() {
		m.sail.draw(f.show)
		delete(f.masts, n)
		m.lower()
	})
}

// Right: used under the lock that the map is changed under, if it is still there.
func (f *fleet) rigLocked(n int, s sail) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if old, ok := f.masts[n]; ok {
		old.lower()
	}
	m := &mast{sail: s, refs: 1}
	f.masts[n] = m
	go func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.masts[n] != m {
			return
		}
		m.sail.draw(f.show)
		delete(f.masts, n)
		m.lower()
	}()
}

func newFleet(show func([]byte)) *fleet {
	f := &fleet{dock: &dock{slots: make(chan struct{}, 4)}, masts: map[int]*mast{}, show: show}
	f.rig(0, newCanvas())
	f.rigDirect(1, newCanvas())
	f.rigTwo(2, newCanvas())
	f.rigCounted(3, newCanvas())
	f.rigLocked(4, newCanvas())
	return f
}
