// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A reset says which fields belong to one use: where all fields of a struct that are set in use are set back,
// or set by who takes one, but for one that has a setter, that one was left out. Nothing need ask whether it is
// set: whoever reads it reads what the last user gave the setter.

// leftOut is the store of the setter of a field that is the only one of its struct that outlives a use.
func (f *forgotten) leftOut(ff *fieldFacts, t *types.Named, region []*ssa.Function) ssa.Instruction {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || ff.of != s && !types.Identical(ff.of, s) {
		return nil
	}
	if len(ff.stores) == 0 || slices.ContainsFunc(ff.stores, func(x fieldStore) bool { return !x.given || !f.isSetter(x.instr.Parent(), t, region) }) {
		return nil
	}
	if !slices.ContainsFunc(ff.reads, func(r ssa.Instruction) bool { return !slices.Contains(f.writes[r.Parent()], ff.field) }) {
		return nil
	}
	set := 0
	for v := range s.Fields() {
		o := f.facts[v.Origin()]
		if v.Origin() == ff.field || o == nil || len(o.stores)+len(o.keys) == 0 && !o.open {
			continue
		}
		back := slices.ContainsFunc(o.stores, func(x fieldStore) bool {
			return (x.what == wZero || x.what == wSet || x.what == wFresh) && slices.Contains(region, x.instr.Parent())
		})
		if !back && !f.assignedOnTake(o, t) {
			return nil
		}
		set++
	}
	if set < 2 {
		return nil
	}
	return ff.stores[0].instr
}

// isSetter reports whether a function is a method of a type that others may call to set something, and that nothing
// of the region is.
func (f *forgotten) isSetter(fn *ssa.Function, t *types.Named, region []*ssa.Function) bool {
	recv := fn.Signature.Recv()
	return recv != nil && pointee(recv.Type()) == t && token.IsExported(fn.Name()) && fn.Signature.Params().Len() > 0 && !slices.Contains(region, fn)
}
