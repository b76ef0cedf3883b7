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

// deferredLiterals are the function literals that functions defer, but for those of tests, by the function.
func (a *analysis) deferredLiterals() iter.Seq2[*ssa.Function, *ssa.Defer] {
	return func(yield func(*ssa.Function, *ssa.Defer) bool) {
		for fn, i := range a.instrsBeyondTests() {
			d, ok := i.(*ssa.Defer)
			if !ok {
				continue
			}
			if _, isLit := d.Call.Value.(*ssa.MakeClosure); isLit && !yield(fn, d) {
				return
			}
		}
	}
}

// literalOf is the function of a closure that a call calls.
func literalOf(d *ssa.Defer) *ssa.Function { return d.Call.Value.(*ssa.MakeClosure).Fn.(*ssa.Function) }
