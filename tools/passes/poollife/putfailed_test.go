// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

// What a test of an error, or of a length, says of a value; parts of one in results.
func TestArmsAndParts(t *testing.T) {
	for _, p := range []string{"putfailed", "foundempty", "inliterals"} {
		t.Run(p, func(t *testing.T) { analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, p) })
	}
}
