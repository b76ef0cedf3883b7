package fixed

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
	return bytes.Clone(b.Bytes())
}

func encodeErr(s string) ([]byte, error) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	defer bufs.Put(b)
	if _, err := b.WriteString(s); err != nil {
		return nil, err
	}
	return bytes.Clone(b.Bytes()[1:]), nil
}
