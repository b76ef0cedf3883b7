// SPDX-License-Identifier: BSD-3-Clause

package magazine

import "sync/atomic"

// A Budget bounds the bytes that one or more pools hold idle. Room is reserved
// before a value is kept and released after it is gone, so that the bound
// holds at every moment. A nil Budget has room for everything.
type Budget struct {
	max  int64
	used atomic.Int64
}

// NewBudget returns a Budget of max bytes, or nil, no bound, if max is 0.
// A negative max keeps nothing.
func NewBudget(max int) *Budget {
	if max == 0 {
		return nil
	}
	return &Budget{max: int64(max)}
}

//go:norace
func (b *Budget) reserve(n int) bool {
	if b == nil {
		return true
	}
	for {
		used := b.used.Load()
		if int64(n) > b.max-used {
			return false
		}
		if b.used.CompareAndSwap(used, used+int64(n)) {
			return true
		}
	}
}

// reserveSome reserves room for up to k values of size bytes and returns for
// how many it did: for at most half of those that there is room for, if these are
// more than one, so that the first P does not take all of a small budget.
//
//go:norace
func (b *Budget) reserveSome(size, k int) int {
	if b == nil {
		return k
	}
	if size <= 0 {
		// Values without a size fit any bound.
		if b.max < 0 {
			return 0
		}
		return k
	}
	for {
		used := b.used.Load()
		room := (b.max - used) / int64(size)
		if room <= 0 {
			return 0
		}
		got := int(min(int64(k), max(room/2, 1)))
		if b.used.CompareAndSwap(used, used+int64(got)*int64(size)) {
			return got
		}
	}
}

//go:norace
func (b *Budget) release(n int) {
	if b != nil && n != 0 {
		b.used.Add(-int64(n))
	}
}
