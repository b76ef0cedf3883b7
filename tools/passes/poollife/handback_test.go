// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

// Who still has a value: the map of pending calls, the users that a field counts, the
// buffer that was made over its bytes.
func TestHandback(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "handback")
}
