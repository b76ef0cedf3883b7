// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"github.com/spare-go/spare"
	"io"
	"net/http"
	"strings"
)

type c89reader struct {
	src io.ReadCloser
	n   int
}

func (l *c89reader) Read(b []byte) (int, error) {
	l.n += len(b)
	return l.src.Read(b)
}

func (l *c89reader) Close() error { return l.src.Close() }

var c89pool = spare.Pool[c89reader]{Reset: func(l *c89reader) { l.n = 0 }}

func c89serve(r *http.Request) {
	l := c89pool.Get()
	defer c89pool.Put(l)
	l.src = r.Body
	r.Body = l
}

func c89() {
	r, _ := http.NewRequest("POST", "http://localhost/", io.NopCloser(strings.NewReader("body")))
	c89serve(r)
	io.Copy(io.Discard, r.Body) // what the server does after the handler
	r.Body.Close()
}
