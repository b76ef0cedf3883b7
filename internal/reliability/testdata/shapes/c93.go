// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"github.com/spare-go/spare"
)

type c93conn struct{ comp spare.Pool[[64]int] }

func c93new() spare.Pool[[64]int] {
	p := spare.Pool[[64]int]{New: func() *[64]int { return new([64]int) }}
	warm := p.Get()
	p.Put(warm)
	return p
}

func c93() {
	c := &c93conn{comp: c93new()}
	c.comp.Put(c.comp.Get())
}
