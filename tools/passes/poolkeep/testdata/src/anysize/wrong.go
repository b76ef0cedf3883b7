// SPDX-License-Identifier: BSD-3-Clause

package anysize // Channels that keep buffers of any size.

import (
	"bytes"
	"encoding/json"
	"io"
)

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
	b.Reset()
	select {
	case l.free <- b: // want `the channel free keeps buffers of any size`
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

var spare = make(chan *bytes.Buffer, 4)

func getSpare() (b *bytes.Buffer) {
	select {
	case b = <-spare:
	default:
		b = new(bytes.Buffer)
	}
	return
}

func putSpare(b *bytes.Buffer) {
	b.Reset()
	select {
	case spare <- b: // want `the channel spare keeps buffers of any size`
	default:
	}
}

func length(r io.Reader) (int, error) {
	b := getSpare()
	defer putSpare(b)
	_, err := b.ReadFrom(r)
	return b.Len(), err
}
