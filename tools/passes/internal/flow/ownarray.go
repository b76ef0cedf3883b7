// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A struct may have an array of its own for the first elements of a slice in another of its fields. As long as nothing
// grew beyond it, who has the slice has memory of the struct, also when the field was set to nil.

// collectOwnArrays finds the fields that are set to slices of an array in the same struct, and else only grown, cut,
// or set to nil.
func (a *analysis) collectOwnArrays(stores []shapeStore) {
	other := map[*types.Var]bool{}
	for _, s := range stores {
		if !isSlice(s.field.Type()) || isNilConst(s.val) {
			continue
		}
		switch inArray, own := s.ofOwnArray(s.val, 0); {
		case !own:
			other[s.field] = true
		case inArray:
			set(&a.shapes.inArray, s.field, true)
		}
	}
	for f := range other {
		delete(a.shapes.inArray, f)
	}
}

// ofOwnArray reports whether a value that is stored in a field of a struct is a slice of an array of the struct's, or made
// of what the field had.
func (s shapeStore) ofOwnArray(v ssa.Value, depth int) (inArray, own bool) {
	if depth > 4 {
		return false, false
	}
	switch v := v.(type) {
	case *ssa.Slice:
		if fa, ok := v.X.(*ssa.FieldAddr); ok {
			_, array := deref(fa.Type()).Underlying().(*types.Array)
			return array, array && fa.X == s.base
		}
		return s.ofOwnArray(v.X, depth+1)
	case *ssa.Call:
		if isBuiltin(v, "append") {
			return s.ofOwnArray(v.Call.Args[0], depth+1)
		}
	case *ssa.UnOp:
		return false, v.Op == token.MUL && loadedField(v, s.base) == s.field
	}
	return false, false
}

// inOwnArray reports whether a slice may be in an array of the struct that it was found in, for all that the path
// knows of its length.
func (a *analysis) inOwnArray(st *state, x *sym) bool {
	if x.kind != kLoad || x.a.kind != kField {
		return false
	}
	f, ok := x.a.obj.(*types.Var)
	if !ok || !a.shapes.inArray[f] {
		return false
	}
	for c := range st.truth {
		if c.kind == kCmp && (sizeOfSlice(c.a, x) && !smallConst(c.b) || sizeOfSlice(c.b, x) && !smallConst(c.a)) {
			return false
		}
	}
	return true
}

// sizeOfSlice reports whether a number is the length or the capacity of a slice.
func sizeOfSlice(n, slice *sym) bool {
	return (n.kind == kLen || n.kind == kCap) && n.a == slice
}

// smallConst reports whether a number is 0 or 1: to compare a length with that tells whether there is anything.
func smallConst(n *sym) bool {
	return n.kind == kConst && (n.val.ExactString() == "0" || n.val.ExactString() == "1")
}
