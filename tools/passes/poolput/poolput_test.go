// SPDX-License-Identifier: BSD-3-Clause

package poolput_test

import (
	"testing"

	"github.com/spare-go/spare/tools/passes/internal/cases"
	"github.com/spare-go/spare/tools/passes/poolput"
)

// What the fixes give, in the folder fixed, is among the cases: it compiles, and the reports are gone.
func Test(t *testing.T) { cases.Run(t, poolput.Analyzer) }

func TestFix(t *testing.T) { cases.Fix(t, poolput.Analyzer) }
