// SPDX-License-Identifier: BSD-3-Clause

package flow

import "golang.org/x/tools/go/ssa"

// What can run after what, in one function.

// precedes reports whether x is executed on every way to y.
func precedes(x, y ssa.Instruction) bool {
	if x.Block() != y.Block() {
		return x.Block().Dominates(y.Block())
	}
	for _, i := range x.Block().Instrs {
		switch i {
		case x:
			return true
		case y:
			return false
		}
	}
	return false
}

// alwaysRuns reports whether a function that returns has executed i.
func alwaysRuns(i ssa.Instruction) bool {
	for _, b := range i.Parent().Blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && !i.Block().Dominates(b) {
			return false
		}
	}
	return true
}

// mayFollow reports whether an instruction can run after another.
func mayFollow(x, y ssa.Instruction) bool {
	return precedes(x, y) || reaches(x.Block(), y.Block())
}

// inLoop reports whether a block can reach itself.
func inLoop(b *ssa.BasicBlock) bool { return reaches(b, b) }

// reaches reports whether control can go from one block to another.
func reaches(from, to *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock) bool
	walk = func(b *ssa.BasicBlock) bool {
		for _, s := range b.Succs {
			if s == to {
				return true
			}
			if !seen[s] {
				seen[s] = true
				if walk(s) {
					return true
				}
			}
		}
		return false
	}
	return walk(from)
}
