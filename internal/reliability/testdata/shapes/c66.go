// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bufio"
	"github.com/spare-go/spare"
	"io"
)

var c66pool = spare.Pool[bufio.Reader]{New: func() *bufio.Reader { return bufio.NewReaderSize(nil, 64) }}

func c66() {
	pr, pw := io.Pipe()
	br := c66pool.Get()
	br.Reset(pr)
	done := make(chan struct{})
	go func() {
		defer close(done)
		io.Copy(io.Discard, struct{ io.Reader }{br})
	}()
	pw.Write([]byte("some"))
	c66pool.Put(br) // Close, while the copier still reads
	pw.Write([]byte("more"))
	pw.Close()
	<-done
}
