// SPDX-License-Identifier: BSD-3-Clause

package leftover

import (
	"bytes"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// A Reset through an interface that several writers have is one.

type retargeted interface {
	io.WriteCloser
	Reset(io.Writer)
}

type plainWriter struct{ to io.Writer }

func (p *plainWriter) Write(b []byte) (int, error) { return p.to.Write(b) }
func (p *plainWriter) Close() error                { return nil }
func (p *plainWriter) Reset(w io.Writer)           { p.to = w }

var (
	squeezers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}
	plains    = sync.Pool{New: func() any { return new(plainWriter) }}
)

type outlet struct {
	w    retargeted
	done func()
}

func squeeze(to *bytes.Buffer, p []byte) error {
	z := squeezers.Get().(*gzip.Writer)
	defer squeezers.Put(z)
	z.Reset(to)
	if _, err := z.Write(p); err != nil {
		return err
	}
	return z.Close()
}

func openOutlet(small bool, to *bytes.Buffer) *outlet {
	o := new(outlet)
	if small {
		p := plains.Get().(*plainWriter)
		o.w, o.done = p, func() { plains.Put(p) }
	} else {
		z := squeezers.Get().(*gzip.Writer)
		o.w, o.done = z, func() { squeezers.Put(z) }
	}
	o.w.Reset(to)
	return o
}

func (o *outlet) end() error {
	err := o.w.Close()
	o.w.Reset(nil)
	o.done()
	return err
}

// Wrong: what writes without it is not.
func writeOld(p []byte) error {
	z := squeezers.Get().(*gzip.Writer)
	defer squeezers.Put(z)
	var w retargeted = z
	_, err := w.Write(p) // want `z, the pooled gzip\.Writer taken at line 68, is used without a Reset since it was taken`
	w.Reset(nil)
	return err
}
