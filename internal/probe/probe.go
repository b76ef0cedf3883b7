// SPDX-License-Identifier: BSD-3-Clause

// Package probe uses the generic API as another package would. The compiler
// says nothing about generic code that nobody instantiates; the tests of this
// package look at what it makes of this.
package probe

import "github.com/spare-go/spare"

// Value is a value of a user's.
type Value struct {
	N    int
	Next *Value
}

// Values uses a Pool whose fields are all zero.
func Values(p *spare.Pool[Value]) int {
	x := p.Get()
	x.N++
	n := x.N
	p.Put(x)
	return n
}

// Bytes uses a Slices of elements without pointers.
func Bytes(p *spare.Slices[byte], text string) int {
	s := p.Get(len(text))
	s = append(s, text...)
	n := len(s)
	p.Put(s)
	return n
}

// Strings uses a Slices of elements with pointers, by Grow.
func Strings(p *spare.Slices[string], list []string) int {
	s := p.Get(0)
	for _, e := range list {
		s = append(p.Grow(s, 1), e)
	}
	n := len(s)
	p.Put(s)
	return n
}
