// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
)

// The same code can be written in more than one form, and the rules that judge a form
// should not have to know them all. Before the SSA form is built, some are brought to one:
//
//   - a function literal that is called where it stands is the block that it is, as far as
//     what it defers runs where the function's own would;
//   - a local struct that is only used by its fields is a variable for each of them;
//   - a function whose body is one call, with its own parameters, of a function that nobody
//     else calls has that one's body.
//
// More of them are in normalcalls.go.
//
// The files stay as they are: what changes is copied, down from the declaration, and what
// is known of types is kept for the copies. Positions are those of the source.

// A normalizer rewrites the functions of a package.
type normalizer struct {
	pkg     *types.Package
	info    *types.Info
	own     bool // info is a copy
	replace map[ast.Node]func() ast.Node
	shells  map[*ast.FuncDecl]*ast.FuncDecl
	inlined [][2]token.Pos // literals after which their function goes on
	nodes   map[reflect.Type][]int

	questions map[*types.Func]*question
	passing   map[*types.Func]*passing
}

// normalized returns the files of a package in the form to build, and the types of their
// nodes. Where nothing changes they are the pass's own.
func normalized(pass *goanalysis.Pass) ([]*ast.File, *types.Info, [][2]token.Pos) {
	z := &normalizer{pkg: pass.Pkg, info: pass.TypesInfo, replace: map[ast.Node]func() ast.Node{}, nodes: map[reflect.Type][]int{}}
	z.findShells(pass.Files)
	z.findQuestions(pass.Files)
	z.findPassing(pass.Files)
	files := pass.Files
	for k, f := range pass.Files {
		var decls []ast.Decl
		for n, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil {
				continue
			}
			to := fd
			if s := z.shells[fd]; s != nil {
				to = s
			}
			clear(z.replace)
			z.findLocals(to)
			z.findLiterals(to)
			z.findDefers(to)
			z.findAsked(to)
			z.findPassed(to)
			z.findMethodValues(to)
			if len(z.replace) > 0 {
				z.ownInfo(pass.TypesInfo)
				to = z.rewrite(to).(*ast.FuncDecl)
			}
			if to != fd {
				if decls == nil {
					decls = slices.Clone(f.Decls)
				}
				decls[n] = to
			}
		}
		if decls != nil {
			if &files[0] == &pass.Files[0] {
				files = slices.Clone(files)
			}
			c := *f
			c.Decls = decls
			files[k] = &c
		}
	}
	return files, z.info, z.inlined
}

// ownInfo makes the types of nodes a copy, which can be added to.
func (z *normalizer) ownInfo(of *types.Info) {
	if z.own {
		return
	}
	c := *of
	c.Types, c.Defs, c.Uses = maps.Clone(of.Types), maps.Clone(of.Defs), maps.Clone(of.Uses)
	c.Implicits, c.Selections = maps.Clone(of.Implicits), maps.Clone(of.Selections)
	z.info, z.own = &c, true
}

// rewrite returns a node with its replacements done. Nodes that have none below are shared.
func (z *normalizer) rewrite(n ast.Node) ast.Node {
	if f := z.replace[n]; f != nil {
		return f()
	}
	return z.inside(n)
}

var nodeType = reflect.TypeFor[ast.Node]()

// inside rewrites what is below a node.
func (z *normalizer) inside(n ast.Node) ast.Node {
	v := reflect.ValueOf(n).Elem()
	var out reflect.Value
	set := func(k int) reflect.Value {
		if !out.IsValid() {
			out = reflect.New(v.Type())
			out.Elem().Set(v)
		}
		return out.Elem().Field(k)
	}
	for _, k := range z.children(v.Type()) {
		f := v.Field(k)
		if f.Kind() == reflect.Slice {
			var list reflect.Value
			for i := range f.Len() {
				x, ok := f.Index(i).Interface().(ast.Node)
				if !ok || isNilNode(x) {
					continue
				}
				if y := z.rewrite(x); y != x {
					if !list.IsValid() {
						list = reflect.MakeSlice(f.Type(), f.Len(), f.Len())
						reflect.Copy(list, f)
					}
					list.Index(i).Set(reflect.ValueOf(y))
				}
			}
			if list.IsValid() {
				set(k).Set(list)
			}
			continue
		}
		x, ok := f.Interface().(ast.Node)
		if !ok || isNilNode(x) {
			continue
		}
		if y := z.rewrite(x); y != x {
			set(k).Set(reflect.ValueOf(y))
		}
	}
	if !out.IsValid() {
		return n
	}
	c := out.Interface().(ast.Node)
	if e, ok := n.(ast.Expr); ok {
		if tv, ok := z.info.Types[e]; ok {
			z.info.Types[c.(ast.Expr)] = tv
		}
	}
	if o := z.info.Implicits[n]; o != nil {
		z.info.Implicits[c] = o
	}
	if s, ok := n.(*ast.SelectorExpr); ok && z.info.Selections[s] != nil {
		z.info.Selections[c.(*ast.SelectorExpr)] = z.info.Selections[s]
	}
	return c
}

func isNilNode(n ast.Node) bool { return n == nil || reflect.ValueOf(n).IsNil() }

// children are the fields of a type of node that hold nodes.
func (z *normalizer) children(t reflect.Type) []int {
	list, ok := z.nodes[t]
	if ok {
		return list
	}
	for k := range t.NumField() {
		f := t.Field(k).Type
		if f.Kind() == reflect.Slice {
			f = f.Elem()
		}
		if f.Implements(nodeType) && f != reflect.TypeFor[*ast.CommentGroup]() {
			list = append(list, k)
		}
	}
	z.nodes[t] = list
	return list
}

// A literal is a function literal that is called where it stands.
type literal struct {
	lit     *ast.FuncLit
	call    *ast.CallExpr
	tail    bool     // its end is that of the function around it
	within  *literal // around it
	assign  ast.Stmt // what takes its results
	lhs     []*ast.Ident
	end     *types.Label
	gotos   int
	inlined bool
}

// findLiterals finds the literals of a function that are blocks.
func (z *normalizer) findLiterals(fd *ast.FuncDecl) {
	byLit := map[*ast.FuncLit]*literal{}
	var stack []ast.Node
	// function is the innermost function on the stack, as the code will be.
	function := func() ast.Node {
		for k := len(stack) - 1; k >= 0; k-- {
			if l, ok := stack[k].(*ast.FuncLit); ok {
				if x := byLit[l]; x != nil && x.tail {
					continue
				}
				return l
			}
		}
		return fd
	}
	note := func(s ast.Stmt, e ast.Expr) {
		call, ok := e.(*ast.CallExpr)
		if !ok {
			return
		}
		lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
		if !ok || !plainParams(lit.Type, call) {
			return
		}
		x := &literal{lit: lit, call: call, assign: s}
		fn := function()
		typ, body := fd.Type, fd.Body
		if l, ok := fn.(*ast.FuncLit); ok {
			typ, body = l.Type, l.Body
			x.within = byLit[l]
		}
		switch s := s.(type) {
		case *ast.ReturnStmt:
			x.tail = z.sameResults(typ, lit.Type)
		case *ast.ExprStmt:
			last := body.List[len(body.List)-1]
			x.tail = numResults(typ) == 0 && numResults(lit.Type) == 0 && last == ast.Stmt(s)
			x.inlined = numResults(lit.Type) == 0
		case *ast.AssignStmt:
			x.inlined = z.takes(s, lit.Type)
			for _, l := range s.Lhs {
				x.lhs = append(x.lhs, l.(*ast.Ident))
			}
		}
		if x.tail {
			x.inlined = true
		} else {
			x.inlined = x.inlined && !defersOrRanges(lit.Body, z.info)
		}
		if x.inlined {
			byLit[lit] = x
		}
	}
	var literals []*literal
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		switch s := n.(type) {
		case *ast.ReturnStmt:
			if len(s.Results) == 1 {
				note(s, s.Results[0])
			}
			z.returns(s, stack, byLit)
		case *ast.ExprStmt:
			note(s, s.X)
		case *ast.AssignStmt:
			if len(s.Rhs) == 1 && (s.Tok == token.DEFINE || s.Tok == token.ASSIGN) && identsOnly(s.Lhs) {
				note(s, s.Rhs[0])
			}
		case *ast.FuncLit:
			if x := byLit[s]; x != nil {
				literals = append(literals, x)
			}
		}
		stack = append(stack, n)
		return true
	})
	for _, x := range literals {
		z.replace[x.assign] = func() ast.Node { return z.block(x) }
		if !x.tail {
			z.inlined = append(z.inlined, [2]token.Pos{x.lit.Pos(), x.lit.End()})
		}
	}
}

// returns replaces a return from a literal after which its function goes on.
func (z *normalizer) returns(s *ast.ReturnStmt, stack []ast.Node, byLit map[*ast.FuncLit]*literal) {
	var x *literal
	for k := len(stack) - 1; k >= 0 && x == nil; k-- {
		if l, ok := stack[k].(*ast.FuncLit); ok {
			if x = byLit[l]; x == nil {
				return
			}
			if x.tail {
				x = nil
			}
		}
	}
	if x == nil {
		return
	}
	if len(s.Results) == 1 {
		if call, ok := s.Results[0].(*ast.CallExpr); ok {
			if l, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok && byLit[l] != nil {
				return // replaced as a whole
			}
		}
	}
	if x.end == nil {
		x.end = types.NewLabel(x.lit.End(), z.pkg, "closure.done")
	}
	z.replace[s] = func() ast.Node {
		b := &ast.BlockStmt{Lbrace: s.Pos(), Rbrace: s.End()}
		if len(s.Results) > 0 {
			as := &ast.AssignStmt{TokPos: s.Pos(), Tok: token.ASSIGN}
			for _, id := range x.lhs {
				as.Lhs = append(as.Lhs, z.use(id, s.Pos()))
			}
			for _, r := range s.Results {
				as.Rhs = append(as.Rhs, z.rewrite(r).(ast.Expr))
			}
			b.List = append(b.List, as)
		}
		label := &ast.Ident{NamePos: s.Pos(), Name: x.end.Name()}
		z.info.Uses[label] = x.end
		b.List = append(b.List, &ast.BranchStmt{TokPos: s.Pos(), Tok: token.GOTO, Label: label})
		return b
	}
}

// use is a new identifier of what id names.
func (z *normalizer) use(id *ast.Ident, at token.Pos) *ast.Ident {
	n := &ast.Ident{NamePos: at, Name: id.Name}
	if id.Name == "_" {
		return n
	}
	o := z.info.ObjectOf(id)
	z.info.Uses[n] = o
	z.info.Types[n] = types.TypeAndValue{Type: o.Type()}
	return n
}

// block is what a literal does.
func (z *normalizer) block(x *literal) ast.Node {
	b := &ast.BlockStmt{Lbrace: x.lit.Body.Lbrace, Rbrace: x.lit.Body.Rbrace}
	if as, ok := x.assign.(*ast.AssignStmt); ok && as.Tok == token.DEFINE {
		for _, id := range x.lhs {
			if z.info.Defs[id] != nil && id.Name != "_" {
				b.List = append(b.List, declare(id, nil))
			}
		}
	}
	k := 0
	for _, f := range x.lit.Type.Params.List {
		for _, id := range f.Names {
			b.List = append(b.List, &ast.AssignStmt{Lhs: []ast.Expr{id}, TokPos: id.Pos(), Tok: token.DEFINE, Rhs: []ast.Expr{z.rewrite(x.call.Args[k]).(ast.Expr)}})
			k++
		}
	}
	for _, s := range x.lit.Body.List {
		b.List = append(b.List, z.rewrite(s).(ast.Stmt))
	}
	if !x.tail && x.end != nil {
		label := &ast.Ident{NamePos: x.lit.End(), Name: x.end.Name()}
		z.info.Defs[label] = x.end
		b.List = append(b.List, &ast.LabeledStmt{Label: label, Stmt: &ast.EmptyStmt{Semicolon: x.lit.End()}})
	}
	return b
}

func declare(id *ast.Ident, value ast.Expr) ast.Stmt {
	spec := &ast.ValueSpec{Names: []*ast.Ident{id}}
	if value != nil {
		spec.Values = []ast.Expr{value}
	}
	return &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: id.Pos(), Tok: token.VAR, Specs: []ast.Spec{spec}}}
}

// plainParams reports whether a literal's parameters can be variables that are set to the
// arguments of its call, and its results have no names.
func plainParams(t *ast.FuncType, call *ast.CallExpr) bool {
	n := 0
	for _, f := range t.Params.List {
		if _, variadic := f.Type.(*ast.Ellipsis); variadic || len(f.Names) == 0 {
			return false
		}
		for _, id := range f.Names {
			if id.Name == "_" {
				return false
			}
			n++
		}
	}
	if t.Results != nil {
		for _, f := range t.Results.List {
			if len(f.Names) > 0 {
				return false
			}
		}
	}
	return n == len(call.Args) && !call.Ellipsis.IsValid()
}

func numResults(t *ast.FuncType) int {
	if t.Results == nil {
		return 0
	}
	return t.Results.NumFields()
}

func resultTypes(info *types.Info, t *ast.FuncType) (list []types.Type) {
	if t.Results == nil {
		return nil
	}
	for _, f := range t.Results.List {
		for range max(len(f.Names), 1) {
			list = append(list, info.TypeOf(f.Type))
		}
	}
	return list
}

// sameResults reports whether two functions give results of the same types.
func (z *normalizer) sameResults(x, y *ast.FuncType) bool {
	return slices.EqualFunc(resultTypes(z.info, x), resultTypes(z.info, y), func(x, y types.Type) bool {
		return x != nil && y != nil && types.Identical(x, y)
	})
}

// takes reports whether an assignment gives variables the results of a function as they are.
func (z *normalizer) takes(s *ast.AssignStmt, t *ast.FuncType) bool {
	list := resultTypes(z.info, t)
	if len(list) != len(s.Lhs) {
		return false
	}
	for k, l := range s.Lhs {
		id := l.(*ast.Ident)
		if id.Name == "_" {
			continue
		}
		v, ok := z.info.ObjectOf(id).(*types.Var)
		if !ok || list[k] == nil || !types.Identical(v.Type(), list[k]) {
			return false
		}
	}
	return true
}

func identsOnly(list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool { _, ok := e.(*ast.Ident); return !ok })
}

// defersOrRanges reports whether a body, or that of a literal that is called in it, defers
// calls, recovers, or loops over an iterator.
func defersOrRanges(body *ast.BlockStmt, info *types.Info) bool {
	found := false
	called := map[*ast.FuncLit]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if l, ok := ast.Unparen(n.Fun).(*ast.FuncLit); ok {
				called[l] = true
			}
		case *ast.FuncLit:
			return called[n]
		case *ast.DeferStmt:
			found = true
		case *ast.Ident:
			found = found || n.Name == "recover"
		case *ast.RangeStmt:
			if t := info.TypeOf(n.X); t != nil {
				_, isFunc := t.Underlying().(*types.Signature)
				found = found || isFunc
			}
		}
		return !found
	})
	return found
}

// A splitVar is a local struct that is only used by its fields.
type splitVar struct {
	decl   ast.Stmt
	lit    *ast.CompositeLit
	of     *types.Struct
	fields map[int]*types.Var
	uses   []*ast.SelectorExpr
	bad    bool
}

// findLocals finds the local structs of a function that are as good as one variable for each
// of their fields.
func (z *normalizer) findLocals(fd *ast.FuncDecl) {
	vars := map[*types.Var]*splitVar{}
	ids := map[*ast.Ident]bool{} // that declare one, or select a field of one
	add := func(s ast.Stmt, id *ast.Ident, value ast.Expr) {
		v, ok := z.info.Defs[id].(*types.Var)
		if !ok || id.Name == "_" {
			return
		}
		t := v.Type()
		e := value
		if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
			if _, lit := u.X.(*ast.CompositeLit); lit {
				e = u.X
				if p, ok := t.Underlying().(*types.Pointer); ok {
					t = p.Elem()
				}
			}
		}
		lit, isLit := e.(*ast.CompositeLit)
		if value != nil && !isLit {
			return
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok || isTypeParam(t) || st.NumFields() == 0 {
			return
		}
		if isLit && !types.Identical(z.info.TypeOf(lit), t) {
			return
		}
		vars[v] = &splitVar{decl: s, lit: lit, of: st, fields: map[int]*types.Var{}}
		ids[id] = true
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE && len(n.Lhs) == 1 && len(n.Rhs) == 1 {
				if id, ok := n.Lhs[0].(*ast.Ident); ok {
					add(n, id, ast.Unparen(n.Rhs[0]))
				}
			}
		case *ast.DeclStmt:
			g, ok := n.Decl.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR || len(g.Specs) != 1 {
				return true
			}
			if vs := g.Specs[0].(*ast.ValueSpec); len(vs.Names) == 1 && len(vs.Values) <= 1 {
				var value ast.Expr
				if len(vs.Values) == 1 {
					value = ast.Unparen(vs.Values[0])
				}
				add(n, vs.Names[0], value)
			}
		}
		return true
	})
	if len(vars) == 0 {
		return
	}
	var lits []bool // around the node, and whether it may run beside the function
	var stack []ast.Node
	later := map[*ast.FuncLit]bool{}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if n == nil {
			if _, ok := stack[len(stack)-1].(*ast.FuncLit); ok {
				lits = lits[:len(lits)-1]
			}
			stack = stack[:len(stack)-1]
			return true
		}
		if call, ok := n.(*ast.CallExpr); ok {
			if l, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
				_, isGo := stack[len(stack)-1].(*ast.GoStmt)
				later[l] = isGo
			}
			for _, x := range call.Args {
				if l, ok := ast.Unparen(x).(*ast.FuncLit); ok {
					later[l] = true
				}
			}
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.FuncLit:
			lits = append(lits, later[n])
		case *ast.SelectorExpr:
			id, ok := n.X.(*ast.Ident)
			if !ok {
				return true
			}
			v, _ := z.info.Uses[id].(*types.Var)
			x := vars[v]
			if x == nil {
				return true
			}
			sel := z.info.Selections[n]
			if sel == nil || sel.Kind() != types.FieldVal || len(sel.Index()) != 1 {
				return true
			}
			ids[id] = true
			x.uses = append(x.uses, n)
			// Other code may find the object as it is by then.
			x.bad = x.bad || slices.Contains(lits, true)
		case *ast.Ident:
			if v, ok := z.info.Uses[n].(*types.Var); ok && vars[v] != nil && !ids[n] {
				vars[v].bad = true
			}
		}
		return true
	})
	for v, x := range vars {
		if x.bad || len(x.uses) == 0 {
			continue
		}
		for _, sel := range x.uses {
			k := z.info.Selections[sel].Index()[0]
			if x.fields[k] == nil {
				f := x.of.Field(k)
				x.fields[k] = types.NewVar(v.Pos(), z.pkg, v.Name()+"."+f.Name(), f.Type())
			}
			f := x.fields[k]
			z.replace[sel] = func() ast.Node {
				id := &ast.Ident{NamePos: sel.Pos(), Name: f.Name()}
				z.info.Uses[id] = f
				tv := z.info.Types[sel]
				z.info.Types[id] = tv
				return id
			}
		}
		z.replace[x.decl] = func() ast.Node { return z.split(x) }
	}
}

// split declares the variables that a struct is.
func (z *normalizer) split(x *splitVar) ast.Node {
	b := &ast.BlockStmt{Lbrace: x.decl.Pos(), Rbrace: x.decl.End()}
	name := func(k int) *ast.Ident {
		f := x.fields[k]
		id := &ast.Ident{NamePos: x.decl.Pos(), Name: f.Name()}
		z.info.Defs[id] = f
		return id
	}
	done := map[int]bool{}
	if x.lit != nil {
		for n, e := range x.lit.Elts {
			k := n
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
				for i := range x.of.NumFields() {
					if x.of.Field(i) == z.info.ObjectOf(kv.Key.(*ast.Ident)) || x.of.Field(i).Name() == kv.Key.(*ast.Ident).Name {
						k = i
					}
				}
			}
			value := z.rewrite(e).(ast.Expr)
			if x.fields[k] != nil {
				done[k] = true
				b.List = append(b.List, declare(name(k), value))
			} else if _, isConst := e.(*ast.BasicLit); !isConst && !z.info.Types[e].IsNil() && z.info.Types[e].Value == nil {
				b.List = append(b.List, &ast.AssignStmt{Lhs: []ast.Expr{&ast.Ident{NamePos: e.Pos(), Name: "_"}}, TokPos: e.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{value}})
			}
		}
	}
	for k := range x.of.NumFields() {
		if x.fields[k] != nil && !done[k] {
			b.List = append(b.List, declare(name(k), nil))
		}
	}
	return b
}

// findShells finds the functions whose body is a call of another one that nobody else calls.
func (z *normalizer) findShells(files []*ast.File) {
	z.shells = map[*ast.FuncDecl]*ast.FuncDecl{}
	decls := map[*types.Func]*ast.FuncDecl{}
	type shell struct {
		fd *ast.FuncDecl
		to *types.Func
	}
	var shells []shell
	for _, f := range files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil {
				continue
			}
			if o, ok := z.info.Defs[fd.Name].(*types.Func); ok {
				decls[o] = fd
			}
			if to := z.shellOf(fd); to != nil {
				shells = append(shells, shell{fd, to})
			}
		}
	}
	if len(shells) == 0 {
		return
	}
	uses := map[*types.Func]int{}
	names := map[string]int{} // of methods of interfaces
	for _, o := range z.info.Uses {
		if f, ok := o.(*types.Func); ok {
			uses[f]++
		}
	}
	for _, o := range z.info.Defs {
		if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil && types.IsInterface(f.Signature().Recv().Type()) {
			names[f.Name()]++
		}
	}
	for _, s := range shells {
		inner := decls[s.to]
		if inner == nil || inner == s.fd || uses[s.to] != 1 || names[s.to.Name()] > 0 || z.shells[inner] != nil || z.shells[s.fd] != nil {
			continue
		}
		if slices.ContainsFunc(shells, func(o shell) bool { return o.fd == inner }) {
			continue
		}
		outer := *s.fd
		outer.Recv, outer.Type, outer.Body = inner.Recv, inner.Type, inner.Body
		z.shells[s.fd] = &outer
		z.shells[inner] = leftEmpty(inner)
	}
}

// leftEmpty is what is left of a function whose body is elsewhere: it comes to no end, and does
// nothing.
func leftEmpty(fd *ast.FuncDecl) *ast.FuncDecl {
	rest := *fd
	at := fd.Body.Lbrace
	rest.Body = &ast.BlockStmt{Lbrace: at, Rbrace: fd.Body.Rbrace, List: []ast.Stmt{&ast.ForStmt{For: at, Body: &ast.BlockStmt{Lbrace: at, Rbrace: at}}}}
	return &rest
}

// shellOf is the function that a function does nothing but call, with what it was given.
func (z *normalizer) shellOf(fd *ast.FuncDecl) *types.Func {
	if len(fd.Body.List) != 1 || fd.Name.Name == "init" || fd.Name.Name == "main" {
		return nil
	}
	var e ast.Expr
	switch s := fd.Body.List[0].(type) {
	case *ast.ReturnStmt:
		if len(s.Results) == 1 {
			e = s.Results[0]
		}
	case *ast.ExprStmt:
		e = s.X
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return nil
	}
	var to *types.Func
	args := call.Args
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		to, _ = z.info.Uses[fun].(*types.Func)
		if fd.Recv != nil {
			return nil
		}
	case *ast.SelectorExpr:
		to, _ = z.info.Uses[fun.Sel].(*types.Func)
		if sel := z.info.Selections[fun]; sel == nil || fd.Recv == nil || len(sel.Index()) != 1 {
			return nil
		}
		args = append([]ast.Expr{fun.X}, args...)
	}
	from, _ := z.info.Defs[fd.Name].(*types.Func)
	if to == nil || from == nil || to == from || to.Pkg() != z.pkg || to.Exported() {
		return nil
	}
	x, y := from.Signature(), to.Signature()
	if x.TypeParams().Len()+y.TypeParams().Len()+x.RecvTypeParams().Len()+y.RecvTypeParams().Len() > 0 || !types.Identical(x, y) {
		return nil
	}
	if x.Recv() != nil && (y.Recv() == nil || !types.Identical(x.Recv().Type(), y.Recv().Type())) || x.Recv() == nil && y.Recv() != nil {
		return nil
	}
	if x.Variadic() != call.Ellipsis.IsValid() {
		return nil
	}
	k := 0
	given := func(v *types.Var) bool {
		id, ok := args[k].(*ast.Ident)
		k++
		return ok && z.info.Uses[id] == v
	}
	if r := x.Recv(); r != nil && !given(r) {
		return nil
	}
	for v := range x.Params().Variables() {
		if k >= len(args) || !given(v) {
			return nil
		}
	}
	if k != len(args) {
		return nil
	}
	return to
}
