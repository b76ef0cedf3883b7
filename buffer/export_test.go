// SPDX-License-Identifier: BSD-3-Clause

package buffer

// KeptCap returns the capacity of the large array that b's store has, 0 if none.
func KeptCap(b *Buffer) int {
	if b.store == nil {
		return 0
	}
	return cap(b.store.array)
}

// SmallSize is the room that a Buffer from Get has at least.
const SmallSize = smallSize

// IsLent reports whether b was lent memory of the pool.
func IsLent(b *Buffer) bool { return b.store != nil && b.store.lent }
