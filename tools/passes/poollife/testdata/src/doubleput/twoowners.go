// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import (
	"io"
	"sync"
)

// A statement lends its description to the rows of its queries, which put it.

type columns struct {
	names []string
	buf   []byte
}

var columnSets = sync.Pool{New: func() any { return new(columns) }}

type resultRows struct {
	r    io.Reader
	cols *columns
	done bool
}

func newResultRows(r io.Reader, c *columns) *resultRows { return &resultRows{r: r, cols: c} }

func (r *resultRows) Close() error {
	r.done = true
	if r.cols != nil {
		r.cols.names, r.cols.buf = nil, nil
		columnSets.Put(r.cols) // want `field cols puts here what it was lent by field prepared.cols \(line 50\), which keeps it and puts it again in Close \(line 56\)`
		r.cols = nil
	}
	return nil
}

type prepared struct {
	r    io.ReadWriter
	cols *columns
}

func (p *prepared) width() int { return len(p.cols.names) }

func open(r io.Reader, c *columns) *resultRows { return newResultRows(r, c) }

func (p *prepared) query(q string) (*resultRows, error) {
	if _, err := io.WriteString(p.r, q); err != nil {
		return nil, err
	}
	return open(p.r, p.cols), nil
}

func (p *prepared) Close() error {
	if p.cols != nil {
		p.cols.names, p.cols.buf = nil, nil
		columnSets.Put(p.cols)
		p.cols = nil
	}
	return nil
}

// These rows know whether it is theirs.

type lentRows struct {
	cols *columns
	own  bool
}

func (r *lentRows) Close() error {
	if r.own && r.cols != nil {
		r.cols.names, r.cols.buf = nil, nil
		columnSets.Put(r.cols)
		r.cols = nil
	}
	return nil
}

type lender struct{ cols *columns }

func (l *lender) query() *lentRows { return &lentRows{cols: l.cols} }

func (l *lender) Close() error {
	if l.cols != nil {
		l.cols.names, l.cols.buf = nil, nil
		columnSets.Put(l.cols)
		l.cols = nil
	}
	return nil
}

// This one lets go of what it gives on.

type givenRows struct{ cols *columns }

func (r *givenRows) Close() error {
	if r.cols != nil {
		r.cols.names, r.cols.buf = nil, nil
		columnSets.Put(r.cols)
		r.cols = nil
	}
	return nil
}

type giver struct{ cols *columns }

func (g *giver) rows() *givenRows {
	r := &givenRows{cols: g.cols}
	g.cols = nil
	return r
}

func (g *giver) Close() error {
	if g.cols != nil {
		g.cols.names, g.cols.buf = nil, nil
		columnSets.Put(g.cols)
		g.cols = nil
	}
	return nil
}

// This one puts what it has only where it gave nothing on.

type builtRows struct{ cols *columns }

func (r *builtRows) Close() error {
	if r.cols != nil {
		r.cols.names, r.cols.buf = nil, nil
		columnSets.Put(r.cols)
		r.cols = nil
	}
	return nil
}

type builder struct{ cols *columns }

func (b *builder) build(names []string) (*builtRows, error) {
	if len(names) == 0 {
		b.fail()
		return nil, io.EOF
	}
	b.cols.names = append(b.cols.names, names...)
	return &builtRows{cols: b.cols}, nil
}

func (b *builder) fail() {
	b.cols.names, b.cols.buf = nil, nil
	columnSets.Put(b.cols)
}
