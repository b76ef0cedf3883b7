// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"
)

// bindLate wraps a deferred call in a function literal, so that its arguments
// are evaluated when it runs.
func (a *analysis) bindLate(d *ssa.Defer) []goanalysis.SuggestedFix {
	call := a.calls[d.Pos()]
	if call == nil {
		return nil
	}
	// Every argument must be a variable that is still in view at the end.
	for _, x := range call.Args {
		if _, ok := ast.Unparen(x).(*ast.Ident); !ok {
			return nil
		}
	}
	return []goanalysis.SuggestedFix{{
		Message: "evaluate the argument when the deferred call runs",
		TextEdits: []goanalysis.TextEdit{
			{Pos: call.Pos(), End: call.Pos(), NewText: []byte("func() { ")},
			{Pos: call.End(), End: call.End(), NewText: []byte(" }()")},
		},
	}}
}

// clearFirst inserts a call of clear before the statement x = x[:0].
func (a *analysis) clearFirst(e *event) []goanalysis.SuggestedFix {
	pos := e.pos()
	for _, f := range a.pass.Files {
		if f.FileStart > pos || pos >= f.FileEnd {
			continue
		}
		path, _ := astutil.PathEnclosingInterval(f, pos, pos)
		for n, node := range path {
			as, ok := node.(*ast.AssignStmt)
			if !ok {
				continue
			}
			if n+1 >= len(path) || as.Tok != token.ASSIGN || len(as.Lhs) != 1 {
				return nil
			}
			switch path[n+1].(type) {
			case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			default:
				return nil
			}
			if t := a.pass.TypesInfo.TypeOf(as.Lhs[0]); t == nil {
				return nil
			} else if _, ok := t.Underlying().(*types.Slice); !ok {
				return nil
			}
			var text bytes.Buffer
			if format.Node(&text, a.fset, as.Lhs[0]) != nil {
				return nil
			}
			return []goanalysis.SuggestedFix{{
				Message:   "clear the elements first",
				TextEdits: []goanalysis.TextEdit{{Pos: as.Pos(), End: as.Pos(), NewText: []byte("clear(" + text.String() + ")\n\t")}},
			}}
		}
	}
	return nil
}

// setNilFirst sets fields to nil before the statement that puts their struct.
func (a *analysis) setNilFirst(i ssa.CallInstruction, p *pool, fields []*sym) []goanalysis.SuggestedFix {
	if _, ok := i.(*ssa.Call); !ok || slices.ContainsFunc(fields, func(k *sym) bool { return !a.madeZero(p, k.obj.(*types.Var)) }) {
		return nil
	}
	call := a.calls[i.Pos()]
	if call == nil || len(call.Args) == 0 {
		return nil
	}
	x, ok := ast.Unparen(call.Args[len(call.Args)-1]).(*ast.Ident)
	if !ok {
		return nil
	}
	var text bytes.Buffer
	for _, k := range fields {
		text.WriteString(x.Name + "." + k.obj.(*types.Var).Name() + " = nil\n\t")
	}
	return a.before(call, "set it to nil first", text.Bytes())
}

// before inserts text before a call that is a statement of its own.
func (a *analysis) before(call *ast.CallExpr, message string, text []byte) []goanalysis.SuggestedFix {
	for _, f := range a.pass.Files {
		if f.FileStart > call.Pos() || call.Pos() >= f.FileEnd {
			continue
		}
		path, _ := astutil.PathEnclosingInterval(f, call.Pos(), call.End())
		for n, node := range path {
			st, ok := node.(*ast.ExprStmt)
			if !ok {
				continue
			}
			if n+1 >= len(path) || ast.Unparen(st.X) != call {
				return nil
			}
			switch path[n+1].(type) {
			case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
				return []goanalysis.SuggestedFix{{
					Message:   message,
					TextEdits: []goanalysis.TextEdit{{Pos: st.Pos(), End: st.Pos(), NewText: text}},
				}}
			}
			return nil
		}
	}
	return nil
}

// copyResult makes a return statement copy a slice or string whose memory a
// deferred call puts back.
func (a *analysis) copyResult(i *ssa.Return, n int, r *release) []goanalysis.SuggestedFix {
	if !r.deferred || len(r.stack) == 0 || r.stack[0].Parent() != i.Parent() {
		return nil
	}
	f, path := a.enclosing(i.Pos())
	for _, node := range path {
		rs, ok := node.(*ast.ReturnStmt)
		if !ok {
			continue
		}
		if n >= len(rs.Results) || len(rs.Results) != len(i.Results) {
			return nil
		}
		x := rs.Results[n]
		before := ""
		switch t := a.pass.TypesInfo.TypeOf(x); {
		case types.Identical(t, types.NewSlice(types.Typ[types.Byte])) && imported(f, "bytes"):
			before = "bytes.Clone("
		case types.Identical(t, types.NewSlice(types.Typ[types.Byte])):
			return []goanalysis.SuggestedFix{{
				Message: "return a copy",
				TextEdits: []goanalysis.TextEdit{
					{Pos: x.Pos(), End: x.Pos(), NewText: []byte("append([]byte(nil), ")},
					{Pos: x.End(), End: x.End(), NewText: []byte("...)")},
				},
			}}
		case types.Identical(t, types.Typ[types.String]) && imported(f, "strings"):
			before = "strings.Clone("
		default:
			return nil
		}
		return []goanalysis.SuggestedFix{{
			Message: "return a copy",
			TextEdits: []goanalysis.TextEdit{
				{Pos: x.Pos(), End: x.Pos(), NewText: []byte(before)},
				{Pos: x.End(), End: x.End(), NewText: []byte(")")},
			},
		}}
	}
	return nil
}

// enclosing is the path of nodes around a position, innermost first.
func (a *analysis) enclosing(pos token.Pos) (*ast.File, []ast.Node) {
	for _, f := range a.pass.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			path, _ := astutil.PathEnclosingInterval(f, pos, pos)
			return f, path
		}
	}
	return nil, nil
}

// imported reports whether a file imports a package of the standard library by
// its own name.
func imported(f *ast.File, path string) bool {
	for _, s := range f.Imports {
		if s.Name == nil && s.Path.Value == `"`+path+`"` {
			return true
		}
	}
	return false
}

// afterGet inserts a statement after the one that declares the variable x with
// what Get returned at a position. text makes it from x and its type.
func (a *analysis) afterGet(pos token.Pos, message string, text func(x string, t types.Type) string) []goanalysis.SuggestedFix {
	_, path := a.enclosing(pos)
	for n, node := range path {
		as, ok := node.(*ast.AssignStmt)
		if !ok {
			continue
		}
		if n+1 >= len(path) || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
			return nil
		}
		x, ok := as.Lhs[0].(*ast.Ident)
		if !ok || x.Name == "_" {
			return nil
		}
		// The whole of the right side must be the Get, with its assertion.
		get := ast.Unparen(as.Rhs[0])
		if ta, ok := get.(*ast.TypeAssertExpr); ok {
			get = ast.Unparen(ta.X)
		}
		if call, ok := get.(*ast.CallExpr); !ok || call.Lparen != pos {
			return nil
		}
		if _, ok := path[n+1].(*ast.BlockStmt); !ok {
			return nil
		}
		var t types.Type
		if obj := a.pass.TypesInfo.ObjectOf(x); obj != nil {
			t = obj.Type()
		}
		if t == nil {
			return nil
		}
		line := text(x.Name, t)
		if line == "" {
			return nil
		}
		return []goanalysis.SuggestedFix{{
			Message:   message,
			TextEdits: []goanalysis.TextEdit{{Pos: as.End(), End: as.End(), NewText: []byte("\n\t" + line)}},
		}}
	}
	return nil
}

// emptied is the statement that empties a pooled value: its Reset method, or the
// zero value of a struct of the package.
func (a *analysis) emptied(g *getSite) func(x string, t types.Type) string {
	return func(x string, t types.Type) string {
		if g.what == "decoded into" {
			if !a.madeZero(g.pool, nil) {
				return ""
			}
			if n := pointee(t); n != nil && n.Obj().Pkg() == a.pkg.Pkg && n.TypeArgs().Len() == 0 && n.Obj().Parent() == a.pkg.Pkg.Scope() {
				return "*" + x + " = " + n.Obj().Name() + "{}"
			}
			return ""
		}
		obj, _, _ := types.LookupFieldOrMethod(t, true, a.pkg.Pkg, "Reset")
		f, ok := obj.(*types.Func)
		if !ok || f.Signature().Params().Len() != 0 || f.Signature().Results().Len() != 0 {
			return ""
		}
		return x + ".Reset()"
	}
}

// emptiedField is the statement that empties one field.
func (a *analysis) emptiedField(k poolField) func(x string, t types.Type) string {
	f := k.field
	return func(x string, t types.Type) string {
		s := structOf(t)
		if s == nil || !a.madeZero(k.pool, f) {
			return ""
		}
		for v := range s.Fields() {
			if v.Origin() != f {
				continue
			}
			field := x + "." + f.Name()
			switch u := f.Type().Underlying().(type) {
			case *types.Slice:
				return field + " = " + field + "[:0]"
			case *types.Interface:
				return field + " = nil"
			case *types.Basic:
				switch {
				case u.Info()&types.IsBoolean != 0:
					return field + " = false"
				case u.Info()&types.IsString != 0:
					return field + ` = ""`
				case u.Info()&types.IsNumeric != 0:
					return field + " = 0"
				}
			}
		}
		return ""
	}
}

// unlessNil puts a Put of a variable under a test that it is not nil.
func (a *analysis) unlessNil(i ssa.CallInstruction) []goanalysis.SuggestedFix {
	call := a.calls[i.Pos()]
	if call == nil || len(call.Args) != 1 {
		return nil
	}
	x, ok := ast.Unparen(call.Args[0]).(*ast.Ident)
	if !ok {
		return nil
	}
	fixes := a.before(call, "put it unless it is nil", []byte("if "+x.Name+" != nil {\n\t\t"))
	for k := range fixes {
		fixes[k].TextEdits = append(fixes[k].TextEdits, goanalysis.TextEdit{Pos: call.End(), End: call.End(), NewText: []byte("\n\t}")})
	}
	return fixes
}
