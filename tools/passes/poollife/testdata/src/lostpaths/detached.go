// SPDX-License-Identifier: BSD-3-Clause

package lostpaths

import "sync"

// What a field is set to nil for goes with what leads to a part of it.

type reading struct{ at, v int }

type sample struct {
	first reading
	rest  [8]reading
}

var samples = sync.Pool{New: func() any { return new(sample) }}

type sampler struct {
	whole *sample
	head  *reading
}

func (s *sampler) start(v int) {
	if s.whole == nil {
		s.whole = samples.Get().(*sample)
		s.whole.first.v = v
		s.head = &s.whole.first
	}
}

func (s *sampler) stop() {
	if s.whole != nil {
		samples.Put(s.whole)
		s.whole = nil
	}
	s.head = nil
}

// detach leaves the sample to whoever has its head.
func (s *sampler) detach() *reading {
	s.whole = nil
	r := s.head
	s.head = nil
	return r
}

type counter struct{ whole *sample }

func (c *counter) start() {
	if c.whole == nil {
		c.whole = samples.Get().(*sample)
	}
}

func (c *counter) stop() {
	if c.whole != nil {
		samples.Put(c.whole)
		c.whole = nil
	}
}

func (c *counter) forget() {
	c.whole = nil // want `field whole is set to nil while it may hold a value taken from samples`
}
