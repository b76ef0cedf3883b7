package forgottenput

import (
	"sync"
	"time"
)

// Callbacks delete elements that hold values from a pool.

var pages = sync.Pool{New: func() any { return new([1500]byte) }}

type frame struct {
	id  int
	mem *[1500]byte
}

type bucket struct {
	frames []frame
	at     time.Time
}

type reassembly struct {
	mu sync.Mutex
	m  map[int]*bucket
}

func (w *reassembly) add(id int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := w.m[id]
	if b == nil {
		b = &bucket{}
		w.m[id] = b
	}
	b.frames = append(b.frames, frame{id, pages.Get().(*[1500]byte)})
}
func (w *reassembly) take(id int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if b, ok := w.m[id]; ok {
		for _, f := range b.frames {
			pages.Put(f.mem)
		}
		delete(w.m, id)
	}
}
func (w *reassembly) expire(d time.Duration, id int) {
	time.AfterFunc(d, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.m, id) // want `what is deleted from m here holds values from a pool in field mem`
	})
}
func (w *reassembly) sweep(d time.Duration) {
	go func() {
		for range time.Tick(d) {
			w.mu.Lock()
			for id, b := range w.m {
				if time.Since(b.at) > d {
					delete(w.m, id) // want `what is deleted from m here holds values from a pool in field mem`
				}
			}
			w.mu.Unlock()
		}
	}()
}
func (w *reassembly) loop(d time.Duration) {
	for range time.Tick(d) {
		w.mu.Lock()
		for id, b := range w.m {
			if time.Since(b.at) > d {
				delete(w.m, id) // want `what is deleted from m here holds values from a pool in field mem`
			}
		}
		w.mu.Unlock()
	}
}
func (w *reassembly) start() { go w.loop(time.Second) }
func (w *reassembly) dropID(id int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.m, id) // want `what is deleted from m here holds values from a pool in field mem`
}
func (w *reassembly) after(id int) { time.AfterFunc(time.Second, func() { w.dropID(id) }) }

func (w *reassembly) right(d time.Duration, id int) {
	time.AfterFunc(d, func() { w.take(id) })
}

// The connection has the entry as well
type entry struct{ mem *[1500]byte }
type opened struct{ m map[int]*entry }

func (r *opened) open(id int) *entry {
	e := &entry{mem: pages.Get().(*[1500]byte)}
	r.m[id] = e
	return e
}
func (e *entry) Close() { pages.Put(e.mem) }
func (r *opened) expire(d time.Duration, id int) {
	time.AfterFunc(d, func() {
		delete(r.m, id)
	})
}

// The entry is served by a goroutine
type served struct{ m map[int]*entry }

func (r *served) open(id int) {
	e := &entry{mem: pages.Get().(*[1500]byte)}
	r.m[id] = e
	go e.serve()
}
func (e *entry) serve() { pages.Put(e.mem) }
func (r *served) expire(d time.Duration, id int) {
	time.AfterFunc(d, func() {
		delete(r.m, id)
	})
}
