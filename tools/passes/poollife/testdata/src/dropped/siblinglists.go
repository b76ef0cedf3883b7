package dropped

import (
	"io"
	"sync"
)

// Lists of pooled values that are handed over through an interface.

type cell struct {
	v   []byte
	end int
}

var cells = sync.Pool{New: func() any { return &cell{v: make([]byte, 1024)} }}

func newCell() *cell {
	c := cells.Get().(*cell)
	c.end = 0
	return c
}

func (c *cell) bytes() []byte { return c.v[:c.end] }

func (c *cell) free() { cells.Put(c) }

type row []*cell

func (r row) free() {
	for i, c := range r {
		c.free()
		r[i] = nil
	}
}

func (r row) size() (n int) {
	for _, c := range r {
		n += c.end
	}
	return n
}

func (r row) texts() [][]byte {
	out := make([][]byte, len(r))
	for i, c := range r {
		out[i] = c.bytes()
	}
	return out
}

type rowWriter interface{ writeRow(r row) error }

type plainRows struct{ w io.Writer }

func (p *plainRows) writeRow(r row) error {
	defer r.free()
	for _, c := range r {
		if _, err := p.w.Write(c.bytes()); err != nil {
			return err
		}
	}
	return nil
}

type eachRow struct{ n int }

func (e *eachRow) writeRow(r row) error {
	for _, c := range r {
		e.n += c.end
		c.free()
	}
	return nil
}

type countedRows struct{ n int }

func (c *countedRows) writeRow(r row) error { // want `what is in r is not put here, as the writeRow method of another type does with what it is given`
	c.n += r.size()
	return nil
}

type codedRows struct {
	w   io.Writer
	key byte
}

func (c codedRows) writeRow(r row) error { // want `what is in r is not put here, as the writeRow method of another type does with what it is given`
	for _, b := range r.texts() {
		for i := range b {
			b[i] ^= c.key
		}
		if _, err := c.w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// This one hands them on, and the next keeps them.

type loggedRows struct {
	next rowWriter
	log  func(int)
}

func (l *loggedRows) writeRow(r row) error {
	l.log(r.size())
	return l.next.writeRow(r)
}

type keptRows struct{ list []row }

func (k *keptRows) writeRow(r row) error {
	k.list = append(k.list, r)
	return nil
}

func copyRows(w rowWriter, r io.Reader) error {
	for {
		c := newCell()
		n, err := r.Read(c.v)
		if n == 0 {
			c.free()
			return err
		}
		c.end = n
		if err := w.writeRow(row{c}); err != nil {
			return err
		}
	}
}

// Here those who call put what they gave.

type rowReader interface{ readRow(r row) int }

type sumRows struct{ n int }

func (s *sumRows) readRow(r row) int {
	s.n += r.size()
	return s.n
}

func sumRow(x rowReader, text string) int {
	c := newCell()
	c.end = copy(c.v, text)
	n := x.readRow(row{c})
	c.free()
	return n
}

// And here what is put depends on what is in it.

type rowFilter interface{ filterRow(r row) bool }

type longRows struct{}

func (longRows) filterRow(r row) bool {
	if r.size() < 10 {
		r.free()
		return false
	}
	return true
}

type allRows struct{ n int }

func (a *allRows) filterRow(r row) bool {
	a.n += r.size()
	return true
}

func filterRows(f rowFilter, k *keptRows, text string) {
	c := newCell()
	c.end = copy(c.v, text)
	r := row{c}
	if f.filterRow(r) {
		k.list = append(k.list, r)
	}
}
