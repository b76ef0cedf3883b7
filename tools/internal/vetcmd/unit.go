// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"encoding/json"
	"fmt"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
)

// A unit is one package that the go command calls the tool for.
type unit struct {
	file string // its description
	unitchecker.Config
}

func readUnit(file string) (*unit, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	u := &unit{file: file}
	if err := json.Unmarshal(data, &u.Config); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return u, nil
}

// hasTests reports whether the package has tests that are part of it. What the go command
// is asked to vet is then always the package with those, and what is a dependency is never
// what somebody asked for. In doubt it says no: build tags are not told to the tool.
func (u *unit) hasTests() bool {
	if u.Dir == "" || len(u.GoFiles) == 0 {
		return false
	}
	tests, err := filepath.Glob(filepath.Join(u.Dir, "*_test.go"))
	if err != nil || len(tests) == 0 {
		return false
	}
	own, _ := clause(u.GoFiles[0])
	return own != "" && slices.ContainsFunc(tests, func(file string) bool {
		if name, tagged := clause(file); name != own || tagged {
			return false
		}
		ok, err := build.Default.MatchFile(u.Dir, filepath.Base(file))
		return ok && err == nil
	})
}

// clause returns the name in the package clause of a file, "" if there is none, and
// whether a build constraint stands above it.
func clause(file string) (name string, tagged bool) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return "", false
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			tagged = tagged || constraint.IsGoBuild(c.Text) || constraint.IsPlusBuild(c.Text)
		}
	}
	return f.Name.Name, tagged
}

// report makes the tool report in a package that it is called for because of its facts.
func (u *unit) report() error {
	data, err := os.ReadFile(u.file)
	if err != nil {
		return err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return fmt.Errorf("%s: %w", u.file, err)
	}
	fields["VetxOnly"] = json.RawMessage("false")
	if data, err = json.Marshal(fields); err != nil {
		return fmt.Errorf("%s: %w", u.file, err)
	}
	u.VetxOnly = false
	return os.WriteFile(u.file, data, 0o666)
}

// setFlag sets a flag of the analyzers that have it.
func setFlag(analyzers []*analysis.Analyzer, name string) {
	for _, a := range analyzers {
		if f := a.Flags.Lookup(name); f != nil {
			f.Value.Set("true")
		}
	}
}
