// SPDX-License-Identifier: BSD-3-Clause

package listdecode

import (
	"encoding/json"
	"sync"
)

// What lies in a list comes out of it as its last user left it.

type peer struct{ Fixed, Volatile map[string]string }

type peers struct {
	mu   sync.Mutex
	free []*peer
}

func (l *peers) get() *peer {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.free) == 0 {
		return new(peer)
	}
	p := l.free[len(l.free)-1]
	l.free = l.free[:len(l.free)-1]
	return p
}

func (l *peers) put(p *peer) {
	l.mu.Lock()
	l.free = append(l.free, p)
	l.mu.Unlock()
}

func (l *peers) decode(b []byte, use func(*peer)) {
	p := l.get()
	if json.Unmarshal(b, p) == nil { // want `p, taken from the list free at line 37, is decoded into without a reset`
		use(p)
	}
	l.put(p)
}

// Cleared first.

type cleanPeers struct{ idle []*peer }

func (l *cleanPeers) get() *peer {
	if len(l.idle) == 0 {
		return new(peer)
	}
	p := l.idle[len(l.idle)-1]
	l.idle = l.idle[:len(l.idle)-1]
	return p
}

func (l *cleanPeers) put(p *peer) { l.idle = append(l.idle, p) }

func (l *cleanPeers) decode(b []byte, use func(*peer)) {
	p := l.get()
	*p = peer{}
	if json.Unmarshal(b, p) == nil {
		use(p)
	}
	l.put(p)
}

// Put clean.

type wipedPeers struct{ spare []*peer }

func (l *wipedPeers) get() *peer {
	if len(l.spare) == 0 {
		return new(peer)
	}
	p := l.spare[len(l.spare)-1]
	l.spare = l.spare[:len(l.spare)-1]
	return p
}

func (l *wipedPeers) put(p *peer) {
	*p = peer{}
	l.spare = append(l.spare, p)
}

func (l *wipedPeers) decode(b []byte, use func(*peer)) {
	p := l.get()
	if json.Unmarshal(b, p) == nil {
		use(p)
	}
	l.put(p)
}

// A list of anything, which a function fills.

type objects struct {
	objs []any
	make func() any
}

func (o *objects) get() any {
	if len(o.objs) == 0 {
		return o.make()
	}
	x := o.objs[len(o.objs)-1]
	o.objs = o.objs[:len(o.objs)-1]
	return x
}

func (o *objects) put(x any) { o.objs = append(o.objs, x) }

type provider struct {
	peer
	kind string
}

func (p *peer) unmarshal(b []byte) error { return json.Unmarshal(b, p) } // want `field peer of x, taken from the list objs at line 105, is decoded into as the last user left it`

func providerOf(o *objects, b []byte, use func(*provider)) {
	p := o.get().(*provider)
	p.kind = "x"
	if p.unmarshal(b) == nil {
		use(p)
	}
	o.put(p)
}
