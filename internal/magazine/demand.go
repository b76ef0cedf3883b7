// SPDX-License-Identifier: BSD-3-Clause

package magazine

// A demand follows how much of a pool is in use at once. The bound on idle values rests
// on it. It counts what passes the depot, in operations and bytes, and does not look at
// time or at collections.
//
// What is out was taken or made, and did not come back. A user may put a value that came
// from elsewhere; so nothing is out if more came back than left. A user may never put one,
// too: it counts for less with each window of ticks. Values in shards count as out, so
// that a demand is what is in use at once, and at most what the shards hold more.
type demand struct {
	n, bytes int64

	// The fewest out in the present window: so many are held for long, or lost.
	lowN, lowBytes int64

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

// back notes that n values of the given bytes came back.
//
//go:norace
func (d *demand) back(n, bytes int64) {
	d.n = max(d.n-n, 0)
	if d.bytes -= bytes; d.bytes < 0 || d.n == 0 {
		d.bytes = 0
	}
	d.lowN = min(d.lowN, d.n)
	d.lowBytes = min(d.lowBytes, d.bytes)
}

// high returns the most bytes that were out at once lately.
//
//go:norace
func (d *demand) high() int64 { return max(d.most[0], d.most[1]) }

// window ends a window of ticks. A quarter of what was out all the time is forgotten: it
// may come back yet, or be lost.
//
//go:norace
func (d *demand) window() {
	d.n -= (d.lowN + 3) / 4
	d.bytes -= (d.lowBytes + 3) / 4
	d.lowN, d.lowBytes = d.n, d.bytes
	d.most = [2]int64{d.bytes, d.most[0]}
}
