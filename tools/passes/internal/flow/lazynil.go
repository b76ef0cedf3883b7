// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// An object that takes a value from a pool when it is first used has none before. The
// method that ends its life puts nil, then, if it does not ask.

// judgeLazyNil reports such methods.
func (c *custody) judgeLazyNil() {
	for f, by := range c.putsField {
		if _, isPtr := f.Type().Underlying().(*types.Pointer); !isPtr || !c.takenLazily(f) {
			continue
		}
		for fn, i := range by {
			if !endsObject(fn) && strings.ToLower(fn.Name()) != "release" || fn.Signature.Recv() == nil || c.a.inTest(fn) || !c.putsUnasked(fn, f, i) {
				continue
			}
			taker := c.taker(f)
			c.a.reportFound(finding{
				pattern: putNil, pos: instrPos(i), fn: fn,
				message: fmt.Sprintf("%s puts what %s holds, which is nil where %s was not called before: a later Get returns it", fn.Name(), f.Name(), taker.Parent().Name()),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(taker), Message: "taken from the pool here"}},
			})
		}
	}
}

// taker is the first place where a value from a pool is stored in a field.
func (c *custody) taker(f *types.Var) (first ssa.Instruction) {
	for _, i := range c.takesField[f] {
		if first == nil || instrPos(i) < instrPos(first) {
			first = i
		}
	}
	return first
}

// takenLazily reports whether a field gets its values from pools only in methods that found
// it, or another field of the object, not set.
func (c *custody) takenLazily(f *types.Var) bool {
	if len(c.takesField[f]) == 0 {
		return false
	}
	for _, fn := range c.a.fns {
		for i := range instrsOf(fn) {
			s, ok := i.(*ssa.Store)
			if !ok || isNilConst(s.Val) {
				continue
			}
			if t, ok := s.Val.Type().Underlying().(*types.Struct); ok && hasField(t, f) {
				return false
			}
			fa, ok := s.Addr.(*ssa.FieldAddr)
			if !ok || nthField(fa.X, fa.Field) != f {
				continue
			}
			if c.takesField[f][fn] == nil || fn.Signature.Recv() == nil || !ofReceiver(fn, fa) || !underUnset(s.Block(), fa) {
				return false
			}
		}
	}
	return true
}

// underUnset reports whether a block is reached only where a field of the object at an
// address was found nil, or where it was asked first whether it is: what is there may be
// replaced as well.
func underUnset(b *ssa.BasicBlock, of *ssa.FieldAddr) bool {
	for b0 := b; b.Idom() != nil; b = b.Idom() {
		t, ok := lastInstr(b.Idom()).(*ssa.If)
		if !ok {
			continue
		}
		cond, ok := t.Cond.(*ssa.BinOp)
		if !ok || cond.Op != token.EQL && cond.Op != token.NEQ || !isNilConst(cond.Y) {
			continue
		}
		l, ok := cond.X.(*ssa.UnOp)
		if !ok {
			continue
		}
		fa, ok := l.X.(*ssa.FieldAddr)
		none := b.Idom().Succs[1]
		if cond.Op == token.EQL {
			none = b.Idom().Succs[0]
		}
		if ok && fa.X == of.X && none.Dominates(b0) && (len(b.Preds) == 1 || fa.Field == of.Field) {
			return true
		}
	}
	return false
}

// putsUnasked reports whether a method puts what a field holds without a test of a field
// that changes in the object's life.
func (c *custody) putsUnasked(fn *ssa.Function, f *types.Var, i ssa.Instruction) bool {
	call, ok := i.(ssa.CallInstruction)
	if !ok {
		return false
	}
	// The value is tested neither here nor in a helper.
	own := false
	for _, v := range c.putBy(i) {
		if mi, ok := v.(*ssa.MakeInterface); ok {
			v = mi.X
		}
		l, ok := v.(*ssa.UnOp)
		if !ok || fieldOfValue(l) != f {
			return false
		}
		fa := l.X.(*ssa.FieldAddr)
		own = ofReceiver(fn, fa)
	}
	if !own {
		return false
	}
	if pf, ok := poolFuncOf(calledMethod(call)); ok {
		if pf.api != "sync.Pool" {
			return false // the others ignore nil, or say so
		}
	} else if helper := c.a.calledFunction(call); helper == nil || asksFirst(helper, call, f) {
		return false
	}
	for _, b := range fn.Blocks {
		t, ok := lastInstr(b).(*ssa.If)
		if ok && b.Dominates(i.Block()) && !inArm(b, i.Block()) && !c.fixedTest(fn, t.Cond) {
			return false
		}
		for _, x := range b.Instrs {
			// Used before it is put: it would have failed there.
			if l, ok := x.(*ssa.UnOp); ok && fieldOfValue(l) == f && precedes(l, i) {
				for _, r := range referrers(l) {
					switch r := r.(type) {
					case *ssa.UnOp, *ssa.FieldAddr, *ssa.Store, *ssa.BinOp:
						return false
					case ssa.CallInstruction:
						if r != i {
							return false
						}
					}
				}
			}
		}
	}
	return true
}

// asksFirst reports whether a helper that is given what a field holds compares it with nil before it
// puts it, or may have others do so. One that uses what it points to fails where it is nil.
func asksFirst(fn *ssa.Function, call ssa.CallInstruction, f *types.Var) bool {
	for n, p := range fn.Params {
		if n >= len(call.Common().Args) || fieldOfValue(unboxed(call.Common().Args[n])) != f {
			continue
		}
		for _, r := range referrers(p) {
			switch r.(type) {
			case *ssa.MakeInterface, *ssa.DebugRef, *ssa.FieldAddr:
			default:
				return true
			}
		}
	}
	return false
}

// fixedTest reports whether a condition asks a flag that no method changes, but fn itself or
// another one that ends the object.
func (c *custody) fixedTest(by *ssa.Function, cond ssa.Value) bool {
	if n, ok := cond.(*ssa.UnOp); ok && n.Op == token.NOT {
		cond = n.X
	}
	f := fieldOfValue(cond)
	if f == nil || !isBool(f.Type()) {
		return false
	}
	for _, fn := range c.a.fns {
		for i := range instrsOf(fn) {
			s, ok := i.(*ssa.Store)
			if !ok {
				continue
			}
			if fa, ok := s.Addr.(*ssa.FieldAddr); ok && nthField(fa.X, fa.Field) == f {
				if _, made := fa.X.(*ssa.Alloc); !made && fn != by && !endsObject(fn) {
					return false
				}
			}
		}
	}
	return true
}
