// SPDX-License-Identifier: BSD-3-Clause

package aliases

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"sync"
)

// Writers that were made over pooled memory, and are reset to something else.

var pages = sync.Pool{New: func() any { return new([4096]byte) }}

type press struct {
	zip  *gzip.Writer
	line *bufio.Writer
	n    int
}

// The writer has let go of the page before that is put.
func (p *press) squeeze(dst io.Writer, text []byte) error {
	page := pages.Get().(*[4096]byte)
	buf := bytes.NewBuffer(page[:0])
	if p.zip == nil {
		p.zip, _ = gzip.NewWriterLevel(buf, gzip.BestSpeed)
	} else {
		p.zip.Reset(buf)
	}
	p.zip.Write(text)
	p.zip.Flush()
	_, err := dst.Write(buf.Bytes())
	p.zip.Reset(io.Discard)
	pages.Put(page)
	return err
}

// So it has when it is reset right after.
func (p *press) squeezeLate(dst io.Writer, text []byte) error {
	page := pages.Get().(*[4096]byte)
	buf := bytes.NewBuffer(page[:0])
	p.zip, _ = gzip.NewWriterLevel(buf, gzip.BestSpeed)
	p.zip.Write(text)
	p.zip.Flush()
	_, err := dst.Write(buf.Bytes())
	pages.Put(page)
	p.zip.Reset(io.Discard)
	return err
}

func (p *press) squeezeAndKeep(text []byte) {
	page := pages.Get().(*[4096]byte)
	p.zip, _ = gzip.NewWriterLevel(bytes.NewBuffer(page[:0]), gzip.BestSpeed) // want `field zip keeps memory of page after the value was put in pages`
	p.zip.Write(text)
	pages.Put(page)
}

// What it was reset to is in the pool.
func secondPage(text []byte) {
	first := pages.Get().(*[4096]byte)
	second := pages.Get().(*[4096]byte)
	w := bufio.NewWriter(bytes.NewBuffer(first[:0]))
	w.Write(text)
	w.Flush()
	w.Reset(bytes.NewBuffer(second[:0]))
	pages.Put(second)
	w.Write(text) // want `second is passed to Write after it was put in pages`
	w.Flush()
	pages.Put(first)
}

// What it was made over is.
func firstPage(dst io.Writer, text []byte) {
	first := pages.Get().(*[4096]byte)
	w := bufio.NewWriter(bytes.NewBuffer(first[:0]))
	w.Write(text)
	w.Flush()
	pages.Put(first)
	w.Reset(dst)
	w.Write(text)
	w.Flush()
}

// Flush writes to it.
func flushedLate(dst io.Writer, text []byte) {
	first := pages.Get().(*[4096]byte)
	w := bufio.NewWriter(bytes.NewBuffer(first[:0]))
	w.Write(text)
	pages.Put(first)
	w.Flush() // want `first is passed to Flush after it was put in pages`
	w.Reset(dst)
}
