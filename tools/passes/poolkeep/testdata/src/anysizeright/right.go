// SPDX-License-Identifier: BSD-3-Clause

package anysizeright // Channels that keep buffers of any size.

import (
	"bytes"
	"encoding/json"
	"io"
)

// A list that drops what is too large.
type bufferList struct{ free chan *bytes.Buffer }

var pages = &bufferList{make(chan *bytes.Buffer, 16)}

func (l *bufferList) get() *bytes.Buffer {
	select {
	case b := <-l.free:
		return b
	default:
		return new(bytes.Buffer)
	}
}

func (l *bufferList) put(b *bytes.Buffer) {
	if b.Cap() > 1<<16 {
		return
	}
	b.Reset()
	select {
	case l.free <- b:
	default:
	}
}

func page(w io.Writer, v any) error {
	b := pages.get()
	defer pages.put(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}
