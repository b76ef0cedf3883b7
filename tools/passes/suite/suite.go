// SPDX-License-Identifier: BSD-3-Clause

// Package suite lists the analyzers of spare vet.
package suite

import "golang.org/x/tools/go/analysis"

// Suite is every analyzer of spare vet.
var Suite []*analysis.Analyzer
