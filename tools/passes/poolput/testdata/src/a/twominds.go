// SPDX-License-Identifier: BSD-3-Clause

package a

import "sync"

// A monitor is on or off for good.

type stat struct{ name string }

type monitor struct {
	on    bool
	stats sync.Pool
}

func newMonitor(on bool) *monitor {
	m := new(monitor)
	m.on = on
	m.stats.New = func() any { return new(stat) }
	return m
}

func (m *monitor) begin(name string) *stat {
	if !m.on {
		return nil
	}
	s := m.stats.Get().(*stat)
	s.name = name
	return s
}

func (m *monitor) end(s *stat) {
	if !m.on {
		return
	}
	m.stats.Put(s)
}

type Node struct {
	Watch *monitor
	next  func(*Node)
}

func (n *Node) visit() {
	s := n.Watch.begin("visit")
	n.next(n)
	n.Watch.end(s)
}

// This one puts what it has, or has not.
func (n *Node) always() {
	s := n.Watch.begin("always")
	n.next(n)
	n.Watch.stats.Put(s) // want `s, which is nil, is put in Watch \(line 54\)`
}
