// SPDX-License-Identifier: BSD-3-Clause

package headers

import "sync"

// Values that never come back with the room that New gives them.

type pairs struct{ list []string }

func newPairs(n int) *pairs { return &pairs{list: make([]string, 0, n)} }

var pairsPool = sync.Pool{New: func() any { return newPairs(8) }}

func takePairs() (*pairs, func()) {
	p := pairsPool.Get().(*pairs)
	return p, func() {
		p.list = p.list[:0:0]
		pairsPool.Put(p) // want `every Put in pairsPool lets go of the slice that New makes with room`
	}
}

func usePairs(use func([]string)) {
	p, free := takePairs()
	defer free()
	p.list = append(p.list, "a", "b")
	use(p.list)
}

type counted struct {
	n    int
	nums []int
}

var countedPool = sync.Pool{New: func() any {
	c := new(counted)
	c.nums = make([]int, 0, 8)
	return c
}}

func useCounted(use func([]int)) {
	c := countedPool.Get().(*counted)
	c.n = 2
	c.nums = append(c.nums, 1, 2)
	use(c.nums)
	c.n = 0
	c.nums = nil
	countedPool.Put(c) // want `every Put in countedPool lets go of the slice that New makes with room`
}

var numsPool = sync.Pool{New: func() any { s := make([]int, 0, 8); return &s }}

func useNums(use func([]int)) {
	s := numsPool.Get().(*[]int)
	*s = append(*s, 1, 2)
	use(*s)
	*s = (*s)[:0:0]
	numsPool.Put(s) // want `every Put in numsPool lets go of the slice that New makes with room`
}

// Only what is large is let go of.
var boundedNums = sync.Pool{New: func() any { return &counted{nums: make([]int, 0, 8)} }}

func useBounded(in []int, use func([]int)) {
	c := boundedNums.Get().(*counted)
	c.nums = append(c.nums[:0], in...)
	use(c.nums)
	if cap(c.nums) > 1<<10 {
		c.nums = nil
	}
	boundedNums.Put(c)
}

// One Put of two lets go of it, as the slice was given away.
var givenNums = sync.Pool{New: func() any { return &counted{nums: make([]int, 0, 8)} }}

func giveNums(in []int, give func([]int)) {
	c := givenNums.Get().(*counted)
	c.nums = append(c.nums[:0], in...)
	if give != nil {
		nums := c.nums
		c.nums = nil
		givenNums.Put(c)
		give(nums)
		return
	}
	givenNums.Put(c)
}

// New gives no room: the struct is all that is used again.
var bareNums = sync.Pool{New: func() any { return new(counted) }}

func useBare(in []int, use func([]int)) {
	c := bareNums.Get().(*counted)
	c.nums = in
	use(c.nums)
	c.nums = nil
	bareNums.Put(c)
}

// Something else was made with the struct.
type withTable struct {
	nums  []int
	table map[string]int
}

var withTables = sync.Pool{New: func() any {
	return &withTable{nums: make([]int, 0, 8), table: map[string]int{}}
}}

func useTable(give func([]int)) {
	c := withTables.Get().(*withTable)
	clear(c.table)
	nums := append(c.nums, 1)
	c.nums = nil
	withTables.Put(c)
	give(nums)
}
