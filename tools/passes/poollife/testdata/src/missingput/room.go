// SPDX-License-Identifier: BSD-3-Clause

package missingput

import (
	"errors"
	"io"
	"sync"
)

// A test that asks whether there is room decides nothing about who puts the value.

type sheet struct{ cells []int }

var (
	sheets = sync.Pool{New: func() any { return new(sheet) }}

	errWide = errors.New("too wide")
	errOpen = errors.New("not open")
)

func sheetOf(n int) *sheet {
	s := sheets.Get().(*sheet)
	if cap(s.cells) < n {
		s.cells = make([]int, n)
	}
	s.cells = s.cells[:n]
	return s
}

func lostAfterRoom(n, width int) (*sheet, error) {
	s := sheetOf(n) // want `not put back on the path that ends here`
	if width > n {
		return nil, errWide
	}
	if s.cells[0] != 0 {
		sheets.Put(s)
		return nil, errOpen
	}
	return s, nil
}

func keptAfterRoom(n, width int) (*sheet, error) {
	s := sheetOf(n)
	if width > n {
		sheets.Put(s)
		return nil, errWide
	}
	return s, nil
}

// What is too small is left to the collector.
var rows = sync.Pool{New: func() any { return new([]int) }}

func rowOf(n int) *[]int {
	r := rows.Get().(*[]int)
	if cap(*r) < n {
		fresh := make([]int, n)
		return &fresh
	}
	*r = (*r)[:n]
	return r
}

func tooSmall(n int) int {
	r := rowOf(n)
	defer rows.Put(r)
	return len(*r)
}

func lostRow(n int, stop bool) int {
	r := rowOf(n) // want `not put back on the path that ends here`
	if stop {
		return 0
	}
	sum := 0
	for _, x := range *r {
		sum += x
	}
	rows.Put(r)
	return sum
}

// With no error there is none that is another.
func without(n, width int) (int, error) {
	s, err := keptAfterRoom(n, width)
	switch {
	case errors.Is(err, errWide):
		return 0, nil
	case err != nil:
		return 0, err
	}
	defer sheets.Put(s)
	return len(s.cells), nil
}

func withoutEqual(n, width int) (int, error) {
	s, err := keptAfterRoom(n, width)
	if err == errWide {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer sheets.Put(s)
	return len(s.cells), nil
}

func lostWithError(n, width int) (int, error) {
	s, err := keptAfterRoom(n, width) // want `not put back on the path that ends here`
	if err != nil {
		return 0, err
	}
	if errors.Is(io.EOF, errWide) {
		return 0, nil
	}
	defer sheets.Put(s)
	return len(s.cells), nil
}
