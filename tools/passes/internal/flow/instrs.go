// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"iter"

	"golang.org/x/tools/go/ssa"
)

// instrs gives every instruction of the package's functions, with its function.
func (a *analysis) instrs() iter.Seq2[*ssa.Function, ssa.Instruction] {
	return func(yield func(*ssa.Function, ssa.Instruction) bool) {
		for _, fn := range a.fns {
			for i := range instrsOf(fn) {
				if !yield(fn, i) {
					return
				}
			}
		}
	}
}

// instrsOf gives every instruction of a function, block by block.
func instrsOf(fn *ssa.Function) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// instrsBeyondTests is instrs without what stands in tests.
func (a *analysis) instrsBeyondTests() iter.Seq2[*ssa.Function, ssa.Instruction] {
	return func(yield func(*ssa.Function, ssa.Instruction) bool) {
		for _, fn := range a.fns {
			if a.inTest(fn) {
				continue
			}
			for i := range instrsOf(fn) {
				if !yield(fn, i) {
					return
				}
			}
		}
	}
}
