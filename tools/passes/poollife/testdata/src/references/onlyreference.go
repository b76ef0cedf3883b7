// SPDX-License-Identifier: BSD-3-Clause

package references

import (
	"io"
	"sync"
	"sync/atomic"
)

// A ledgerSheet is put when nobody has a reference to it any more.
type ledgerSheet struct {
	refs atomic.Int32
	body [512]byte
	n    int
	seq  uint64
}

var ledgerSheets = sync.Pool{New: func() any { return new(ledgerSheet) }}

func newLedgerSheet() *ledgerSheet {
	p := ledgerSheets.Get().(*ledgerSheet)
	p.n, p.seq = 0, 0
	p.refs.Store(1)
	return p
}

func (p *ledgerSheet) retain() { p.refs.Add(1) }

func (p *ledgerSheet) letGo() {
	if p.refs.Add(-1) == 0 {
		ledgerSheets.Put(p)
	}
}

func (p *ledgerSheet) bytes() []byte { return p.body[:p.n] }

type sheetFeed struct {
	in    chan *ledgerSheet
	out   []chan *ledgerSheet
	w     io.Writer
	last  uint64
	total int
}

func (g *sheetFeed) run() {
	for p := range g.in {
		g.w.Write(p.bytes())
		p.letGo()
		g.last = p.seq // want `p is used after letGo counted down the only reference that run has to it`
	}
}

func (g *sheetFeed) runEarly() { // right: what is needed is read before
	for p := range g.in {
		g.w.Write(p.bytes())
		g.last = p.seq
		p.letGo()
	}
}

func (g *sheetFeed) writeOne(p *ledgerSheet) {
	p.letGo()
	g.total += len(p.bytes()) // want `p is used after letGo counted down the only reference that writeOne has to it`
}

func (g *sheetFeed) pollOne() {
	select {
	case p := <-g.in:
		g.writeOne(p)
	default:
	}
}

// measure takes a reference of its own for the time of the write, and has its caller's behind it.
func (g *sheetFeed) measure(p *ledgerSheet) int { // right
	p.retain()
	g.w.Write(p.bytes())
	p.letGo()
	return p.n
}

func (g *sheetFeed) measureOne() {
	p := <-g.in
	g.total += g.measure(p)
	p.letGo()
}

// borrow gives up a reference that its caller took for it.
func (g *sheetFeed) borrow(p *ledgerSheet) { // right: the caller goes on with its own
	p.letGo()
	g.total += p.n
}

func (g *sheetFeed) lendOne() {
	p := <-g.in
	p.retain()
	g.borrow(p)
	g.last = p.seq
	p.letGo()
}

func (g *sheetFeed) copyOut(b []byte) int {
	p := newLedgerSheet()
	p.n = copy(p.body[:], b)
	p.retain()
	g.out[0] <- p
	p.letGo()
	return p.n // want `p is used after letGo counted down the only reference that copyOut has to it`
}

func (g *sheetFeed) copyOutAll(b []byte) int { // right: a reference for each that it is sent to, and one until the end
	p := newLedgerSheet()
	p.n = copy(p.body[:], b)
	for _, o := range g.out {
		p.retain()
		o <- p
	}
	n := p.n
	p.letGo()
	return n
}

func (g *sheetFeed) pass(b []byte) int {
	p := newLedgerSheet()
	p.n = copy(p.body[:], b)
	g.out[0] <- p
	return p.n // want `p is used after the only reference that pass has to it was sent`
}

func (g *sheetFeed) passCounted(b []byte) int { // right
	p := newLedgerSheet()
	p.n = copy(p.body[:], b)
	p.retain()
	g.out[0] <- p
	n := p.n
	p.letGo()
	return n
}

// both gives up two references: the list's as well.
func (g *sheetFeed) both() { // right
	p := <-g.in
	p.letGo()
	g.last = p.seq
	p.letGo()
}

func (g *sheetFeed) anew() { // right: another ledgerSheet
	p := <-g.in
	p.letGo()
	p = newLedgerSheet()
	g.last = p.seq
	p.letGo()
}

func (g *sheetFeed) asks() bool { // right: an identity is no use
	p := <-g.in
	p.letGo()
	return p == nil
}
