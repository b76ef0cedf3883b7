// SPDX-License-Identifier: BSD-3-Clause

package spare

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/spare-go/spare/internal/sizeclass"
)

// usual learns how large the slices of a pool usually become, for Get(0).
//
// It keeps a histogram of the lengths of slices that were put, by size class,
// whose weight halves with every usualWindow samples, and answers with the class
// that the largest sixteenth of the samples exceeds, or the largest but
// one, if there are few samples. So one giant in sixteen changes nothing, and
// a load that is always large is served as such after two samples.
type usual struct {
	on    atomic.Bool  // Get(0) was called: worth the trouble
	class atomic.Int32 // the answer

	settled atomic.Bool // there was a window of samples

	mu     sync.Mutex
	weight int // sum of counts
	counts [sizeclass.Count]uint8
}

const (
	usualWindow = 64
	// Once there is a window of samples, one Put in usualRate is one.
	usualRate = 8
)

// observe notes that a slice of n elements, n > 0, was put. It does not wait: a
// sample that would have to is as well left out.
func (u *usual) observe(n int) {
	if n > sizeclass.Max || u.settled.Load() && rand.Uint32()%usualRate != 0 || !u.mu.TryLock() {
		return
	}
	defer u.mu.Unlock()
	u.counts[sizeclass.Ceil(n)]++
	u.weight++
	if u.weight >= 2*usualWindow {
		u.settled.Store(true)
		u.weight = 0
		for i := range u.counts {
			u.counts[i] /= 2
			u.weight += int(u.counts[i])
		}
	}
	above := max(u.weight/16, 1)
	if u.weight == 1 {
		above = 0
	}
	c := len(u.counts) - 1
	for seen := int(u.counts[c]); seen <= above; seen += int(u.counts[c]) {
		c--
	}
	u.class.Store(int32(c))
}
