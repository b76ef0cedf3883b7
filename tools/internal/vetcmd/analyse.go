// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"context"
	"io"

	"github.com/spare-go/spare/tools/internal/plain"
)

// Analyse returns what spare vet finds in packages of the current directory,
// with positions relative to it where that is shorter, and what kept parts of
// them from being analysed, or "". tags are build tags, as for go build.
func Analyse(ctx context.Context, packages []string, tags string) (found []Diagnostic, broken string, err error) {
	var build []string
	if tags != "" {
		build = append(build, "-tags="+tags)
	}
	v, err := newVetting(ctx, build, packages, new(Selection), io.Discard)
	if err != nil {
		return nil, "", err
	}
	tree, short, err := v.analyse(ctx)
	if err != nil {
		return nil, "", err
	}
	if short != nil {
		broken = short.String()
	}
	found = tree.Findings()
	for i := range found {
		d := &found[i]
		d.Posn, d.End, d.Message = plain.Text(shorten(d.Posn)), plain.Text(shorten(d.End)), plain.Text(d.Message)
		for j := range d.Related {
			r := &d.Related[j]
			r.Posn, r.End, r.Message = plain.Text(shorten(r.Posn)), plain.Text(shorten(r.End)), plain.Text(r.Message)
		}
		// A report shows findings; spare vet -fix mends them.
		d.SuggestedFixes = nil
	}
	return found, broken, nil
}
