// SPDX-License-Identifier: BSD-3-Clause

package suite_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/spare-go/spare/tools/passes/pattern"
	"github.com/spare-go/spare/tools/passes/suite"
	"github.com/spare-go/spare/tools/passes/unusedignore"
)

func TestSuite(t *testing.T) {
	if err := analysis.Validate(suite.Suite); err != nil {
		t.Error(err)
	}
	for _, a := range suite.Suite {
		// Bazel's nogo takes an analyzer without the others of its list.
		if err := analysis.Validate([]*analysis.Analyzer{a}); err != nil {
			t.Errorf("%s alone: %v", a.Name, err)
		}
		if summary, _, _ := strings.Cut(a.Doc, "\n"); summary == "" || strings.HasSuffix(summary, ".") {
			t.Errorf("%s: the documentation begins with %q", a.Name, summary)
		}
	}
}

// TestUnusedIgnoreLast asks that the analyzer of ignore comments runs after every
// other one.
func TestUnusedIgnoreLast(t *testing.T) {
	for _, a := range suite.Suite {
		if a != unusedignore.Analyzer && !slices.Contains(unusedignore.Analyzer.Requires, a) {
			t.Errorf("unusedignore does not require %s", a.Name)
		}
	}
}

// TestDocumented finds the page of every pattern in the documentation of the
// one analyzer that reports it.
func TestDocumented(t *testing.T) {
	for _, name := range pattern.Names() {
		var in []string
		for _, a := range suite.Suite {
			if strings.Contains(a.Doc, pattern.Page(name)) {
				in = append(in, a.Name)
			}
		}
		if len(in) != 1 {
			t.Errorf("the page of %s is in the documentation of %q, want one analyzer", name, in)
		}
	}
}
