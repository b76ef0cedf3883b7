// SPDX-License-Identifier: BSD-3-Clause

package allocsite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// A Kind is a kind of expression that makes a value.
type Kind string

// The kinds.
const (
	MakeSlice Kind = "make slice"
	MakeMap   Kind = "make map"
	MakeChan  Kind = "make channel"
	New       Kind = "new"
	Literal   Kind = "slice or map literal"
	Append    Kind = "append"
	ToString  Kind = "string" // a conversion or a concatenation
	ToBytes   Kind = "conversion to a slice"
	Closure   Kind = "function literal"
	Start     Kind = "go statement"
	Variable  Kind = "variable" // that may be moved to the heap
	MapPut    Kind = "map assignment"
	Call      Kind = "call"
)

// A Making is an expression that makes a value.
type Making struct {
	Kind Kind
	Expr string
	Type types.Type // of the value
	Elem types.Type // of a slice's elements; nil for others

	// Size is how many bytes it asks for; 0 if that is known at run time only.
	Size int64

	Line, Col int
	Fixed     bool   // of a literal of a map: all its elements are constants
	Var       string // the variable that it is, or is the value of; "" if none
}

// Makes returns the expressions on a line of an absolute path that may take
// memory from the heap, in their order. Calls are among them, conversions to
// interfaces are not.
func (p *Program) Makes(path string, line int) []Making {
	if p == nil {
		return nil
	}
	f := p.byPath[path]
	if f == nil {
		return nil
	}
	info := f.pkg.TypesInfo
	names := make(map[ast.Node]string) // the variable that an expression is the value of
	assign := func(lhs, rhs []ast.Expr) {
		for i, l := range lhs {
			if id, ok := l.(*ast.Ident); ok && (len(lhs) == len(rhs) || i == 0) && i < len(rhs) {
				x := ast.Unparen(rhs[i])
				names[x] = id.Name
				switch y := x.(type) {
				case *ast.UnaryExpr:
					names[ast.Unparen(y.X)] = id.Name
				case *ast.TypeAssertExpr:
					names[ast.Unparen(y.X)] = id.Name
				}
			}
		}
	}
	var out []Making
	add := func(n ast.Node, kind Kind, t types.Type, size int64) {
		pos := n.Pos()
		if call, ok := n.(*ast.CallExpr); ok && kind != Call {
			pos = call.Pos()
		}
		at := p.Fset.Position(pos)
		if at.Line != line || t == nil {
			return
		}
		m := Making{Kind: kind, Type: t, Size: size, Line: at.Line, Col: at.Column, Var: names[n]}
		if x, ok := n.(ast.Expr); ok {
			m.Expr = types.ExprString(x)
		}
		if kind == Variable {
			m.Var = m.Expr
		}
		if s, ok := t.Underlying().(*types.Slice); ok {
			m.Elem = s.Elem()
		}
		out = append(out, m)
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if n == nil || p.line(n.Pos()) > line || p.line(n.End()) < line {
			return n == nil
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			assign(n.Lhs, n.Rhs)
			if n.Tok == token.DEFINE {
				for _, l := range n.Lhs {
					if id, ok := l.(*ast.Ident); ok && info.Defs[id] != nil {
						v := info.Defs[id]
						add(l, Variable, v.Type(), p.sizeof(v.Type()))
					}
				}
			}
			for _, l := range n.Lhs {
				if ix, ok := l.(*ast.IndexExpr); ok {
					if t := info.TypeOf(ix.X); t != nil {
						if _, ok := t.Underlying().(*types.Map); ok {
							add(l, MapPut, t, 0)
						}
					}
				}
			}
		case *ast.ValueSpec:
			lhs := make([]ast.Expr, len(n.Names))
			for i, id := range n.Names {
				lhs[i] = id
			}
			assign(lhs, n.Values)
			for _, id := range n.Names {
				if v := info.Defs[id]; v != nil {
					add(id, Variable, v.Type(), p.sizeof(v.Type()))
				}
			}
		case *ast.FuncDecl:
			for _, field := range n.Type.Params.List {
				for _, id := range field.Names {
					if v := info.Defs[id]; v != nil {
						add(id, Variable, v.Type(), p.sizeof(v.Type()))
					}
				}
			}
		case *ast.CallExpr:
			p.addCall(info, n, add)
		case *ast.UnaryExpr:
			if lit, ok := ast.Unparen(n.X).(*ast.CompositeLit); ok && n.Op == token.AND {
				add(n, New, info.TypeOf(lit), p.sizeof(info.TypeOf(lit)))
			}
		case *ast.CompositeLit:
			switch t := info.TypeOf(n); u := t.Underlying().(type) {
			case *types.Slice:
				add(n, Literal, t, p.sizeof(u.Elem())*int64(len(n.Elts)))
			case *types.Map:
				before := len(out)
				if add(n, Literal, t, 0); len(out) > before {
					out[len(out)-1].Fixed = constants(info, n)
				}
			}
		case *ast.BinaryExpr:
			if t := info.TypeOf(n); n.Op == token.ADD && t != nil && info.Types[n].Value == nil {
				if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
					add(n, ToString, t, 0)
					return false
				}
			}
		case *ast.FuncLit:
			add(n, Closure, info.TypeOf(n), 0)
		case *ast.GoStmt:
			add(n, Start, info.TypeOf(n.Call.Fun), 0)
		}
		return true
	})
	return out
}

// constants reports whether all elements of a literal are.
func constants(info *types.Info, lit *ast.CompositeLit) bool {
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok || info.Types[kv.Key].Value == nil || info.Types[kv.Value].Value == nil {
			return false
		}
	}
	return true
}

func (p *Program) addCall(info *types.Info, call *ast.CallExpr, add func(ast.Node, Kind, types.Type, int64)) {
	tv := info.Types[call.Fun]
	switch {
	case tv.IsType() && len(call.Args) == 1:
		to, from := tv.Type.Underlying(), info.TypeOf(call.Args[0])
		if from == nil || info.Types[call].Value != nil {
			return
		}
		_, toSlice := to.(*types.Slice)
		_, fromSlice := from.Underlying().(*types.Slice)
		b, _ := to.(*types.Basic)
		fb, _ := from.Underlying().(*types.Basic)
		switch {
		case b != nil && b.Info()&types.IsString != 0 && fromSlice:
			add(call, ToString, tv.Type, 0)
		case toSlice && fb != nil && fb.Info()&types.IsString != 0:
			add(call, ToBytes, tv.Type, 0)
		}
	case tv.IsBuiltin():
		name := types.ExprString(ast.Unparen(call.Fun))
		t := info.TypeOf(call)
		switch name {
		case "append":
			add(call, Append, t, 0)
		case "new":
			if ptr, ok := t.(*types.Pointer); ok {
				add(call, New, ptr.Elem(), p.sizeof(ptr.Elem()))
			}
		case "make":
			switch u := t.Underlying().(type) {
			case *types.Slice:
				n := info.Types[call.Args[len(call.Args)-1]].Value
				size := int64(0)
				if n != nil {
					if v, ok := constant.Int64Val(constant.ToInt(n)); ok {
						size = v * p.sizeof(u.Elem())
					}
				}
				add(call, MakeSlice, t, size)
			case *types.Map:
				add(call, MakeMap, t, 0)
			case *types.Chan:
				add(call, MakeChan, t, 0)
			}
		}
	default:
		if t := info.TypeOf(call); t != nil {
			add(call, Call, t, 0)
		}
	}
}

// sizeof returns the size of a type, or 0 if it depends on a type parameter.
func (p *Program) sizeof(t types.Type) (n int64) {
	if t == nil {
		return 0
	}
	defer func() {
		if recover() != nil { // a type parameter has no size
			n = 0
		}
	}()
	return p.Sizes.Sizeof(t)
}

// Written reports whether the only thing that a line does with the result of a
// call of this name is to write it on or to append it.
func (p *Program) Written(path string, line int, name string) bool {
	if p == nil {
		return false
	}
	f := p.byPath[path]
	found := false
	for _, call := range p.calls(f, line, name) {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			outer, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for _, arg := range outer.Args {
				if s, ok := ast.Unparen(arg).(*ast.CallExpr); ok && s == call && writes(outer) {
					found = true
				}
			}
			return !found
		})
	}
	return found
}

// writes reports whether a call writes on what it is given.
func writes(call *ast.CallExpr) bool {
	var name string
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name = fun.Sel.Name
	}
	return name == "Write" || name == "WriteString" || name == "append"
}
