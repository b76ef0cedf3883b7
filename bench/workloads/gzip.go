// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"compress/gzip"
	"io"
	"sync"

	"github.com/spare-go/spare/codec/gzippool"
)

// gzipTo writes data to w as one gzip stream.
type gzipTo func(w io.Writer, data []byte) error

func gzipNaive(w io.Writer, data []byte) error {
	gz := gzip.NewWriter(w)
	if _, err := gz.Write(data); err != nil {
		return err
	}
	return gz.Close()
}

// compressor is a gzip.Writer that lies idle without holding on to the writer that
// it served last. gzip.Writer.Reset could let go of it too, but at the default
// level it clears 640 KiB of tables, and once for each use is enough.
type compressor struct {
	to target
	gz *gzip.Writer // writes to to
}

type target struct{ w io.Writer }

func (t *target) Write(p []byte) (int, error) { return t.w.Write(p) }

func newCompressor() *compressor {
	c := new(compressor)
	c.gz = gzip.NewWriter(&c.to)
	return c
}

// start makes c write a new stream to w.
func (c *compressor) start(w io.Writer) *gzip.Writer {
	c.to.w = w
	c.gz.Reset(&c.to)
	return c.gz
}

func (c *compressor) compress(w io.Writer, data []byte) error {
	gz := c.start(w)
	if _, err := gz.Write(data); err != nil {
		return err
	}
	return gz.Close()
}

func (c *compressor) reset() { c.to.w = nil }

var compressors = sync.Pool{New: func() any { return newCompressor() }}

func gzipSyncPool(w io.Writer, data []byte) error {
	c := compressors.Get().(*compressor)
	err := c.compress(w, data)
	c.reset()
	compressors.Put(c)
	return err
}

func gzipSpare(w io.Writer, data []byte) error {
	gz := gzippool.Get(w)
	defer gzippool.Put(gz)
	if _, err := gz.Write(data); err != nil {
		return err
	}
	return gz.Close()
}
