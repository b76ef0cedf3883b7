// SPDX-License-Identifier: BSD-3-Clause

package shortened

import (
	"net"
	"sync"
)

// A packet goes by a channel to who lists it, and back when it was read.

type lane struct {
	from *port
	in   chan []byte
	done chan struct{}
	list [][]byte
}

type port struct {
	pc    net.PacketConn
	lanes sync.Pool
	full  sync.Pool
}

func newPort(pc net.PacketConn) *port {
	return &port{
		pc:    pc,
		lanes: sync.Pool{New: func() any { return make([]byte, 1500) }},
		full:  sync.Pool{New: func() any { return make([]byte, 1500) }},
	}
}

func (p *port) read(l *lane) error {
	b := p.lanes.Get().([]byte)
	n, _, err := p.pc.ReadFrom(b)
	if err != nil {
		p.lanes.Put(b) // want `by value`
		return err
	}
	select {
	case l.in <- b[:n]:
	case <-l.done:
		p.lanes.Put(b) // want `by value`
	}
	return nil
}

func (l *lane) take(dst []byte) int {
	select {
	case b := <-l.in:
		l.list = append(l.list, b)
	default:
	}
	if len(l.list) == 0 {
		return 0
	}
	b := l.list[0]
	l.list = l.list[1:]
	n := copy(dst, b)
	l.from.lanes.Put(b) // want `by value` `b goes to lanes with the length of its last use`
	return n
}

// A wide lane gives it back as long as it was.
type wideLane struct {
	from *port
	in   chan []byte
	list [][]byte
}

func (p *port) readWide(l *wideLane) error {
	b := p.full.Get().([]byte)
	n, _, err := p.pc.ReadFrom(b)
	if err != nil {
		p.full.Put(b) // want `by value`
		return err
	}
	l.list = append(l.list, b[:n])
	return nil
}

func (l *wideLane) take(dst []byte) int {
	b := l.list[0]
	l.list = l.list[1:]
	n := copy(dst, b)
	l.from.full.Put(b[:cap(b)]) // want `by value`
	return n
}
