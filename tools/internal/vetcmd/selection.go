// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/spare-go/spare/tools/passes/pattern"
)

// A Selection says which diagnostics are shown. It never changes what is
// analysed: facts, and the verdict on ignore comments, come from the whole
// package and from every pattern. The zero Selection shows everything.
type Selection struct {
	Only   []string // patterns; empty: all
	Skip   []string // patterns
	NoTest bool     // leave out diagnostics in _test.go files, and those that take one to explain
}

// NewSelection reads the comma-separated lists of -only and -skip. An empty
// one is no choice.
func NewSelection(only, skip string, tests bool) (s Selection, err error) {
	s.NoTest = !tests
	if only != "" {
		s.Only, err = parsePatterns("-only", only)
	}
	if skip != "" && err == nil {
		s.Skip, err = parsePatterns("-skip", skip)
	}
	if err != nil {
		return Selection{}, err
	}
	left := s.Only
	if left == nil {
		left = pattern.Names()
	}
	if !slices.ContainsFunc(left, func(name string) bool { return !slices.Contains(s.Skip, name) }) {
		return Selection{}, fmt.Errorf("-skip: %q leaves no pattern to report; name fewer", skip)
	}
	return s, nil
}

// parsePatterns splits a list of patterns. It refuses a name that is none, so
// that a slip of the pen does not pass as a clean run, and a list without
// names, such as a script's empty variable, which would be no choice either.
func parsePatterns(flag, list string) ([]string, error) {
	var names []string
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		if !pattern.Known(name) {
			return nil, fmt.Errorf("%s: unknown pattern %q; 'spare help vet' lists them", flag, name)
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: %q names no pattern; name one or more ('spare help vet' lists them), or leave %s out", flag, list, flag)
	}
	return names, nil
}

// Shows reports whether a diagnostic of the category, in the file and with related positions in
// others, is shown.
func (s *Selection) Shows(category, file string, related ...string) bool {
	inTest := func(file string) bool { return strings.HasSuffix(file, "_test.go") }
	if s.NoTest && (inTest(file) || slices.ContainsFunc(related, inTest)) {
		return false
	}
	if len(s.Only) > 0 && !slices.Contains(s.Only, category) {
		return false
	}
	return !slices.Contains(s.Skip, category)
}

// Limit returns the analyzers with their reports limited to what s shows when
// they run, and changed by edit, unless that is nil. It is for drivers that
// print what analyzers report, such as go vet and golangci-lint. Fixes that
// such a driver would misplace are left out.
func (s *Selection) Limit(analyzers []*analysis.Analyzer, edit func(*analysis.Diagnostic)) []*analysis.Analyzer {
	limited := make(map[*analysis.Analyzer]*analysis.Analyzer)
	for _, a := range analyzers {
		l := *a
		limited[a] = &l
	}
	list := make([]*analysis.Analyzer, len(analyzers))
	for i, a := range analyzers {
		l := limited[a]
		list[i] = l
		// Where one of the analyzers requires another, the two limited ones
		// must be a pair again, or the other would run twice.
		l.Requires = slices.Clone(a.Requires)
		for i, req := range l.Requires {
			l.Requires[i] = cmp.Or(limited[req], req)
		}
		l.Run = func(pass *analysis.Pass) (any, error) {
			for _, req := range a.Requires {
				if other := limited[req]; other != nil {
					pass.ResultOf[req] = pass.ResultOf[other]
				}
			}
			report := pass.Report
			pass.Report = func(d analysis.Diagnostic) {
				var related []string
				for _, r := range d.Related {
					related = append(related, pass.Fset.Position(r.Pos).Filename)
				}
				if !s.Shows(d.Category, pass.Fset.Position(d.Pos).Filename, related...) {
					return
				}
				d.SuggestedFixes = slices.DeleteFunc(slices.Clone(d.SuggestedFixes), func(fix analysis.SuggestedFix) bool { return displaced(pass.Fset, fix) })
				if edit != nil {
					edit(&d)
				}
				report(d)
			}
			return a.Run(pass)
		}
	}
	return list
}

// displaced reports whether a fix edits text to which a //line directive gives
// another place: what cgo or a generator made. Drivers would apply offsets in
// the text that was analysed to the file that the directive names.
func displaced(fset *token.FileSet, fix analysis.SuggestedFix) bool {
	return slices.ContainsFunc(fix.TextEdits, func(e analysis.TextEdit) bool {
		return fset.PositionFor(e.Pos, true) != fset.PositionFor(e.Pos, false)
	})
}

// NamePattern ends the message of a diagnostic with its pattern, in brackets:
// go vet and golangci-lint print no category, and whoever wants to read the
// pattern's page, or to silence the finding, needs the name.
func NamePattern(d *analysis.Diagnostic) { d.Message += patternSuffix(d.Category) }

func patternSuffix(category string) string { return " [" + category + "]" }
