package bufferptr

import (
	"bytes"
	"encoding/json"
	"io"
)

// A holder that is local may have it.
type countingWriter struct {
	w io.Writer
	n int
}

func (c *countingWriter) Write(p []byte) (int, error) {
	c.n += len(p)
	return c.w.Write(p)
}

func send(w io.Writer, v any) (int, error) {
	body := bytes.NewBuffer(make([]byte, 0, 512)) // site
	cw := &countingWriter{w: body}
	if err := json.NewEncoder(cw).Encode(v); err != nil {
		return 0, err
	}
	if _, err := body.WriteTo(w); err != nil {
		return 0, err
	}
	return cw.n, nil
}
