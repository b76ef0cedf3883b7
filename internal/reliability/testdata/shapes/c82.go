// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"github.com/spare-go/spare"
	"time"
)

var c82pool spare.Pool[bytes.Buffer]

func c82() {
	buf := c82pool.Get()
	late := make(chan struct{})
	done := make(chan struct{})
	go func() { // the handler
		<-late
		buf.Write([]byte("late"))
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Millisecond):
		buf.Reset()
		c82pool.Put(buf)
	}
	close(late)
	concurrently(func() { c82pool.Get().WriteString("next") }, func() { <-done })
}
