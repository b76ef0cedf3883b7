// SPDX-License-Identifier: BSD-3-Clause

package magazine

// A demand follows how much of a pool is in use at once. The bound on idle values rests
// on it. It counts what passes the depot, in operations and bytes, and does not look at
// time or at collections.
//
// What is out was taken or made, and did not come back. A user may have made a value
// larger meanwhile, may put one that it had from elsewhere, and may never put one.
// So each value that comes back takes its share of the bytes that are out, whatever
// its size is, and nothing is out if more came back than left.
//
// Values in shards count as out, so that a demand is what is in use at once, and at
// most what the shards hold more.
type demand struct {
	n, bytes int64

	// The most bytes out at once in the present window of ticks and in the last.
	// This alone depends on collections: they say how long a high tide is remembered.
	most [2]int64
}

// took notes that n values of the given bytes left, or were made.
//
//go:norace
func (d *demand) took(n, bytes int64) {
	d.n += n
	d.bytes += bytes
	d.most[0] = max(d.most[0], d.bytes)
}

// back notes that n values came back.
//
//go:norace
func (d *demand) back(n int64) {
	if n >= d.n {
		d.n, d.bytes = 0, 0
		return
	}
	d.bytes -= d.bytes / d.n * n
	d.n -= n
}

// high returns the most bytes that were out at once lately.
//
//go:norace
func (d *demand) high() int64 { return max(d.most[0], d.most[1]) }

// window ends a window of ticks.
//
//go:norace
func (d *demand) window() { d.most = [2]int64{d.bytes, d.most[0]} }
