// SPDX-License-Identifier: BSD-3-Clause

package unusedignore

import (
	"strings"

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
		msg, remove := answer(ig)
		d := analysis.Diagnostic{Pos: ig.Pos, End: ig.End, Category: pattern.UnusedIgnore, Message: msg}
		if remove {
			d.SuggestedFixes = []analysis.SuggestedFix{{
				Message:   "remove the comment",
				TextEdits: []analysis.TextEdit{{Pos: ig.Pos, End: ig.End}},
			}}
		}
		pass.Report(d)
	}
	return nil, nil
}

// answer says what is wrong with a comment that silences nothing, and whether to remove it is the mend: what was
// not written as it should be may still be meant.
func answer(ig *report.Ignore) (msg string, remove bool) {
	switch {
	case ig.Pattern == "":
		return "this ignore comment names no pattern: write //spare:ignore PATTERN reason", false
	case strings.Contains(ig.Pattern, ","):
		return "this ignore comment names more than one pattern, and silences none: write one comment for each, at the end of the line and alone above it", false
	case ig.Pattern == pattern.UnusedIgnore:
		return "this ignore comment silences nothing: " + pattern.UnusedIgnore + " cannot be silenced by a comment; remove the comment that it is about, or leave these reports out with -skip " + pattern.UnusedIgnore, true
	case !pattern.Known(ig.Pattern):
		return "this ignore comment names no pattern that spare vet knows: " + ig.Pattern, false
	case ig.Untold:
		return "this ignore comment silences nothing: " + ig.Pattern + " is not reported in _test.go files", true
	case ig.Reason == "":
		return "this ignore comment gives no reason: write //spare:ignore " + ig.Pattern + " reason", false
	case ig.Alone:
		return "this ignore comment silences nothing: there is no " + ig.Pattern + " on the next line", true
	}
	return "this ignore comment silences nothing: there is no " + ig.Pattern + " on this line", true
}
