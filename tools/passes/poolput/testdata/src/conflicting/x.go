package conflicting // Which pool takes what memory, by its size or type, where pools are lists or of one size.

import (
	"bytes"
	"compress/flate"
	"io"
	"sync"
)

type sink interface {
	io.Writer
	Flush() error
	Reset(io.Writer)
}

type delayed struct {
	buf bytes.Buffer
	to  io.Writer
}

func (d *delayed) Write(p []byte) (int, error) { return d.buf.Write(p) }
func (d *delayed) Flush() error                { _, err := d.buf.WriteTo(d.to); return err }
func (d *delayed) Reset(w io.Writer)           { d.buf.Reset(); d.to = w }

// Two kinds of writers share the pools of their level.

var levels [10]sync.Pool

func level(n int) int { return min(max(n, 0), 9) }

func real(w io.Writer, n int) *flate.Writer {
	v := levels[level(n)].Get()
	if v == nil {
		f, _ := flate.NewWriter(w, level(n))
		return f
	}
	f := v.(*flate.Writer)
	f.Reset(w)
	return f
}

func late(w io.Writer, n int) sink {
	if v := levels[level(n)].Get(); v != nil {
		s := v.(sink)
		s.Reset(w)
		return s
	}
	return &delayed{to: w}
}

func done(s sink, n int) {
	s.Flush()
	levels[level(n)].Put(s) // want `s, a \*delayed, may be put in levels, as sink, but a \*compress/flate\.Writer is asserted`
}

func write(w io.Writer, p []byte, n int, wait bool) {
	var s sink
	if wait {
		s = late(w, n)
	} else {
		s = real(w, n)
	}
	s.Write(p)
	done(s, n)
}

// Each kind has a pool of its own, which a test of the type picks.

var plain, slow sync.Pool

func takePlain() *flate.Writer {
	if v := plain.Get(); v != nil {
		return v.(*flate.Writer)
	}
	f, _ := flate.NewWriter(io.Discard, 1)
	return f
}

func takeSlow() sink {
	if v := slow.Get(); v != nil {
		return v.(*delayed)
	}
	return &delayed{}
}

func giveBack(s sink) {
	s.Reset(nil)
	if _, ok := s.(*delayed); ok {
		slow.Put(s)
		return
	}
	plain.Put(s)
}

func use(wait bool, p []byte) {
	var s sink = takePlain()
	if wait {
		giveBack(s)
		s = takeSlow()
	}
	s.Write(p)
	giveBack(s)
}

// Different numbers pick different pools.

var kinds [2]sync.Pool

func flater() *flate.Writer {
	if v := kinds[0].Get(); v != nil {
		return v.(*flate.Writer)
	}
	f, _ := flate.NewWriter(io.Discard, 1)
	return f
}

func flated(f *flate.Writer) { kinds[0].Put(f) }

func waiter() sink {
	if v := kinds[1].Get(); v != nil {
		return v.(sink)
	}
	return &delayed{}
}

func waited(s sink) { s.Reset(nil); kinds[1].Put(s) }

// Real writers are taken from the pools of those that wait, where nobody puts a real one.

var waiters [10]sync.Pool

func waiterOf(w io.Writer, n int) sink {
	if v := waiters[n].Get(); v != nil {
		s := v.(sink)
		s.Reset(w)
		return s
	}
	return &delayed{to: realOf(w, n)}
}

func realOf(w io.Writer, n int) sink {
	v := waiters[n].Get() // want `a \*compress/flate\.Writer is asserted on what comes from waiters .* put there is a \*delayed`
	if v == nil {
		f, err := flate.NewWriter(w, n)
		if err != nil {
			panic(err)
		}
		return f
	}
	f := v.(*flate.Writer)
	f.Reset(w)
	return f
}

func giveWaiter(s sink, n int) {
	s.Flush()
	waiters[n].Put(s)
}

func writeLate(w io.Writer, p []byte, n int) {
	s := waiterOf(w, n)
	s.Write(p)
	giveWaiter(s, n)
}
