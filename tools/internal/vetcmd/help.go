// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spare-go/spare/tools/passes/pattern"
)

// help prints the usage and the patterns, or the pages of the patterns that
// args name, and returns the exit code.
func help(stdout, stderr io.Writer, args []string) int {
	if len(args) == 0 {
		fmt.Fprintf(stdout, "%s\nThe patterns:\n\n", usage)
		w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
		for _, name := range pattern.Names() {
			fmt.Fprintf(w, "  %s\t%s\n", name, pattern.Title(name))
		}
		w.Flush()
		return clean
	}
	var pages []string
	for _, name := range args {
		if !pattern.Known(name) {
			fmt.Fprintf(stderr, "spare vet: unknown pattern %q; 'spare help vet' lists them\n", name)
			return failure
		}
		pages = append(pages, pattern.Page(name))
	}
	io.WriteString(stdout, strings.Join(pages, "\n"))
	return clean
}
