// SPDX-License-Identifier: BSD-3-Clause

package poolkeep_test

import (
	"testing"

	"github.com/spare-go/spare/tools/passes/internal/cases"
	"github.com/spare-go/spare/tools/passes/poolkeep"
)

// What the fixes give, in the folder fixed, is among the cases: it compiles, and the reports are gone.
func Test(t *testing.T) { cases.Run(t, poolkeep.Analyzer) }

func TestFix(t *testing.T) { cases.Fix(t, poolkeep.Analyzer) }
