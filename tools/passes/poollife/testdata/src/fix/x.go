package fix

import (
	"bytes"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func encode(s string) []byte {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	defer bufs.Put(b)
	b.WriteString(s)
	return b.Bytes() // want `memory of b is returned`
}

func encodeErr(s string) ([]byte, error) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	defer bufs.Put(b)
	if _, err := b.WriteString(s); err != nil {
		return nil, err
	}
	return b.Bytes()[1:], nil // want `memory of b is returned`
}
