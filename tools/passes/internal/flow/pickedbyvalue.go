// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Who puts values of two kinds in two pools asks the value itself which it is: whether a field of it is set, say. A path that
// finds in such a function the other pool than the one that the value was taken from went the way of the other kind.

// asksValue reports whether the function of a Put puts the same value elsewhere in the pool that m was taken from, and asks what is in
// it to pick one.
func (a *analysis) asksValue(put ssa.Instruction, m *sym) bool {
	call, ok := put.(ssa.CallInstruction)
	if !ok || m.pool.key == nil {
		return false
	}
	value := putBase(call)
	if value == nil {
		return false
	}
	for i := range instrsOf(put.Parent()) {
		other, ok := i.(ssa.CallInstruction)
		if !ok || other == call || putBase(other) != value || poolHome(other.Common().Args[0]) != m.pool.key {
			continue
		}
		above := deciders(other.Block(), nil)
		if slices.ContainsFunc(deciders(call.Block(), nil), func(c ssa.Value) bool {
			return slices.Contains(above, c) && leadsFrom(c, 0, func(v ssa.Value) bool {
				fa, ok := v.(*ssa.FieldAddr)
				return ok && fa.X == value
			})
		}) {
			return true
		}
	}
	return false
}

// putBase is what a call puts in a sync.Pool, before it is converted.
func putBase(c ssa.CallInstruction) ssa.Value {
	if f := calledMethod(c); f == nil || funcKey(f) != "sync.Pool.Put" || len(c.Common().Args) != 2 {
		return nil
	}
	v := unboxed(c.Common().Args[1])
	for {
		x, ok := v.(*ssa.Convert)
		if !ok {
			return v
		}
		v = x.X
	}
}
