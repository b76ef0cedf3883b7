// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

// A package without a pool tells by facts what its functions give back and keep.
func TestPlain(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "plain")
}

// What was handed on is waited for, taken back, or dropped.
func TestWaited(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "waited")
}
