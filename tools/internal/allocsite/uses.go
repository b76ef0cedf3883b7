// SPDX-License-Identifier: BSD-3-Clause

package allocsite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A Use is a line on which a function uses a variable of its own.
type Use struct {
	Line int

	// Leaves says that the value leaves the function there: it is returned, stored in
	// what is not local, sent, or used by a goroutine. Values that leave through another
	// variable, or through a call, are not noticed.
	Leaves bool
}

// Uses returns the lines on which a variable is used that was declared, or given a
// value, on a line of an absolute path, in their order. method restricts them to the
// results of a method of the variable, "" does not.
func (p *Program) Uses(path string, line int, name, method string) []Use {
	f, obj := p.local(path, line, name)
	if obj == nil {
		return nil
	}
	fn := p.enclosing(f, line)
	var out []Use
	var stack []ast.Node
	ast.Inspect(fn, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		id, ok := n.(*ast.Ident)
		if !ok || f.pkg.TypesInfo.Uses[id] != obj || p.line(id.Pos()) == line {
			return true
		}
		around := stack[:len(stack)-1]
		if method != "" {
			n := len(around)
			if n < 2 {
				return true
			}
			sel, ok1 := around[n-1].(*ast.SelectorExpr)
			_, ok2 := around[n-2].(*ast.CallExpr)
			if !ok1 || !ok2 || sel.Sel.Name != method {
				return true
			}
			around = around[:n-2]
		}
		if assigns(id, around) {
			return true
		}
		use := Use{Line: p.line(id.Pos()), Leaves: p.leaves(f, fn, around)}
		if n := len(out); n > 0 && out[n-1].Line == use.Line {
			out[n-1].Leaves = out[n-1].Leaves || use.Leaves
		} else {
			out = append(out, use)
		}
		return true
	})
	return out
}

// Grows reports whether the storage of a local variable of a line may be grown by
// code elsewhere, which a profile blames on the line: it is appended to, it is passed
// to a call, or it holds something that may.
func (p *Program) Grows(path string, line int, name string) bool {
	f, obj := p.local(path, line, name)
	if obj == nil {
		return true
	}
	t := obj.Type()
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if flat(t, 0) {
		return false
	}
	s, ok := t.Underlying().(*types.Slice)
	if !ok || !flat(s.Elem(), 0) {
		return true
	}
	grows := false
	ast.Inspect(p.enclosing(f, line), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return !grows
		}
		if tv := f.pkg.TypesInfo.Types[call.Fun]; tv.IsBuiltin() {
			if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name != "append" {
				return true
			}
			call = &ast.CallExpr{Fun: call.Fun, Args: call.Args[:1]} // the others are only read
		}
		for _, x := range append([]ast.Expr{call.Fun}, call.Args...) {
			ast.Inspect(x, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && f.pkg.TypesInfo.Uses[id] == obj {
					grows = true
				}
				return !grows
			})
		}
		return !grows
	})
	return grows
}

// flat reports whether values of a type have no storage that can grow.
func flat(t types.Type, depth int) bool {
	if depth > 8 {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Array:
		return flat(u.Elem(), depth+1)
	case *types.Struct:
		for i := range u.NumFields() {
			if !flat(u.Field(i).Type(), depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// local returns the variable of a function that has this name and is declared, or
// given a value, on a line.
func (p *Program) local(path string, line int, name string) (*file, types.Object) {
	if p == nil || name == "" || name == "_" {
		return nil, nil
	}
	f := p.byPath[path]
	if f == nil {
		return nil, nil
	}
	fn := p.enclosing(f, line)
	if fn == nil {
		return nil, nil
	}
	var found types.Object
	ast.Inspect(fn, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name && p.line(id.Pos()) == line && found == nil {
			if v, ok := f.pkg.TypesInfo.ObjectOf(id).(*types.Var); ok && !v.IsField() {
				found = v
			}
		}
		return found == nil
	})
	return f, found
}

// assigns reports whether an identifier is what an assignment gives a value.
func assigns(id *ast.Ident, around []ast.Node) bool {
	as, ok := around[len(around)-1].(*ast.AssignStmt)
	if !ok {
		return false
	}
	for _, l := range as.Lhs {
		if l == ast.Expr(id) {
			return true
		}
	}
	return false
}

// leaves reports whether the value of an expression leaves the function; around are
// the nodes around it, the outermost first.
func (p *Program) leaves(f *file, fn *ast.FuncDecl, around []ast.Node) bool {
	info := f.pkg.TypesInfo
	for i := len(around) - 1; i >= 0; i-- {
		switch n := around[i].(type) {
		case *ast.GoStmt, *ast.SendStmt:
			return true
		case *ast.ReturnStmt:
			return true
		case *ast.CallExpr:
			if tv := info.Types[n.Fun]; tv.IsType() {
				if t := info.TypeOf(n); t != nil {
					if _, ok := t.Underlying().(*types.Basic); ok {
						return false // a string of its own
					}
				}
				continue
			}
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && id.Name == "append" && info.Types[n.Fun].IsBuiltin() && !n.Ellipsis.IsValid() {
				continue
			}
			return goes(around[:i])
		case *ast.IndexExpr, *ast.BinaryExpr, *ast.IfStmt, *ast.SwitchStmt, *ast.RangeStmt:
			return false
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				return false
			}
			for _, l := range n.Lhs {
				id, ok := ast.Unparen(l).(*ast.Ident)
				if !ok {
					return true // a field, an element
				}
				if v := info.ObjectOf(id); v != nil && (v.Pos() < fn.Pos() || v.Pos() > fn.End()) {
					return true
				}
			}
			return false
		}
	}
	return false
}

// goes reports whether a call is that of a go statement.
func goes(around []ast.Node) bool {
	if len(around) == 0 {
		return false
	}
	_, ok := around[len(around)-1].(*ast.GoStmt)
	return ok
}
