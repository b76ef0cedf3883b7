// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/token"
	"go/types"
)

// More forms that the walk need not know (see normal.go):
//
//   - a deferred literal that does nothing but call a function with what does not change until
//     then is the call, deferred;
//   - a function that answers a question about its arguments, with one expression, is that
//     expression;
//   - a local variable that names a method, and is only called, is the method;
//   - a function that only gets from, or puts to, a pool that it is given is the Get or Put of
//     whoever chooses the pool.

// findDefers finds the deferred literals of a function that are calls.
func (z *normalizer) findDefers(fd *ast.FuncDecl) {
	var changed map[types.Object]bool
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		d, ok := n.(*ast.DeferStmt)
		if !ok {
			return true
		}
		lit, ok := ast.Unparen(d.Call.Fun).(*ast.FuncLit)
		if !ok || len(d.Call.Args) > 0 || len(lit.Body.List) != 1 {
			return true
		}
		es, ok := lit.Body.List[0].(*ast.ExprStmt)
		if !ok {
			return true
		}
		call, ok := es.X.(*ast.CallExpr)
		if !ok {
			return true
		}
		if changed == nil {
			changed = z.changedIn(fd)
		}
		if z.sameEarlier(call, changed) {
			z.replace[d] = func() ast.Node {
				c := *d
				c.Call = call
				c.Defer = call.Lparen // what is found is found at the call
				return &c
			}
		}
		return true
	})
}

// changedIn are the variables of a function that are set more than where they are declared, or
// whose address is taken.
func (z *normalizer) changedIn(fd *ast.FuncDecl) map[types.Object]bool {
	changed := map[types.Object]bool{}
	set := func(e ast.Expr) {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.Ident:
				if o := z.info.Uses[x]; o != nil {
					changed[o] = true
				}
			case *ast.SelectorExpr:
				// Of a struct, not of what a pointer leads to.
				if t := z.info.TypeOf(x.X); t != nil {
					if _, isStruct := t.Underlying().(*types.Struct); isStruct {
						e = x.X
						continue
					}
				}
			case *ast.IndexExpr:
				if t := z.info.TypeOf(x.X); t != nil {
					if _, isArray := t.Underlying().(*types.Array); isArray {
						e = x.X
						continue
					}
				}
			}
			return
		}
	}
	declared := func(list []*ast.Ident, valued bool) {
		for _, id := range list {
			if o := z.info.Defs[id]; o != nil && !valued {
				changed[o] = true // set later, if at all
			}
		}
	}
	ast.Inspect(fd, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				set(l)
			}
		case *ast.IncDecStmt:
			set(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				set(n.Key)
				if n.Value != nil {
					set(n.Value)
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				set(n.X)
			}
		case *ast.ValueSpec:
			declared(n.Names, len(n.Values) > 0)
		case *ast.FuncType:
			if n.Results != nil {
				for _, f := range n.Results.List {
					declared(f.Names, false)
				}
			}
		}
		return true
	})
	return changed
}

// sameEarlier reports whether a call's function, receiver and arguments are the same at any
// time.
func (z *normalizer) sameEarlier(c *ast.CallExpr, changed map[types.Object]bool) bool {
	if c.Ellipsis.IsValid() {
		return false
	}
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		if f, ok := z.info.Uses[fun].(*types.Func); !ok || f.Signature().Recv() != nil {
			return false
		}
	case *ast.SelectorExpr:
		f, ok := z.info.Uses[fun.Sel].(*types.Func)
		if !ok {
			return false
		}
		sel := z.info.Selections[fun]
		if sel == nil {
			break // of another package
		}
		if sel.Kind() != types.MethodVal || len(sel.Index()) != 1 {
			return false
		}
		r := f.Signature().Recv()
		if r == nil {
			return false
		}
		_, byPointer := r.Type().Underlying().(*types.Pointer)
		if isPtr(z.info.TypeOf(fun.X)) || types.IsInterface(z.info.TypeOf(fun.X)) {
			if byPointer != isPtr(z.info.TypeOf(fun.X)) && !types.IsInterface(r.Type()) || !z.constantValue(fun.X, changed) {
				return false
			}
		} else if !byPointer || !z.constantPlace(fun.X, changed) {
			return false
		}
	default:
		return false
	}
	for _, x := range c.Args {
		if !z.constantValue(x, changed) {
			return false
		}
	}
	return true
}

// constantValue reports whether an expression is a constant, or a variable of the function that
// is set once and holds no more than a reference or a number.
func (z *normalizer) constantValue(e ast.Expr, changed map[types.Object]bool) bool {
	if tv := z.info.Types[e]; tv.Value != nil || tv.IsNil() {
		return true
	}
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
		return z.constantPlace(u.X, changed)
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := z.info.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Pkg() != z.pkg || v.Parent() == z.pkg.Scope() || changed[v] {
		return false
	}
	switch v.Type().Underlying().(type) {
	case *types.Struct, *types.Array:
		return false
	}
	return !isTypeParam(v.Type())
}

// constantPlace reports whether the address of an expression is the same at any time.
func (z *normalizer) constantPlace(e ast.Expr, changed map[types.Object]bool) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := z.info.Uses[x].(*types.Var)
		return ok && !v.IsField()
	case *ast.SelectorExpr:
		sel := z.info.Selections[x]
		if sel == nil {
			_, ok := z.info.Uses[x.Sel].(*types.Var) // of another package
			return ok
		}
		if sel.Kind() != types.FieldVal || len(sel.Index()) != 1 {
			return false
		}
		if isPtr(z.info.TypeOf(x.X)) {
			return z.constantValue(x.X, changed)
		}
		return z.constantPlace(x.X, changed)
	}
	return false
}

// A question is a function that is one expression.
type question struct {
	params []*types.Var
	answer ast.Expr
	uses   map[*types.Var]int
}

// findQuestions finds the functions of the package that answer yes or no by one expression.
func (z *normalizer) findQuestions(files []*ast.File) {
	z.questions = map[*types.Func]*question{}
	for _, f := range files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil || fd.Recv != nil || fd.Type.TypeParams != nil || len(fd.Body.List) != 1 {
				continue
			}
			r, ok := fd.Body.List[0].(*ast.ReturnStmt)
			if !ok || len(r.Results) != 1 {
				continue
			}
			o, ok := z.info.Defs[fd.Name].(*types.Func)
			if !ok || o.Signature().Variadic() || o.Signature().Results().Len() != 1 || !types.Identical(o.Signature().Results().At(0).Type(), types.Typ[types.Bool]) {
				continue
			}
			q := &question{answer: r.Results[0], uses: map[*types.Var]int{}}
			for v := range o.Signature().Params().Variables() {
				q.params = append(q.params, v)
			}
			if z.asks(q, q.answer) {
				z.questions[o] = q
			}
		}
	}
}

// asks reports whether an expression only compares parameters with each other and with
// constants.
func (z *normalizer) asks(q *question, e ast.Expr) bool {
	if tv := z.info.Types[e]; tv.Value != nil || tv.IsNil() {
		return true
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		return z.asks(q, x.X)
	case *ast.UnaryExpr:
		return x.Op == token.NOT && z.asks(q, x.X)
	case *ast.BinaryExpr:
		return z.asks(q, x.X) && z.asks(q, x.Y)
	case *ast.Ident:
		v, ok := z.info.Uses[x].(*types.Var)
		for _, p := range q.params {
			if ok && p == v {
				q.uses[v]++
				return true
			}
		}
	case *ast.CallExpr:
		id, ok := x.Fun.(*ast.Ident)
		if !ok || len(x.Args) != 1 {
			return false
		}
		b, ok := z.info.Uses[id].(*types.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "cap") && z.asks(q, x.Args[0])
	}
	return false
}

// findAsked replaces calls of such functions.
func (z *normalizer) findAsked(fd *ast.FuncDecl) {
	if len(z.questions) == 0 {
		return
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		id, ok := c.Fun.(*ast.Ident)
		if !ok {
			return true
		}
		f, _ := z.info.Uses[id].(*types.Func)
		q := z.questions[f]
		if q == nil || len(c.Args) != len(q.params) {
			return true
		}
		for k, x := range c.Args {
			_, isID := x.(*ast.Ident)
			tv := z.info.Types[x]
			if !isID && (len(q.params) > 1 || q.uses[q.params[0]] != 1) || tv.IsNil() || tv.Type == nil || !types.Identical(tv.Type, q.params[k].Type()) {
				return true
			}
		}
		z.replace[c] = func() ast.Node { return z.answer(q, q.answer, c) }
		return true
	})
}

// answer copies the expression of a question, for one of its calls.
func (z *normalizer) answer(q *question, e ast.Expr, c *ast.CallExpr) ast.Expr {
	keep := func(n ast.Expr) ast.Expr {
		z.info.Types[n] = z.info.Types[e]
		return n
	}
	if tv := z.info.Types[e]; tv.Value != nil || tv.IsNil() {
		return e
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		return keep(&ast.ParenExpr{Lparen: c.Pos(), X: z.answer(q, x.X, c), Rparen: c.End()})
	case *ast.UnaryExpr:
		return keep(&ast.UnaryExpr{OpPos: c.Pos(), Op: x.Op, X: z.answer(q, x.X, c)})
	case *ast.BinaryExpr:
		return keep(&ast.BinaryExpr{X: z.answer(q, x.X, c), OpPos: c.Pos(), Op: x.Op, Y: z.answer(q, x.Y, c)})
	case *ast.CallExpr:
		return keep(&ast.CallExpr{Fun: x.Fun, Lparen: c.Lparen, Args: []ast.Expr{z.answer(q, x.Args[0], c)}, Rparen: c.Rparen})
	case *ast.Ident:
		for k, p := range q.params {
			if z.info.Uses[x] == p {
				return z.rewrite(c.Args[k]).(ast.Expr)
			}
		}
	}
	return e
}

// A passing is a function whose body is a Get or Put of a sync.Pool that is its parameter.
type passing struct {
	call   *ast.CallExpr // of Get or Put
	assert bool          // of what Get gives
	pool   int           // the parameters
	value  int
}

// findPassing finds the functions that only get from, or put to, a pool that they are given.
func (z *normalizer) findPassing(files []*ast.File) {
	z.passing = map[*types.Func]*passing{}
	for _, f := range files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil || fd.Recv != nil || len(fd.Body.List) != 1 {
				continue
			}
			o, ok := z.info.Defs[fd.Name].(*types.Func)
			if !ok || o.Signature().Variadic() {
				continue
			}
			var e ast.Expr
			p := &passing{value: -1}
			switch s := fd.Body.List[0].(type) {
			case *ast.ReturnStmt:
				if len(s.Results) == 1 {
					e = s.Results[0]
				}
			case *ast.ExprStmt:
				e = s.X
			}
			if ta, ok := e.(*ast.TypeAssertExpr); ok && ta.Type != nil {
				e, p.assert = ta.X, true
			}
			p.call, ok = e.(*ast.CallExpr)
			if !ok {
				continue
			}
			sel, ok := p.call.Fun.(*ast.SelectorExpr)
			if !ok {
				continue
			}
			m, _ := z.info.Uses[sel.Sel].(*types.Func)
			param := func(e ast.Expr) int {
				id, ok := e.(*ast.Ident)
				for k := range o.Signature().Params().Len() {
					if ok && z.info.Uses[id] == o.Signature().Params().At(k) {
						return k
					}
				}
				return -1
			}
			p.pool = param(sel.X)
			n := 1
			if m == nil || p.pool < 0 || !isPtr(z.info.TypeOf(sel.X)) {
				continue
			}
			switch funcKey(m) {
			case "sync.Pool.Get":
			case "sync.Pool.Put":
				p.value = param(p.call.Args[0])
				n = 2
				if p.value < p.pool || types.IsInterface(o.Signature().Params().At(p.value).Type()) && !isTypeParam(o.Signature().Params().At(p.value).Type()) {
					continue // what is boxed where is told by the calls
				}
			default:
				continue
			}
			if o.Signature().Params().Len() == n {
				z.passing[o] = p
			}
		}
	}
}

// findPassed replaces calls of such functions.
func (z *normalizer) findPassed(fd *ast.FuncDecl) {
	if len(z.passing) == 0 {
		return
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fun := c.Fun
		switch x := fun.(type) {
		case *ast.IndexExpr:
			fun = x.X
		case *ast.IndexListExpr:
			fun = x.X
		}
		id, ok := fun.(*ast.Ident)
		if !ok {
			return true
		}
		f, _ := z.info.Uses[id].(*types.Func)
		if f == nil || z.passing[f.Origin()] == nil {
			return true
		}
		p := z.passing[f.Origin()]
		if want := max(p.pool, p.value) + 1; len(c.Args) != want {
			return true
		}
		if v := p.value; v >= 0 && (z.info.Types[c.Args[v]].IsNil() || z.info.Types[c.Args[v]].Value != nil) {
			return true
		}
		z.replace[c] = func() ast.Node {
			from := p.call.Fun.(*ast.SelectorExpr)
			sel := &ast.SelectorExpr{X: z.rewrite(c.Args[p.pool]).(ast.Expr), Sel: from.Sel}
			z.info.Selections[sel] = z.info.Selections[from]
			z.info.Types[sel] = z.info.Types[from]
			call := &ast.CallExpr{Fun: sel, Lparen: c.Lparen, Rparen: c.Rparen}
			if p.value >= 0 {
				call.Args = []ast.Expr{z.rewrite(c.Args[p.value]).(ast.Expr)}
			}
			z.info.Types[call] = z.info.Types[p.call]
			if !p.assert {
				return call
			}
			t := &ast.Ident{NamePos: c.Pos(), Name: "_"}
			ta := &ast.TypeAssertExpr{X: call, Lparen: c.Lparen, Type: t, Rparen: c.Rparen}
			z.info.Types[ta] = z.info.Types[c]
			z.info.Types[t] = z.info.Types[c]
			return ta
		}
		return true
	})
}
