// SPDX-License-Identifier: BSD-3-Clause

package stackalias_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/stackalias"
)

func Test(t *testing.T) { analysistest.Run(t, analysistest.TestData(), stackalias.Analyzer, "a") }
