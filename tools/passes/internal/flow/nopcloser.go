// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// io.NopCloser hides the Close of what it is given: a value that its Close puts is not put.

// judgeNopClosers reports what is wrapped so and closed by nobody else.
func (a *analysis) judgeNopClosers() {
	for fn, i := range a.instrsBeyondTests() {
		c, ok := i.(*ssa.Call)
		if !ok || len(c.Call.Args) != 1 || calledMethod(c) == nil || funcKey(calledMethod(c)) != "io.NopCloser" {
			continue
		}
		x := unboxed(c.Call.Args[0])
		if m := a.closeThatPuts(x.Type()); m != nil && a.madeHere(x) && onlyWrapped(x) {
			a.reportFound(finding{
				pattern: missingPut, pos: instrPos(c), fn: fn,
				message: "io.NopCloser hides the Close of " + apposed(a.valueName(x), "a "+types.TypeString(x.Type(), types.RelativeTo(a.pkg.Pkg)), types.TypeString(x.Type(), types.RelativeTo(a.pkg.Pkg))+",") + " which puts it: nobody can",
				more:    []goanalysis.RelatedInformation{{Pos: m.Pos(), Message: "this Close puts it"}},
			})
		}
	}
}

// closeThatPuts is the Close method of a type of the package that puts its receiver, or what
// is in its fields; nil where Read does so, too.
func (a *analysis) closeThatPuts(t types.Type) *ssa.Function {
	if !a.closes(t) {
		return nil
	}
	set := types.NewMethodSet(t)
	method := func(name string) *ssa.Function {
		if sel := set.Lookup(a.pkg.Pkg, name); sel != nil {
			return a.prog.MethodValue(sel)
		}
		return nil
	}
	m, r := method("Close"), method("Read")
	if m == nil || r == nil || len(m.Params) == 0 || len(m.Blocks) == 0 || len(r.Blocks) == 0 || a.putsOwn(m) == nil || a.putsOwn(r) != nil {
		return nil
	}
	return m
}

// putsOwn is a call in a method that puts its receiver, or what is in its fields.
func (a *analysis) putsOwn(m *ssa.Function) ssa.Instruction {
	if len(m.Blocks) == 0 {
		return nil
	}
	s := a.uses().sites
	for i := range instrsOf(m) {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		for _, n := range s.putArgs(a, c) {
			v := unboxed(c.Common().Args[n])
			if l, ok := v.(*ssa.UnOp); ok {
				v = ownerOf(l.X)
			}
			if v == m.Params[0] {
				return i
			}
		}
	}
	return nil
}

// madeHere reports whether a value is what a function of the package gave.
func (a *analysis) madeHere(x ssa.Value) bool {
	if e, ok := x.(*ssa.Extract); ok {
		x = e.Tuple
	}
	c, ok := x.(*ssa.Call)
	return ok && a.calledFunction(c) != nil
}

// onlyWrapped reports whether nothing is done with a value by which it could be closed: one
// conversion to an interface is for the call that wraps it.
func onlyWrapped(x ssa.Value) bool {
	boxed := 0
	for _, r := range referrers(x) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.FieldAddr:
		case *ssa.MakeInterface:
			if boxed++; boxed > 1 || len(referrers(r)) > 1 {
				return false
			}
		case *ssa.Call:
			if f := calledMethod(r); f == nil || r.Call.IsInvoke() || f.Signature().Recv() == nil || ends(f.Name()) || len(r.Call.Args) == 0 || r.Call.Args[0] != x {
				return false
			}
		default:
			return false
		}
	}
	return true
}
