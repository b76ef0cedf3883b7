// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

// What is put while a map, a list, a slot or a goroutine still leads to it.
func TestElsewhere(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "elsewhere")
}
