package scratchexact

import "hash/fnv"

// Two appends to one slice must not share what a pool's array has beyond.
func sums(names []string) (a, b uint32) {
	key := make([]byte, 0, len(names)) // site
	for _, n := range names {
		key = append(key, n[0])
	}
	left, right := mark(key, 'l'), mark(key, 'r')
	return sum(left), sum(right)
}

func mark(key []byte, c byte) []byte { return append(key, c) }

func sum(p []byte) uint32 {
	h := fnv.New32a()
	h.Write(p)
	return h.Sum32()
}
