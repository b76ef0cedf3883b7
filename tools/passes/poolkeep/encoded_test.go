// SPDX-License-Identifier: BSD-3-Clause

package poolkeep_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poolkeep"
)

// What is read, set or kept by code out of view.
func TestOutOfView(t *testing.T) {
	for _, p := range []string{"anytype", "encoded"} {
		t.Run(p, func(t *testing.T) { analysistest.Run(t, analysistest.TestData(), poolkeep.Analyzer, p) })
	}
}
