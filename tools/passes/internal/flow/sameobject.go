// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A struct that is a part of a pooled one is used elsewhere as well: on its own, in slices, in other
// structs. What is set there says nothing of the pooled values.

// maySet reports whether a store may set a field of a pooled value of type t, or of a part of one.
func (f *forgotten) maySet(s fieldStore, t *types.Named) bool {
	st, ok := s.instr.(*ssa.Store)
	return !ok || f.mayLieIn(st.Addr, t, 0)
}

// mayLieIn reports whether an address, or a pointer, may be of a part of a value of type t. That of a local
// variable, or of an element of a slice that is no part of one either, is not; nor is a parameter of which
// all calls are in view and give such.
func (f *forgotten) mayLieIn(v ssa.Value, t *types.Named, depth int) bool {
	for range 8 {
		if n := pointee(v.Type()); n != nil && n.Origin() == t {
			return true
		}
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.UnOp:
			if _, isSlice := x.Type().Underlying().(*types.Slice); !isSlice || x.Op != token.MUL {
				return true
			}
			v = x.X
		case *ssa.Alloc:
			return false
		case *ssa.Parameter:
			fn := x.Parent()
			if _, isSlice := x.Type().Underlying().(*types.Slice); isSlice {
				return false
			}
			calls := f.callers[fn]
			if depth > 2 || len(calls) == 0 || callableElsewhere(fn) {
				return true
			}
			k := slices.Index(fn.Params, x)
			for _, c := range calls {
				args := c.Common().Args
				if c.Common().IsInvoke() || k >= len(args) || f.mayLieIn(args[k], t, depth+1) {
					return true
				}
			}
			return false
		default:
			return true
		}
	}
	return true
}
