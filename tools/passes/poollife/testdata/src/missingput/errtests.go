// SPDX-License-Identifier: BSD-3-Clause

package missingput

import (
	"errors"
	"io"
	"os"
	"sync"
)

var chunks = sync.Pool{New: func() any { return new([64]byte) }}

// readChunk returns a chunk, or an error.
func readChunk(r io.Reader) (*[64]byte, error) {
	c := chunks.Get().(*[64]byte)
	if _, err := io.ReadFull(r, c[:]); err != nil {
		chunks.Put(c)
		return nil, err
	}
	return c, nil
}

// No error is none of these.
func copyChunks(w io.Writer, r io.Reader) error {
	for {
		c, err := readChunk(r)
		if errors.Is(err, io.ErrUnexpectedEOF) || os.IsTimeout(err) {
			return nil
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		w.Write(c[:])
		chunks.Put(c)
	}
}

func copyChunksWrong(w io.Writer, r io.Reader) error {
	for {
		c, err := readChunk(r) // want `c, taken from chunks at line 44, is not put back on the path`
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if _, err := w.Write(c[:]); errors.Is(err, io.ErrShortWrite) {
			return err
		}
		chunks.Put(c)
	}
}
