// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"github.com/spare-go/spare"
	"github.com/spare-go/spare/pooltest"
	"io"
)

type c30level struct {
	lower, upper []byte
	err          error
	idx          int
}

type c30alloc struct{ level c30level }

var c30pool spare.Pool[c30alloc]

func (l *c30level) init(lower, upper []byte) {
	l.lower = lower
	l.upper = upper
	l.idx = -1
}

type c30iter struct{ alloc *c30alloc }

func c30new(lower, upper []byte) *c30iter {
	a := c30pool.Get()
	a.level.init(lower, upper)
	return &c30iter{alloc: a}
}

func (i *c30iter) Next() bool {
	if i.alloc.level.err != nil {
		return false
	}
	i.alloc.level.idx++
	if i.alloc.level.idx > 3 {
		i.alloc.level.err = io.EOF
	}
	return true
}

func (i *c30iter) Close() {
	c30pool.Put(i.alloc)
	i.alloc = nil
}

func c30() {
	for range 2 {
		i := c30new(nil, nil)
		for i.Next() {
		}
		i.Close()
	}
}

// c30resets is the test that its author would have needed.
func c30resets() {
	pooltest.Resets(c30printer{}, &c30pool, func(a *c30alloc) {
		for i := (&c30iter{a}); i.Next(); {
		}
	}, "level.idx")
}

// A c30printer prints how the test fails.
type c30printer struct{ pooltest.TB }

func (c30printer) Helper()                      {}
func (c30printer) Errorf(f string, args ...any) { fmt.Printf(f+"\n", args...) }
