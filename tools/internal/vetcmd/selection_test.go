// SPDX-License-Identifier: BSD-3-Clause

package vetcmd_test

import (
	"go/token"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/spare-go/spare/tools/internal/vetcmd"
	"github.com/spare-go/spare/tools/passes/pattern"
)

// TestLimit has two analyzers of which one requires the other: limited, the
// second must find the first one's result where it looks for it.
func TestLimit(t *testing.T) {
	fset := token.NewFileSet()
	pos := fset.AddFile("p.go", -1, 10).Pos(0)
	inTest := fset.AddFile("p_test.go", -1, 10).Pos(0)

	first := &analysis.Analyzer{Name: "first", Doc: "first", Run: func(pass *analysis.Pass) (any, error) { return 42, nil }}
	second := &analysis.Analyzer{Name: "second", Doc: "second", Requires: []*analysis.Analyzer{first}}
	second.Run = func(pass *analysis.Pass) (any, error) {
		pass.Report(analysis.Diagnostic{Pos: pos, Category: "put-nil", Message: "a"})
		pass.Report(analysis.Diagnostic{Pos: pos, Category: "double-put", Message: "b"})
		pass.Report(analysis.Diagnostic{Pos: inTest, Category: "put-nil", Message: "c"})
		return pass.ResultOf[first], nil
	}
	s, err := vetcmd.NewSelection("put-nil", "", false)
	if err != nil {
		t.Fatal(err)
	}
	limited := s.Limit([]*analysis.Analyzer{first, second}, vetcmd.NamePattern)
	if err := analysis.Validate(limited); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(limited[1].Requires, limited[:1]) {
		t.Error("the second analyzer does not require the first one of the list")
	}
	var got []string
	result, err := limited[1].Run(&analysis.Pass{
		Fset:     fset,
		ResultOf: map[*analysis.Analyzer]any{limited[0]: 42},
		Report:   func(d analysis.Diagnostic) { got = append(got, d.Message) },
	})
	if result != 42 || err != nil {
		t.Errorf("result %v, %v", result, err)
	}
	if want := []string{"a [put-nil]"}; !slices.Equal(got, want) {
		t.Errorf("reported %q, want %q", got, want)
	}
}

// TestSelectTests leaves out what takes a test to explain together with what is in one.
func TestSelectTests(t *testing.T) {
	at := func(posn string, related ...string) vetcmd.Diagnostic {
		d := vetcmd.Diagnostic{Category: pattern.UseAfterPut, Posn: posn}
		for _, r := range related {
			d.Related = append(d.Related, vetcmd.Related{Posn: r})
		}
		return d
	}
	tree := func() vetcmd.Tree {
		return vetcmd.Tree{"p": {"poollife": {Diagnostics: []vetcmd.Diagnostic{
			at("/p/p.go:3:1", "/p/p.go:2:1"), at("/p/p.go:5:1", "/p/p.go:2:1", "/p/p_test.go:9:1"), at("/p/p_test.go:7:1"),
		}}}}
	}
	for _, tt := range []struct {
		noTest bool
		want   int
	}{{false, 3}, {true, 1}} {
		got := tree()
		got.Select(&vetcmd.Selection{NoTest: tt.noTest})
		list := got["p"]["poollife"].Diagnostics
		if len(list) != tt.want || list[0].Posn != "/p/p.go:3:1" {
			t.Errorf("NoTest %v: %v, want %d", tt.noTest, list, tt.want)
		}
	}
}
