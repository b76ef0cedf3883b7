// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"go/ast"
	"go/token"
	"reflect"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/tools/go/analysis"

	"github.com/spare-go/spare/tools/passes/internal/flow"
	"github.com/spare-go/spare/tools/passes/pattern"
)

// prefix begins an ignore comment: //spare:ignore PATTERN reason.
const prefix = "//spare:ignore"

// An Ignore is one ignore comment.
type Ignore struct {
	Pos     token.Pos
	End     token.Pos
	Pattern string
	Reason  string
	Alone   bool // no code stands before it on its line: it is about the line below
	Untold  bool // its pattern is not reported in its file, which is a test's

	file *token.File
	line int // that it is about
	used bool
}

// A Filter holds the ignore comments and generated files of a package. Several
// analyzers use one at a time.
type Filter struct {
	fset      *token.FileSet
	mu        sync.Mutex
	ignores   []*Ignore
	generated map[*token.File]bool
}

// FilterAnalyzer reads the ignore comments of a package.
var FilterAnalyzer = &analysis.Analyzer{
	Name:       "spareignore",
	Doc:        "read //spare:ignore comments and find generated files",
	Run:        readIgnores,
	ResultType: reflect.TypeFor[*Filter](),
}

func readIgnores(pass *analysis.Pass) (any, error) {
	f := &Filter{fset: pass.Fset, generated: map[*token.File]bool{}}
	for _, file := range pass.Files {
		tf := pass.Fset.File(file.FileStart)
		if flow.Generated(pass.Fset, file) {
			f.generated[tf] = true
			continue
		}
		var code map[int]token.Pos
		for _, group := range file.Comments {
			for _, c := range group.List {
				rest, ok := strings.CutPrefix(c.Text, prefix)
				if !ok || rest != "" && strings.IndexFunc(rest, unicode.IsSpace) != 0 {
					continue
				}
				if code == nil {
					code = firstCode(tf, file)
				}
				name, reason := strings.TrimSpace(rest), ""
				if n := strings.IndexFunc(name, unicode.IsSpace); n >= 0 {
					name, reason = name[:n], strings.TrimSpace(name[n:])
				}
				ig := &Ignore{
					Pos: c.Pos(), End: c.End(), Pattern: name, Reason: reason, Untold: isTest(tf) && !inTests(name),
					file: tf, line: tf.Line(c.Pos()),
				}
				if first, ok := code[ig.line]; !ok || first > c.Pos() {
					ig.Alone = true
					ig.line++
				}
				f.ignores = append(f.ignores, ig)
			}
		}
	}
	return f, nil
}

// firstCode is where the code of each line begins. The lines between the first and the last of a node are those of
// the nodes in it; where it is a text, nothing else can stand there.
func firstCode(tf *token.File, file *ast.File) map[int]token.Pos {
	first := map[int]token.Pos{}
	note := func(p token.Pos) {
		if at, ok := first[tf.Line(p)]; !ok || p < at {
			first[tf.Line(p)] = p
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.CommentGroup, *ast.Comment:
			return false
		}
		if n.Pos().IsValid() && n.End() > n.Pos() {
			note(n.Pos())
			note(n.End() - 1)
		}
		return true
	})
	return first
}

// inTests reports whether a pattern is reported in _test.go files: one that wastes time or memory but corrupts
// nothing is not.
func inTests(name string) bool { return pattern.Kind(name) != "performance" }

// drops reports whether a diagnostic is silenced.
func (f *Filter) drops(d analysis.Diagnostic) bool {
	tf := f.fset.File(d.Pos)
	if f.generated[tf] || isTest(tf) && !inTests(d.Category) {
		return true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	line := tf.Line(d.Pos)
	silent := false
	for _, ig := range f.ignores {
		if ig.file == tf && ig.Pattern == d.Category && ig.Reason != "" && ig.line == line {
			ig.used = true
			silent = true
		}
	}
	return silent
}

func isTest(tf *token.File) bool { return strings.HasSuffix(tf.Name(), "_test.go") }

// Unused returns the ignore comments that silenced nothing.
func (f *Filter) Unused() []*Ignore {
	f.mu.Lock()
	defer f.mu.Unlock()
	var unused []*Ignore
	for _, ig := range f.ignores {
		if !ig.used {
			unused = append(unused, ig)
		}
	}
	return unused
}
