// SPDX-License-Identifier: BSD-3-Clause

package suite_test

import (
	"os"
	"path/filepath"
	"regexp"
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
	pattern.MissingPut:        {"return", "messages.Get()"},
	pattern.MissingReset:      {"Get()", "Put("},
	pattern.RetainedRefs:      {"[:0]", "batches.Put(", "batches.Get()"},
	pattern.OversizeRetention: {"ReadFrom", "bufs.Put(", "bufs.Get()"},
	pattern.StaleHeader:       {"append", "lines.Get()", "lines.Put("},
	pattern.PutLocalAddr:      {"b := *scratch.Get()"},
	pattern.PutNil:            {"Put(", "writers.Get()"},
	pattern.WrongType:         {"New:", "scratch.Put("},
	pattern.WrongPool:         {"large.Put(", "small.Get()"},
	pattern.PoolCopied:        {"var shared = sync.Pool"},
	pattern.BootstrapSelfRef:  {"[64]byte"},
	pattern.StackAlias:        {"return"},
	pattern.PutByValue:        {"scratch.Get()"},
	pattern.UnusedIgnore:      nil, // it is the comment
}

// named has, for each pattern, what the report on its page calls the value, and the lines in its text.
var named = map[string]string{
	pattern.UseAfterPut:       `^m is read after it was put in messages \(line \d+\)`,
	pattern.ReturnAlias:       `^memory of buf is returned while the deferred call puts it in bufs \(line \d+\)`,
	pattern.StoreAlias:        `^field name keeps memory of b after the value was put in scratch \(line \d+\)`,
	pattern.GoroutineUse:      `^m is put in messages while the goroutine started at line \d+`,
	pattern.DoublePut:         `^m is put in messages a second time; the first Put is at line \d+`,
	pattern.MissingPut:        `^m, taken from messages at line \d+, is not put back on the path that ends here \(line \d+\)`,
	pattern.MissingReset:      `^u, taken from users at line \d+, is decoded into without a reset, and a Put at line \d+`,
	pattern.RetainedRefs:      `^b\.events is cut to length 0 \(line \d+\) but not cleared before it goes to batches \(line \d+\)`,
	pattern.OversizeRetention: `^bufs keeps buf, put at line \d+, whatever its size: what one large input made grow \(line \d+\)`,
	pattern.StaleHeader:       `^the slice of p, put in lines, was appended to \(line \d+\)`,
	pattern.PutLocalAddr:      `^the address of the local variable b is put in scratch`,
	pattern.PutNil:            `^s\.w, which is nil, is put in writers \(line \d+\)`,
	pattern.WrongType:         `^b, a \*\[8\]byte, is put in scratch`,
	pattern.WrongPool:         `^p was taken from small but is put in large`,
	pattern.PutByValue:        `^b, a \[\]byte, is put in scratch by value`,
	pattern.PoolCopied:        `^shared, a sync\.Pool, is stored in a literal by value`,
	pattern.BootstrapSelfRef:  `^field buf is made a slice of its own struct's array boot`,
	pattern.StackAlias:        `^&all\[0\]\.hits may point to a dead stack frame`,
	pattern.UnusedIgnore:      `^this ignore comment silences nothing`,
}

// TestRelated asks each pattern's report on its own page for the places that explain it, and for the names that its
// source has.
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
				if !regexp.MustCompile(named[name]).MatchString(d.Message) {
					t.Errorf("%s: the report does not name what it is about: %q, not like %q", name, d.Message, named[name])
				}
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
		if named[name] == "" {
			t.Errorf("what the report of %s calls the value is not tested", name)
		}
		if !found[name] {
			t.Errorf("%s is not reported on its page", name)
		}
	}
}
