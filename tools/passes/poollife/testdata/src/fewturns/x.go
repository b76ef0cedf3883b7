// SPDX-License-Identifier: BSD-3-Clause

// Package fewturns puts a few values in a loop over them.
package fewturns

import "sync"

type number struct{ digits [8]uint64 }

var numbers = sync.Pool{New: func() any { return new(number) }}

func get() *number { return numbers.Get().(*number) }

func put(list ...*number) {
	for _, x := range list {
		*x = number{}
		numbers.Put(x)
	}
}

func putFirst(list ...*number) {
	for _, x := range list {
		numbers.Put(x)
		return
	}
}

func (x *number) add(y *number) { x.digits[0] += y.digits[0] }

func two(n uint64) uint64 { // right
	a, b := get(), get()
	a.digits[0], b.digits[0] = n, n
	a.add(b)
	n = a.digits[0]
	put(a, b)
	return n
}

func three(n uint64) uint64 { // right
	a, b, c := get(), get(), get()
	defer put(a, b, c)
	a.add(b)
	a.add(c)
	return n + a.digits[0]
}

func literal(n uint64) uint64 { // right
	a, b := get(), get()
	a.add(b)
	n += a.digits[0]
	for _, x := range []*number{a, b} {
		numbers.Put(x)
	}
	return n
}

func array(n uint64) uint64 { // right
	a, b := get(), get()
	a.add(b)
	n += a.digits[0]
	for _, x := range [...]*number{a, b} {
		numbers.Put(x)
	}
	return n
}

func inArray(n uint64) uint64 { // right
	list := [2]*number{get(), get()}
	list[0].add(list[1])
	n += list[0].digits[0]
	for i := range list {
		numbers.Put(list[i])
	}
	return n
}

func counted(n uint64) uint64 { // right
	list := []*number{get(), get(), get()}
	list[0].add(list[2])
	n += list[0].digits[0]
	for i := 0; i < len(list); i++ {
		numbers.Put(list[i])
	}
	return n
}

// Wrong: one is not in the list.
func forgets(n uint64) uint64 {
	a, b, c := get(), get(), get() // want `c, taken from numbers at line \d+, is not put back on any path`
	a.add(b)
	a.add(c)
	n += a.digits[0]
	put(a, b)
	return n
}

// Wrong: only the first of them is put.
func first(n uint64) uint64 {
	a, b := get(), get() // want `b, taken from numbers at line \d+, is not put back on any path`
	a.add(b)
	n += a.digits[0]
	putFirst(a, b)
	return n
}

// Wrong: one of them is used after that.
func late() uint64 {
	a, b := get(), get()
	a.add(b)
	put(a, b)
	return b.digits[0] // want `is read after it was put in numbers`
}

// Wrong: one is in the list twice.
func twice(n uint64) uint64 {
	a, b := get(), get()
	a.add(b)
	n += a.digits[0]
	for _, x := range []*number{a, b, a} {
		numbers.Put(x) // want `put in numbers a second time`
	}
	return n
}
