// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"github.com/spare-go/spare"
	"sync"
)

type c38resp struct {
	peer  string
	index uint64
}

var c38pool spare.Pool[c38resp]

func c38() {
	var wg sync.WaitGroup
	for i := range 100 {
		ar := c38pool.Get()
		*ar = c38resp{peer: "peer", index: uint64(i)}
		c38catchup(&wg, ar)
		c38pool.Put(ar)
	}
	wg.Wait()
}

func c38catchup(wg *sync.WaitGroup, ar *c38resp) {
	wg.Add(1)
	go func() {
		defer wg.Done()
		show([]byte(ar.peer))
	}()
}
