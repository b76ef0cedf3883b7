// SPDX-License-Identifier: BSD-3-Clause

package classes

import "sync"

// A pool in an element of a slice, that what was taken from it leads back to.

type drawer struct {
	size   int
	sheets sync.Pool
}

func (c *drawer) get() *sheet {
	if p, ok := c.sheets.Get().(*sheet); ok {
		return p
	}
	return &sheet{of: c, data: make([]byte, c.size)}
}

func (c *drawer) put(p *sheet) { c.sheets.Put(p) }

type sheet struct {
	of   *drawer
	data []byte
}

type cabinet struct {
	drawers []drawer
	inUse   map[*sheet]*drawer
}

func (s *cabinet) fill(n int, fill func([]byte)) {
	k := 0
	for n > s.drawers[k].size {
		k++
	}
	p := s.drawers[k].get()
	s.inUse[p] = &s.drawers[k]
	fill(p.data)
	s.free(p)
}

func (s *cabinet) free(p *sheet) {
	if c, ok := s.inUse[p]; ok {
		delete(s.inUse, p)
		c.put(p)
	}
}
