// SPDX-License-Identifier: BSD-3-Clause

package format

import (
	"strings"
	"unicode/utf8"

	"github.com/spare-go/spare/tools/internal/plain"
)

// Width is how many characters a line of text for a terminal has at most, where
// nothing in it is longer.
const Width = 100

// Wrap breaks a text at its spaces into lines of at most [Width] characters. The first
// line begins with prefix, the others with indent; each ends with a newline. Line ends
// and the like in the text are written as [plain.Text] does.
func Wrap(prefix, indent, text string) string {
	var out strings.Builder
	line, empty := prefix, true
	for _, word := range strings.Split(plain.Text(text), " ") {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > Width {
			out.WriteString(line + "\n")
			line, empty = indent, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	out.WriteString(line + "\n")
	return out.String()
}
