// SPDX-License-Identifier: BSD-3-Clause

package poolkeep_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/spare-go/spare/tools/passes/poolkeep"
)

func Test(t *testing.T) {
	for _, p := range []string{
		"a", "fields", "forgotten", "emptying", "locals", "unemptied", "retained", "lent", "vectors", "regrown", "partly", "outgrown", "onewaybound", "regrownnumber", "testedlate",
		"carried", "unbalanced", "halfreset", "byinput", "growsbehind", "halfused", "fullslices", "readfull",
		"spentonce", "freenodes", "clearshort", "asksempty", "keptwhole", "stickyset", "earlyout", "zeroassumed", "noroom", "setbyindex", "takenas", "notedsize", "leftover",
		"outputs", "arenas", "throughslice", "lastusers", "someput", "listdecode", "leftcount",
	} {
		t.Run(p, func(t *testing.T) { analysistest.Run(t, analysistest.TestData(), poolkeep.Analyzer, p) })
	}
}

func TestFix(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), poolkeep.Analyzer, "fix")
}

// What the fixes give compiles, and the reports are gone.
func TestFixed(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), poolkeep.Analyzer, "fixed")
}
