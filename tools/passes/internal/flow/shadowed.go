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

// A value that is taken into a new variable where an outer one of the same name and type
// was meant: the outer one is put, and stays nil. What is done with the new variable shows
// that nobody else can put what it holds.

// judgeShadowed reports values taken into a variable that hides the one that is put.
func (a *analysis) judgeShadowed() {
	gets, puts := map[*ast.CallExpr]ssa.CallInstruction{}, map[*ast.CallExpr][]int{}
	s := a.uses().sites
	for _, i := range a.instrsBeyondTests() {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		call := a.calls[c.Pos()]
		if call == nil {
			continue
		}
		if c.Value() != nil && s.gets0(a, c) {
			gets[call] = c
		}
		if args := s.putArgs(a, c); len(args) > 0 {
			puts[call] = args
		}
	}
	if len(gets) == 0 || len(puts) == 0 {
		return
	}
	for _, f := range a.pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			as, ok := n.(*ast.AssignStmt)
			if !ok || as.Tok != token.DEFINE {
				return true
			}
			for k, lhs := range as.Lhs {
				if k >= len(as.Rhs) {
					break
				}
				id, ok := lhs.(*ast.Ident)
				call := takenBy(as.Rhs[k])
				if !ok || call == nil || gets[call] == nil {
					continue
				}
				inner, _ := a.pass.TypesInfo.Defs[id].(*types.Var)
				if inner == nil {
					continue
				}
				if outer := a.hidden(inner); outer != nil {
					a.judgeHiding(f, inner, outer, gets[call], puts)
				}
			}
			return true
		})
	}
}

// takenBy is the call that gives a value, under a type assertion.
func takenBy(x ast.Expr) *ast.CallExpr {
	for {
		switch y := ast.Unparen(x).(type) {
		case *ast.TypeAssertExpr:
			x = y.X
		case *ast.CallExpr:
			return y
		default:
			return nil
		}
	}
}

// hidden is the local variable of the same type that a variable hides.
func (a *analysis) hidden(v *types.Var) *types.Var {
	if v.Parent() == nil || v.Parent().Parent() == nil {
		return nil
	}
	scope, obj := v.Parent().Parent().LookupParent(v.Name(), v.Pos())
	o, ok := obj.(*types.Var)
	if !ok || scope == a.pass.Pkg.Scope() || !types.Identical(o.Type(), v.Type()) || !nilable(o.Type()) {
		return nil
	}
	return o
}

func nilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		return true
	}
	return false
}

// judgeHiding reports a value that only a hiding variable has, where the hidden one is put.
func (a *analysis) judgeHiding(f *ast.File, inner, outer *types.Var, get ssa.CallInstruction, puts map[*ast.CallExpr][]int) {
	if !a.declaredNil(f, outer) {
		return // it has a value of its own
	}
	var put *ast.CallExpr
	escapes := false
	var stack []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		id, ok := n.(*ast.Ident)
		if !ok || len(stack) < 2 {
			return true
		}
		switch a.pass.TypesInfo.Uses[id] {
		case inner:
			escapes = escapes || !a.onlyUsed(stack, puts)
		case outer:
			for _, up := range stack {
				if call, ok := up.(*ast.CallExpr); ok && puts[call] != nil && names(call, id) {
					put = call
				}
			}
		}
		return true
	})
	if put == nil || escapes {
		return
	}
	get0 := instrPos(get)
	at := a.fset.Position(get0)
	for k := range a.found {
		if p := a.fset.Position(k.pos); k.pattern == missingPut && p.Line == at.Line && p.Filename == at.Filename {
			return // told by a path
		}
	}
	a.reportFound(finding{
		pattern: missingPut, pos: get0, fn: get.Parent(),
		message: fmt.Sprintf("what is taken here is in a new variable %s, but it is the %s of line %s that is put (%s): nobody puts this one", inner.Name(), outer.Name(), a.line(outer.Pos())[len("line "):], a.line(put.Pos())),
		related: []goanalysis.RelatedInformation{{Pos: outer.Pos(), Message: "the hidden variable"}, {Pos: put.Pos(), Message: "the Put"}},
	})
}

// names reports whether an identifier stands in a call as an argument or the receiver.
func names(call *ast.CallExpr, id *ast.Ident) bool {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && ast.Unparen(sel.X) == ast.Expr(id) {
		return true
	}
	for _, x := range call.Args {
		if ast.Unparen(x) == ast.Expr(id) {
			return true
		}
	}
	return false
}

// declaredNil reports whether a variable is declared without a value, as nil, or as a result.
func (a *analysis) declaredNil(f *ast.File, v *types.Var) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if ft, ok := n.(*ast.FuncType); ok && ft.Results != nil {
			for _, r := range ft.Results.List {
				found = found || slices.ContainsFunc(r.Names, func(id *ast.Ident) bool { return a.pass.TypesInfo.Defs[id] == v })
			}
		}
		vs, ok := n.(*ast.ValueSpec)
		if !ok {
			return !found
		}
		for k, id := range vs.Names {
			if a.pass.TypesInfo.Defs[id] == v {
				found = len(vs.Values) == 0 || k < len(vs.Values) && a.pass.TypesInfo.Types[vs.Values[k]].IsNil()
			}
		}
		return !found
	})
	return found
}

// onlyUsed reports whether a use of a variable, the last of a stack of nodes, neither
// gives what it holds to anybody nor keeps it.
func (a *analysis) onlyUsed(stack []ast.Node, puts map[*ast.CallExpr][]int) bool {
	id := stack[len(stack)-1].(ast.Expr)
	switch up := stack[len(stack)-2].(type) {
	case *ast.StarExpr, *ast.BinaryExpr:
		return true
	case *ast.SelectorExpr:
		if len(stack) < 3 {
			return false
		}
		call, ok := stack[len(stack)-3].(*ast.CallExpr)
		if !ok || call.Fun != ast.Expr(up) {
			sel := a.pass.TypesInfo.Selections[up]
			return sel != nil && sel.Kind() == types.FieldVal
		}
		return puts[call] == nil && a.borrows(up.Sel)
	case *ast.CallExpr:
		if puts[up] != nil || ast.Unparen(up.Fun) == id {
			return false
		}
		switch fun := ast.Unparen(up.Fun).(type) {
		case *ast.Ident:
			if b, ok := a.pass.TypesInfo.Uses[fun].(*types.Builtin); ok {
				return b.Name() == "len" || b.Name() == "cap" || b.Name() == "copy"
			}
		case *ast.SelectorExpr:
			if f, ok := a.pass.TypesInfo.Uses[fun.Sel].(*types.Func); ok && f.Pkg() != nil && isStdPath(f.Pkg().Path()) {
				sig := f.Signature()
				return sig.Results().Len() == 0 || !keeps(sig)
			}
		}
	}
	return false
}

// keeps reports whether a result may hold an argument.
func keeps(sig *types.Signature) bool {
	for v := range sig.Results().Variables() {
		if hasPointers(v.Type()) && !isError(v.Type()) {
			return true
		}
	}
	return false
}

// borrows reports whether a method of another package, of which nothing is known, is named.
func (a *analysis) borrows(sel *ast.Ident) bool {
	f, ok := a.pass.TypesInfo.Uses[sel].(*types.Func)
	return ok && f.Pkg() != nil && isStdPath(f.Pkg().Path())
}
