// SPDX-License-Identifier: BSD-3-Clause

package poolkeep

import (
	"github.com/spare-go/spare/tools/passes/internal/report"
	"github.com/spare-go/spare/tools/passes/pattern"
)

// Analyzer reports what stays in a pooled value.
var Analyzer = report.New("poolkeep",
	pattern.Doc("report pooled values whose content, references or size are kept from one use to the next",
		pattern.MissingReset, pattern.RetainedRefs, pattern.OversizeRetention,
	),
	pattern.MissingReset, pattern.RetainedRefs, pattern.OversizeRetention,
)
