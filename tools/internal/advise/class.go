// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"math"
	"runtime/metrics"
	"slices"
	"sync"
)

// classes returns the allocator's size classes, the smallest first, as the runtime
// of this process tells them; they change rarely from one Go release to the next.
// The bounds of the histogram are one above the classes.
var classes = sync.OnceValue(func() []int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs-by-size:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		return nil
	}
	var out []int64
	for _, b := range sample[0].Value.Float64Histogram().Buckets {
		if b > 1 && !math.IsInf(b, 0) {
			out = append(out, int64(b)-1)
		}
	}
	return out
})

// leastSize returns the smallest size that the allocator serves with objects of
// size bytes, and whether size is what it hands out at all.
func leastSize(size int64) (int64, bool) {
	all := classes()
	i, found := slices.BinarySearch(all, size)
	switch {
	case found && i > 0:
		return all[i-1] + 1, true
	case found:
		return 1, true
	case len(all) > 0 && size > all[len(all)-1] && size%pageSize == 0:
		return max(size-pageSize, all[len(all)-1]) + 1, true // whole pages
	}
	return 0, false
}

// pageSize is the unit of what is larger than the largest class.
const pageSize = 8 << 10
