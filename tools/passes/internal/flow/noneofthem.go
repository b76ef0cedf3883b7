// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A switch over named constants that has no default has a case for all that there are, as far as its author knows: a
// value that only a path of none of them has is not lost in fact.

// ofSwitch reports whether a block is the last test of a switch, which a path found false (noteIdle).
func ofSwitch(b *ssa.BasicBlock) bool { return b.Comment == "switch.next" }

// asksOnce reports whether a block, and those before it that led there, compare one value with named constants in the
// cases of a switch, two at least.
func (a *analysis) asksOnce(b *ssa.BasicBlock) bool {
	var of ssa.Value
	n := 0
	for ; b != nil; n++ {
		test, ok := lastInstr(b).(*ssa.If)
		if !ok {
			break
		}
		cond, ok := test.Cond.(*ssa.BinOp)
		if !ok || cond.Op != token.EQL || of != nil && cond.X != of || !a.constCases()[cond.Pos()] {
			return false
		}
		of = cond.X
		if !ofSwitch(b) {
			n++
			break
		}
		b = b.Idom()
	}
	return n > 1
}

// constCases are where the cases of switches name constants.
func (a *analysis) constCases() map[token.Pos]bool {
	if a.constCase != nil {
		return a.constCase
	}
	a.constCase = map[token.Pos]bool{}
	for _, f := range a.pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			c, ok := n.(*ast.CaseClause)
			if !ok {
				return true
			}
			for _, x := range c.List {
				id, ok := ast.Unparen(x).(*ast.Ident)
				if sel, isSel := ast.Unparen(x).(*ast.SelectorExpr); isSel {
					id, ok = sel.Sel, true
				}
				if ok {
					if _, isConst := a.pass.TypesInfo.Uses[id].(*types.Const); isConst {
						a.constCase[x.Pos()] = true
					}
				}
			}
			return true
		})
	}
	return a.constCase
}
