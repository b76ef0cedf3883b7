// SPDX-License-Identifier: BSD-3-Clause

package poolcopy_test

import (
	"go/token"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poolcopy"
)

func Test(t *testing.T) {
	related := 0
	for _, r := range analysistest.Run(t, analysistest.TestData(), poolcopy.Analyzer, "a", "generated") {
		for _, d := range r.Diagnostics {
			at := r.Pass.Fset.Position(d.Pos)
			for _, rel := range d.Related {
				related++
				if line := lineAt(t, r.Pass.Fset.Position(rel.Pos)); !strings.Contains(line, "sync.Pool") {
					t.Errorf("%s: the pool is said to be declared by %q", at, line)
				}
			}
			// A parameter that is a pool, and what is behind a pointer, is declared nowhere else.
			alone := strings.Contains(d.Message, ", a sync.Pool, is")
			if len(d.Related) == 0 && !alone {
				t.Errorf("%s: %s: it is not said where the pool is declared", at, d.Message)
			}
		}
	}
	if related < 10 {
		t.Errorf("only %d reports say where the pool is declared", related)
	}
}

func lineAt(t *testing.T, p token.Position) string {
	t.Helper()
	text, err := os.ReadFile(p.Filename)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")[p.Line-1]
}
