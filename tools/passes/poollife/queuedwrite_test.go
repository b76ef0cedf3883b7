// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

// Pooled bytes written to a writer that sends them on a channel.
func TestQueuedWrite(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "queuedwrite")
}
