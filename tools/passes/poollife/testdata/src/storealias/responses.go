// SPDX-License-Identifier: BSD-3-Clause

package storealias

import (
	"compress/gzip"
	"io"
	"net/http"
	"sync"
)

var zippers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

type zipped struct {
	http.ResponseWriter
	z *gzip.Writer
}

func (w *zipped) Write(b []byte) (int, error) { return w.z.Write(b) }

type call struct {
	Response http.ResponseWriter
	Body     io.Reader
	last     io.Writer
}

// Whoever called a handler writes no more of the body.
func compressed(c *call, next func(*call)) {
	z := zippers.Get().(*gzip.Writer)
	z.Reset(c.Response)
	c.Response = &zipped{c.Response, z}
	next(c)
	z.Close()
	zippers.Put(z)
}

// A writer beside the response is another matter.
func remembered(c *call, next func(*call)) {
	z := zippers.Get().(*gzip.Writer)
	z.Reset(c.Response)
	c.last = &zipped{c.Response, z} // want `field last keeps memory of z after the value was put`
	next(c)
	z.Close()
	zippers.Put(z)
}
