package returnalias

import (
	"slices"
	"sync"
)

// The pieces that slices.Chunk gives are the slice's.

var numbers = sync.Pool{New: func() any { s := make([]int, 0, 128); return &s }}

func countUp(p *[]int, n int) []int {
	for i := range n {
		*p = append(*p, i)
	}
	return *p
}

func firstPiece(n int) []int {
	p := numbers.Get().(*[]int)
	*p = (*p)[:0]
	defer numbers.Put(p)
	for c := range slices.Chunk(countUp(p, n), 16) {
		if len(c) == 16 {
			return c // want `memory of p is returned`
		}
	}
	return nil
}

func allPieces(n int) [][]int {
	p := numbers.Get().(*[]int)
	*p = (*p)[:0]
	defer numbers.Put(p)
	return slices.Collect(slices.Chunk(countUp(p, n), 16)) // want `memory of p is returned`
}

func summed(n int, f func([]int) int) int {
	p := numbers.Get().(*[]int)
	*p = (*p)[:0]
	defer numbers.Put(p) // want `p is put in numbers while the goroutine`
	var wg sync.WaitGroup
	for c := range slices.Chunk(countUp(p, n), 16) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(c)
		}()
	}
	if n > 1000 {
		return -1
	}
	wg.Wait()
	return 0
}

// Right: copies.
func piecesCopied(n int) (all [][]int) {
	p := numbers.Get().(*[]int)
	*p = (*p)[:0]
	defer numbers.Put(p)
	for c := range slices.Chunk(countUp(p, n), 16) {
		all = append(all, slices.Clone(c))
	}
	return all
}

// Right: numbers are copied where they are collected.
func collected(n int) []int {
	p := numbers.Get().(*[]int)
	*p = (*p)[:0]
	defer numbers.Put(p)
	return slices.Collect(slices.Values(countUp(p, n)))
}

// Right: it waits on every path.
func waited(n int, f func([]int) int) {
	p := numbers.Get().(*[]int)
	*p = (*p)[:0]
	defer numbers.Put(p)
	var wg sync.WaitGroup
	for c := range slices.Chunk(countUp(p, n), 16) {
		wg.Go(func() { f(c) })
	}
	wg.Wait()
}
