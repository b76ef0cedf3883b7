package lifecycle

import (
	"bytes"
	"io"
	"sync"
)

var streams = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// What one user has of a stream, which it may close several times.
type hold struct {
	b    *bytes.Buffer
	done bool
}

func (h *hold) Read(p []byte) (int, error) { return h.b.Read(p) }

func (h *hold) Close() error {
	if h.done {
		return nil
	}
	h.done = true
	streams.Put(h.b)
	return nil
}

// Closed at each end of the stream that a reader comes to.
type closing struct{ rc io.ReadCloser }

func (c *closing) Read(p []byte) (int, error) {
	n, err := c.rc.Read(p)
	if err == io.EOF {
		c.rc.Close()
	}
	return n, err
}

func openHold() io.Reader {
	b, ok := streams.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	}
	return &closing{&hold{b: b}}
}
