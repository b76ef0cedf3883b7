// Package scratchoutgrown has a slice that append outgrows.
package scratchoutgrown

import "io"

// Join writes parts to w, with commas.
func Join(w io.Writer, parts []string) error {
	line := make([]byte, 0, 64) // site outgrown
	for _, p := range parts {
		line = append(line, p...)
		line = append(line, ',')
	}
	_, err := w.Write(line)
	return err
}
