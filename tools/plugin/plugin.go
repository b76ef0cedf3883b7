// SPDX-License-Identifier: BSD-3-Clause

// Package plugin makes the analyzers of spare vet a linter of golangci-lint,
// by the name "spare". Import it for its effect in a custom golangci-lint (see
// docs/vet/README.md):
//
//	import _ "github.com/spare-go/spare/tools/plugin"
package plugin

import (
	"fmt"
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/spare-go/spare/tools/internal/vetcmd"
	"github.com/spare-go/spare/tools/passes/suite"
)

// Name is the linter's name in golangci-lint's configuration.
const Name = "spare"

// Settings are what stands under linters.settings.custom.spare.settings.
// Whether tests are checked is golangci-lint's own setting, run.tests.
type Settings struct {
	Only []string `json:"only"` // patterns to report; empty: all
	Skip []string `json:"skip"` // patterns not to report
}

func init() { register.Plugin(Name, New) }

// New returns the linter. It fails on a setting or pattern that it does not
// know.
func New(settings any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[Settings](settings)
	if err != nil {
		return nil, fmt.Errorf("linter %s: %w", Name, err)
	}
	selection, err := vetcmd.NewSelection(strings.Join(s.Only, ","), strings.Join(s.Skip, ","), true)
	if err != nil {
		return nil, fmt.Errorf("linter %s: settings: %w", Name, err)
	}
	return &linter{selection}, nil
}

type linter struct{ selection vetcmd.Selection }

// BuildAnalyzers returns the analyzers.
func (l *linter) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return l.selection.Limit(suite.Suite, vetcmd.NamePattern), nil
}

// GetLoadMode says that the analyzers need types.
func (l *linter) GetLoadMode() string { return register.LoadModeTypesInfo }
