// Package app is a user's package.
package app

import (
	"bytes"
	"fmt"
	"io"
)

// Line writes one line of a log.
func Line(w io.Writer, key, value string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s=%s\n", key, value)
	_, err := w.Write(b.Bytes())
	return err
}
