// SPDX-License-Identifier: BSD-3-Clause

package flow

import "golang.org/x/tools/go/ssa"

// cutAtStart brings b[0:n] to b[:n]: the rules that ask whether a slice begins where another does
// need not know both. Unlike what is in normal.go this is done in the SSA form, which is the package's own.
func (a *analysis) cutAtStart() {
	for _, i := range a.instrs() {
		s, ok := i.(*ssa.Slice)
		if !ok {
			continue
		}
		if c, ok := s.Low.(*ssa.Const); ok && c.Value != nil && isZero(c.Value) {
			s.Low = nil // a constant has no list of its users
		}
	}
}
