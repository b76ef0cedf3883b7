// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

// Lists by size are pools, whether in an array or a map.
func TestListClasses(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "listclasses")
}

// Who gave a value to a goroutine may learn from the result of the call that it is done.
func TestToldByResult(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "toldbyresult")
}

// Channels that serve as pools, and those that pooled values are left in.
func TestChannels(t *testing.T) {
	for _, p := range []string{"chanlists", "undrained"} {
		t.Run(p, func(t *testing.T) { analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, p) })
	}
}

// What is returned after it was queued for others, who put it.
func TestQueuedReturn(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "queuedreturn")
}

// What stands in the slots of structs that go.
func TestLeftRing(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "leftring")
}
