// Package givenaway uses, releases or keeps what others put.
package givenaway

import "sync"

type buf struct{ b []byte }

var pool = sync.Pool{New: func() any { return new(buf) }}

func (b *buf) Release() {
	if cap(b.b) < 1<<16 {
		b.b = b.b[:0]
		pool.Put(b)
	}
}

// Wrong: pointer message
type job struct {
	b    *buf
	done chan int
}
type wk1 struct{ ch chan *job }

func (w *wk1) save(b *buf) int {
	w.ch <- &job{b: b}
	return len(b.b) // want `b is read after it was handed to a goroutine that puts it back`
}
func (w *wk1) run() {
	for j := range w.ch {
		handle1(j)
	}
}
func handle1(j *job) {
	println(len(j.b.b))
	j.b.Release()
}

// Wrong: token, direct
type wk2 struct{ ch chan *buf }

func (w *wk2) save(p []byte) int {
	b := pool.Get().(*buf)
	b.b = append(b.b[:0], p...)
	select {
	case w.ch <- b:
	default:
		b.Release()
		return 0
	}
	n := len(b.b) // want `b is read after it was handed to a goroutine that puts it back`
	return n
}
func (w *wk2) run() {
	for {
		b, ok := <-w.ch
		if !ok {
			return
		}
		println(len(b.b))
		b.Release()
	}
}

// Wrong: helper enqueues
type wk3 struct{ ch chan job3 }
type job3 struct {
	id int
	b  *buf
}

func (w *wk3) enqueue(j job3) { w.ch <- j }
func (w *wk3) save(b *buf) int {
	w.enqueue(job3{1, b})
	return cap(b.b) // want `w is read after it was handed to a goroutine that puts it back`
}
func (w *wk3) run() {
	for j := range w.ch {
		func() {
			defer j.b.Release()
			println(j.id, len(j.b.b))
		}()
	}
}

// Wrong: global channel
var ch4 = make(chan *buf, 8)

func save4(b *buf) {
	ch4 <- b
	b.b = nil // want `b is written after it was handed to a goroutine that puts it back`
}
func run4() {
	for b := range ch4 {
		if len(b.b) > 0 {
			println(string(b.b))
		}
		pool.Put(b)
	}
}

// Wrong: channel of struct given as a parameter to worker
type wk5 struct{ ch chan job5 }
type job5 struct{ b *buf }

func (w *wk5) start() { go work5(w.ch) }
func work5(ch <-chan job5) {
	for j := range ch {
		println(len(j.b.b))
		j.b.Release()
	}
}
func (w *wk5) save(b *buf) int {
	w.ch <- job5{b}
	return len(b.b) // want `the value is read after it was handed to a goroutine that puts it back`
}

// Right: the length is read before.
type rj struct {
	b    *buf
	done chan int
}
type rt1 struct{ ch chan rj }

func (w *rt1) save(b *buf) int {
	d := make(chan int)
	n := len(b.b)
	w.ch <- rj{b, d}
	return n + <-d
}
func (w *rt1) run() {
	for j := range w.ch {
		println(len(j.b.b))
		j.b.Release()
		j.done <- 1
	}
}

// Right: the worker hands it back.
type rt2 struct {
	ch   chan *buf
	back chan *buf
}

func (w *rt2) save(b *buf) int {
	w.ch <- b
	b = <-w.back
	return len(b.b)
}
func (w *rt2) run() {
	for b := range w.ch {
		if len(b.b) == 0 {
			b.Release()
			continue
		}
		w.back <- b
	}
}

// Right: nobody received it.
type rt3 struct {
	ch chan *buf
}

func (w *rt3) save(b *buf) int {
	select {
	case w.ch <- b:
		return 0
	default:
	}
	return len(b.b)
}
func (w *rt3) run() {
	for b := range w.ch {
		b.Release()
	}
}
