// SPDX-License-Identifier: BSD-3-Clause

package lease

import (
	"io"

	"github.com/spare-go/spare"
)

// A copier holds the two ends of a copy and its buffer. That both ends are hidden
// behind it keeps io.CopyBuffer from their WriteTo and ReadFrom, with which it would
// not use its buffer.
type copier struct {
	src struct{ io.Reader }
	dst struct{ io.Writer }
	buf [32 << 10]byte
}

var copiers = spare.Pool[copier]{
	Reset: func(c *copier) { c.src.Reader, c.dst.Writer = nil, nil },
	Name:  "codec",
}

// Copy is io.Copy with a pooled buffer.
func Copy(dst io.Writer, src io.Reader) (int64, error) {
	c := copiers.Get()
	defer copiers.Put(c)
	c.src.Reader, c.dst.Writer = src, dst
	return io.CopyBuffer(&c.dst, &c.src, c.buf[:])
}
