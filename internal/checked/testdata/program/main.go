// SPDX-License-Identifier: BSD-3-Clause

// Command program uses the whole of the API of the pools.
package main

import (
	"fmt"

	"github.com/spare-go/spare"
)

type value struct{ n int }

func main() {
	for _, p := range []*spare.Pool[value]{
		{},
		{Reset: func(*value) {}, Keep: func(*value) bool { return true }},
		{Drop: func(*value) {}, Size: func(*value) int { return 1 }, New: func() *value { return new(value) }, MaxIdle: 100, Name: "values"},
	} {
		x := p.Get()
		x.n++
		p.Put(x)
		p.Drain()
		fmt.Printf("%+v\n", p.Stats())
	}
	var s spare.Slices[byte]
	b := append(s.Get(0), "hello"...)
	b = s.Grow(b, 1000)
	s.Put(b)
	s.Drain()
	fmt.Printf("%+v\n", s.Stats())
	for name, stats := range spare.All() {
		fmt.Println(name, stats)
	}
}
