package a

import "sync"

// A cursor knows the pool that it came from.
type cursor struct {
	home *sync.Pool
	pos  int
}

var (
	rowCursors    = sync.Pool{New: func() any { return new(cursor) }}
	columnCursors = sync.Pool{New: func() any { return new(cursor) }}
)

func newRowCursor() *cursor {
	c := rowCursors.Get().(*cursor)
	c.home = &rowCursors
	return c
}

func (c *cursor) end() {
	c.pos = 0
	c.home.Put(c)
}

func rows() int {
	c := rowCursors.Get().(*cursor)
	n := c.pos
	c.end()
	return n
}

func columns() int {
	c := newRowCursor()
	n := c.pos
	c.pos = 0
	columnCursors.Put(c) // want `c was taken from rowCursors but is put in columnCursors`
	return n
}
