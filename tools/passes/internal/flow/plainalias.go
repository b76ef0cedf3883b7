// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
)

// Most packages have no pool, and are not followed. But the buffer that one package pools may be
// another's type, whose Bytes gives its memory away, and a value may be kept by another package's setter. What
// such functions do shows in their source: they return a parameter, a part of one, or a field,
// or set a field to one. These summaries, called plain, are made without an SSA form.

// exportPlain summarises the exported functions of a package that have no summary and whose body is
// one of those, and those that leave something with a goroutine (leavers.go). Where the package has pools, its functions
// that tell a flag are too: a value may be there only where one is set.
func exportPlain(pass *goanalysis.Pass, pools bool, left map[*types.Func][]Left) {
	if pass.ExportObjectFact == nil || isStdPath(pass.Pkg.Path()) && !Std {
		return // of the standard library, builtins.go tells
	}
	stores := newStoreScan(pass)
	for _, file := range pass.Files {
		generated := Generated(pass.Fset, file)
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil || !fd.Name.IsExported() || fd.Name.Name == "Wait" {
				continue
			}
			obj, ok := pass.TypesInfo.Defs[fd.Name].(*types.Func)
			if !ok {
				continue
			}
			if _, known := poolFuncOf(obj); known || effectOf(obj) != 0 {
				continue
			}
			params := paramsOf(obj.Signature())
			s := &Summary{Plain: true}
			followed := importSummary(pass, obj, s)
			if !generated {
				s.Stored = stores.of(obj)
			}
			if s.Clears = clearedParams(pass.TypesInfo, fd, params); followed {
				if len(s.Clears)+len(s.Stored) > 0 {
					pass.ExportObjectFact(obj, s)
				}
				continue
			}
			if !generated && len(fd.Body.List) <= 8 {
				p := plainFunc{info: pass.TypesInfo, flags: pools, params: params, vars: map[types.Object]plainValue{}}
				for k := range obj.Signature().Results().Len() {
					p.named = append(p.named, obj.Signature().Results().At(k))
				}
				if o := p.outcome(fd.Body.List); o != nil {
					s.Outcomes = []Outcome{*o}
					pass.ExportObjectFact(obj, s)
					continue
				}
			}
			s.Keeps, s.Left = keptParams(pass.TypesInfo, fd, params), left[obj]
			if len(s.Keeps)+len(s.Clears)+len(s.Left)+len(s.Stored) > 0 {
				pass.ExportObjectFact(obj, s)
			}
		}
	}
}

// paramsOf numbers the parameters of a function, the receiver first.
func paramsOf(sig *types.Signature) map[types.Object]int {
	params := map[types.Object]int{}
	first := 0
	if r := sig.Recv(); r != nil {
		params[r], first = 0, 1
	}
	for k := range sig.Params().Len() {
		params[sig.Params().At(k)] = first + k
	}
	return params
}

// A plainFunc reads the body of one function.
type plainFunc struct {
	info   *types.Info
	params map[types.Object]int
	named  []*types.Var // results
	vars   map[types.Object]plainValue
	flags  bool // flags of parameters are worth telling
	worth  bool // a parameter's memory is given back, or kept
}

// A plainValue is what a variable was last set to, and the parameter that it is reached from: -1 for none.
type plainValue struct {
	expr *Expr
	from int
}

// outcome is what the statements do, or nil where they are of another kind, or do nothing with the memory
// of parameters.
func (p *plainFunc) outcome(list []ast.Stmt) *Outcome {
	var o Outcome
	if _, ok := p.run(&o, list); !ok || !p.worth {
		return nil
	}
	return &o
}

// run follows statements in order. It tells whether they return, and whether they are understood.
func (p *plainFunc) run(o *Outcome, list []ast.Stmt) (returns, ok bool) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.ASSIGN && s.Tok != token.DEFINE || len(s.Lhs) != len(s.Rhs) {
				return false, false
			}
			for k := range s.Lhs {
				if !p.assign(o, s.Lhs[k], s.Rhs[k]) {
					return false, false
				}
			}
		case *ast.IfStmt:
			if p.idle(s) {
				continue
			}
			ifNil, otherwise, ok := p.nilTest(s)
			if !ok || !p.leaves(ifNil) {
				return false, false
			}
			if returns, ok := p.run(o, otherwise); returns || !ok {
				return returns, ok
			}
		case *ast.ReturnStmt:
			for _, r := range s.Results {
				o.Results = append(o.Results, orUnknown(p.result(r)))
			}
			if len(s.Results) == 0 {
				for _, v := range p.named {
					o.Results = append(o.Results, orUnknown(p.given(p.vars[v].expr, p.vars[v].from, v.Type())))
				}
			}
			return true, true
		default:
			if !p.idle(s) {
				return false, false
			}
		}
	}
	return false, true
}

// nilTest takes apart a test whether a parameter is nil.
func (p *plainFunc) nilTest(s *ast.IfStmt) (ifNil, otherwise []ast.Stmt, ok bool) {
	cond, not := ast.Unparen(s.Cond), false
	for {
		u, ok := cond.(*ast.UnaryExpr)
		if !ok || u.Op != token.NOT {
			break
		}
		cond, not = ast.Unparen(u.X), !not
	}
	b, ok := cond.(*ast.BinaryExpr)
	if !ok || s.Init != nil || b.Op != token.EQL && b.Op != token.NEQ || !p.info.Types[b.Y].IsNil() {
		return nil, nil, false
	}
	if _, isParam := p.param(b.X); !isParam {
		return nil, nil, false
	}
	ifNil = s.Body.List
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		otherwise = e.List
	case *ast.IfStmt:
		return nil, nil, false
	}
	if (b.Op == token.NEQ) != not {
		ifNil, otherwise = otherwise, ifNil
	}
	return ifNil, otherwise, true
}

// leaves reports whether statements do no more than return.
func (p *plainFunc) leaves(list []ast.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ReturnStmt:
		case *ast.AssignStmt:
			for _, l := range s.Lhs {
				if _, ok := l.(*ast.Ident); !ok {
					return false
				}
			}
		default:
			if !p.idle(s) {
				return false
			}
		}
	}
	return true
}

// idle reports whether a statement does nothing with memory: it locks, counts, or calls a function that
// is given none.
func (p *plainFunc) idle(s ast.Stmt) bool {
	var call *ast.CallExpr
	switch s := s.(type) {
	case *ast.IfStmt:
		if s.Init != nil || !p.plain(s.Cond) || s.Else != nil && !p.idle(s.Else) {
			return false
		}
		return p.idle(s.Body)
	case *ast.BlockStmt:
		return !slices.ContainsFunc(s.List, func(s ast.Stmt) bool { return !p.idle(s) })
	case *ast.IncDecStmt:
		return true
	case *ast.ExprStmt:
		call, _ = ast.Unparen(s.X).(*ast.CallExpr)
	case *ast.DeferStmt:
		call = s.Call
	}
	if call == nil {
		return false
	}
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		_, isFunc := p.info.Uses[f].(*types.Func)
		return isFunc && !slices.ContainsFunc(call.Args, func(x ast.Expr) bool { return !p.plain(x) || hasPointers(p.info.TypeOf(x)) })
	case *ast.SelectorExpr:
		m, ok := p.info.Uses[f.Sel].(*types.Func)
		return ok && m.Pkg() != nil && m.Pkg().Path() == "sync" && strings.HasSuffix(m.Name(), "ock") && len(call.Args) == 0
	}
	return false
}

// assign adds what a field is set to, and reports whether the statement is understood.
func (p *plainFunc) assign(o *Outcome, lhs, rhs ast.Expr) bool {
	if id, ok := ast.Unparen(lhs).(*ast.Ident); ok {
		v := p.info.ObjectOf(id)
		if v == nil || v.Parent() == v.Pkg().Scope() {
			return id.Name == "_" && p.plain(rhs)
		}
		var val plainValue
		if val.expr, val.from = p.value(rhs); val.expr == nil && !p.fresh(rhs) {
			return false
		}
		p.vars[v] = val
		return true
	}
	sel, ok := ast.Unparen(lhs).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	addr, into := p.field(sel)
	if addr == nil {
		return false
	}
	if !hasPointers(p.info.TypeOf(lhs)) {
		return p.plain(rhs)
	}
	val, from := p.value(rhs)
	if val == nil {
		return false
	}
	o.Writes = append(o.Writes, Write{addr, val})
	if from >= 0 && from != into {
		p.worth = true
		o.Kept = append(o.Kept, &Expr{Kind: "param", Index: from})
	}
	return true
}

// result is a result, nil where it is not understood: it is something new, as far as is known.
func (p *plainFunc) result(x ast.Expr) *Expr {
	v, from := p.value(x)
	return p.given(v, from, p.info.TypeOf(x))
}

func (p *plainFunc) given(v *Expr, from int, t types.Type) *Expr {
	if v != nil && p.flags && v.Kind == "load" && from >= 0 && isBool(t) {
		p.worth = true
		return v
	}
	if v == nil || !hasPointers(t) {
		return nil
	}
	p.worth = p.worth || from >= 0 && pointery(t)
	return v
}

// fresh reports whether an expression makes a value of its own: a copy, or a number.
func (p *plainFunc) fresh(x ast.Expr) bool { return !hasPointers(p.info.TypeOf(x)) && p.plain(x) }

// plain reports whether an expression only reads numbers and text.
func (p *plainFunc) plain(x ast.Expr) bool {
	ok := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = ok && p.info.Types[n.Fun].IsType()
		case *ast.FuncLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		}
		return ok
	})
	return ok
}

// param is the number of the parameter that an expression names.
func (p *plainFunc) param(x ast.Expr) (int, bool) {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return -1, false
	}
	v := p.info.Uses[id]
	n, ok := p.params[v]
	if _, set := p.vars[v]; set {
		return -1, false
	}
	return n, ok
}

// value encodes the value of an expression, and tells which parameter it is reached from: -1 for none.
func (p *plainFunc) value(x ast.Expr) (*Expr, int) {
	x = ast.Unparen(x)
	if tv := p.info.Types[x]; tv.IsNil() {
		return &Expr{Kind: "nil"}, -1
	} else if tv.Value != nil && tv.Value.Kind() != constant.Unknown {
		return &Expr{Kind: "const", Text: tv.Value.ExactString()}, -1
	}
	if id, ok := x.(*ast.Ident); ok {
		if v, ok := p.vars[p.info.Uses[id]]; ok {
			return v.expr, v.from
		}
	}
	if n, ok := p.param(x); ok {
		return &Expr{Kind: "param", Index: n}, n
	}
	switch x := x.(type) {
	case *ast.SelectorExpr:
		if addr, from := p.field(x); addr != nil {
			return &Expr{Kind: "load", A: addr}, from
		}
	case *ast.SliceExpr:
		if _, isSlice := p.info.TypeOf(x.X).Underlying().(*types.Slice); !isSlice || !p.plainBounds(x) {
			return nil, -1
		}
		v, from := p.value(x.X)
		if v == nil || from < 0 {
			return nil, -1
		}
		if x.Low != nil && !p.isZero(x.Low) {
			return &Expr{Kind: "adv", A: v}, from
		}
		cut := &Expr{Kind: "view", A: v}
		if x.High != nil && p.isZero(x.High) {
			cut.Index = 1
		}
		return cut, from
	case *ast.UnaryExpr:
		if sel, ok := ast.Unparen(x.X).(*ast.SelectorExpr); ok && x.Op == token.AND {
			return p.field(sel)
		}
	case *ast.CallExpr:
		// A conversion that keeps the memory: from one type of slices, maps or pointers to another.
		if len(x.Args) == 1 && p.info.Types[x.Fun].IsType() && types.Identical(p.info.TypeOf(x).Underlying(), p.info.TypeOf(x.Args[0]).Underlying()) {
			return p.value(x.Args[0])
		}
	}
	return nil, -1
}

func (p *plainFunc) plainBounds(x *ast.SliceExpr) bool {
	for _, b := range []ast.Expr{x.Low, x.High, x.Max} {
		if b != nil && !p.lengths(b) {
			return false
		}
	}
	return true
}

// lengths reports whether an expression is a number that may be a length.
func (p *plainFunc) lengths(x ast.Expr) bool {
	c, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return p.plain(x)
	}
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	return ok && (id.Name == "len" || id.Name == "cap") && p.info.Types[id].IsBuiltin()
}

func (p *plainFunc) isZero(x ast.Expr) bool {
	v := p.info.Types[x].Value
	return v != nil && v.Kind() == constant.Int && constant.Sign(v) == 0
}

// field encodes the address of a field that is reached from a parameter, which is a pointer.
func (p *plainFunc) field(x *ast.SelectorExpr) (addr *Expr, from int) {
	sel := p.info.Selections[x]
	if sel == nil || sel.Kind() != types.FieldVal {
		return nil, -1
	}
	base := ast.Unparen(x.X)
	t := p.info.TypeOf(base)
	if inner, ok := base.(*ast.SelectorExpr); ok {
		if addr, from = p.field(inner); addr == nil {
			return nil, -1
		}
		if isPtr(t) {
			addr = &Expr{Kind: "load", A: addr}
		}
	} else {
		n, ok := p.param(base)
		if !ok || !isPtr(t) {
			return nil, -1
		}
		addr, from = &Expr{Kind: "param", Index: n}, n
	}
	for k, i := range sel.Index() {
		if k > 0 && isPtr(t) {
			addr = &Expr{Kind: "load", A: addr}
		}
		s := structOf(t)
		if s == nil {
			return nil, -1
		}
		addr = &Expr{Kind: "field", A: addr, Index: i}
		t = s.Field(i).Type()
	}
	return addr, from
}
