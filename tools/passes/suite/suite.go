// SPDX-License-Identifier: BSD-3-Clause

// Package suite lists the analyzers of spare vet.
package suite

import (
	"golang.org/x/tools/go/analysis"

	"github.com/spare-go/spare/tools/passes/poolcopy"
	"github.com/spare-go/spare/tools/passes/poolkeep"
	"github.com/spare-go/spare/tools/passes/poollife"
	"github.com/spare-go/spare/tools/passes/poolput"
	"github.com/spare-go/spare/tools/passes/selfref"
	"github.com/spare-go/spare/tools/passes/stackalias"
	"github.com/spare-go/spare/tools/passes/unusedignore"
)

// Suite is every analyzer, in the order in which they are documented.
var Suite = []*analysis.Analyzer{
	poollife.Analyzer,
	poolput.Analyzer,
	poolkeep.Analyzer,
	poolcopy.Analyzer,
	selfref.Analyzer,
	stackalias.Analyzer,
	unusedignore.Analyzer,
}
