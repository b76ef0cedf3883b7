// SPDX-License-Identifier: BSD-3-Clause

package poolput_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poolput"
)

// Which pool takes what memory, by its size or type, where pools are lists or of one size.
func TestWrongMemory(t *testing.T) {
	for _, p := range []string{"listsizes", "listsizesright", "fixedsizes", "fixedsizesright", "conflicting"} {
		t.Run(p, func(t *testing.T) { analysistest.Run(t, analysistest.TestData(), poolput.Analyzer, p) })
	}
}
