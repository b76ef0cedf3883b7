// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A field may say which of several pools a value belongs to: a level, a size class. Who sets it
// back first, and picks the pool by it after that, puts everything in the same one.

// judgeResetIndex reports the Puts whose pool is picked by a field that was just set back.
func (a *analysis) judgeResetIndex() {
	for c := range a.poolCalls("Put") {
		l, set := a.pickedBy(c.Common().Args[0], 0)
		if l == nil {
			continue
		}
		v := fieldAt(l.X)
		a.reportFound(finding{
			pattern: wrongPool, pos: instrPos(c), fn: c.Parent(),
			message: fmt.Sprintf("the pool is picked by field %s, which was set back to a constant before (%s): values of any %s end in one pool", v.Name(), a.line(instrPos(set)), v.Name()),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(set), Message: v.Name() + " is set back here"}},
		})
	}
}

// pickedBy finds, in the expression that gives a pool, a read of a field that has one constant
// there whatever came before, and the instruction that set it.
func (a *analysis) pickedBy(v ssa.Value, depth int) (*ssa.UnOp, ssa.Instruction) {
	if depth > 5 {
		return nil, nil
	}
	var in []ssa.Value
	switch x := v.(type) {
	case *ssa.IndexAddr:
		in = []ssa.Value{x.Index}
	case *ssa.Lookup:
		in = []ssa.Value{x.Index}
	case *ssa.Extract:
		in = []ssa.Value{x.Tuple}
	case *ssa.FieldAddr:
		if depth == 0 || isPoolSource(x.X) {
			in = []ssa.Value{x.X}
		}
	case *ssa.Convert:
		in = []ssa.Value{x.X}
	case *ssa.BinOp:
		in = []ssa.Value{x.X, x.Y}
	case *ssa.Call:
		if isSyncPool(x.Type()) && a.calledFunction(x) != nil {
			in = x.Call.Args
		}
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return nil, nil
		}
		if fa, ok := x.X.(*ssa.FieldAddr); ok {
			if b, isBasic := x.Type().Underlying().(*types.Basic); isBasic && b.Info()&(types.IsInteger|types.IsString) != 0 {
				if set := a.setBack(x, fa); set != nil {
					return x, set
				}
			}
			return nil, nil
		}
		in = []ssa.Value{x.X}
	}
	for _, y := range in {
		if l, set := a.pickedBy(y, depth+1); l != nil {
			return l, set
		}
	}
	return nil, nil
}

// isPoolSource reports whether a struct with a pool in it comes from a list.
func isPoolSource(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.IndexAddr, *ssa.Lookup:
		return true
	case *ssa.UnOp:
		return x.Op == token.MUL && isPoolSource(x.X)
	}
	return false
}

// setBack is what gave the field at fa a constant before l reads it, with nothing between that
// may give it another value.
func (a *analysis) setBack(l *ssa.UnOp, fa *ssa.FieldAddr) ssa.Instruction {
	v := fieldAt(fa)
	if _, made := fa.X.(*ssa.Alloc); made {
		return nil
	}
	for _, i := range straightBefore(l) {
		sure := i.sure
		switch i := i.Instruction.(type) {
		case *ssa.Store:
			if oneAddr(i.Addr, fa, 0) {
				// To a class of its own choice somebody may move what it puts.
				if n, isConst := i.Val.(*ssa.Const); sure && isConst && n.Value != nil && isZero(n.Value) {
					return i
				}
				return nil
			}
			if oneRead(i.Addr, fa.X, 0) || fieldAt(i.Addr) == v {
				return nil // the whole object, or another that may be the same
			}
		case ssa.CallInstruction:
			if _, isDefer := i.(*ssa.Defer); isDefer {
				continue
			}
			fn := a.calledFunction(i)
			k := slices.IndexFunc(i.Common().Args, func(x ssa.Value) bool { return oneRead(x, fa.X, 0) })
			if fn == nil || k < 0 || k >= len(fn.Params) {
				if k >= 0 || fn != nil && writesField(fn, v) {
					return nil
				}
				continue
			}
			if sure && setsConstant(fn, fn.Params[k], v) {
				return i
			}
			if writesField(fn, v) {
				return nil
			}
		}
	}
	return nil
}

// setsConstant reports whether a function gives a field of a parameter a constant each time.
func setsConstant(fn *ssa.Function, p *ssa.Parameter, v *types.Var) bool {
	n, always := 0, false
	eachStore(fn, func(st *ssa.Store) {
		fa, ok := st.Addr.(*ssa.FieldAddr)
		if !ok || fieldAt(fa) != v {
			return
		}
		n++
		if _, isConst := st.Val.(*ssa.Const); isConst && fa.X == p && st.Block() == fn.Blocks[0] {
			always = true
		}
	})
	return n == 1 && always
}

// writesField reports whether a function stores to a field.
func writesField(fn *ssa.Function, v *types.Var) (found bool) {
	eachStore(fn, func(st *ssa.Store) { found = found || fieldAt(st.Addr) == v })
	return found
}
