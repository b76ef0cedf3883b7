// Package leftring has structs that keep pooled values in slots, and maps that have the structs.
package leftring

import "sync"

type frame struct {
	at    int64
	pixel []byte
}

var frames = sync.Pool{New: func() any { return new(frame) }}

func shoot(at int64, pixel []byte) *frame {
	f := frames.Get().(*frame)
	f.at = at
	f.pixel = append(f.pixel[:0], pixel...)
	return f
}

// A camera that is removed takes its last frames with it.
type camera struct {
	name string
	last [16]*frame
	n    int
}

func (c *camera) keep(f *frame) {
	i := c.n % len(c.last)
	if old := c.last[i]; old != nil {
		frames.Put(old)
	}
	c.last[i] = f
	c.n++
}

func (c *camera) newest() int64 {
	if f := c.last[(c.n+15)%16]; f != nil {
		return f.at
	}
	return 0
}

type studio struct {
	mu      sync.Mutex
	cameras map[string]*camera
}

func (s *studio) film(name string, at int64, pixel []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.cameras[name]
	if c == nil {
		c = &camera{name: name}
		s.cameras[name] = c
	}
	c.keep(shoot(at, pixel))
}

func (s *studio) age(name string, now int64) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.cameras[name]; c != nil {
		return now - c.newest()
	}
	return 0
}

func (s *studio) remove(name string) {
	s.mu.Lock()
	delete(s.cameras, name) // want `what is deleted from cameras here has values from pools in last`
	s.mu.Unlock()
}

// The slots are a slice in a struct within, and what is put is what the element has, by a function that is
// set with it.
type sample struct {
	body *[]byte
	done func(*[]byte)
}

func (s *sample) free() {
	s.done(s.body)
	s.body = nil
}

type source struct{ bodies *sync.Pool }

func newSource() *source {
	return &source{&sync.Pool{New: func() any { return new([]byte) }}}
}

func (s *source) put(b *[]byte) { s.bodies.Put(b) }

func (s *source) sample(b []byte) *sample {
	x := &sample{done: s.put}
	x.body = s.bodies.Get().(*[]byte)
	*x.body = append((*x.body)[:0], b...)
	return x
}

type window struct{ slots []*sample }

type probe struct {
	mu sync.Mutex
	w  window
}

type board struct {
	probes map[int]*probe
	from   *source
}

func (b *board) attach(id, size int) {
	w := window{slots: make([]*sample, size)}
	b.probes[id] = &probe{w: w}
}

func (b *board) read(id, at int, data []byte) {
	p := b.probes[id]
	p.mu.Lock()
	defer p.mu.Unlock()
	p.w.set(at, b.from.sample(data))
}

func (w *window) set(at int, s *sample) {
	if old := w.slots[at]; old != nil {
		old.free()
	}
	w.slots[at] = s
}

func (b *board) detach(id int) {
	delete(b.probes, id) // want `what is deleted from probes here has values from pools in slots`
}

// Who removes it gives back what is in the slots first.
type mic struct{ last [8]*frame }

func (m *mic) keep(i int, f *frame) {
	if old := m.last[i]; old != nil {
		frames.Put(old)
	}
	m.last[i] = f
}

func (m *mic) empty() {
	for i, f := range m.last {
		if f != nil {
			frames.Put(f)
			m.last[i] = nil
		}
	}
}

type stage struct{ mics map[string]*mic }

func (s *stage) record(name string, i int, pixel []byte) {
	m := s.mics[name]
	if m == nil {
		m = new(mic)
		s.mics[name] = m
	}
	m.keep(i, shoot(0, pixel))
}

func (s *stage) remove(name string) {
	if m := s.mics[name]; m != nil {
		m.empty()
	}
	delete(s.mics, name)
}

// What is removed from one map is in another, and lives on.
type lamp struct{ last [8]*frame }

func (l *lamp) keep(i int, f *frame) {
	if old := l.last[i]; old != nil {
		frames.Put(old)
	}
	l.last[i] = f
}

type hall struct {
	on  map[string]*lamp
	all []*lamp
}

func (h *hall) add(name string) {
	l := new(lamp)
	h.on[name] = l
	h.all = append(h.all, l)
}

func (h *hall) shine(name string, i int, pixel []byte) { h.on[name].keep(i, shoot(0, pixel)) }

func (h *hall) off(name string) { delete(h.on, name) }

func (h *hall) count() int { return len(h.all) }

// Others take the values out of the slots.
type tray struct{ slots [4]*frame }

func (t *tray) lay(i int, f *frame) {
	if old := t.slots[i]; old != nil {
		frames.Put(old)
	}
	t.slots[i] = f
}

func (t *tray) pick(i int) *frame {
	f := t.slots[i]
	t.slots[i] = nil
	return f
}

type rack struct{ trays map[int]*tray }

func (r *rack) lay(n, i int, pixel []byte) {
	if r.trays[n] == nil {
		r.trays[n] = new(tray)
	}
	r.trays[n].lay(i, shoot(0, pixel))
}

func (r *rack) pick(n, i int, show func([]byte)) {
	if f := r.trays[n].pick(i); f != nil {
		show(f.pixel)
		frames.Put(f)
	}
}

func (r *rack) remove(n int) { delete(r.trays, n) }

// What is removed is passed on.
type cart struct{ last [4]*frame }

func (c *cart) load(i int, f *frame) {
	if old := c.last[i]; old != nil {
		frames.Put(old)
	}
	c.last[i] = f
}

type yard struct{ carts map[int]*cart }

func (y *yard) load(n, i int, pixel []byte) {
	if y.carts[n] == nil {
		y.carts[n] = new(cart)
	}
	y.carts[n].load(i, shoot(0, pixel))
}

func (y *yard) lend(n int, to func(*cart)) {
	c := y.carts[n]
	delete(y.carts, n)
	to(c)
}
