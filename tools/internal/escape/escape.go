// SPDX-License-Identifier: BSD-3-Clause

// Package escape tells in words why the compiler puts values on the heap, and
// which values it keeps on the stack.
//
// The reasons come from the compiler's -json=0,DIR, which records each flow that
// makes a value escape. It has no record of what does not escape; that comes
// from the text of -m. Both are asked for in one compilation.
package escape

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spare-go/spare/tools/internal/gotest"
)

// A Record is what the compiler decided about one value.
type Record struct {
	File      string // absolute
	Line, Col int
	Expr      string // the expression that makes the value, or the name of the variable
	Heap      bool
	Moved     bool // Expr is a variable that was moved to the heap
	Flow      []Step
}

// A Step is one part of the way on which a value gets to the heap.
type Step struct {
	File  string
	Line  int
	Expr  string // the code
	How   string // what the compiler calls it: "return", "call parameter", ...
	Scope string // the variable that holds the value after the step, or "{heap}"
}

// Facts are the decisions about some packages.
type Facts struct {
	at    map[place][]*Record
	asked map[string]bool // directories of packages that were compiled; with tests, if true
}

type place struct {
	file string
	line int
}

// At returns what is known of the values that a line makes, in the order of
// their columns.
func (f *Facts) At(file string, line int) []*Record {
	if f == nil {
		return nil
	}
	return f.at[place{file, line}]
}

// Asked reports whether the compiler was asked about a file, so that its silence
// on a variable means that the variable was not moved to the heap.
func (f *Facts) Asked(file string) bool {
	if f == nil {
		return false
	}
	tests, ok := f.asked[filepath.Dir(file)]
	return ok && (tests || !strings.HasSuffix(file, "_test.go"))
}

// All calls yield for each record, in no order that means anything.
func (f *Facts) All(yield func(*Record) bool) {
	if f == nil {
		return
	}
	for _, rs := range f.at {
		for _, r := range rs {
			if !yield(r) {
				return
			}
		}
	}
}

// Of compiles the packages and returns the decisions about them. Temporary files
// are made in dir.
func Of(ctx context.Context, tc *gotest.Toolchain, pkgs []gotest.Package, dir string) (*Facts, error) {
	f := &Facts{at: make(map[place][]*Record), asked: make(map[string]bool)}
	for _, pkg := range pkgs {
		// A path that was never used before: see gotest.Toolchain.Explain.
		sub, err := os.MkdirTemp(dir, "escape")
		if err != nil {
			return nil, err
		}
		words, err := tc.Explain(ctx, pkg, sub)
		if err == nil {
			err = f.addJSON(filepath.Join(sub, "json"))
		}
		if rmErr := os.RemoveAll(sub); err == nil {
			err = rmErr
		}
		if err != nil {
			return nil, err
		}
		base, err := filepath.Abs(tc.Dir)
		if err != nil {
			return nil, err
		}
		f.addWords(words, base)
		f.asked[pkg.Dir] = f.asked[pkg.Dir] || pkg.Tests
	}
	for _, rs := range f.at {
		slices.SortStableFunc(rs, func(a, b *Record) int { return a.Col - b.Col })
	}
	return f, nil
}

// add adds a record unless there is one of the same value.
func (f *Facts) add(r *Record) {
	at := place{r.File, r.Line}
	for _, old := range f.at[at] {
		if old.Col == r.Col && old.Heap == r.Heap && (old.Expr == r.Expr || old.Heap) {
			if len(old.Flow) == 0 {
				old.Flow = r.Flow
			}
			old.Moved = old.Moved || r.Moved
			return
		}
	}
	f.at[at] = append(f.at[at], r)
}

// A diagnostic is one line of the compiler's JSON, which has the shape of the
// language server protocol's.
type diagnostic struct {
	Range              lspRange
	Code, Message      string
	RelatedInformation []struct {
		Location struct {
			URI   string
			Range lspRange
		}
		Message string
	}
}

type lspRange struct {
	Start struct{ Line, Character int }
}

func (f *Facts) addJSON(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := f.addFile(data); err != nil {
			return fmt.Errorf("the compiler's record of its decisions (-json=0): %w", err)
		}
		return nil
	})
}

func (f *Facts) addFile(data []byte) error {
	var header struct {
		Version int
		File    string
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 64<<20)
	if !lines.Scan() {
		return lines.Err()
	}
	if err := json.Unmarshal(lines.Bytes(), &header); err != nil {
		return err
	}
	if header.Version != 0 {
		return fmt.Errorf("version %d is not known", header.Version)
	}
	for lines.Scan() {
		var d diagnostic
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			return err
		}
		// The two codes come from two places of the compiler. A record without a
		// message repeats the position of one that has a message.
		if d.Code != "escape" && d.Code != "escapes" || d.Message == "" {
			continue
		}
		expr, ok := strings.CutSuffix(d.Message, " escapes to heap")
		if !ok {
			continue
		}
		f.add(&Record{
			File: header.File, Line: d.Range.Start.Line, Col: d.Range.Start.Character,
			Expr: expr, Heap: true, Flow: steps(&d),
		})
	}
	return lines.Err()
}

var (
	flowText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^escflow:\s+flow: (.+) ← .+:$`) })
	fromText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^escflow:\s+from (.+) \(([^()]+)\)$`) })
)

// steps reads the flow of a diagnostic: a line for each variable that the value
// gets to, followed by lines that say how.
func steps(d *diagnostic) []Step {
	var out []Step
	scope := ""
	for _, info := range d.RelatedInformation {
		if m := flowText().FindStringSubmatch(info.Message); m != nil {
			scope = m[1]
			continue
		}
		m := fromText().FindStringSubmatch(info.Message)
		if m == nil {
			continue // inlineLoc: where the code was inlined from
		}
		s := Step{Line: info.Location.Range.Start.Line, Expr: m[1], How: m[2], Scope: scope}
		if u, err := url.Parse(info.Location.URI); err == nil {
			s.File = filepath.FromSlash(u.Path)
		}
		out = append(out, s)
	}
	return out
}

var wordsText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(.+?):(\d+):(\d+): (moved to heap: )?(.+?)( does not escape| escapes to heap:?)?$`)
})

// addWords reads the text of -m. base is the directory that its paths are
// relative to.
func (f *Facts) addWords(text, base string) {
	for line := range strings.Lines(text) {
		m := wordsText().FindStringSubmatch(strings.TrimSpace(line))
		if m == nil || m[4] == "" && m[6] != " does not escape" {
			continue // what escapes has a better record in the JSON
		}
		file := m[1]
		if !filepath.IsAbs(file) {
			file = filepath.Join(base, file)
		}
		line, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		f.add(&Record{File: file, Line: line, Col: col, Expr: m[5], Heap: m[4] != "", Moved: m[4] != ""})
	}
}
