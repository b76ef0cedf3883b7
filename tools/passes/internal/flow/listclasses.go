// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Pools by size keep one list for each size, in an array or a map.

// classesOf reports whether t holds slices of what may be pooled.
func classesOf(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Array:
		return listOf(t.Elem())
	case *types.Map:
		return listOf(t.Elem())
	}
	return false
}

// classPlace is the field or variable at an address, if it holds such slices.
func classPlace(addr ssa.Value) types.Object {
	obj := placeOf(addr)
	if obj == nil || !classesOf(obj.Type()) {
		return nil
	}
	return obj
}

// classesAt is the field or variable that a map of lists was read from.
func classesAt(v ssa.Value) types.Object {
	l, ok := v.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return nil
	}
	return classPlace(l.X)
}

// cellPlace is the field or variable whose list, or one of whose lists, is at an address.
func cellPlace(addr ssa.Value) types.Object {
	ia, ok := addr.(*ssa.IndexAddr)
	if !ok {
		return listPlace(addr)
	}
	if obj := classesAt(ia.X); obj != nil {
		return obj
	}
	return classPlace(ia.X)
}

// listAt is the field or variable that a list was read from.
func listAt(v ssa.Value) types.Object {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return cellPlace(v.X)
		}
	case *ssa.Lookup:
		if !v.CommaOk {
			return classesAt(v.X)
		}
	case *ssa.Extract:
		if l, ok := v.Tuple.(*ssa.Lookup); ok && v.Index == 0 {
			return classesAt(l.X)
		}
	}
	return nil
}

// otherwise is the field or variable of such lists with which an instruction does something else
// than to look at one of them, or to set it to new ones.
func otherwise(i ssa.Instruction) types.Object {
	switch i := i.(type) {
	case *ssa.FieldAddr:
		obj := classPlace(i)
		if obj == nil {
			return nil
		}
		for _, r := range referrers(i) {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.IndexAddr, *ssa.UnOp:
			case *ssa.Store:
				if r.Addr != i {
					return obj
				}
			default:
				return obj
			}
		}
	case *ssa.Store:
		if obj := classPlace(i.Addr); obj != nil {
			switch i.Val.(type) {
			case *ssa.MakeMap, *ssa.MakeSlice, *ssa.Const:
			default:
				return obj
			}
		}
	case *ssa.IndexAddr:
		obj := cellPlace(i)
		if obj == nil {
			return nil
		}
		for _, r := range referrers(i) {
			if !loadsOrStores(r, i) {
				return obj
			}
		}
	case *ssa.UnOp:
		obj := classesAt(i)
		if obj == nil {
			return nil
		}
		if _, isArray := i.Type().Underlying().(*types.Array); isArray {
			return obj
		}
		for _, r := range referrers(i) {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.BinOp, *ssa.Lookup, *ssa.MapUpdate, *ssa.IndexAddr:
			case *ssa.Call:
				if b, ok := r.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" {
					return obj
				}
			default:
				return obj
			}
		}
	}
	return nil
}
