// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"context"
	"io"
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
		d.Posn, d.End = shorten(d.Posn), shorten(d.End)
		for j := range d.Related {
			d.Related[j].Posn, d.Related[j].End = shorten(d.Related[j].Posn), shorten(d.Related[j].End)
		}
		// A report shows findings; spare vet -fix mends them.
		d.SuggestedFixes = nil
	}
	return found, broken, nil
}
