package cutrows

import (
	"io"
	"sync"
)

// The memory of the rows is used again.

type grid struct{ rows [][]byte }

var grids = sync.Pool{New: func() any { return new(grid) }}

func (g *grid) add(s string) {
	if n := len(g.rows); n < cap(g.rows) {
		g.rows = g.rows[:n+1]
		g.rows[n] = append(g.rows[n][:0], s...)
		return
	}
	g.rows = append(g.rows, []byte(s))
}

func Grid(in []string, f func([][]byte)) {
	g := grids.Get().(*grid)
	for _, s := range in {
		g.add(s)
	}
	f(g.rows)
	g.rows = g.rows[:0]
	grids.Put(g)
}

// So it is by a variable with the longer slice.

type lattice struct{ rows [][]byte }

var lattices = sync.Pool{New: func() any { return new(lattice) }}

func Lattice(in []string, f func([][]byte)) {
	l := lattices.Get().(*lattice)
	for _, s := range in {
		n := len(l.rows)
		if n == cap(l.rows) {
			l.rows = append(l.rows, []byte(s))
			continue
		}
		rows := l.rows[:n+1]
		rows[n] = append(rows[n][:0], s...)
		l.rows = rows[:n+1]
	}
	f(l.rows)
	l.rows = l.rows[:0]
	lattices.Put(l)
}

// The parts are of a buffer that is the struct's own.

type ownLine struct {
	buf    []byte
	fields [][]byte
}

var ownLines = sync.Pool{New: func() any { return new(ownLine) }}

func (l *ownLine) split(line []byte) {
	start := 0
	for i, c := range line {
		if c == ',' {
			l.fields = append(l.fields, line[start:i])
			start = i + 1
		}
	}
}

func OwnLine(rd io.Reader, f func([][]byte)) error {
	l := ownLines.Get().(*ownLine)
	defer func() {
		if cap(l.buf) > 1<<16 {
			return
		}
		l.buf, l.fields = l.buf[:0], l.fields[:0]
		ownLines.Put(l)
	}()
	var b [512]byte
	n, err := rd.Read(b[:])
	l.buf = append(l.buf, b[:n]...)
	l.split(l.buf)
	f(l.fields)
	return err
}
