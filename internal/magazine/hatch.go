// SPDX-License-Identifier: BSD-3-Clause

//go:build gc && go1.26 && !go1.27 && (amd64 || arm64) && !spare_portable

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

// put leaves a bundle on top of the others, or reports false if there is no room.
//
//go:norace
func (h *hatch) put(bundle *magazine) bool {
	free := len(h)
	for free > 0 && h[free-1].Load() == nil {
		free--
	}
	return free < len(h) && h[free].CompareAndSwap(nil, bundle)
}

// take takes the newest bundle out of the hatch, or returns nil if there is none.
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

// needHatches returns the hatches, and makes them if need be.
//
//go:norace
func (c *core) needHatches() *hatches {
	h := c.hatches.Load()
	if h == nil {
		c.hatches.CompareAndSwap(nil, new(hatches))
		h = c.hatches.Load()
	}
	return h
}

// putBundle leaves a bundle in one of the hatches, and makes room there by moving
// the older half of what it holds to the depot. So a hatch remains the top of its
// stack: what is used in turn stays in the order in which it lies in memory, which
// processors and the collector like.
//
//go:norace
func (c *core) putBundle(h *hatch, bundle *magazine) {
	if h.put(bundle) {
		return
	}
	half := len(h) / 2
	for i := range half {
		c.storeMagazines(h[i].Swap(nil))
	}
	for i := half; i < len(h); i++ {
		if m := h[i].Swap(nil); m != nil && !h[i-half].CompareAndSwap(nil, m) {
			c.storeMagazines(m)
		}
	}
	if !h.put(bundle) {
		c.storeMagazines(bundle)
	}
}

// emptyHatches moves what lies in the hatches to the depot, the oldest first.
//
//go:norace
func (c *core) emptyHatches() {
	h := c.hatches.Load()
	if h == nil {
		return
	}
	for i := range h.full {
		if m := h.full[i].Swap(nil); m != nil {
			c.depotAll(m)
		}
	}
	for i := range h.empty {
		if m := h.empty[i].Swap(nil); m != nil {
			c.depotAll(m)
		}
	}
}
