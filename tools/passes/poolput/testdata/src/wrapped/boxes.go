package wrapped

import "wrapped/pools"

// Which of a wrapper's pools has what is the wrapper's affair.
var hashes pools.Boxed[[]uint64]

func getHashes() []uint64 {
	if h := hashes.Get(); h != nil {
		return h
	}
	return make([]uint64, 0, 1024)
}

func sum(seed uint64, n int) (total uint64) {
	h := getHashes()
	for range n {
		h = append(h, seed)
		seed = seed*6364136223846793005 + 1
	}
	for _, x := range h {
		total ^= x
	}
	hashes.Put(h[:0])
	return total
}
