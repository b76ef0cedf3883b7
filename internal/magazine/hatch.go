// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.26 && !go1.27 && (amd64 || arm64) && !spare_portable

package magazine

import "sync/atomic"

// A hatch passes bundles of shardMagazines magazines each from one P to another
// without a lock. It may be used while pinned. It is a stack as far as it can be, so
// that what was left there last, and may still be in a cache, goes first.
//
// Nothing stays: each tick moves what lies in the hatches to the depot, which
// decides what the pool needs.
type hatch [8]atomic.Pointer[magazine]

// hatches are the way around the depot from a P that puts to a P that gets: full
// magazines one way, empty ones back. Each takes a cache line.
type hatches struct{ full, empty hatch }

// put leaves a bundle in the hatch, or reports false if there is no room.
//
//go:norace
func (h *hatch) put(bundle *magazine) bool {
	for i := range h {
		if h[i].Load() == nil && h[i].CompareAndSwap(nil, bundle) {
			return true
		}
	}
	return false
}

// take takes a bundle out of the hatch, or returns nil if there is none.
//
//go:norace
func (h *hatch) take() *magazine {
	for i := len(h) - 1; i >= 0; i-- {
		if h[i].Load() != nil {
			if bundle := h[i].Swap(nil); bundle != nil {
				return bundle
			}
		}
	}
	return nil
}

// len returns the number of bundles in the hatch.
//
//go:norace
func (h *hatch) len() (n int) {
	for i := range h {
		if h[i].Load() != nil {
			n++
		}
	}
	return n
}

// takeFull takes a bundle of full magazines, if there is one in the hatch.
//
//go:norace
func (c *core) takeFull() *magazine {
	if h := c.hatches.Load(); h != nil {
		return h.full.take()
	}
	return nil
}

// takeEmpty takes a bundle of empty magazines, if there is one in the hatch.
//
//go:norace
func (c *core) takeEmpty() *magazine {
	if h := c.hatches.Load(); h != nil {
		return h.empty.take()
	}
	return nil
}

// bundles returns the number of full bundles in the hatch.
//
//go:norace
func (c *core) bundles() int {
	if h := c.hatches.Load(); h != nil {
		return h.full.len()
	}
	return 0
}

// emptyHatches moves what lies in the hatches to the depot.
//
//go:norace
func (c *core) emptyHatches() {
	for chain := c.takeFull(); chain != nil; chain = c.takeFull() {
		c.depotAll(chain)
	}
	for chain := c.takeEmpty(); chain != nil; chain = c.takeEmpty() {
		c.depotAll(chain)
	}
}
