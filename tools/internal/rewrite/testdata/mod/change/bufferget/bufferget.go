// Package bufferget shows a buffer to an io.Writer.
package bufferget

import (
	"bytes"
	"fmt"
	"io"
	"time"
)

// Line writes one line.
func Line(w io.Writer, at time.Time, key, value string) error {
	var b bytes.Buffer
	b.Write(at.AppendFormat(b.AvailableBuffer(), time.RFC3339))
	b.WriteByte(' ')
	fmt.Fprintf(&b, "%s=%s", key, value) // site
	_, err := w.Write(b.Bytes())
	return err
}
