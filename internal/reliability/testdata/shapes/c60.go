// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"github.com/spare-go/spare/buffer"
	"strings"
)

func c60() { show(c60bytes()) }

func c60full() *buffer.Buffer {
	b := buffer.Get()
	b.WriteString(strings.Repeat("head", 100))
	b.WriteString(strings.Repeat("body", 100))
	return b
}

func c60bytes() []byte {
	b := c60full()
	defer b.Release()
	return b.Bytes()
}
