package doubleput

import "sync"

// Slices that the package shares are too small for the pool.

var lines = sync.Pool{New: func() any { return make([]int, 0, 16) }}

var (
	none = []int{0}
	many = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
)

func keepLine(l []int) {
	if cap(l) < 16 {
		return
	}
	lines.Put(l) // want `l is put in lines a second time`
}

func lineOf(s string) []int {
	if s == "" {
		return none
	}
	l := lines.Get().([]int)[:0]
	for i := range s {
		l = append(l, i)
	}
	return l
}

func drainLines(texts []string) {
	for _, s := range texts {
		l := lineOf(s)
		keepLine(l)
	}
}

func sharedLine(s string) []int {
	if s == "" {
		return many
	}
	return lineOf(s)
}

func drainTwice(texts []string) {
	for _, s := range texts {
		l := sharedLine(s)
		keepLine(l)
	}
}
