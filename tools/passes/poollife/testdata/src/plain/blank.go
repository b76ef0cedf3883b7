package plain

import (
	"bytes"

	"plainpkg"
)

func clears(s string) []byte {
	b := bufs.Get().(*plainpkg.Buf)
	defer bufs.Put(b)
	b.Reset()
	plainpkg.Ignore([]*bytes.Buffer{})
	return b.Bytes() // want `memory of b is returned`
}
