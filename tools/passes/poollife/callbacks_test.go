// SPDX-License-Identifier: BSD-3-Clause

package poollife_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poollife"
)

// What functions keep that are made to be given to others, and hooks among several.
func TestCallbacks(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "callbacks")
}

// What is handed to goroutines over channels in variables, by signs and by counts.
func TestHandover(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "handover")
}

// Parts of pooled memory in errors, slices of buffers and maps.
func TestKeptParts(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "keptparts")
}

// Objects that pooled structs keep, timers of pooled objects, and requests with their replies.
func TestKeptTools(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poollife.Analyzer, "kepttools")
}
