// SPDX-License-Identifier: BSD-3-Clause

package format_test

import (
	"strings"
	"testing"

	"github.com/spare-go/spare/tools/internal/format"
)

func TestWrap(t *testing.T) {
	word := strings.Repeat("x", 30)
	for _, tt := range []struct{ text, want string }{
		{"short", "> short\n"},
		{"", "> \n"},
		{strings.Join([]string{word, word, word, word}, " "), "> " + word + " " + word + " " + word + "\n    " + word + "\n"},
		// What is longer than a line stays whole.
		{"a " + strings.Repeat("y", 120) + " b", "> a\n    " + strings.Repeat("y", 120) + "\n    b\n"},
		{strings.Repeat("ä", 98), "> " + strings.Repeat("ä", 98) + "\n"},
	} {
		if got := format.Wrap("> ", "    ", tt.text); got != tt.want {
			t.Errorf("%q: got\n%swant\n%s", tt.text, got, tt.want)
		}
	}
}
