// SPDX-License-Identifier: BSD-3-Clause

// Package report is the way of every diagnostic of spare vet to the user: it
// skips generated files and applies ignore comments, so that these work alike
// under spare vet, go vet -vettool, golangci-lint and Bazel.
package report

import (
	"cmp"
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strings"
	"sync"

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

	file *token.File
	line int
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
		if ast.IsGenerated(file) {
			f.generated[tf] = true
			continue
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				rest, ok := strings.CutPrefix(c.Text, prefix)
				if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
					continue
				}
				name, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
				f.ignores = append(f.ignores, &Ignore{
					Pos: c.Pos(), End: c.End(), Pattern: name, Reason: strings.TrimSpace(reason),
					file: tf, line: tf.Line(c.Pos()),
				})
			}
		}
	}
	return f, nil
}

// cost holds the patterns that waste memory but corrupt nothing: tests may.
var cost = map[string]bool{
	pattern.MissingPut: true, pattern.RetainedRefs: true, pattern.OversizeRetention: true, pattern.StaleHeader: true,
	pattern.PutByValue: true, pattern.PutLocalAddr: true, pattern.BootstrapSelfRef: true,
}

// drops reports whether a diagnostic is silenced. An ignore comment silences
// its pattern on its own line and on the line below.
func (f *Filter) drops(d analysis.Diagnostic) bool {
	tf := f.fset.File(d.Pos)
	if f.generated[tf] || strings.HasSuffix(tf.Name(), "_test.go") && cost[d.Category] {
		return true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	line := tf.Line(d.Pos)
	silent := false
	for _, ig := range f.ignores {
		if ig.file == tf && ig.Pattern == d.Category && ig.Reason != "" && (ig.line == line || ig.line == line-1) {
			ig.used = true
			silent = true
		}
	}
	return silent
}

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

// Diagnostics reports those of the given diagnostics that are not silenced.
func Diagnostics(pass *analysis.Pass, list []analysis.Diagnostic) {
	filter := pass.ResultOf[FilterAnalyzer].(*Filter)
	slices.SortStableFunc(list, func(x, y analysis.Diagnostic) int { return cmp.Compare(x.Pos, y.Pos) })
	for _, d := range list {
		if !filter.drops(d) {
			pass.Report(d)
		}
	}
}

// New makes an analyzer that reports what the walk over pooled values found of
// the given patterns.
func New(name, doc string, patterns ...string) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:     name,
		Doc:      pattern.Doc(doc, patterns...),
		URL:      "https://pkg.go.dev/github.com/spare-go/spare/tools/passes/" + name,
		Requires: []*analysis.Analyzer{flow.Analyzer, FilterAnalyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			var list []analysis.Diagnostic
			for _, f := range pass.ResultOf[flow.Analyzer].(*flow.Result).Findings {
				if slices.Contains(patterns, f.Pattern) {
					list = append(list, f.Diagnostic)
				}
			}
			Diagnostics(pass, list)
			return nil, nil
		},
	}
}

// Known reports whether a word is the name of a pattern.
func Known(name string) bool { return slices.Contains(pattern.All, name) }
