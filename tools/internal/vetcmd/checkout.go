// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// rebase corrects file names that another checkout, built with -trimpath, left in a shared cache.
//
// With -trimpath the key of a cached result does not hold the directory, so
// that all checkouts of a repository share it, but the result holds absolute
// names of the checkout that computed it. rebase asks the go command where
// the packages with findings lie here, and renames.
func rebase(ctx context.Context, t Tree, build []string) error {
	if len(t) == 0 {
		return nil
	}
	dirs, err := packageDirs(ctx, slices.Sorted(maps.Keys(t)), build)
	if err != nil {
		return err
	}
	for id, results := range t {
		here := dirs[importPath(id)]
		if here == "" {
			continue
		}
		for name, r := range results {
			for i, d := range r.Diagnostics {
				there, file := filepath.Split(parsePosition(d.Posn).File)
				there = filepath.Clean(there)
				// A //line directive may name a file elsewhere; leave it.
				if _, err := os.Stat(filepath.Join(here, file)); there != here && err == nil {
					r.Diagnostics[i] = d.moved(commonRoots(there, here))
				}
			}
			results[name] = r
		}
	}
	return nil
}

// moved returns d with every file below the directory from named below to.
func (d Diagnostic) moved(from, to string) Diagnostic {
	move := func(name string) string {
		if rest, ok := strings.CutPrefix(name, from); ok && (rest == "" || rest[0] == filepath.Separator) {
			return to + rest
		}
		return name
	}
	d.Posn, d.End = move(d.Posn), move(d.End)
	for i := range d.Related {
		r := &d.Related[i]
		r.Posn, r.End = move(r.Posn), move(r.End)
	}
	for _, fix := range d.SuggestedFixes {
		for i := range fix.Edits {
			fix.Edits[i].Filename = move(fix.Edits[i].Filename)
		}
	}
	return d
}

// commonRoots strips the elements that two directories end with alike.
func commonRoots(a, b string) (string, string) {
	for filepath.Base(a) == filepath.Base(b) && filepath.Dir(a) != a && filepath.Dir(b) != b {
		a, b = filepath.Dir(a), filepath.Dir(b)
	}
	return a, b
}

// importPath strips what distinguishes test variants: "p [p.test]", "p_test".
func importPath(id string) string {
	id, _, _ = strings.Cut(id, " ")
	return strings.TrimSuffix(id, "_test")
}

// packageDirs returns the directory of each package with the given ID.
func packageDirs(ctx context.Context, ids, build []string) (map[string]string, error) {
	var paths []string
	for _, id := range ids {
		paths = append(paths, importPath(id))
	}
	args := slices.Concat([]string{"list", "-e", "-find", "-json=ImportPath,Dir"}, build, []string{"--"}, slices.Compact(paths))
	out, err := goOutput(ctx, args...)
	if err != nil {
		return nil, err
	}
	dirs := make(map[string]string)
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Dir string }
		if err := d.Decode(&p); err == io.EOF {
			return dirs, nil
		} else if err != nil {
			return nil, err
		}
		dirs[p.ImportPath] = p.Dir
	}
}
