// SPDX-License-Identifier: BSD-3-Clause

// Package unusedignore reports //spare:ignore comments that silence nothing.
package unusedignore

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/spare-go/spare/tools/passes/internal/report"
	"github.com/spare-go/spare/tools/passes/pattern"
	"github.com/spare-go/spare/tools/passes/poolcopy"
	"github.com/spare-go/spare/tools/passes/poolkeep"
	"github.com/spare-go/spare/tools/passes/poollife"
	"github.com/spare-go/spare/tools/passes/poolput"
	"github.com/spare-go/spare/tools/passes/selfref"
	"github.com/spare-go/spare/tools/passes/stackalias"
)

// Analyzer reports ignore comments that silence nothing. It runs after all
// that such a comment can silence.
var Analyzer = &analysis.Analyzer{
	Name: "unusedignore",
	Doc:  pattern.Doc("report //spare:ignore comments that silence nothing, name no pattern or give no reason", pattern.UnusedIgnore),
	URL:  "https://pkg.go.dev/github.com/spare-go/spare/tools/passes/unusedignore",
	Requires: []*analysis.Analyzer{
		report.FilterAnalyzer,
		poollife.Analyzer,
		poolput.Analyzer,
		poolkeep.Analyzer,
		poolcopy.Analyzer,
		selfref.Analyzer,
		stackalias.Analyzer,
	},
	Run: run,
}

func run(pass *analysis.Pass) (any, error) {
	for _, ig := range pass.ResultOf[report.FilterAnalyzer].(*report.Filter).Unused() {
		line := "this line" // what the comment is about
		if ig.Alone {
			line = "the next line"
		}
		msg := "this ignore comment silences nothing: there is no " + ig.Pattern + " on " + line
		switch {
		case ig.Pattern == "":
			msg = "this ignore comment names no pattern: write //spare:ignore PATTERN reason"
		case !slices.Contains(pattern.All, ig.Pattern):
			msg = "this ignore comment names no pattern that spare vet knows: " + ig.Pattern
		case ig.Reason == "":
			msg = "this ignore comment gives no reason: write //spare:ignore " + ig.Pattern + " reason"
		}
		d := analysis.Diagnostic{Pos: ig.Pos, End: ig.End, Category: pattern.UnusedIgnore, Message: msg}
		if slices.Contains(pattern.All, ig.Pattern) && ig.Reason != "" {
			d.SuggestedFixes = []analysis.SuggestedFix{{
				Message:   "remove the comment",
				TextEdits: []analysis.TextEdit{{Pos: ig.Pos, End: ig.End}},
			}}
		}
		pass.Report(d)
	}
	return nil, nil
}
