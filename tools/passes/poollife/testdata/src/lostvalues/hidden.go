package lostvalues

import (
	"bytes"
	"sync"
)

type row struct{ cells []string }

var rowPool = sync.Pool{New: func() any { return new([]row) }}

// A new variable hides the one that is put.

func hiddenInClosure(rows []row, cut bool, send func([]row)) {
	var v *[]row
	defer func() {
		if v != nil {
			*v = rows[:0]
			rowPool.Put(v)
		}
	}()
	own := func() {
		if v == nil {
			v := rowPool.Get().(*[]row) // want `in a new variable v, but it is the v of line \d+ that is put`
			rows = append(*v, rows...)
		}
	}
	if cut {
		own()
		rows = rows[:1]
	}
	send(rows)
}

func hiddenInArm(rows []row, cut bool, send func([]row)) {
	var v *[]row
	if cut {
		v := rowPool.Get().(*[]row) // want `in a new variable v, but it is the v of line \d+ that is put`
		rows = append((*v)[:0], rows...)
	}
	send(rows)
	if v != nil {
		rowPool.Put(v)
	}
}

func takeRows() *[]row  { return rowPool.Get().(*[]row) }
func giveRows(v *[]row) { rowPool.Put(v) }

func hiddenByHelper(rows []row, cut bool, send func([]row)) {
	var v *[]row
	if cut {
		v := takeRows() // want `in a new variable v, but it is the v of line \d+ that is put`
		rows = append((*v)[:0], rows...)
	}
	send(rows)
	if v != nil {
		giveRows(v)
	}
}

func hiddenResult(rows []row, send func([]row)) (v *[]row) {
	defer func() {
		if v != nil {
			giveRows(v)
		}
	}()
	switch len(rows) {
	case 0:
	default:
		v, ok := rowPool.Get().(*[]row) // want `in a new variable v, but it is the v of line \d+ that is put`
		if ok {
			send(append(*v, rows...))
		}
	}
	return nil
}

// It is assigned to the outer one, put itself, or given away.

func assigned(rows []row, cut bool, send func([]row)) {
	var v *[]row
	if cut {
		v = rowPool.Get().(*[]row)
		rows = append((*v)[:0], rows...)
	}
	send(rows)
	if v != nil {
		rowPool.Put(v)
	}
}

func bothPut(rows []row, cut bool, send func([]row)) {
	var v *[]row
	if cut {
		v := rowPool.Get().(*[]row)
		send(append((*v)[:0], rows...))
		rowPool.Put(v)
	} else {
		v = rowPool.Get().(*[]row)
	}
	if v != nil {
		rowPool.Put(v)
	}
}

func handed(rows []row, cut bool, keep func(*[]row)) {
	var v *[]row
	if cut {
		v := rowPool.Get().(*[]row)
		keep(v)
	}
	if v != nil {
		rowPool.Put(v)
	}
}

func otherType(rows []row, cut bool) int {
	var v *bytes.Buffer
	if cut {
		v := rowPool.Get().(*[]row)
		defer rowPool.Put(v)
		return len(*v)
	}
	return v.Len()
}
