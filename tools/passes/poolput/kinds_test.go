// SPDX-License-Identifier: BSD-3-Clause

package poolput_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poolput"
)

// One function that asks values for their type and puts each in the pool of that.
func TestKinds(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poolput.Analyzer, "kinds")
}
