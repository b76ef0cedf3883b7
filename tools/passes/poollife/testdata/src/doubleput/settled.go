// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import "sync"

// Code that is chosen at run time may set fields, but none that nothing sets once the object is made.

type outRing struct{ b []byte }

var outRings = sync.Pool{New: func() any { return &outRing{b: make([]byte, 4096)} }}

type outbound struct {
	ring *outRing
	rest [][]byte
}

func (o *outbound) release() {
	outRings.Put(o.ring)
	o.rest = o.rest[:0]
}

type peer struct {
	id  int
	out outbound
}

func newPeer(id int) *peer {
	return &peer{id: id, out: outbound{ring: outRings.Get().(*outRing)}}
}

func (p *peer) end() { p.out.release() }

type peers struct {
	all    map[int]*peer
	closed func(*peer, error)
}

func (ps *peers) drop(id int, err error) {
	p := ps.all[id]
	if len(p.out.rest) > 0 {
		p.out.release()
	}
	delete(ps.all, id)
	ps.closed(p, err)
	p.end() // want `is put in outRings a second time`
}

type freshPeer struct{ ring *outRing }

func (p *freshPeer) again() { p.ring = outRings.Get().(*outRing) }

func (p *freshPeer) release() { outRings.Put(p.ring) }

type freshPeers struct{ ended func(*freshPeer) }

// Right: what is called may have set the field, as again does.
func (ps *freshPeers) drop(p *freshPeer) {
	p.release()
	ps.ended(p)
	p.release()
}
