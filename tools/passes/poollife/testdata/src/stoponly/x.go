// A signal to stop is not the end of the goroutine that works off another channel.
package stoponly

import "sync"

var scratch = &sync.Pool{New: func() any {
	b := make([]byte, 1460)
	return &b
}}

// The object has the value for its life.

type track struct {
	wide   bool
	buf    *[]byte
	send   func([]byte) error
	once   sync.Once
	closed bool
}

func newTrack(wide bool, send func([]byte) error) *track {
	t := &track{wide: wide, send: send}
	if wide {
		t.buf = scratch.Get().(*[]byte)
	}
	return t
}

func (t *track) widen(p []byte) []byte {
	b := (*t.buf)[:2*len(p)]
	for i, c := range p {
		b[2*i] = c
	}
	return b
}

func (t *track) write(p []byte) error {
	if !t.wide {
		return t.send(p)
	}
	return t.send(t.widen(p))
}

func (t *track) Close() {
	t.once.Do(func() {
		t.closed = true
		if t.buf != nil {
			scratch.Put(t.buf)
		}
	})
}

func forward(t *track, in <-chan []byte, stop <-chan struct{}) {
	go func() {
		for p := range in {
			t.write(p)
		}
	}()
	<-stop
	t.Close() // want `t is put in scratch while the goroutine started at line 54 may still use it`
}

// Started by a method, and taken by the same function.

type meter struct{ sum []byte }

var meters = sync.Pool{New: func() any { return new(meter) }}

func (m *meter) run(in chan []byte, out func([]byte)) {
	for p := range in {
		m.sum = append(m.sum[:0], p...)
		if len(p) == 0 {
			continue
		}
		out(m.sum)
	}
}

func measure(in chan []byte, out func([]byte), quit <-chan struct{}) {
	m := meters.Get().(*meter)
	go m.run(in, out)
	<-quit
	meters.Put(m) // want `m is put in meters while the goroutine started at line 81 may still use it`
}
