// Package overdrawn has references that are handed on and given up by who has none left.
package overdrawn

import (
	"sync"
	"sync/atomic"
)

// A packet is sent on channels, of which the receivers release what they get.
type packet struct {
	refs atomic.Int32
	data [512]byte
	n    int
}

var packets = sync.Pool{New: func() any { return new(packet) }}

func newPacket() *packet {
	p := packets.Get().(*packet)
	p.n = 0
	p.refs.Store(1)
	return p
}

func (p *packet) retain() *packet { p.refs.Add(1); return p }

func (p *packet) release() {
	if p.refs.Add(-1) == 0 {
		packets.Put(p)
	}
}

type link struct {
	out  chan *packet
	done chan struct{}
}

func (l *link) loop(write func([]byte)) {
	for p := range l.out {
		write(p.data[:p.n])
		p.release()
	}
}

// Wrong: sent and released
func (l *link) sendOne(b []byte) {
	p := newPacket()
	p.n = copy(p.data[:], b)
	l.out <- p
	p.release() // want `the only reference to the packet was sent before \(line 49\) and is given up again here`
}

// Wrong: the deferred call releases what was sent
func (l *link) sendDeferred(b []byte) int {
	p := newPacket()
	defer p.release()
	p.n = copy(p.data[:], b)
	l.out <- p // want `the only reference to the packet is sent here, but the deferred call \(line 56\) gives it up as well`
	return len(b)
}

// Wrong: one reference for many
func broadcast(links []*link, b []byte) {
	p := newPacket()
	p.n = copy(p.data[:], b)
	for _, l := range links {
		l.out <- p
	}
	p.release() // want `the only reference to the packet was sent before \(line 67\) and is given up again here`
}

// Wrong: a select that sends and an arm that releases all the same
func (l *link) trySendLate(b []byte) bool {
	p := newPacket()
	p.n = copy(p.data[:], b)
	select {
	case l.out <- p:
		p.release() // want `the only reference to the packet was sent before \(line 76\) and is given up again here`
		return true
	default:
		p.release()
		return false
	}
}

// Right: the reference is the receiver's
func (l *link) sendGiven(b []byte) {
	p := newPacket()
	p.n = copy(p.data[:], b)
	l.out <- p
}

// Right: released where nobody took it
func (l *link) trySend(b []byte) bool {
	p := newPacket()
	p.n = copy(p.data[:], b)
	select {
	case l.out <- p:
		return true
	case <-l.done:
		p.release()
	}
	return false
}

// Right: one more for the receiver
func (l *link) sendCounted(b []byte) {
	p := newPacket()
	defer p.release()
	p.n = copy(p.data[:], b)
	l.out <- p.retain()
}

// Right: one for each
func broadcastCounted(links []*link, b []byte) {
	p := newPacket()
	p.n = copy(p.data[:], b)
	for _, l := range links {
		p.retain()
		l.out <- p
	}
	p.release()
}

// Right: counted where it is sent, by the same test
func (l *link) sendSome(b []byte, async bool) {
	p := newPacket()
	p.n = copy(p.data[:], b)
	if async {
		l.out <- p
	}
	b[0]++
	if !async {
		p.release()
	}
}

// A page is lent to a worker, which answers.
type page struct {
	refs atomic.Int32
	data [512]byte
	sum  int
}

var pages = sync.Pool{New: func() any { return new(page) }}

func newPage() *page {
	p := pages.Get().(*page)
	p.sum = 0
	p.refs.Store(1)
	return p
}

func (p *page) share() *page { p.refs.Add(1); return p }

func (p *page) release() {
	if p.refs.Add(-1) == 0 {
		pages.Put(p)
	}
}

type summer struct {
	in   chan *page
	done chan struct{}
}

func (s *summer) loop() {
	for p := range s.in {
		for _, b := range p.data {
			p.sum += int(b)
		}
		s.done <- struct{}{}
	}
}

// Right: it waits for the answer
func (s *summer) sum(b []byte) int {
	p := newPage()
	defer p.release()
	copy(p.data[:], b)
	s.in <- p
	<-s.done
	return p.sum
}

// Right: a method waits for the answer
func (s *summer) sumWaited(b []byte) int {
	p := newPage()
	copy(p.data[:], b)
	s.in <- p
	s.wait()
	n := p.sum
	p.release()
	return n
}

func (s *summer) wait() { <-s.done }

// Right: code out of view waits, maybe
func (s *summer) sumThen(b []byte, wait func()) {
	p := newPage()
	defer p.release()
	copy(p.data[:], b)
	s.in <- p
	wait()
}

// Wrong: nobody waits for the worker
func (s *summer) sumLost(b []byte) {
	p := newPage()
	defer p.release()
	copy(p.data[:], b)
	s.in <- p // want `the only reference to the page is sent here, but the deferred call \(line \d+\) gives it up as well`
}
