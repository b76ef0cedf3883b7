// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// named are the packages that the patterns of a command line stand for.
type named struct {
	paths    []string // import paths
	own      bool     // all are the main modules' own, and there is one at least
	standard bool     // all are the standard library's, and there is one at least
}

// resolve asks the go command for the packages.
func resolve(ctx context.Context, build, packages []string) (n named, err error) {
	const format = "-f={{.ImportPath}}\t{{.Standard}}\t{{with .Module}}{{.Main}}{{end}}"
	out, err := goOutput(ctx, slices.Concat([]string{"list", "-e", "-find", format}, build, []string{"--"}, packages)...)
	if err != nil {
		return named{}, err
	}
	n.own, n.standard = len(out) > 0, len(out) > 0
	for line := range strings.Lines(string(out)) {
		path, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		standard, main, _ := strings.Cut(rest, "\t")
		n.paths = append(n.paths, path)
		n.standard = n.standard && standard == "true"
		n.own = n.own && main == "true"
	}
	return n, nil
}

// keep removes the other packages of a tree: those that were analysed as
// dependencies.
func (n named) keep(t Tree) {
	asked := make(map[string]bool)
	for _, path := range n.paths {
		asked[path] = true
	}
	maps.DeleteFunc(t, func(id string, _ map[string]Result) bool {
		path, _, _ := strings.Cut(id, " ")
		return !asked[path] && !asked[importPath(id)]
	})
}

// some names a few of a list.
func some(list []string) string {
	const few = 5
	text := strings.Join(list[:min(few, len(list))], ", ")
	if more := len(list) - few; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}
