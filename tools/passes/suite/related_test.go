// SPDX-License-Identifier: BSD-3-Clause

package suite_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/internal/cases"
	"github.com/spare-go/spare/tools/passes/pattern"
	"github.com/spare-go/spare/tools/passes/pattern/patterntest"
	"github.com/spare-go/spare/tools/passes/suite"
)

// related has, for each pattern, what the lines hold which the report on its page refers to besides its own: where
// the value was put, made, taken, grown, lost, or where the pool is.
var related = map[string][]string{
	pattern.UseAfterPut:       {"messages.Put(m)", "messages.Get()"},
	pattern.ReturnAlias:       {"bufs.Put(", "bufs.Get()"},
	pattern.StoreAlias:        {"scratch.Put(", "scratch.Get()"},
	pattern.GoroutineUse:      {"messages.Put(", "go m.send"},
	pattern.DoublePut:         {"messages.Put(m)", "defer messages.Put(m)", "messages.Get()"},
	pattern.MissingPut:        {"return"},
	pattern.MissingReset:      {"Get()", "Put("},
	pattern.RetainedRefs:      {"[:0]"},
	pattern.OversizeRetention: {"ReadFrom"},
	pattern.StaleHeader:       {"append", "lines.Get()"},
	pattern.PutLocalAddr:      {"b := *scratch.Get()"},
	pattern.PutNil:            {"Put("},
	pattern.WrongType:         {"New:"},
	pattern.WrongPool:         {"large.Put(", "small.Get()"},
	pattern.PoolCopied:        {"var shared = sync.Pool"},
	pattern.BootstrapSelfRef:  {"[64]byte"},
	pattern.StackAlias:        {"return"},
	pattern.PutByValue:        nil, // one place shows it all
	pattern.UnusedIgnore:      nil, // it is the comment
}

// TestRelated asks each pattern's report on its own page for the places that explain it.
func TestRelated(t *testing.T) {
	dir := t.TempDir()
	lines := map[string][]string{} // of the file of each pattern
	for _, name := range pattern.Names() {
		src, err := patterntest.File(name, patterntest.Wrong)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, "src", name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "src", name, "p.go"), []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
		lines[name] = strings.Split(src, "\n")
	}
	found := map[string]bool{}
	for _, a := range suite.Suite {
		packages := slices.DeleteFunc(pattern.Names(), func(name string) bool { return !strings.Contains(a.Doc, pattern.Page(name)) })
		for _, r := range analysistest.Run(cases.IgnoreWants{}, dir, a, packages...) {
			name := r.Action.Package.PkgPath
			if r.Err != nil {
				t.Fatalf("%s on the page of %s: %v", a.Name, name, r.Err)
			}
			for _, d := range r.Diagnostics {
				if d.Category != name {
					continue
				}
				found[name] = true
				var at []string
				for _, rel := range d.Related {
					p := r.Pass.Fset.Position(rel.Pos)
					if filepath.Base(p.Filename) != "p.go" || p.Line < 1 || p.Line >= len(lines[name]) || rel.Message == "" {
						t.Errorf("%s: a related position %v with the text %q", name, p, rel.Message)
						continue
					}
					at = append(at, lines[name][p.Line-1])
				}
				for _, want := range related[name] {
					if !slices.ContainsFunc(at, func(line string) bool { return strings.Contains(line, want) }) {
						t.Errorf("%s: no related position on a line with %q, but on\n%s", name, want, strings.Join(at, "\n"))
					}
				}
			}
		}
	}
	for _, name := range pattern.Names() {
		if _, known := related[name]; !known {
			t.Errorf("what the report of %s refers to is not tested", name)
		}
		if !found[name] {
			t.Errorf("%s is not reported on its page", name)
		}
	}
}
