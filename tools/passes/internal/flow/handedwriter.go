// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Middleware hands its own writer to a handler, and closes it when that has returned. The handler may find that the
// writer has a Close, and close it too. Where the writer takes something from a pool when it is first
// written to, and Close asks whether it did, a Close that leaves it in its field puts it once more.

// collectWriters adds to the bodies the types of such writers.
func (a *analysis) collectWriters() {
	for _, i := range a.instrs() {
		c, ok := i.(*ssa.Call)
		if !ok || !c.Call.IsInvoke() || c.Call.Method.Name() != "ServeHTTP" || !isHandler(c.Call.Value.Type()) || len(c.Call.Args) != 2 {
			continue
		}
		m, ok := c.Call.Args[0].(*ssa.MakeInterface)
		if !ok || a.inTest(c.Parent()) {
			continue
		}
		n := recvName(m.X.Type())
		if n == nil || n.Pkg() != a.pkg.Pkg || a.bodies[n] {
			continue
		}
		if f := a.askedByClose(m.X.Type()); f != nil && a.setLazily(f) {
			a.bodies[n] = true
		}
	}
}

// askedByClose is the field that the Close of a type asks for nil first, or nil.
func (a *analysis) askedByClose(t types.Type) *types.Var {
	sel := types.NewMethodSet(t).Lookup(a.pkg.Pkg, "Close")
	if sel == nil {
		return nil
	}
	m := a.prog.MethodValue(sel)
	if m == nil || len(m.Blocks) == 0 || len(m.Params) != 1 || !a.inPackage(m) {
		return nil
	}
	f, _ := nilTested(lastInstr(m.Blocks[0]))
	return f
}

// nilTested is the field that a branch asks for nil, and the arm where it is.
func nilTested(i ssa.Instruction) (f *types.Var, isNil *ssa.BasicBlock) {
	t, ok := i.(*ssa.If)
	if !ok {
		return nil, nil
	}
	o, ok := t.Cond.(*ssa.BinOp)
	if !ok || !isNilConst(o.Y) {
		return nil, nil
	}
	f, _ = fieldLoad(o.X)
	if f == nil {
		return nil, nil
	}
	arm := 0
	if o.Op.String() == "!=" {
		arm = 1
	}
	return f, t.Block().Succs[arm]
}

// setLazily reports whether a function of the package, or one that it calls there, sets a field where it is nil.
func (a *analysis) setLazily(f *types.Var) bool {
	var sets func(b *ssa.BasicBlock, depth int) bool
	sets = func(b *ssa.BasicBlock, depth int) bool {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Store:
				if fa, ok := i.Addr.(*ssa.FieldAddr); ok && fieldAt(fa) == f && !isNilConst(i.Val) {
					return true
				}
			case *ssa.Call:
				fn := a.calledFunction(i)
				if fn == nil || depth > 1 || !a.inPackage(fn) {
					continue
				}
				for _, b := range fn.Blocks {
					if sets(b, depth+1) {
						return true
					}
				}
			}
		}
		return false
	}
	for _, fn := range a.fns {
		for _, b := range fn.Blocks {
			if g, isNil := nilTested(lastInstr(b)); g == f && isNil != b && sets(isNil, 0) {
				return true
			}
		}
	}
	return false
}
