// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bufio"
	"github.com/spare-go/spare"
	"io"
	"strings"
)

var c06readers = spare.Pool[bufio.Reader]{New: func() *bufio.Reader { return bufio.NewReaderSize(nil, 64) }}

type c06conn struct{ r io.Reader }

func c06() {
	br := c06readers.Get()
	br.Reset(strings.NewReader(strings.Repeat("x", 1000)))
	h := c06hijack(br)
	concurrently(func() {
		b := make([]byte, 8)
		h.r.Read(b)
		show(b)
	}, func() {
		c06readers.Get().Reset(strings.NewReader("other"))
	})
}

func c06hijack(br *bufio.Reader) *c06conn {
	h := &c06conn{r: br}
	c06readers.Put(br)
	return h
}
