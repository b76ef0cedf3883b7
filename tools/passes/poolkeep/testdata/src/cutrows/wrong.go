package cutrows

import (
	"bytes"
	"io"
	"sync"
)

// The fields of a record are parts of the line that was parsed; the pool keeps the line.

type record struct {
	fields [][]byte
	n      int
}

var records = sync.Pool{New: func() any { return &record{fields: make([][]byte, 0, 16)} }}

func (r *record) reset() { r.fields, r.n = r.fields[:0], 0 }

func (r *record) parse(line []byte) {
	start := 0
	for i, c := range line {
		if c == ',' {
			r.fields = append(r.fields, line[start:i])
			start = i + 1
		}
	}
	r.n++
}

func Parse(rd io.Reader, f func(*record)) error {
	b, err := io.ReadAll(rd)
	if err != nil {
		return err
	}
	r := records.Get().(*record)
	defer func() {
		r.reset()
		records.Put(r) // want `[a-z], the pooled record, still leads to what the last user appended to fields`
	}()
	r.parse(b)
	f(r)
	return nil
}

// Copies, which nobody uses again, either.

type rowSet struct{ rows [][]byte }

var rowSets = sync.Pool{New: func() any { return new(rowSet) }}

func Rows(in []string, f func([][]byte)) {
	r := rowSets.Get().(*rowSet)
	for _, s := range in {
		r.rows = append(r.rows, []byte(s))
	}
	f(r.rows)
	r.rows = r.rows[:0]
	rowSets.Put(r) // want `[a-z], the pooled rowSet, still leads to what the last user appended to rows`
}

type cloned struct{ rows [][]byte }

var cloneds = sync.Pool{New: func() any { return new(cloned) }}

func Cloned(in *bytes.Buffer, f func([][]byte)) {
	r := cloneds.Get().(*cloned)
	for in.Len() > 0 {
		r.rows = append(r.rows, bytes.Clone(in.Next(8)))
	}
	f(r.rows)
	r.rows = r.rows[:0]
	cloneds.Put(r) // want `[a-z], the pooled cloned, still leads to what the last user appended to rows`
}
