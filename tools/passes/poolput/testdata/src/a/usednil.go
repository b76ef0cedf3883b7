package a

import "sync"

type call struct{ tries int }

var callPool = sync.Pool{New: func() any { return new(call) }}

// Who has used a field of it would have failed if it were nil.
func (c *call) again(times int, next func() *call) (last *call) {
	for range times {
		last = next()
	}
	return last
}

func tried(c *call, times int, next func() *call) int {
	last := c.again(times, next)
	n := last.tries
	callPool.Put(last)
	return n
}

func untried(c *call, times int, next func() *call) {
	last := c.again(times, next)
	callPool.Put(last) // want `last, which is nil, is put in callPool \(line 26\) on this path`
}
