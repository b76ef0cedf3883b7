// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/go/ast/astutil"

	"github.com/spare-go/spare/tools/internal/plain"
)

// The fixes come from the same cached JSON as the findings, so that -fix
// costs no second analysis, and two fixes that overlap do not void each other:
// the later one waits for the next round. (go vet -fix, in another mode, has
// another cache key, and drops all fixes of a package with a conflict.)

// A rewrite is a file before and after its fixes.
type rewrite struct {
	name     string
	old, new []byte
}

// planFixes applies the first fix of each finding that has one, in memory, and
// returns the findings that it leaves: those without a fix, those whose fix
// touches what an earlier one changed, and those in files that may refuses.
func planFixes(found []Diagnostic, may func(file string) bool) (plan []rewrite, rest []Diagnostic, err error) {
	accepted := make(map[string][]Edit)
	for _, d := range found {
		if !takeFix(accepted, d, may) {
			rest = append(rest, d)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(accepted)) {
		r, err := rewriteFile(name, accepted[name])
		if err != nil {
			return nil, nil, err
		}
		plan = append(plan, r)
	}
	return plan, rest, nil
}

// takeFix adds the edits of d's first fix to those accepted, all or none.
func takeFix(accepted map[string][]Edit, d Diagnostic, may func(file string) bool) bool {
	if len(d.SuggestedFixes) == 0 {
		return false
	}
	edits := d.SuggestedFixes[0].Edits
	for _, e := range edits {
		if !may(e.Filename) || overlaps(accepted[e.Filename], e) {
			return false
		}
	}
	for _, e := range edits {
		if !slices.Contains(accepted[e.Filename], e) {
			accepted[e.Filename] = append(accepted[e.Filename], e)
		}
	}
	return len(edits) > 0
}

// overlaps reports whether e meets one of the edits. An edit equal to e, such
// as the same import added twice, does not.
func overlaps(edits []Edit, e Edit) bool {
	return slices.ContainsFunc(edits, func(f Edit) bool { return e != f && e.Start <= f.End && f.Start <= e.End })
}

// rewriteFile applies edits that do not overlap, formats the result and drops
// the imports that lost their last use.
func rewriteFile(name string, edits []Edit) (rewrite, error) {
	old, err := os.ReadFile(name)
	if err != nil {
		return rewrite{}, err
	}
	slices.SortFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	var out []byte
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(old) {
			return rewrite{}, fmt.Errorf("%s: changed while it was analysed; run again", name)
		}
		out = append(append(out, old[at:e.Start]...), e.New...)
		at = e.End
	}
	out = append(out, old[at:]...)
	if out, err = tidyImports(name, old, out); err != nil {
		return rewrite{}, fmt.Errorf("%s: a fix does not parse, and no file was changed: %w", shorten(name), err)
	}
	return rewrite{name: name, old: old, new: out}, nil
}

// tidyImports formats src, without the imports that old used and src does not.
// A file that was not formatted before stays as it is but for the fixes.
func tidyImports(name string, old, src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	after, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	before, err := parser.ParseFile(token.NewFileSet(), name, old, 0)
	if err != nil {
		return nil, err
	}
	var unused []*ast.ImportSpec
	for _, spec := range after.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err == nil && spec.Name == nil && astutil.UsesImport(before, path) && !astutil.UsesImport(after, path) {
			unused = append(unused, spec)
		}
	}
	if formatted, err := format.Source(old); len(unused) == 0 && (err != nil || !bytes.Equal(formatted, old)) {
		return src, nil
	}
	for _, spec := range unused {
		path, _ := strconv.Unquote(spec.Path.Value)
		astutil.DeleteImport(fset, after, path)
	}
	var buf bytes.Buffer
	if err := format.Node(&buf, fset, after); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// writeFiles writes every file of the plan, each whole or not at all.
func writeFiles(plan []rewrite) error {
	for i, r := range plan {
		if err := writeFile(r.name, r.new); err != nil {
			return cmp.Or(restoreFiles(plan[:i]), err)
		}
	}
	return nil
}

// restoreFiles undoes writeFiles.
func restoreFiles(plan []rewrite) error {
	for _, r := range plan {
		if err := writeFile(r.name, r.old); err != nil {
			return err
		}
	}
	return nil
}

// writeDiff prints the plan as a patch for patch -p1 in the working directory.
func writeDiff(w io.Writer, plan []rewrite) error {
	w = plain.Patch(w)
	for _, r := range plan {
		name := filepath.ToSlash(shorten(r.name))
		if _, err := w.Write(diff.Diff(plain.PatchName("a/"+name), r.old, plain.PatchName("b/"+name), r.new)); err != nil {
			return err
		}
	}
	return nil
}

// fixable reports whether -fix may change a file: not one of the standard
// library, of the module cache, or under a vendor directory.
func (env goEnv) fixable(file string) bool {
	for _, dir := range []string{env.GOROOT, env.GOMODCACHE} {
		if dir != "" && strings.HasPrefix(file, dir+string(filepath.Separator)) {
			return false
		}
	}
	return !strings.Contains(filepath.ToSlash(file), "/vendor/")
}
