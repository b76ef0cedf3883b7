package endedbysignal // What a worker gathered in a slice of its own when it is told to end.

import (
	"io"
	"sync"
)

var lines = sync.Pool{New: func() any { b := make([]byte, 512); return &b }}

// The end of all it works for.

type logger struct {
	in    chan string
	flush chan struct{}
	quit  chan struct{}
	w     io.Writer
}

func (l *logger) run() {
	var held []*[]byte
	for {
		select {
		case s := <-l.in:
			b := lines.Get().(*[]byte)
			*b = append((*b)[:0], s...)
			held = append(held, b)
		case <-l.flush:
			for k, b := range held {
				l.w.Write(*b)
				lines.Put(b)
				held[k] = nil
			}
			held = held[:0]
		case <-l.quit:
			return
		}
	}
}

// The end of an input.

func gather(in chan string) {
	var held []*[]byte
	for s := range in {
		b := lines.Get().(*[]byte) // want `b, taken from lines at line 45, is not put back on any path`
		*b = append((*b)[:0], s...)
		held = append(held, b)
	}
}
