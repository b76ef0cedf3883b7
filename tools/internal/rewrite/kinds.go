// SPDX-License-Identifier: BSD-3-Clause

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// propose makes the change of one candidate.
func (p *proposer) propose(c *candidate) (*Change, error) {
	if strings.HasPrefix(p.pkg.PkgPath, "github.com/klauspost/compress/") {
		switch c.kind {
		case "gzip-writer", "gzip-reader", "zstd-writer", "zstd-reader", "json-encoder", "json-decoder", "json-marshal":
			return nil, refuse("spare's codecs may import this package, so it cannot import them")
		}
	}
	if d, ok := c.stmt.(*ast.DeclStmt); ok && declares(d) > 1 {
		return nil, refuse("it is declared together with other variables")
	}
	switch c.kind {
	case "buffer":
		return p.buffer(c)
	case "read-all":
		return p.readAll(c)
	case "scratch-slice":
		return p.scratch(c)
	case "bufio":
		return p.bufio(c)
	case "object":
		return p.object(c)
	case "gzip-writer", "gzip-reader", "zstd-writer", "zstd-reader":
		return p.codec(c)
	case "json-encoder":
		return p.jsonEncoder(c)
	case "json-decoder":
		return p.jsonDecoder(c)
	case "json-marshal":
		return p.jsonMarshal(c)
	case "flate":
		return nil, refuse("spare has no pool of its own for flate and zlib codecs")
	}
	return nil, refuse("it is of no kind that has a pool")
}

// declares returns how many variables a declaration has, which is replaced as a
// whole.
func declares(d *ast.DeclStmt) (n int) {
	for _, spec := range d.Decl.(*ast.GenDecl).Specs {
		if v, ok := spec.(*ast.ValueSpec); ok {
			n += len(v.Names)
		}
	}
	return n
}

// A use is an identifier that names the variable, with the nodes around it.
type use struct {
	id   *ast.Ident
	path []ast.Node // from the parent outwards
}

// uses returns the uses of a variable in the file, in their order.
func (p *proposer) uses(v *types.Var) []use {
	var found []use
	ast.Inspect(p.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && p.info.Uses[id] == v {
			path := p.path(id)
			for len(path) > 0 && path[0] != id {
				path = path[1:]
			}
			path = path[1:]
			for len(path) > 0 {
				if _, ok := path[0].(*ast.ParenExpr); !ok {
					break
				}
				path = path[1:]
			}
			found = append(found, use{id, path})
		}
		return true
	})
	return found
}

// assigned reports whether a variable gets another value after its declaration.
func (p *proposer) assigned(v *types.Var) bool { return len(p.assignments(v)) > 0 }

func (p *proposer) assignments(v *types.Var) []*ast.AssignStmt {
	var found []*ast.AssignStmt
	ast.Inspect(p.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				if id, ok := ast.Unparen(lhs).(*ast.Ident); ok && p.info.Uses[id] == v {
					found = append(found, n)
				}
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if id, ok := e.(*ast.Ident); ok && p.info.Uses[id] == v {
					found = append(found, &ast.AssignStmt{TokPos: n.For, Lhs: []ast.Expr{id}})
				}
			}
		}
		return true
	})
	return found
}

// toInterface reports whether the expression e, whose parent is path[0], becomes
// an interface value there.
func (p *proposer) toInterface(e ast.Expr, path []ast.Node) bool {
	iface := func(t types.Type) bool {
		if t == nil {
			return false
		}
		if _, ok := types.Unalias(t).(*types.TypeParam); ok {
			return false
		}
		return types.IsInterface(t)
	}
	switch par := path[0].(type) {
	case *ast.CallExpr:
		if tv := p.info.Types[par.Fun]; tv.IsType() {
			return iface(tv.Type)
		}
		sig, ok := p.info.TypeOf(par.Fun).Underlying().(*types.Signature)
		if !ok {
			return false
		}
		// The parameters as declared: an instantiated type parameter is no interface.
		if fn := p.callee(par); fn != nil && fn.Signature().TypeParams().Len() > 0 {
			sig = fn.Origin().Signature()
		}
		for i, arg := range par.Args {
			if ast.Unparen(arg) != e {
				continue
			}
			n := sig.Params().Len()
			if sig.Variadic() && i >= n-1 {
				return iface(sig.Params().At(n - 1).Type().(*types.Slice).Elem())
			}
			return i < n && iface(sig.Params().At(i).Type())
		}
	case *ast.KeyValueExpr:
		if len(path) < 2 || ast.Unparen(par.Value) != e {
			return false
		}
		if id, ok := par.Key.(*ast.Ident); ok {
			if f, ok := p.info.Uses[id].(*types.Var); ok && f.IsField() {
				return iface(f.Type())
			}
		}
	case *ast.CompositeLit:
		switch u := p.info.TypeOf(par).Underlying().(type) {
		case *types.Struct:
			for i, elt := range par.Elts {
				if ast.Unparen(elt) == e && i < u.NumFields() {
					return iface(u.Field(i).Type())
				}
			}
		case interface{ Elem() types.Type }:
			return iface(u.Elem())
		}
	case *ast.AssignStmt:
		if len(par.Lhs) == len(par.Rhs) {
			for i, r := range par.Rhs {
				if ast.Unparen(r) == e {
					return par.Tok == token.ASSIGN && iface(p.info.TypeOf(par.Lhs[i]))
				}
			}
		}
	case *ast.ReturnStmt:
		return true // what is returned outlives the function, which is the better reason
	case *ast.ValueSpec:
		return par.Type != nil && iface(p.info.TypeOf(par.Type))
	}
	return false
}

// pure reports whether an expression may be written twice.
func (p *proposer) pure(e ast.Expr) bool {
	if p.info.Types[e].Value != nil {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return p.pure(e.X)
	case *ast.BinaryExpr:
		return p.pure(e.X) && p.pure(e.Y)
	case *ast.CallExpr:
		switch p.builtin(e) {
		case "len", "min", "max":
			return !slices.ContainsFunc(e.Args, func(a ast.Expr) bool { return !p.pure(a) })
		}
		return p.info.Types[e.Fun].IsType() && len(e.Args) == 1 && p.pure(e.Args[0])
	}
	return false
}

// mentions reports whether an expression uses a variable of this name: that of
// another scope, which the new variable would hide.
func (p *proposer) mentions(e ast.Node, name string) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			v, isVar := p.info.Uses[id].(*types.Var)
			found = found || !isVar || !v.IsField()
		}
		return !found
	})
	return found
}

// asInt returns the source of an integer expression as an int.
func (p *proposer) asInt(e ast.Expr) string {
	tv := p.info.Types[e]
	if b, ok := tv.Type.(*types.Basic); ok && (b.Kind() == types.Int || b.Info()&types.IsUntyped != 0) {
		return p.text(e)
	}
	if tv.Value != nil && tv.Type == nil {
		return p.text(e)
	}
	return "int(" + p.text(ast.Unparen(e)) + ")"
}

// errCheck returns the statement behind which a deferred call fits that follows
// "x, err := f()": the test of err, if that leaves the function.
func (p *proposer) errCheck(c *candidate, s *scope) ast.Stmt {
	as, ok := c.stmt.(*ast.AssignStmt)
	if !ok || len(as.Lhs) != 2 || s.at+1 >= len(s.list) {
		return c.stmt
	}
	err, ok := as.Lhs[1].(*ast.Ident)
	check, ok2 := s.list[s.at+1].(*ast.IfStmt)
	if !ok || !ok2 || check.Init != nil || check.Else != nil || len(check.Body.List) == 0 {
		return c.stmt
	}
	cond, ok := check.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ || p.text(cond.X) != err.Name || p.text(cond.Y) != "nil" {
		return c.stmt
	}
	if _, ok := check.Body.List[len(check.Body.List)-1].(*ast.ReturnStmt); !ok {
		return c.stmt
	}
	return check
}
