package lostvalues

import (
	"bytes"
	"io"
	"sync"
)

// What is done with the new variable tells whether anybody else has it.

var leaflets = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func hiddenRead(r io.Reader, cut bool) error {
	var p *bytes.Buffer
	if cut {
		p := leaflets.Get().(*bytes.Buffer) // want `p, taken from leaflets at line \d+, is not put back on any path`
		p.Reset()
		if _, err := io.CopyN(p, r, 10); err != nil {
			return err
		}
	}
	if p != nil {
		leaflets.Put(p)
	}
	return nil
}

// right: the reader has it
func hiddenWrapped(w io.Writer, cut bool) io.Reader {
	var p *bytes.Buffer
	var r io.Reader
	if cut {
		p := leaflets.Get().(*bytes.Buffer)
		p.Reset()
		r = io.TeeReader(p, w)
	}
	if p != nil {
		leaflets.Put(p)
	}
	return r
}
