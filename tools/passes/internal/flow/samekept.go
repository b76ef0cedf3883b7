// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A pointer field that is set to what it has already keeps what was made with its struct. That shows where the
// function asks another for it, which was given the struct and returns what is in the field: also through an
// interface that nobody outside the package can implement, for its method is unexported, or the struct's type is.

// maxSameDepth bounds the calls through which the content of a field comes back.
const maxSameDepth = 3

// setToItsOwn reports whether a store sets a field to what is in it.
func (a *analysis) setToItsOwn(s shapeStore) bool {
	c := sameContent{a, s.field, testedNonNil(s.val, s.at.Block())}
	return c.gives(s.val, s.base, 0)
}

// A sameContent asks for values that are the content of a field.
type sameContent struct {
	a      *analysis
	field  *types.Var
	nilToo bool // nil does not come to the store
}

// gives reports whether a value can only be what the field has in the struct at base.
func (c sameContent) gives(v, base ssa.Value, depth int) bool {
	if loadedField(v, base) == c.field {
		return true
	}
	switch v := v.(type) {
	case *ssa.Const:
		return c.nilToo && v.IsNil()
	case *ssa.Phi:
		return depth < maxSameDepth && !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !c.gives(e, base, depth+1) })
	case *ssa.Call:
		if depth == maxSameDepth {
			return false
		}
		fns := c.callees(&v.Call, base)
		return len(fns) > 0 && !slices.ContainsFunc(fns, func(fn *ssa.Function) bool { return !c.returned(fn, paramGiven(&v.Call, fn, base), depth+1) })
	}
	return false
}

// callees are all functions that a call may reach which is given the struct at base, none where that is not known.
func (c sameContent) callees(call *ssa.CallCommon, base ssa.Value) []*ssa.Function {
	if f := call.StaticCallee(); f != nil {
		return []*ssa.Function{f}
	}
	if !call.IsInvoke() || !slices.Contains(call.Args, base) {
		return nil
	}
	n, ok := types.Unalias(call.Value.Type()).(*types.Named)
	if !ok || n.Obj().Pkg() != c.a.pkg.Pkg {
		return nil
	}
	if t := pointee(base.Type()); call.Method.Exported() && (t == nil || t.Obj().Exported()) {
		return nil
	}
	it, ok := n.Underlying().(*types.Interface)
	if !ok || c.a.hasGenericMethod(call.Method.Name()) {
		return nil
	}
	var list []*ssa.Function
	for _, t := range c.a.implementers(it) {
		sel := types.NewMethodSet(t).Lookup(call.Method.Pkg(), call.Method.Name())
		m := c.a.prog.MethodValue(sel)
		if m == nil {
			return nil
		}
		list = append(list, m)
	}
	return list
}

// hasGenericMethod reports whether a type of the package that has type parameters has a method of a name: its instances
// are not among the implementers of an interface.
func (a *analysis) hasGenericMethod(name string) bool {
	scope := a.pkg.Pkg.Scope()
	return slices.ContainsFunc(scope.Names(), func(of string) bool {
		tn, ok := scope.Lookup(of).(*types.TypeName)
		if !ok || tn.IsAlias() {
			return false
		}
		n, ok := tn.Type().(*types.Named)
		return ok && n.TypeParams().Len() > 0 && slices.ContainsFunc(slices.Collect(n.Methods()), func(m *types.Func) bool { return m.Name() == name })
	})
}

// paramGiven is the parameter as which a call gives a value to a function, nil where it does not.
func paramGiven(call *ssa.CallCommon, fn *ssa.Function, v ssa.Value) *ssa.Parameter {
	args := call.Args
	if call.IsInvoke() {
		args = append([]ssa.Value{call.Value}, args...)
	}
	if n := slices.Index(args, v); n >= 0 && n < len(fn.Params) {
		return fn.Params[n]
	}
	return nil
}

// returned reports whether a function with one result returns nothing but what the field has in a parameter.
func (c sameContent) returned(fn *ssa.Function, p *ssa.Parameter, depth int) bool {
	if p == nil || fn.Signature.Results().Len() != 1 {
		return false
	}
	found := false
	for _, b := range fn.Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok {
			continue
		}
		for _, v := range valuesOf(r.Results[0]) {
			if !c.gives(v, p, depth) {
				return false
			}
			found = true
		}
	}
	return found
}

// testedNonNil reports whether a block is only come to where a value was found not to be nil.
func testedNonNil(v ssa.Value, b *ssa.BasicBlock) bool {
	if v.Referrers() == nil {
		return false
	}
	return slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		c, ok := r.(*ssa.BinOp)
		if !ok || !isNilConst(c.Y) && !isNilConst(c.X) {
			return false
		}
		return slices.ContainsFunc(referrers(c), func(r ssa.Instruction) bool {
			t, ok := r.(*ssa.If)
			if !ok {
				return false
			}
			succ := t.Block().Succs[0]
			if c.Op == token.EQL {
				succ = t.Block().Succs[1]
			} else if c.Op != token.NEQ {
				return false
			}
			return len(succ.Preds) == 1 && succ.Dominates(b)
		})
	})
}
