// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.26 && !go1.27 && (amd64 || arm64) && !spare_portable

package magazine

import "sync/atomic"

// A hatch passes bundles of shardMagazines magazines each from one P to another without a
// lock. It may be used while pinned.
type hatch [4]atomic.Pointer[magazine]

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

// emptyHatches moves what lies in the hatches to the depot.
//
//go:norace
func (c *core) emptyHatches() {
	for chain := c.engine.full.take(); chain != nil; chain = c.engine.full.take() {
		c.depotAll(chain)
	}
	for chain := c.hollow.take(); chain != nil; chain = c.hollow.take() {
		c.depotAll(chain)
	}
}
