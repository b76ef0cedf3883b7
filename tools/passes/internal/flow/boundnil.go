// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A deferred call takes its receiver and arguments where the defer stands. Of a variable that is
// set later only, it gets nil, and a method that does nothing for nil hides that.

// judgeBoundNil reports deferred calls that would put what a variable holds, and get nil.
func (a *analysis) judgeBoundNil() {
	for c := range a.productCalls() {
		d, ok := c.(*ssa.Defer)
		if !ok || d.Call.IsInvoke() || inLoop(d.Block()) {
			continue
		}
		for n, v := range d.Call.Args {
			if !unsetAt(d, v) || !a.putsPartOf(d, n, 0) {
				continue
			}
			name, set := a.setAfter(d, n)
			if !set.IsValid() {
				name, set = a.fieldSetAfter(d, v)
			}
			if !set.IsValid() {
				continue
			}
			a.reportFound(finding{
				pattern: staleHeader, pos: instrPos(d), fn: d.Parent(),
				message: fmt.Sprintf("the deferred call gets %s as it is here, nil: what it is set to later (%s) is not put", name, a.line(set)),
				related: []goanalysis.RelatedInformation{{Pos: set, Message: "set here"}},
				fixes:   a.bindLate(d),
			})
		}
	}
}

// unsetAt reports whether an argument of a deferred call is nil: the zero value of a variable, or of a
// field of a struct made there, that nothing has set yet.
func unsetAt(d *ssa.Defer, v ssa.Value) bool {
	v = unboxed(v)
	if isNilConst(v) {
		return true
	}
	l, ok := v.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return false
	}
	al, ok := l.X.(*ssa.Alloc)
	if !ok {
		f, ok := l.X.(*ssa.FieldAddr)
		return ok && unsetField(d, f)
	}
	switch types.Unalias(l.Type()).Underlying().(type) {
	case *types.Pointer, *types.Slice:
	default:
		return false
	}
	for _, r := range referrers(al) {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != al || !isNilConst(r.Val) && !onlyAfter(d, r) {
				return false
			}
		default:
			if i, ok := r.(ssa.Instruction); !ok || !onlyAfter(d, i) {
				return false
			}
		}
	}
	return true
}

// unsetField reports whether a field of a struct has been nil since the function made the struct.
func unsetField(d *ssa.Defer, f *ssa.FieldAddr) bool {
	al, ok := f.X.(*ssa.Alloc)
	if !ok || !isPtr(f.Type().(*types.Pointer).Elem()) {
		return false
	}
	for _, r := range referrers(al) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.FieldAddr:
			if r.Field == f.Field && !onlyReadBefore(d, r) {
				return false
			}
		case *ssa.UnOp: // a copy of the struct sets nothing in it
		case ssa.Instruction:
			if !onlyAfter(d, r) {
				return false
			}
		}
	}
	return true
}

// onlyReadBefore reports whether an address is only read from, but after a deferred call was noted.
func onlyReadBefore(d *ssa.Defer, addr ssa.Value) bool {
	for _, r := range referrers(addr) {
		switch r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			if !onlyAfter(d, r) {
				return false
			}
		}
	}
	return true
}

// fieldSetAfter is the field that a deferred call takes an argument from, and where it is set after
// that: in the function, or in one that it gives the struct to.
func (a *analysis) fieldSetAfter(d *ssa.Defer, v ssa.Value) (string, token.Pos) {
	l, ok := unboxed(v).(*ssa.UnOp)
	if !ok {
		return "", token.NoPos
	}
	f, ok := l.X.(*ssa.FieldAddr)
	if !ok {
		return "", token.NoPos
	}
	setIn := func(base ssa.Value) token.Pos {
		for _, r := range referrers(base) {
			at, ok := r.(*ssa.FieldAddr)
			if !ok || at.Field != f.Field {
				continue
			}
			for _, r := range referrers(at) {
				if s, ok := r.(*ssa.Store); ok && s.Addr == at && !isNilConst(s.Val) {
					return instrPos(s)
				}
			}
		}
		return token.NoPos
	}
	name := fieldAt(f).Name()
	if pos := setIn(f.X); pos.IsValid() {
		return name, pos
	}
	for _, r := range referrers(f.X) {
		c, ok := r.(ssa.CallInstruction)
		if !ok {
			continue
		}
		fn := a.calledFunction(c)
		k := slices.Index(c.Common().Args, f.X)
		if fn == nil || k < 0 || k >= len(fn.Params) {
			continue
		}
		if pos := setIn(fn.Params[k]); pos.IsValid() {
			return name, pos
		}
	}
	return "", token.NoPos
}

// onlyAfter reports whether an instruction only runs when another one has run.
func onlyAfter(first, i ssa.Instruction) bool {
	return precedes(first, i) && !reaches(i.Block(), first.Block())
}

// maxBoundDepth bounds how many calls a value is followed into.
const maxBoundDepth = 3

// putsPartOf reports whether a call puts its n-th argument, or what that leads to.
func (a *analysis) putsPartOf(c ssa.CallInstruction, n, depth int) bool {
	if slices.Contains(a.uses().putArgs(a, c), n) {
		return true
	}
	fn := a.calledFunction(c)
	if fn == nil || !a.inPackage(fn) || len(fn.Blocks) == 0 {
		return a.factPuts(c, n)
	}
	if depth >= maxBoundDepth || n >= len(fn.Params) {
		return false
	}
	for i := range instrsOf(fn) {
		inner, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		for k, x := range inner.Common().Args {
			if ledToBy(x, fn.Params[n], 0) && a.putsPartOf(inner, k, depth+1) {
				return true
			}
		}
	}
	return false
}

// ledToBy reports whether a value was found in a parameter.
func ledToBy(v ssa.Value, p *ssa.Parameter, depth int) bool {
	if depth > 8 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Parameter:
		return x == p
	case *ssa.MakeInterface:
		return ledToBy(x.X, p, depth+1)
	case *ssa.UnOp:
		return ledToBy(x.X, p, depth+1)
	case *ssa.FieldAddr:
		return ledToBy(x.X, p, depth+1)
	case *ssa.Slice:
		return ledToBy(x.X, p, depth+1)
	case *ssa.ChangeType:
		return ledToBy(x.X, p, depth+1)
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return e != v && ledToBy(e, p, depth+3) })
	}
	return false
}

// factPuts reports whether a function of another package is known to put what an argument
// leads to.
func (a *analysis) factPuts(c ssa.CallInstruction, n int) bool {
	f := calledMethod(c)
	if f == nil || f.Pkg() == a.pkg.Pkg {
		return false
	}
	sum := a.summaryOf(f)
	if sum == nil {
		return false
	}
	return slices.ContainsFunc(sum.Outcomes, func(o Outcome) bool {
		return slices.ContainsFunc(o.Puts, func(p Put) bool {
			e := p.Value
			for e != nil && e.A != nil {
				e = e.A
			}
			return e != nil && e.Kind == "param" && e.Index == n
		})
	})
}

// setAfter is the name of the variable that a deferred call takes its n-th argument from, and a
// statement after the defer that sets it to something.
func (a *analysis) setAfter(d *ssa.Defer, n int) (string, token.Pos) {
	call := a.calls[d.Pos()]
	if call == nil {
		return "", token.NoPos
	}
	args := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && a.pass.TypesInfo.Selections[sel] != nil {
		args = append([]ast.Expr{sel.X}, args...)
	}
	if n >= len(args) {
		return "", token.NoPos
	}
	id, ok := ast.Unparen(args[n]).(*ast.Ident)
	if !ok {
		return "", token.NoPos
	}
	v, ok := a.pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || v.Parent() == a.pkg.Pkg.Scope() || v.IsField() {
		return "", token.NoPos
	}
	var set ast.Node
	for _, f := range a.pass.Files {
		if f.FileStart > d.Pos() || d.Pos() >= f.FileEnd {
			continue
		}
		ast.Inspect(f, func(node ast.Node) bool {
			as, ok := node.(*ast.AssignStmt)
			if !ok || set != nil || as.Pos() < call.End() {
				return set == nil
			}
			for k, l := range as.Lhs {
				id, ok := ast.Unparen(l).(*ast.Ident)
				if !ok || a.pass.TypesInfo.Uses[id] != v {
					continue
				}
				if len(as.Rhs) == len(as.Lhs) && a.pass.TypesInfo.Types[as.Rhs[k]].IsNil() {
					continue
				}
				set = as
			}
			return set == nil
		})
	}
	if set == nil {
		return "", token.NoPos
	}
	return id.Name, set.Pos()
}
