package useafterput

import "bytes"

// Types that hold themselves, in variables that may hold functions for all that
// the analysis knows.
type (
	tree   []tree
	forest map[string]forest
	grid   [2]*grid
)

var (
	root  tree
	woods forest
	cells grid
)

func plant() int {
	b := bufs.Get().(*bytes.Buffer)
	root = tree{nil}
	woods = forest{"": nil}
	cells = grid{&cells}
	bufs.Put(b)
	return b.Len() // want `b is used by Len after it was put in bufs`
}
