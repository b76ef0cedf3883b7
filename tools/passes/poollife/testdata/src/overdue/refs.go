// SPDX-License-Identifier: BSD-3-Clause

package overdue

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

type packet struct {
	data []byte
	refs atomic.Int32
}

var packets = sync.Pool{New: func() any { return &packet{data: make([]byte, 0, 512)} }}

func (p *packet) drop() {
	if p.refs.Add(-1) == 0 && cap(p.data) <= 1<<16 {
		packets.Put(p)
	}
}

func (p *packet) hold() { p.refs.Add(1) }

// newPacket gives a packet with one reference.
func newPacket(payload []byte) *packet {
	p := packets.Get().(*packet)
	p.refs.Store(1)
	p.data = append(p.data[:0], payload...)
	return p
}

// A wire writes packets that others have.
type wire struct {
	out   io.Writer
	queue chan *packet
}

func (w *wire) loop() {
	for p := range w.queue {
		w.out.Write(p.data)
	}
}

func (w *wire) write(p *packet) { w.queue <- p }

type open struct {
	p    *packet
	sent time.Time
}

// A caller lists packets and lets the wire write them: there is one reference for both.
type caller struct {
	mu   sync.Mutex
	open []open
	w    *wire
}

func (c *caller) call(payload []byte) {
	p := newPacket(payload)
	c.mu.Lock()
	c.open = append(c.open, open{p, time.Now()})
	c.mu.Unlock()
	c.w.write(p)
}

func (c *caller) answered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.open) > 0 {
		c.open[0].p.drop()
		c.open = c.open[1:]
	}
}

func (c *caller) expire(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.open) > 0 && time.Since(c.open[0].sent) > d {
		c.open[0].p.drop() // want "the only reference to the packet in p is given up here when it waited too long, while the queue queue, which it was sent to as well .line 47., may still have it"
		c.open = c.open[1:]
	}
}

// A mapped caller has the packets themselves, by number, and asks them how old they are.
type dated struct {
	data  []byte
	refs  int32
	until time.Time
}

var datedPool = sync.Pool{New: func() any { return new(dated) }}

func (d *dated) release() {
	if atomic.AddInt32(&d.refs, -1) > 0 {
		return
	}
	if cap(d.data) <= 1<<16 {
		datedPool.Put(d)
	}
}

type mapped struct {
	mu   sync.Mutex
	open map[uint32]*dated
	out  chan sending
	stop chan struct{}
}

type sending struct {
	id uint32
	d  *dated
}

func (m *mapped) call(id uint32, payload []byte) {
	d := datedPool.Get().(*dated)
	d.refs = 1
	d.data = append(d.data[:0], payload...)
	d.until = time.Now().Add(time.Second)
	m.mu.Lock()
	m.open[id] = d
	m.mu.Unlock()
	select {
	case m.out <- sending{id: id, d: d}:
	case <-m.stop:
	}
}

func (m *mapped) run(w io.Writer) {
	for {
		select {
		case s := <-m.out:
			w.Write(s.d.data)
		case <-m.stop:
			return
		}
	}
}

func (m *mapped) sweep(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, d := range m.open {
		if now.After(d.until) {
			delete(m.open, id)
			d.release() // want "the only reference to the dated in open is given up here when it waited too long, while the queue out, which it was sent to as well .line 125., may still have it"
		}
	}
}

// Right: the wire has a reference of its own, as the list has.
type heldWire struct {
	out   io.Writer
	queue chan *packet
}

func (w *heldWire) loop() {
	for p := range w.queue {
		w.out.Write(p.data)
		p.drop()
	}
}

type heldOpen struct {
	p    *packet
	sent time.Time
}

type heldCaller struct {
	mu   sync.Mutex
	open []heldOpen
	w    *heldWire
}

func (c *heldCaller) call(payload []byte) {
	p := newPacket(payload)
	p.hold()
	c.mu.Lock()
	c.open = append(c.open, heldOpen{p, time.Now()})
	c.mu.Unlock()
	c.w.queue <- p
}

func (c *heldCaller) expire(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.open) > 0 && time.Since(c.open[0].sent) > d {
		c.open[0].p.drop()
		c.open = c.open[1:]
	}
}

// Right: only the answer, which comes when the packet was written, gives the reference up.
type patientOpen struct {
	p    *packet
	sent time.Time
}

type patientCaller struct {
	mu   sync.Mutex
	open []patientOpen
	late int
	w    *wire
}

func (c *patientCaller) call(payload []byte) {
	p := newPacket(payload)
	c.mu.Lock()
	c.open = append(c.open, patientOpen{p, time.Now()})
	c.mu.Unlock()
	c.w.write(p)
}

func (c *patientCaller) answered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.open) > 0 {
		c.open[0].p.drop()
		c.open = c.open[1:]
	}
}

func (c *patientCaller) expire(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.open) > 0 && time.Since(c.open[0].sent) > d {
		c.late++
		c.open = c.open[1:]
	}
}

// Right: who writes asks the list, under its lock, whether the packet is there still.
type asking struct {
	mu    sync.Mutex
	open  map[uint32]*packet
	times map[uint32]time.Time
	out   io.Writer
	queue chan uint32
	sent  chan *packet
}

func (a *asking) call(id uint32, payload []byte) {
	p := newPacket(payload)
	a.mu.Lock()
	a.open[id] = p
	a.times[id] = time.Now()
	a.mu.Unlock()
	a.sent <- p
}

func (a *asking) loop() {
	for p := range a.sent {
		a.mu.Lock()
		for _, q := range a.open {
			if p == q {
				a.out.Write(p.data)
			}
		}
		a.mu.Unlock()
	}
}

func (a *asking) sweep() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, p := range a.open {
		if time.Since(a.times[id]) > time.Second {
			delete(a.open, id)
			p.drop()
		}
	}
}

// Right: what is old is what was sent in the last round; nobody else has it.
type alone struct {
	list []*packet
	at   []time.Time
}

func (a *alone) add(payload []byte) {
	a.list = append(a.list, newPacket(payload))
	a.at = append(a.at, time.Now())
}

func (a *alone) flush(w io.Writer) {
	for len(a.list) > 0 && time.Since(a.at[0]) > time.Second {
		p := a.list[0]
		a.list, a.at = a.list[1:], a.at[1:]
		w.Write(p.data)
		p.drop()
	}
}
