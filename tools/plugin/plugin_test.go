// SPDX-License-Identifier: BSD-3-Clause

package plugin_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/spare-go/spare/tools/passes/suite"
	_ "github.com/spare-go/spare/tools/plugin"
)

// build does what golangci-lint does with the linter's settings, which it has
// read from YAML.
func build(t *testing.T, settings any) (register.LinterPlugin, error) {
	t.Helper()
	create, err := register.GetPlugin("spare")
	if err != nil {
		t.Fatal(err)
	}
	return create(settings)
}

func TestRegistered(t *testing.T) {
	linter, err := build(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	if mode := linter.GetLoadMode(); mode != register.LoadModeTypesInfo {
		t.Errorf("load mode %q", mode)
	}
	analyzers, err := linter.BuildAnalyzers()
	if err != nil {
		t.Fatal(err)
	}
	if err := analysis.Validate(analyzers); err != nil {
		t.Error(err)
	}
	if len(analyzers) != len(suite.Suite) || len(analyzers) == 0 {
		t.Fatalf("%d analyzers, the suite has %d", len(analyzers), len(suite.Suite))
	}
	for i, a := range analyzers {
		if a.Name != suite.Suite[i].Name {
			t.Errorf("analyzer %d is %s, want %s", i, a.Name, suite.Suite[i].Name)
		}
	}
}

func TestSettings(t *testing.T) {
	if _, err := build(t, map[string]any{"only": []any{"put-nil", "double-put"}, "skip": []any{"put-nil"}}); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct {
		settings map[string]any
		want     string
	}{
		{map[string]any{"only": []any{"nonsense"}}, `unknown pattern "nonsense"`},
		{map[string]any{"skip": []any{"put-nil", "nonsense"}}, `unknown pattern "nonsense"`},
		{map[string]any{"onyl": []any{"put-nil"}}, `"onyl"`},
		{map[string]any{"only": "put-nil"}, "only"},
	} {
		if _, err := build(t, tt.settings); err == nil || !strings.Contains(err.Error(), "linter spare: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: error %v, want %s", tt.settings, err, tt.want)
		}
	}
}

const source = `package p

import "sync"

type conn struct{ id int }

var conns = sync.Pool{New: func() any { return new(conn) }}

func after(id int) int {
	c := conns.Get().(*conn)
	c.id = id
	conns.Put(c)
	return c.id
}

func none() { conns.Put((*conn)(nil)) }
`

// TestReports runs the plugin's analyzers as a driver does, with settings.
func TestReports(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.26.0\n", "p.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off")}, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		settings map[string]any
		want     []string
	}{
		{nil, []string{"put-nil", "use-after-put"}},
		{map[string]any{"only": []any{"use-after-put"}}, []string{"use-after-put"}},
		{map[string]any{"skip": []any{"use-after-put"}}, []string{"put-nil"}},
	} {
		linter, err := build(t, tt.settings)
		if err != nil {
			t.Fatal(err)
		}
		analyzers, err := linter.BuildAnalyzers()
		if err != nil {
			t.Fatal(err)
		}
		graph, err := checker.Analyze(analyzers, pkgs, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, root := range graph.Roots {
			if root.Err != nil {
				t.Error(root.Err)
			}
			for _, d := range root.Diagnostics {
				got = append(got, d.Category)
				if suffix := " [" + d.Category + "]"; !strings.HasSuffix(d.Message, suffix) {
					t.Errorf("the message does not name its pattern: %s", d.Message)
				}
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v: found %q, want %q", tt.settings, got, tt.want)
		}
	}
}
