// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import (
	"io"
	"sync"
	"sync/atomic"
)

// A packet is shared: the last Free gives it back.
type packet struct {
	body []byte
	refs atomic.Int32
}

var packets = sync.Pool{New: func() any { return new(packet) }}

func newPacket() *packet {
	p := packets.Get().(*packet)
	p.refs.Store(1)
	return p
}

func (p *packet) Free() {
	if p.refs.Add(-1) == 0 {
		packets.Put(p)
	}
}

func (p *packet) Share() *packet {
	p.refs.Add(1)
	return p
}

type outlet interface{ Deliver(*packet) error }

type line struct{ w io.Writer }

func (l *line) Deliver(p *packet) error {
	defer p.Free()
	_, err := l.w.Write(p.body)
	return err
}

// Deliver has freed it, whatever became of it.
func drain(from chan *packet, to outlet) error {
	for p := range from {
		if err := to.Deliver(p); err != nil {
			p.Free() // want `when Deliver fails, the reference that it has given up already .* is given up again`
			return err
		}
	}
	return nil
}

func drainRight(from chan *packet, to outlet) error {
	for p := range from {
		if err := to.Deliver(p); err != nil {
			return err
		}
	}
	return nil
}

// One that has a reference of its own gives it up as well.
func drainShared(from chan *packet, to outlet, failed func([]byte)) error {
	for p := range from {
		p.Share()
		if err := to.Deliver(p); err != nil {
			failed(p.body)
			p.Free()
			return err
		}
		p.Free()
	}
	return nil
}

// A callee that keeps it where it fails.
func (l *line) try(p *packet) error {
	if _, err := l.w.Write(p.body); err != nil {
		return err
	}
	p.Free()
	return nil
}

func drainTried(from chan *packet, l *line) error {
	for p := range from {
		if err := l.try(p); err != nil {
			p.Free()
			return err
		}
	}
	return nil
}

// An end passes on what it is given.
type end struct {
	to   outlet
	sent int
}

func (e *end) pass(p *packet) error {
	e.sent++
	return e.to.Deliver(p)
}

func drainEnd(from chan *packet, e *end) {
	for p := range from {
		if e.pass(p) != nil {
			p.Free() // want `when pass fails, the reference that it has given up already .* is given up again`
			return
		}
	}
}

// One that passes on a reference of its own.
func (e *end) passShared(p *packet) error {
	e.sent++
	return e.to.Deliver(p.Share())
}

func drainEndShared(from chan *packet, e *end) {
	for p := range from {
		if e.passShared(p) != nil {
			p.Free()
			return
		}
	}
}

// One that does not pass it on in any case.
func (e *end) passSome(p *packet, most int) error {
	if e.sent++; e.sent > most {
		return io.ErrShortWrite
	}
	return e.to.Deliver(p)
}

func drainSome(from chan *packet, e *end) {
	for p := range from {
		if e.passSome(p, 3) != nil {
			p.Free()
			return
		}
	}
}
