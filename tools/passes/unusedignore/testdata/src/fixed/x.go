package fixed

import "sync"

var p sync.Pool

func idle(m map[int]int) {

	p.Put(m)
}
