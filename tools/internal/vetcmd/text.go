// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeText prints findings as go vet does. The related positions follow each
// finding: indented for people, or as lines that begin with the position, as
// go vet writes them (see -related).
func writeText(w io.Writer, findings []Diagnostic, related string) {
	if related == "auto" {
		related = "plain"
		if isTerminal(w) {
			related = "indent"
		}
	}
	for _, d := range findings {
		fmt.Fprintf(w, "%s: %s\n", shorten(d.Posn), d.Message)
		for _, r := range d.Related {
			switch related {
			case "indent":
				fmt.Fprintf(w, "\t%s: %s\n", shorten(r.Posn), r.Message)
			case "plain":
				fmt.Fprintf(w, "%s: \t%s\n", shorten(r.Posn), r.Message)
			}
		}
	}
}

// shorten makes the file of a position relative to the working directory
// where that is shorter.
func shorten(posn string) string {
	p := parsePosition(posn)
	dir, err := os.Getwd()
	if err != nil {
		return posn
	}
	if rel, err := filepath.Rel(dir, p.File); err == nil && len(rel) < len(p.File) {
		p.File = rel
	}
	return p.String()
}

// isTerminal reports whether w is a terminal. The null device, a character
// device too, is not.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
