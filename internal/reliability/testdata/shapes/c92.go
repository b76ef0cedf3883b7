// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"github.com/spare-go/spare"
	"time"
)

type c92server struct{ done chan struct{} }

type c92ctx struct {
	s  *c92server
	id int
}

func (c *c92ctx) Done() <-chan struct{} { return c.s.done }

var c92pool = spare.Pool[c92ctx]{Reset: func(c *c92ctx) { *c = c92ctx{} }}

func c92() {
	s := &c92server{done: make(chan struct{})}
	c := c92pool.Get()
	c.s = s
	go func() {
		select {
		case <-c.Done():
		default:
		}
	}()
	time.Sleep(time.Millisecond)
	c92pool.Put(c)
}
