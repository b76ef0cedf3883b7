// SPDX-License-Identifier: BSD-3-Clause

package lostpaths

import (
	"encoding/json"
	"sync"
)

// What was appended to a list that was made for it is there still when others have looked at what the list is in.

type peerEntry struct{ Addr string }

type peerList struct{ Peers []*peerEntry }

var peerEntries = sync.Pool{New: func() any { return new(peerEntry) }}

func namedPeer(addr string) *peerEntry {
	p := peerEntries.Get().(*peerEntry)
	p.Addr = addr
	return p
}

func (l *peerList) giveBack() {
	for _, p := range l.Peers {
		*p = peerEntry{}
		peerEntries.Put(p)
	}
}

func marshalPeers(addrs []string) ([]byte, error) { // right
	l := &peerList{Peers: make([]*peerEntry, 0, len(addrs))}
	for _, a := range addrs {
		l.Peers = append(l.Peers, namedPeer(a))
	}
	defer l.giveBack()
	return json.Marshal(l)
}

func marshalFew(addrs []string) ([]byte, error) { // right: of a size that is known
	l := &peerList{Peers: make([]*peerEntry, 0, 8)}
	for _, a := range addrs {
		l.Peers = append(l.Peers, namedPeer(a))
	}
	b, err := json.Marshal(l)
	l.giveBack()
	return b, err
}

func marshalOne(addr string) ([]byte, error) { // right
	l := &peerList{Peers: make([]*peerEntry, 0, len(addr))}
	l.Peers = append(l.Peers, namedPeer(addr))
	b, err := json.Marshal(l)
	l.giveBack()
	return b, err
}

// Wrong: nobody gives them back.
func marshalNever(addrs []string) ([]byte, error) {
	l := &peerList{Peers: make([]*peerEntry, 0, len(addrs))}
	for _, a := range addrs {
		l.Peers = append(l.Peers, namedPeer(a)) // want `an element of l\.Peers, taken from peerEntries at line \d+, is not put back`
	}
	return json.Marshal(l)
}
