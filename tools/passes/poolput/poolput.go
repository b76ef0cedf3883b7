// SPDX-License-Identifier: BSD-3-Clause

package poolput

import (
	"github.com/spare-go/spare/tools/passes/internal/report"
	"github.com/spare-go/spare/tools/passes/pattern"
)

// Analyzer reports what should not have been put in a pool, or not in this one.
var Analyzer = report.New("poolput",
	pattern.Doc("report the Put of a nil, of a value of another type or pool, of a boxed value, of a local's address, or of an outgrown header",
		pattern.PutNil, pattern.WrongType, pattern.WrongPool, pattern.PutByValue, pattern.PutLocalAddr, pattern.StaleHeader,
	),
	pattern.PutNil, pattern.WrongType, pattern.WrongPool, pattern.PutByValue, pattern.PutLocalAddr, pattern.StaleHeader,
)
