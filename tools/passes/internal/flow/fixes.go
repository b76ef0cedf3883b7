// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"

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
func (a *analysis) setNilFirst(i ssa.CallInstruction, fields []*sym) []goanalysis.SuggestedFix {
	if _, ok := i.(*ssa.Call); !ok {
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
