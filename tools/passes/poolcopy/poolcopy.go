// SPDX-License-Identifier: BSD-3-Clause

package poolcopy

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/spare-go/spare/tools/passes/internal/report"
	"github.com/spare-go/spare/tools/passes/pattern"
)

// Analyzer reports values that hold a pool and are copied, and pools that are
// overwritten while they may be in use.
var Analyzer = &analysis.Analyzer{
	Name:     "poolcopy",
	Doc:      pattern.Doc("report pools that are copied, and pools that are overwritten while in use", pattern.PoolCopied),
	URL:      "https://pkg.go.dev/github.com/spare-go/spare/tools/passes/poolcopy",
	Requires: []*analysis.Analyzer{inspect.Analyzer, report.FilterAnalyzer},
	Run:      run,
}

type checker struct {
	pass  *analysis.Pass
	holds map[types.Type]held
	out   []analysis.Diagnostic
}

// held is the pool that values of a type hold.
type held struct {
	name  string     // "" if there is none
	field *types.Var // nil if the type is the pool itself
}

func run(pass *analysis.Pass) (any, error) {
	if !imports(pass.Pkg) {
		return nil, nil
	}
	c := &checker{pass: pass, holds: map[types.Type]held{}}
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	live := c.live()
	nodes := []ast.Node{
		(*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil), (*ast.CompositeLit)(nil), (*ast.CallExpr)(nil), (*ast.ReturnStmt)(nil),
		(*ast.RangeStmt)(nil), (*ast.FuncDecl)(nil), (*ast.FuncLit)(nil),
	}
	for cur := range in.Root().Preorder(nodes...) {
		switch n := cur.Node().(type) {
		case *ast.AssignStmt:
			for i, x := range n.Rhs {
				if len(n.Lhs) == len(n.Rhs) {
					if id, ok := n.Lhs[i].(*ast.Ident); ok && id.Name == "_" {
						continue
					}
					c.overwrite(n.Lhs[i], x, cur, live)
				}
				c.copies(x, "assigned")
			}
		case *ast.ValueSpec:
			for _, x := range n.Values {
				c.copies(x, "assigned")
			}
		case *ast.CompositeLit:
			for _, x := range n.Elts {
				if kv, ok := x.(*ast.KeyValueExpr); ok {
					x = kv.Value
				}
				c.copies(x, "stored in a literal")
			}
		case *ast.CallExpr:
			if tv := pass.TypesInfo.Types[n.Fun]; tv.IsBuiltin() || tv.IsType() {
				continue
			}
			for _, x := range n.Args {
				c.copies(x, "passed")
			}
			c.given(n)
		case *ast.ReturnStmt:
			for _, x := range n.Results {
				c.copies(x, "returned")
			}
		case *ast.RangeStmt:
			if n.Value != nil {
				if id, ok := n.Value.(*ast.Ident); ok && id.Name != "_" {
					c.value(n.Value.Pos(), pass.TypesInfo.TypeOf(n.Value), id.Name, "copied by range")
				}
			}
		case *ast.FuncDecl:
			if n.Recv != nil {
				for _, f := range n.Recv.List {
					c.value(f.Type.Pos(), pass.TypesInfo.TypeOf(f.Type), named("receiver", f), "copied for each call")
				}
			}
			c.params(n.Type)
		case *ast.FuncLit:
			c.params(n.Type)
		}
	}
	report.Diagnostics(pass, c.out)
	return nil, nil
}

// imports reports whether a package can hold a pool by value: it imports sync
// or something that does.
func imports(pkg *types.Package) bool {
	for _, p := range pkg.Imports() {
		if p.Path() == "sync" || holdsExported(p) {
			return true
		}
	}
	return false
}

func holdsExported(p *types.Package) bool {
	return strings.HasPrefix(p.Path(), "github.com/spare-go/spare") || strings.HasPrefix(p.Path(), "github.com/valyala/bytebufferpool") || strings.Contains(strings.ToLower(p.Name()), "pool")
}

func (c *checker) params(t *ast.FuncType) {
	if t.Params == nil {
		return
	}
	for _, f := range t.Params.List {
		c.value(f.Type.Pos(), c.pass.TypesInfo.TypeOf(f.Type), named("parameter", f), "copied for each call")
	}
}

// copies reports an expression that copies a pool.
func (c *checker) copies(x ast.Expr, how string) {
	switch e := ast.Unparen(x).(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr:
		tv := c.pass.TypesInfo.Types[e]
		if !tv.IsValue() || c.justMade(e) {
			return
		}
		c.valueOf(x.Pos(), tv.Type, shown(e), how+" by value", c.object(e))
	}
}

// justMade reports whether an expression is what a constructor's result points to, which nobody else
// has: its pools are as good as new in the copy.
func (c *checker) justMade(x ast.Expr) bool {
	star, ok := x.(*ast.StarExpr)
	if !ok {
		return false
	}
	call, ok := ast.Unparen(star.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	f := typeutil.StaticCallee(c.pass.TypesInfo, call)
	return f != nil && (strings.HasPrefix(f.Name(), "New") || strings.HasPrefix(f.Name(), "new"))
}

// object is the variable or field that an expression names, or is an element of. What is behind a pointer is
// declared elsewhere.
func (c *checker) object(x ast.Expr) types.Object {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return c.pass.TypesInfo.Uses[x]
	case *ast.SelectorExpr:
		return c.pass.TypesInfo.Uses[x.Sel]
	case *ast.IndexExpr:
		return c.object(x.X)
	}
	return nil
}

func (c *checker) value(pos token.Pos, t types.Type, name, how string) {
	c.valueOf(pos, t, name, how, nil)
}

// named is a parameter as messages call it.
func named(what string, f *ast.Field) string {
	for _, id := range f.Names {
		if id.Name != "_" {
			return what + " " + id.Name
		}
	}
	return "the " + what
}

// shown is an expression as messages show it, nothing if it is long.
func shown(x ast.Expr) string {
	if text := types.ExprString(x); len(text) <= 40 {
		return text
	}
	return ""
}

// valueOf reports a copied value that holds a pool, shown as the source has it, and where the pool is declared: as a field of
// the value's type, or, the value being one, as the given object.
func (c *checker) valueOf(pos token.Pos, t types.Type, shown, how string, copied types.Object) {
	if t == nil {
		return
	}
	in := c.pool(t, 0)
	p := in.name
	if p == "" {
		return
	}
	name := types.TypeString(t, types.RelativeTo(c.pass.Pkg))
	what := name
	if shown != "" {
		what = shown + ", a " + name + ","
	}
	if name != p {
		what = strings.TrimSuffix(what, ",") + ", which holds a " + p + ","
	}
	msg := what + " is " + how + ": " + why(p) + "; use a pointer"
	if in.field != nil {
		copied = in.field
	}
	c.out = append(c.out, analysis.Diagnostic{Pos: pos, Category: pattern.PoolCopied, Message: msg, Related: c.declared(copied)})
}

// declared is the place where a pool is declared, if that is in the package.
func (c *checker) declared(pool types.Object) []analysis.RelatedInformation {
	if pool == nil || pool.Pkg() != c.pass.Pkg || !pool.Pos().IsValid() {
		return nil
	}
	return []analysis.RelatedInformation{{Pos: pool.Pos(), Message: "the pool is declared here"}}
}

// why says what becomes of a copied pool.
func why(pool string) string {
	if strings.HasPrefix(pool, "spare.") {
		return "the copy of a used pool shares its values but not its state, the copy of an unused one is another pool"
	}
	return "the copy has the values of a used pool without its synchronization, or is another pool"
}

// pool is the pool that a value of type t holds, if it holds one by value.
func (c *checker) pool(t types.Type, depth int) held {
	if depth > 6 {
		return held{}
	}
	t = types.Unalias(t)
	if s, ok := c.holds[t]; ok {
		return s
	}
	found := held{}
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
		switch n.Obj().Pkg().Path() + "." + n.Obj().Name() {
		case "sync.Pool":
			found.name = "sync.Pool"
		case "github.com/spare-go/spare.Pool", "github.com/spare-go/spare.Slices":
			found.name = "spare." + n.Obj().Name()
		}
	}
	if _, param := t.(*types.TypeParam); !param && found.name == "" {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			for f := range u.Fields() {
				if found = c.pool(f.Type(), depth+1); found.name != "" {
					if found.field == nil {
						found.field = f.Origin()
					}
					break
				}
			}
		case *types.Array:
			found = c.pool(u.Elem(), depth+1)
		}
	}
	c.holds[t] = found
	return found
}

// overwrite reports a pool in a live object that is replaced by a new one:
// values that other goroutines take or put at that moment go astray.
func (c *checker) overwrite(lhs, rhs ast.Expr, cur inspector.Cursor, live map[*ast.FuncDecl]string) {
	switch ast.Unparen(rhs).(type) {
	case *ast.CompositeLit, *ast.CallExpr:
	default:
		return
	}
	t, ok := types.Unalias(c.pass.TypesInfo.TypeOf(rhs)).(*types.Named)
	if !ok || t.Obj().Name() != "Pool" || t.Obj().Pkg() == nil || t.Obj().Pkg().Path() != "sync" {
		return
	}
	var d *ast.FuncDecl
	for up := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil), (*ast.IfStmt)(nil)) {
		switch n := up.Node().(type) {
		case *ast.FuncLit:
			return // it may run once
		case *ast.IfStmt:
			if mentions(n.Cond, types.ExprString(lhs)) {
				return
			}
		case *ast.FuncDecl:
			d = n
		}
	}
	how := live[d]
	if d == nil || how == "" {
		return
	}
	switch x := ast.Unparen(lhs).(type) {
	case *ast.SelectorExpr:
		if how != "on reset" && (!c.ofReceiver(x, d) || !c.madeTwice(x.Sel, d)) {
			return
		}
	default:
		return
	}
	c.out = append(c.out, analysis.Diagnostic{
		Pos: lhs.Pos(), Category: pattern.PoolCopied,
		Message: types.ExprString(lhs) + " is overwritten with a new sync.Pool " + how + ": its values are lost, and a Get or Put at the same time corrupts it",
		Related: c.declared(c.object(lhs)),
	})
}

// mentions reports whether a condition is about an expression.
func mentions(cond ast.Expr, text string) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && types.ExprString(x) == text {
			found = true
		}
		return !found
	})
	return found
}

// ofReceiver reports whether a selector leads from the receiver of a method,
// which is a pointer.
func (c *checker) ofReceiver(x *ast.SelectorExpr, d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 || len(d.Recv.List[0].Names) == 0 {
		return false
	}
	recv := c.pass.TypesInfo.Defs[d.Recv.List[0].Names[0]]
	if recv == nil {
		return false
	}
	if _, isPtr := recv.Type().Underlying().(*types.Pointer); !isPtr {
		return false
	}
	for {
		switch y := ast.Unparen(x.X).(type) {
		case *ast.SelectorExpr:
			x = y
		case *ast.Ident:
			return c.pass.TypesInfo.Uses[y] == recv
		default:
			return false
		}
	}
}

// madeTwice reports whether an object has its pool before the method d is
// called on it: a function of the package calls d or sets the field itself.
func (c *checker) madeTwice(field *ast.Ident, d *ast.FuncDecl) bool {
	pool, method := c.pass.TypesInfo.Uses[field], c.pass.TypesInfo.Defs[d.Name]
	found := false
	for _, f := range c.pass.Files {
		if strings.HasSuffix(c.pass.Fset.Position(f.Pos()).Filename, "_test.go") {
			continue
		}
		for _, decl := range f.Decls {
			fd, ok := decl.(*ast.FuncDecl)
			if !ok || fd == d || fd.Body == nil {
				continue
			}
			ast.Inspect(fd.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && fd.Recv == nil && c.pass.TypesInfo.Uses[sel.Sel] == method {
						found = true
					}
				case *ast.KeyValueExpr:
					if k, ok := n.Key.(*ast.Ident); ok && c.pass.TypesInfo.Uses[k] == pool {
						found = true
					}
				case *ast.AssignStmt:
					for _, x := range n.Lhs {
						if sel, ok := ast.Unparen(x).(*ast.SelectorExpr); ok && c.pass.TypesInfo.Uses[sel.Sel] == pool && fd.Recv == nil {
							found = true
						}
					}
				}
				return !found
			})
		}
	}
	return found
}

// live says of functions that they work on objects in use, and when they are
// called: methods named Reset, other exported methods, and what both call.
func (c *checker) live() map[*ast.FuncDecl]string {
	decls := map[types.Object]*ast.FuncDecl{}
	var exported, resets []*ast.FuncDecl
	for _, f := range c.pass.Files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			decls[c.pass.TypesInfo.Defs[fd.Name]] = fd
			switch {
			case fd.Recv == nil:
			case fd.Name.Name == "Reset" || fd.Name.Name == "reset":
				resets = append(resets, fd)
			case fd.Name.IsExported() && !starts(fd.Name.Name):
				exported = append(exported, fd)
			}
		}
	}
	out := map[*ast.FuncDecl]string{}
	mark := func(list []*ast.FuncDecl, how string) {
		for _, r := range list {
			out[r] = how
			if r.Body == nil {
				continue
			}
			ast.Inspect(r.Body, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
						if d := decls[c.pass.TypesInfo.Uses[sel.Sel]]; d != nil && d.Recv != nil && (how == "on reset" || !starts(d.Name.Name)) {
							out[d] = how
						}
					}
				}
				return true
			})
		}
	}
	mark(exported, "in use")
	mark(resets, "on reset")
	return out
}

// starts reports whether a method of that name is called once, first.
func starts(name string) bool {
	for _, p := range []string{"Init", "Setup", "Open", "Start", "Run", "Listen", "Serve", "Build", "Provision", "Unmarshal"} {
		if len(name) >= len(p) && strings.EqualFold(name[:len(p)], p) {
			return true
		}
	}
	return false
}
