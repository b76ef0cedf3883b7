// SPDX-License-Identifier: BSD-3-Clause

package spare

import (
	"sync"
	"sync/atomic"

	"github.com/spare-go/spare/internal/sizeclass"
)

// usual learns how large the slices of a pool usually become, for Get(0).
//
// It keeps a histogram of the lengths of slices that were put, by size class,
// whose weight halves whenever it reaches twice usualWindow. The usual class is
// the one that the largest sixteenth of the samples exceeds, or the largest but
// one, if there are few samples. So one giant in twenty changes nothing, and a
// load that is always large is served as such after two samples.
//
// A slice that outgrows the usual class comes back as a larger array, while the
// one it began with is lost to append. Get(0) hands out such larger arrays, up to
// usualReach classes, before it makes new ones; otherwise a load whose sizes
// spread would allocate for ever. If no slice comes back with its length, there is
// nothing to learn, and Get(0) takes what there is.
type usual struct {
	known   atomic.Bool  // there was a sample
	settled atomic.Bool  // there was a window of samples
	class   atomic.Int32 // the usual class
	next    atomic.Int32 // what Get(0) tries first: the class of the last Put within reach

	least, most int // classes to choose from

	mu     sync.Mutex
	weight int // sum of counts
	counts [sizeclass.Count]uint8
}

const (
	usualWindow = 64
	usualReach  = 12 // classes: eight times the usual size
)

// init starts with the smallest class. It is called before u is shared.
func (u *usual) init(least, most int) {
	u.least, u.most = least, most
	u.class.Store(int32(least))
	u.next.Store(int32(least))
}

// within reports whether Get(0) may hand out an array of class c.
func (u *usual) within(c int) bool { return uint(c-int(u.class.Load())) <= usualReach }

// observe notes that a slice of n elements was put, with an array of class c. A
// length of 0 says nothing: most likely the caller cut the slice off before.
// sample says whether to count it once the histogram is settled: one Put in
// eight. observe does not wait: a sample that would have to is as well left out.
func (u *usual) observe(n, c int, sample bool) {
	if n == 0 {
		return
	}
	if u.within(c) && int(u.next.Load()) != c {
		u.next.Store(int32(c))
	}
	if !sample && u.settled.Load() || n > sizeclass.Max || !u.mu.TryLock() {
		return
	}
	defer u.mu.Unlock()
	u.counts[sizeclass.Ceil(n)]++
	u.weight++
	u.known.Store(true)
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
	c = len(u.counts) - 1
	for seen := int(u.counts[c]); seen <= above; seen += int(u.counts[c]) {
		c--
	}
	u.class.Store(int32(min(max(c, u.least), u.most)))
	if !u.within(int(u.next.Load())) {
		u.next.Store(u.class.Load())
	}
}
