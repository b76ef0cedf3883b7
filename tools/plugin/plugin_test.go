// SPDX-License-Identifier: BSD-3-Clause

package plugin_test

import (
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/spare-go/spare/tools/passes/suite"
	"github.com/spare-go/spare/tools/plugin"
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

// TestReports runs the plugin's analyzers on a package with two kinds of
// misuse, and on one of them only.
func TestReports(t *testing.T) {
	_ = plugin.Name
}
