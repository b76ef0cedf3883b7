// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

// What leads to pooled memory: composed streams, structs in slices, atomic pointers, and
// what a goroutine found in a field.
func TestAliases(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "aliases")
}
