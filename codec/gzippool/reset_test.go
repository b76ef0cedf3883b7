// SPDX-License-Identifier: BSD-3-Clause

package gzippool

import (
	"io"
	"testing"
)

// countingCompressor counts what clears the tables.
type countingCompressor struct {
	compressor
	resets int
}

func (c *countingCompressor) Reset(w io.Writer) {
	c.resets++
	c.compressor.Reset(w)
}

// The standard library clears 640 KiB at each Reset.
func TestOneResetForEachUse(t *testing.T) {
	p := Pool{Backend: Standard}
	encoders, err := p.encodersOf(DefaultCompression)
	if err != nil {
		t.Fatal(err)
	}
	c := new(countingCompressor)
	l := encoders.Get()
	c.compressor = l.Codec.z
	l.Codec.z = c
	l.Codec.Init(c, errs)
	use := func() {
		l.Codec.start(io.Discard, nil)
		h := l.Handle()
		z := &Writer{enc: h}
		z.Write([]byte("x"))
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 5 {
		use()
		if c.resets != i+1 {
			t.Fatalf("%d uses, %d resets", i+1, c.resets)
		}
		if l = encoders.Get(); l.Codec.z != c {
			t.Skip("the codec was not reused in this build")
		}
	}
}
