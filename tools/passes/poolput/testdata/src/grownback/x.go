// Slices given to functions that give back a larger one, and put by a deferred call.
package grownback

import (
	"encoding/binary"
	"errors"
	"sync"
)

type trays struct{ p sync.Pool }

func (t *trays) take() []uint64 {
	if v, ok := t.p.Get().(*[]uint64); ok {
		return (*v)[:0]
	}
	return make([]uint64, 0, 8)
}

func (t *trays) give(v []uint64) {
	v = v[:0]
	t.p.Put(&v) // want `by value|local variable`
}

var tray trays

// room gives a slice back that has room for n more.
func room(v []uint64, n int) []uint64 {
	if cap(v)-len(v) >= n {
		return v
	}
	w := make([]uint64, len(v), 2*cap(v)+n)
	copy(w, v)
	return w
}

// Wrong: the slice is another one after room.
func sum(in []uint64) (s uint64) {
	v := tray.take()
	defer tray.give(v) // want `the deferred call puts v as it is here, but it is set later to what room gives back for it`
	v = room(v, len(in))
	v = v[:len(in)]
	copy(v, in)
	for _, x := range v {
		s += x
	}
	return s
}

type source interface {
	fill(key int, into []uint64) (found, again []uint64, err error)
}

type table [][]uint64

func (t table) fill(key int, into []uint64) ([]uint64, []uint64, error) {
	if key >= len(t) {
		return nil, into, errors.New("no such row")
	}
	if row := t[key]; len(row) <= cap(into) {
		into = into[:len(row)]
	} else {
		into = make([]uint64, len(row))
	}
	copy(into, t[key])
	return into, into, nil
}

// Wrong: through an interface, in a loop, by way of another variable.
func count(src source, keys []int) (n int) {
	buf := tray.take()
	defer tray.give(buf) // want `the deferred call puts buf as it is here, but it is set later to what fill gives back for it`
	for _, k := range keys {
		row, larger, err := src.fill(k, buf)
		if err != nil {
			return -1
		}
		buf = larger
		n += len(row)
	}
	return n
}

// Wrong: the same without another variable, and cut.
func countCut(src source, keys []int) (n int, err error) {
	buf := tray.take()
	defer tray.give(buf[:0]) // want `the deferred call puts buf as it is here, but it is set later to what fill gives back for it`
	for _, k := range keys {
		var row []uint64
		if row, buf, err = src.fill(k, buf[:0]); err != nil {
			return 0, err
		}
		n += len(row)
	}
	return n, nil
}

// A pool of slices by value, whose put cuts what it is given.
type valued struct{ p sync.Pool }

func (t *valued) take() []uint64 {
	if v, ok := t.p.Get().([]uint64); ok {
		return v
	}
	return make([]uint64, 0, 8)
}

func (t *valued) give(v []uint64) {
	v = v[:0]
	t.p.Put(v) // want `by value`
}

var values valued

// Wrong: bound early.
func countValued(src source, keys []int) (n int) {
	var (
		err error
		buf = values.take()
	)
	defer values.give(buf) // want `the deferred call puts buf as it is here, but it is set later to what fill gives back for it`
	for _, k := range keys {
		if _, buf, err = src.fill(k, buf); err == nil {
			n++
		}
	}
	return n
}

// Right: bound late.
func countValuedLate(src source, keys []int) (n int) {
	buf := values.take()
	defer func() { values.give(buf) }()
	for _, k := range keys {
		var err error
		if _, buf, err = src.fill(k, buf); err == nil {
			n++
		}
	}
	return n
}

// Right: read when the function ends.
func countLate(src source, keys []int) (n int) {
	buf := tray.take()
	defer func() { tray.give(buf) }()
	for _, k := range keys {
		row, larger, err := src.fill(k, buf)
		if err != nil {
			return -1
		}
		buf = larger
		n += len(row)
	}
	return n
}

// Right: the variable stays as it is.
func countFirst(src source, keys []int) (n int) {
	buf := tray.take()
	defer tray.give(buf)
	for _, k := range keys {
		row, _, err := src.fill(k, buf)
		if err != nil {
			return -1
		}
		n += len(row)
	}
	return n
}

// after gives back what is left of a slice.
func after(v []uint64, n int) []uint64 {
	if len(v) < n {
		return make([]uint64, 0)
	}
	return v[n:]
}

// Right: what moves on is not what is put, and what is cut does not grow.
func steps(in []uint64) (n int) {
	v := tray.take()
	defer tray.give(v)
	v = v[:min(len(in), cap(v))]
	copy(v, in)
	for len(v) > 0 {
		v = after(v, 2)
		n++
	}
	return n
}

func first(v []uint64, n int) []uint64 {
	if len(v) > n {
		v = v[:n]
	}
	return v
}

func short(in []uint64) int {
	v := tray.take()
	defer tray.give(v)
	v = v[:min(len(in), cap(v))]
	copy(v, in)
	v = first(v, 4)
	return len(v)
}

// Right: the function was told the size.
type sized struct{ p sync.Pool }

func (s *sized) take(n int) []uint64 {
	if v, ok := s.p.Get().(*[]uint64); ok && cap(*v) >= n {
		return (*v)[:0]
	}
	return make([]uint64, 0, n)
}

func (s *sized) give(v []uint64) { s.p.Put(&v) } // want `by value|local variable`

var sizedTray sized

func exact(in []uint64) (s uint64) {
	v := sizedTray.take(len(in))
	defer sizedTray.give(v)
	v = room(v, len(in))
	for _, x := range v {
		s += x
	}
	return s
}

// Right: bound after it grew.
func late(in []uint64) (s uint64) {
	v := tray.take()
	v = room(v, len(in))
	defer tray.give(v)
	v = v[:len(in)]
	copy(v, in)
	for _, x := range v {
		s += x
	}
	return s
}

// Right: another variable.
func beside(in []uint64) (s uint64) {
	v := tray.take()
	defer tray.give(v)
	w := room(v, len(in))
	for _, x := range w {
		s += x
	}
	return s + uint64(binary.Size(in))
}

// encode appends in turn, in a loop.
func encode(v []uint64, in []uint64) []uint64 {
	for _, x := range in {
		if x > 1 {
			v = append(v, x)
		} else {
			v = encode(append(v, 0), in[1:])
		}
		v = append(v, 7)
	}
	return v
}

// Wrong: the slice is another one after encode.
func encoded(in []uint64) int {
	v := tray.take()
	defer tray.give(v) // want `the deferred call puts v as it is here, but it is appended to later`
	v = encode(v, in)
	return len(v)
}
