// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"github.com/spare-go/spare/buffer"
	"strings"
	"unsafe"
)

func c22() {
	s := c22URL(strings.Repeat("host", 100))
	show([]byte(s))
}

func c22URL(host string) string {
	buf := buffer.Get()
	defer buf.Release()
	buf.WriteString("http://")
	buf.WriteString(host)
	b := buf.Bytes()
	return unsafe.String(unsafe.SliceData(b), len(b))
}
