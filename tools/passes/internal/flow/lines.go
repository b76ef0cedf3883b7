// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"path/filepath"
	"strings"
)

// fileMark stands before and after the name of a file in a message that is not said yet: where a finding
// will be is known only at the end.
const fileMark = "\x00"

// line is a position as messages show it. The file's name follows in marks, which inFile takes out.
func (a *analysis) line(p token.Pos) string {
	pos := a.fset.Position(p)
	return fmt.Sprintf("line %d", pos.Line) + fileMark + pos.Filename + fileMark
}

// inFile is a message as the reader of a finding at a position sees it: lines of another file than that have
// the file's name.
func (a *analysis) inFile(p token.Pos, message string) string {
	here := a.fset.Position(p).Filename
	parts := strings.Split(message, fileMark)
	for n := 1; n < len(parts); n += 2 { // every other part is the name of a file
		if parts[n] == here {
			parts[n] = ""
		} else {
			parts[n] = " of " + filepath.Base(parts[n])
		}
	}
	return strings.Join(parts, "")
}
