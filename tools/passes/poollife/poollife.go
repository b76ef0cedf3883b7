// SPDX-License-Identifier: BSD-3-Clause

package poollife

import (
	"github.com/spare-go/spare/tools/passes/internal/flow"
	"github.com/spare-go/spare/tools/passes/internal/report"
	"github.com/spare-go/spare/tools/passes/pattern"
)

// Analyzer reports misuse of a pooled value's lifetime.
var Analyzer = report.New("poollife",
	pattern.Doc("report pooled values that are used, returned, stored or put again after a Put, and values that are never put back",
		pattern.UseAfterPut, pattern.ReturnAlias, pattern.StoreAlias, pattern.GoroutineUse, pattern.DoublePut, pattern.MissingPut,
	),
	pattern.UseAfterPut, pattern.ReturnAlias, pattern.StoreAlias, pattern.GoroutineUse, pattern.DoublePut, pattern.MissingPut,
)

func init() {
	Analyzer.Flags.BoolVar(&flow.Std, "std", false, "analyze packages of the standard library too")
	Analyzer.Flags.BoolVar(&flow.FactsOnly, "facts", false, "find only what packages that import this one need to know")
	Analyzer.Flags.BoolVar(&flow.Brief, "brief", false, "take less time for each function, and know less of those that call many others")
}
