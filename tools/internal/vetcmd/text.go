// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spare-go/spare/tools/internal/plain"
)

// writeText prints findings as go vet does. The related positions follow each
// finding: indented for people, or as lines that begin with the position, as
// go vet writes them (see -related).
func writeText(w io.Writer, findings []Diagnostic, related string) {
	if related == "auto" {
		related = "plain"
		if plain.IsTerminal(w) {
			related = "indent"
		}
	}
	for _, d := range findings {
		fmt.Fprintf(w, "%s: %s\n", plain.Text(shorten(d.Posn)), plain.Text(d.Message))
		for _, r := range d.Related {
			switch related {
			case "indent":
				fmt.Fprintf(w, "\t%s: %s\n", plain.Text(shorten(r.Posn)), plain.Text(r.Message))
			case "plain":
				fmt.Fprintf(w, "%s: \t%s\n", plain.Text(shorten(r.Posn)), plain.Text(r.Message))
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
