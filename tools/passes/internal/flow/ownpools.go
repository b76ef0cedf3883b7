// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Two fields or variables with pointers to one type of pool may have the same pool. They have not
// where each is only ever set to a pool that is made for it.

// hasOwnPool reports whether nobody else leads to the pool that a field or variable of the package points to.
func (a *analysis) hasOwnPool(p *pool) bool {
	v, ok := p.key.(*types.Var)
	if !ok || v.Pkg() != a.pkg.Pkg || v.IsField() && v.Exported() || a.freeLists[v] != nil {
		return false
	}
	return a.setToOwnOnce(v)
}

// setToOwnOnce is setToOwn, asked once.
func (a *analysis) setToOwnOnce(v *types.Var) bool {
	own, seen := a.ownPools[v]
	if !seen {
		own = a.setToOwn(v)
		set(&a.ownPools, v, own)
	}
	return own
}

// setToOwn reports whether all that a pointer is set to was made for it.
func (a *analysis) setToOwn(v *types.Var) bool {
	if !isPtr(v.Type()) {
		return false
	}
	made := 0
	for _, i := range a.instrs() {
		for _, op := range i.Operands(nil) {
			if *op == nil || a.fieldOrGlobalAt(*op) != v {
				continue
			}
			switch i := i.(type) {
			case *ssa.DebugRef, *ssa.UnOp:
			case *ssa.Store:
				if i.Addr != *op || !isNilConst(i.Val) && !a.madeForOne(i.Val, i, 0) {
					return false
				}
				made++
			default:
				return false // its address goes elsewhere
			}
		}
	}
	return made > 0
}

// fieldOrGlobalAt is the field or variable of the package at an address.
func (a *analysis) fieldOrGlobalAt(addr ssa.Value) types.Object {
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		if f := fieldAt(addr); f != nil {
			return f
		}
	case *ssa.Global:
		return addr.Object()
	}
	return nil
}

// madeForOne reports whether a value was made where it stands, or by a function that makes one for each call, and goes nowhere but
// to one instruction.
func (a *analysis) madeForOne(v ssa.Value, to ssa.Instruction, depth int) bool {
	if depth > 4 || v.Referrers() == nil || slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool { return r != to && takesAlong(r, v) }) {
		return false
	}
	switch x := v.(type) {
	case *ssa.Alloc:
		return x.Heap
	case *ssa.Call:
		if x.Call.IsInvoke() {
			return false
		}
		fn := a.calledFunction(x)
		if fn == nil {
			f := calledMethod(x)
			if f == nil {
				return false
			}
			sum := a.summaryOf(f)
			return sum != nil && sum.Thin != nil && sum.Thin.Does == "New"
		}
		return a.makesOneEach(fn, depth)
	case *ssa.Parameter:
		fn := x.Parent()
		n := slices.Index(fn.Params, x)
		calls := a.callsOf(fn)
		if len(calls) == 0 || exportedRoot(fn) || a.uses().sites.taken[fn] {
			return false
		}
		return !slices.ContainsFunc(calls, func(c ssa.CallInstruction) bool {
			args := c.Common().Args
			return c.Common().IsInvoke() || n >= len(args) || !a.madeForOne(args[n], c, depth+1) || timesIn(args, args[n]) > 1
		})
	}
	return false
}

// makesOneEach reports whether each call of a function gives a new object.
func (a *analysis) makesOneEach(fn *ssa.Function, depth int) bool {
	if len(fn.Blocks) == 0 || fn.Signature.Results().Len() != 1 || depth > 4 {
		return false
	}
	for _, b := range fn.Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok {
			continue
		}
		switch x := r.Results[0].(type) {
		case *ssa.Alloc:
			if !x.Heap || slices.ContainsFunc(referrers(x), func(i ssa.Instruction) bool { return i != r && takesAlong(i, x) }) {
				return false
			}
		case *ssa.Call:
			if !a.madeForOne(x, r, depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// takesAlong reports whether an instruction may leave a pointer somewhere else: what is set in the object does not.
func takesAlong(i ssa.Instruction, v ssa.Value) bool {
	switch i := i.(type) {
	case *ssa.DebugRef, *ssa.FieldAddr, *ssa.IndexAddr:
		return false
	case *ssa.UnOp:
		return i.Op != token.MUL
	case *ssa.Store:
		return i.Val == v
	case *ssa.Call:
		f := i.Call.StaticCallee() // one of its own methods leaves it where it is
		return f == nil || f.Signature.Recv() == nil || i.Call.Args[0] != v || timesIn(i.Call.Args, v) > 1
	}
	return true
}

func timesIn(list []ssa.Value, v ssa.Value) (n int) {
	for _, x := range list {
		if x == v {
			n++
		}
	}
	return n
}
