// SPDX-License-Identifier: BSD-3-Clause

// Package texttable lines up columns of text for a terminal. Unlike
// text/tabwriter it aligns each column to the left or to the right, and counts
// characters instead of bytes.
package texttable

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spare-go/spare/tools/internal/plain"
)

// A Table is a list of rows. The zero value is an empty table.
type Table struct {
	// Left holds the columns that align to the left; the others align to the
	// right, as numbers do.
	Left map[int]bool

	rows [][]string
}

// Row adds a row. Line ends and the like in a cell are written as [plain.Text] does.
func (t *Table) Row(cells ...string) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = plain.Text(c)
	}
	t.rows = append(t.rows, row)
}

// Gap adds an empty line.
func (t *Table) Gap() { t.rows = append(t.rows, nil) }

// Write writes the table.
func (t *Table) Write(w io.Writer) error {
	var widths []int
	for _, row := range t.rows {
		if len(row) == 1 {
			continue // a heading runs across the columns
		}
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for _, row := range t.rows {
		var line strings.Builder
		for i, c := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			pad := ""
			if len(row) > 1 {
				pad = strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			}
			if t.Left[i] {
				line.WriteString(c + pad)
			} else {
				line.WriteString(pad + c)
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}
