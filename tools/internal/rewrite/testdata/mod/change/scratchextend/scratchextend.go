// Package scratchextend has a slice that append outgrows.
package scratchextend

import "io"

// Frame writes parts to w behind a header of n bytes.
func Frame(w io.Writer, n uint8, parts []string) error {
	frame := make([]byte, n, int(n)+64) // site outgrown
	for _, p := range parts {
		frame = append(frame, p...)
	}
	_, err := w.Write(frame)
	return err
}
