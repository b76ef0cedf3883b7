// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"github.com/spare-go/spare/buffer"
	"strings"
)

type c90request struct{ raw []byte }

func (r *c90request) addHeaders(hs []string) {
	i := bytes.IndexByte(r.raw, '\n')
	buf := buffer.Get()
	buf.Write(r.raw[:i+1])
	for _, h := range hs {
		buf.WriteString(h)
	}
	buf.Write(r.raw[i+1:])
	r.raw = buf.Bytes()
	buf.Release()
}

func c90() {
	r := c90request{raw: []byte("GET /\n" + strings.Repeat("x", 500))}
	r.addHeaders([]string{"A: b\r\n"})
	show(r.raw)
}
