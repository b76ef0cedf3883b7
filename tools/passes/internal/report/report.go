// SPDX-License-Identifier: BSD-3-Clause

// Package report is the way of every diagnostic of spare vet to the user: it
// skips generated files and applies ignore comments, so that these work alike
// under spare vet, go vet -vettool, golangci-lint and Bazel.
package report

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/spare-go/spare/tools/passes/internal/flow"
	"github.com/spare-go/spare/tools/passes/pattern"
)

// Diagnostics reports those of the given diagnostics that are not silenced.
func Diagnostics(pass *analysis.Pass, list []analysis.Diagnostic) {
	filter := pass.ResultOf[FilterAnalyzer].(*Filter)
	slices.SortStableFunc(list, func(x, y analysis.Diagnostic) int { return cmp.Compare(x.Pos, y.Pos) })
	for _, d := range list {
		if !filter.drops(d) {
			d.SuggestedFixes = slices.DeleteFunc(d.SuggestedFixes, func(f analysis.SuggestedFix) bool { return misplaced(pass, f) })
			pass.Report(d)
		}
	}
}

// misplaced reports whether a fix would edit a file at the offsets of another: those of what cmd/cgo made of it.
func misplaced(pass *analysis.Pass, f analysis.SuggestedFix) bool {
	return slices.ContainsFunc(f.TextEdits, func(e analysis.TextEdit) bool { return flow.Moved(pass.Fset, e.Pos) })
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
