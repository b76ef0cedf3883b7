// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// What a fix sets to zero, the pool's New must not have made: a map that the next user fills, or a default that
// holds until somebody sets another.

// madeZero reports whether all that the pool makes is zero, or is in a field if one is named: there, a slice may have
// room. It is not where what the pool makes is not in view.
func (a *analysis) madeZero(p *pool, f *types.Var) bool {
	news := a.news[p.key]
	for _, fn := range news {
		if !a.makesZero(fn, f, 0) {
			return false
		}
	}
	return len(news) > 0
}

// maxMakers is how many functions lead from a pool's New to the one that makes the value.
const maxMakers = 3

// makesZero reports whether all that a function returns first is new, and zero.
func (a *analysis) makesZero(fn *ssa.Function, f *types.Var, depth int) bool {
	if len(fn.Blocks) == 0 || depth > maxMakers {
		return false
	}
	returns := false
	for i := range instrsOf(fn) {
		r, ok := i.(*ssa.Return)
		if !ok {
			continue
		}
		returns = true
		if len(r.Results) == 0 {
			return false
		}
		switch v := unboxed(r.Results[0]).(type) {
		case *ssa.Alloc:
			if f == nil && !staysZero(v, false) || f != nil && !fieldStaysZero(v, f) {
				return false
			}
		case *ssa.Call:
			if callee := v.Call.StaticCallee(); callee == nil || !a.inPackage(callee) || !a.makesZero(callee, f, depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return returns
}

// staysZero reports whether nothing but zeros, or slices with room if they may be, is set in memory that a function makes.
func staysZero(x ssa.Value, room bool) bool {
	for _, r := range referrers(x) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Return, *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface:
		case *ssa.FieldAddr:
			if !staysZero(r, room) {
				return false
			}
		case *ssa.Store:
			if r.Addr != x || !isZeroValue(r.Val) && !(room && hasNoLength(r.Val)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// fieldStaysZero is staysZero for one field of a struct, of which slices may have room.
func fieldStaysZero(x ssa.Value, f *types.Var) bool {
	for _, r := range referrers(x) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Return, *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface:
		case *ssa.FieldAddr:
			if fieldAt(r) == f && !staysZero(r, true) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isZeroValue reports whether a value is the zero of its type.
func isZeroValue(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && (c.Value == nil || isZero(c.Value))
}

// hasNoLength reports whether a slice is made, or cut, to length 0.
func hasNoLength(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeSlice:
		return isZeroConst(v.Len)
	case *ssa.Slice:
		return v.High != nil && isZeroConst(v.High)
	}
	return false
}
