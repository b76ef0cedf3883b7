package chanlists

import "errors"

// A value from a list that is returned within another object, where there is one.

type pillar struct {
	cells []int
	width int
}

var pillars = make(chan *pillar, 8)

func takePillar() *pillar {
	select {
	case c := <-pillars:
		return c
	default:
		return new(pillar)
	}
}

func givePillar(c *pillar) {
	c.cells, c.width = c.cells[:0], 0
	select {
	case pillars <- c:
	default:
	}
}

type table struct{ first *pillar }

func positive(in []int, out *pillar) (n int) {
	for _, x := range in {
		if x > 0 {
			out.cells = append(out.cells, x)
			n++
		}
	}
	return n
}

func newTable(in []int) *table {
	c := takePillar() // want `c, taken from the channel pillars at line 44, is not put back on the path that ends here`
	n := positive(in, c)
	if n == 0 {
		return nil
	}
	return &table{first: c}
}

func newTableRight(in []int) *table {
	c := takePillar()
	n := positive(in, c)
	if n == 0 {
		givePillar(c)
		return nil
	}
	return &table{first: c}
}

// It is asked for before: a pillar that is of no use goes to the collector.
func (c *pillar) valid() bool { return c.width < cap(c.cells) }

func newTableOfValid() *table {
	c := takePillar()
	if !c.valid() {
		return nil
	}
	return &table{first: c}
}

var check func(*pillar) bool

func newTableOfChecked() *table {
	c := takePillar()
	if !check(c) {
		return nil
	}
	return &table{first: c}
}

// What is wrong may be wrong with the pillar.
func newTableOf(in []int) (*table, error) {
	c := takePillar()
	if positive(in, c) < len(in) {
		return nil, errors.New("not all are positive")
	}
	return &table{first: c}, nil
}

// This one takes pillars for others.
func takeWide(in []int) *pillar {
	c := takePillar()
	if positive(in, c) == 0 {
		return nil
	}
	return c
}
