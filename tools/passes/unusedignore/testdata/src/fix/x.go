package fix

import "sync"

var p sync.Pool

func idle(m map[int]int) {
	/* want `this ignore comment silences nothing` */ //spare:ignore put-by-value it once was a slice
	p.Put(m)
}
