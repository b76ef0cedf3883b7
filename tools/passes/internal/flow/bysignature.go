// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A function that nobody in view gives, be it a parameter or a field, is one of the users'. Its
// type tells which functions of the package are made to be given so, where a type of the package is
// among its parameters: those of that signature that are passed on as values, or that nobody in
// view calls.

// bySignature are the functions of the package that are made to be called as a function of a
// signature, and that keep something.
func (a *analysis) bySignature(sig *types.Signature) []*ssa.Function {
	list, ok := a.givenAs[sig]
	if !ok {
		if a.givenAs == nil {
			a.givenAs = map[*types.Signature][]*ssa.Function{}
		}
		list = a.madeToBeGiven(sig)
		a.givenAs[sig] = list
	}
	return list
}

// madeToBeGiven finds them, once for all signatures that are the same.
func (a *analysis) madeToBeGiven(sig *types.Signature) []*ssa.Function {
	if sig.Variadic() || !slices.ContainsFunc(slices.Collect(sig.Params().Variables()), func(p *types.Var) bool { return a.ownStruct(p.Type()) }) {
		return nil
	}
	for _, known := range a.signatures {
		if types.Identical(known.sig, sig) {
			return known.fns
		}
	}
	var list []*ssa.Function
	for _, fn := range a.fns {
		if len(fn.Blocks) == 0 || fn.Origin() != nil || fn.Signature.TypeParams() != nil || a.inTest(fn) || !sameParams(fn.Signature, sig) || !keepsWithin(fn, 2) {
			continue
		}
		if fn.Parent() != nil || len(a.sites[fn]) == 0 {
			list = append(list, fn)
		}
	}
	if len(list) > maxFuncs {
		list = nil
	}
	a.signatures = append(a.signatures, signatureOf{sig, list})
	for _, fn := range list {
		if a.strange == nil {
			a.strange = map[*ssa.Function]bool{}
		}
		a.strange[fn] = true
	}
	return list
}

// keepsWithin reports whether a function keeps something, or passes what may lead to memory to one of the package that does.
func keepsWithin(fn *ssa.Function, depth int) bool {
	if keepsSomething(fn) {
		return true
	}
	for i := range instrsOf(fn) {
		c, ok := i.(*ssa.Call)
		if !ok || depth == 0 {
			continue
		}
		callee := c.Call.StaticCallee()
		if callee != nil && callee != fn && callee.Pkg == fn.Pkg && callee.Pkg != nil &&
			slices.ContainsFunc(c.Call.Args, func(x ssa.Value) bool { return hasPointers(x.Type()) }) && keepsWithin(callee, depth-1) {
			return true
		}
	}
	return false
}

// A signatureOf are the functions that bySignature found.
type signatureOf struct {
	sig *types.Signature
	fns []*ssa.Function
}

// ownStruct reports whether a type is a pointer to a struct of the package's own.
func (a *analysis) ownStruct(t types.Type) bool {
	n := pointee(t)
	return n != nil && n.Obj().Pkg() == a.pkg.Pkg && structOf(n) != nil
}

// sameParams reports whether two functions have the same parameters and results, but for
// receivers.
func sameParams(x, y *types.Signature) bool {
	same := func(x, y *types.Tuple) bool {
		if x.Len() != y.Len() {
			return false
		}
		for k := range x.Len() {
			if !types.Identical(x.At(k).Type(), y.At(k).Type()) {
				return false
			}
		}
		return true
	}
	return x.Variadic() == y.Variadic() && same(x.Params(), y.Params()) && same(x.Results(), y.Results())
}

// givenByNobody reports whether nobody in view says what a function value is.
func (a *analysis) givenByNobody(v ssa.Value) bool {
	if list, ok := a.funcs[v]; ok {
		return len(list) == 0 && !a.tooMany[v]
	}
	return len(a.funcsOf(v)) == 0 && !a.tooMany[v]
}

// strangers are the callees that the users of the package may give for a function that nobody in
// view gives.
func (a *analysis) strangers(c *ssa.CallCommon) []*sym {
	var list []*sym
	for _, fn := range a.bySignature(c.Signature()) {
		switch made := a.closures[fn]; {
		case fn.Parent() == nil || len(made) == 0:
			list = append(list, a.syms.intern(symKey{kind: kFunc, obj: fn}, fn.Type()))
		case len(made) == 1:
			list = append(list, a.unbound(made[0], nil))
		}
	}
	return list
}

// withReceiver are the arguments of a call of a function that may be a method which is called as a
// value: its receiver is some object that was there before.
func (a *analysis) withReceiver(f *sym, args []*sym, c *ssa.CallCommon) []*sym {
	fn := f.obj.(*ssa.Function)
	if f.kind != kFunc || c.IsInvoke() || fn.Signature.Recv() == nil || len(fn.Params) != len(args)+1 {
		return args
	}
	recv := a.syms.intern(symKey{kind: kParam, obj: fn.Params[0]}, fn.Params[0].Type())
	return append([]*sym{recv}, args...)
}

// byStranger reports whether a goroutine was started by a function that was taken for one of the
// users'.
func (a *analysis) byStranger(g *spawn) bool {
	return slices.ContainsFunc(g.stack, func(i ssa.Instruction) bool { return a.strange[i.Parent()] })
}

// wouldUse reports whether a goroutine, if it came to run only after a put, would use what was put.
// A body that cannot be followed would.
func (a *analysis) wouldUse(st *state, g *spawn, targets []*sym, ev *event, p *pool) bool {
	at, isCall := g.stack[len(g.stack)-1].(ssa.CallInstruction)
	if g.body == nil || !isCall {
		return true
	}
	s := st.clone()
	s.f.defers = nil
	for _, t := range targets {
		s.rel[t] = &release{event: *ev, pool: p, value: t}
	}
	before := a.unsaid
	a.quiet += 2
	defer func() { a.quiet -= 2 }()
	_, ok := a.inline(s, at, g.body, g.args, g.free)
	return !ok || a.unsaid > before
}
