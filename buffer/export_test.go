// SPDX-License-Identifier: BSD-3-Clause

package buffer

// KeptCap returns the capacity of the large array that b's store has, 0 if none.
func KeptCap(b *Buffer) int {
	if b.store == nil {
		return 0
	}
	return cap(b.store.array)
}

const (
	SmallSize = smallSize // the room that a Buffer from Get has at least
	MaxOwn    = maxOwn    // the largest array that stays with a Buffer of Get
	MaxShard  = maxShard  // the most that the Buffers in a magazine keep, less one array
	MaxLent   = maxLent   // the largest array that stays with other memory
	MaxOld    = maxOld    // the largest array that is kept after the Buffer outgrew it
)

// IsLent reports whether b was lent memory of the pool.
func IsLent(b *Buffer) bool { return b.store != nil && b.store.lent }

// Outgrown returns the capacity of the arrays that b outgrew and that its store has
// still.
func Outgrown(b *Buffer) (sum int) {
	if old := b.store.old; old != nil {
		for _, a := range old.arrays[:old.n] {
			sum += cap(a)
		}
	}
	return sum
}
