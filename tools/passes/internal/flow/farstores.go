// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A cache has no pool, as a rule, and is in another package than the buffer whose bytes it is given. What its
// setters keep in a map, slice or list of their receiver's shows in their source, also through setters
// that they call. A setter that a parameter tells whether to keep is not one; that one may refuse for a reason of its
// own, as a cache that is shut, changes nothing for who cannot know.

// A Stored is a parameter that a function keeps among the elements of a container.
type Stored struct {
	Param int
	In    *Expr // the address of the field that has the container
}

// A storeScan finds what the functions of a package keep.
type storeScan struct {
	pass  *goanalysis.Pass
	decls map[*types.Func]*ast.FuncDecl
	done  map[*types.Func][]Stored
}

func newStoreScan(pass *goanalysis.Pass) *storeScan {
	s := &storeScan{pass: pass, decls: map[*types.Func]*ast.FuncDecl{}, done: map[*types.Func][]Stored{}}
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
				if f, ok := pass.TypesInfo.Defs[fd.Name].(*types.Func); ok {
					s.decls[f] = fd
				}
			}
		}
	}
	return s
}

// of is what a function keeps, of this package or another.
func (s *storeScan) of(f *types.Func) []Stored {
	f = f.Origin()
	if f.Pkg() != s.pass.Pkg {
		sum := new(Summary)
		if f.Pkg() == nil || isStdPath(f.Pkg().Path()) || !importSummary(s.pass, f, sum) {
			return nil
		}
		return sum.Stored
	}
	if list, ok := s.done[f]; ok {
		return list
	}
	s.done[f] = nil // of a function that calls itself
	fd := s.decls[f]
	if fd == nil {
		return nil
	}
	params := paramsOf(f.Signature())
	r := &storeReader{
		storeScan: s,
		method:    f.Signature().Recv() != nil,
		plain:     plainFunc{info: s.pass.TypesInfo, params: params, vars: map[types.Object]plainValue{}},
		carries:   map[types.Object][]int{},
	}
	for v, n := range params {
		if v.Name() != "" && v.Name() != "_" && hasPointers(v.Type()) {
			r.carries[v] = []int{n}
		}
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if n, ok := n.(*ast.AssignStmt); ok && n.Tok != token.DEFINE {
			for _, l := range n.Lhs {
				if id, ok := ast.Unparen(l).(*ast.Ident); ok {
					delete(r.carries, s.pass.TypesInfo.Uses[id]) // it may be a copy by then
				}
			}
		}
		return true
	})
	r.read(fd.Body.List)
	s.done[f] = r.found
	return r.found
}

// A storeReader reads the body of one function.
type storeReader struct {
	*storeScan
	method  bool // parameter 0 is the receiver
	plain   plainFunc
	carries map[types.Object][]int // variables, and the parameters that they lead to
	found   []Stored
}

// read goes through the statements that a call runs, in order, until one may end it for a
// reason that its caller may know.
func (r *storeReader) read(list []ast.Stmt) bool {
	for _, st := range list {
		switch st := st.(type) {
		case *ast.BlockStmt:
			if !r.read(st.List) {
				return false
			}
		case *ast.AssignStmt:
			for k, l := range st.Lhs {
				r.assign(l, st.Rhs[min(k, len(st.Rhs)-1)], len(st.Lhs) == len(st.Rhs))
			}
		case *ast.ExprStmt:
			r.call(st.X)
		case *ast.ReturnStmt:
			for _, x := range st.Results {
				r.call(x)
			}
			return false
		default:
			if r.mayEnd(st) {
				return false
			}
		}
	}
	return true
}

// mayEnd reports whether a statement may end the call. A test of the receiver's own affairs, that it is
// closed or has the key already, is not meant: no caller knows how that ends.
func (r *storeReader) mayEnd(st ast.Stmt) bool {
	if s, ok := st.(*ast.IfStmt); ok && !r.asksOfParams(s.Cond) {
		return false
	}
	ends := false
	ast.Inspect(st, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit, *ast.DeferStmt:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			ends = true
		}
		return !ends
	})
	return ends
}

// asksOfParams reports whether a condition asks for something of a parameter, but for what is found under it as a key.
func (r *storeReader) asksOfParams(cond ast.Expr) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			found = found || r.asksOfParams(n.X)
			return false
		case *ast.Ident:
			k, isParam := r.plain.params[r.pass.TypesInfo.Uses[n]]
			found = found || isParam && (k > 0 || !r.method)
		}
		return !found
	})
	return found
}

// assign notes what an assignment keeps, or what a variable leads to.
func (r *storeReader) assign(lhs, rhs ast.Expr, alone bool) {
	r.call(rhs)
	if t := r.pass.TypesInfo.TypeOf(lhs); !alone || t == nil || !hasPointers(t) {
		return // t is nil of the blank identifier
	}
	switch lhs := ast.Unparen(lhs).(type) {
	case *ast.Ident:
		if v := r.pass.TypesInfo.Defs[lhs]; v != nil {
			r.carries[v] = r.ledTo(rhs)
		}
	case *ast.IndexExpr:
		r.keep(lhs.X, rhs)
	case *ast.SelectorExpr:
		// x.list = append(x.list, ...)
		c, ok := ast.Unparen(rhs).(*ast.CallExpr)
		if !ok || c.Ellipsis != token.NoPos || len(c.Args) < 2 || !r.isBuiltin(c, "append") || types.ExprString(c.Args[0]) != types.ExprString(lhs) {
			return
		}
		for _, x := range c.Args[1:] {
			r.keep(lhs, x)
		}
	}
}

func (r *storeReader) isBuiltin(c *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	return ok && id.Name == name && r.pass.TypesInfo.Types[id].IsBuiltin()
}

// keep notes that the container, a field that is reached from a parameter, has what x leads to.
func (r *storeReader) keep(container, x ast.Expr) {
	if in := r.fieldAddr(container); in != nil {
		for _, n := range r.ledTo(x) {
			r.add(n, in)
		}
	}
}

func (r *storeReader) add(n int, in *Expr) {
	root := in
	for root.A != nil {
		root = root.A
	}
	s := Stored{n, in}
	if root.Index != n && !slices.ContainsFunc(r.found, func(o Stored) bool { return o.Param == n && same(o.In, in) }) {
		r.found = append(r.found, s)
	}
}

func (r *storeReader) fieldAddr(x ast.Expr) *Expr {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	addr, _ := r.plain.field(sel)
	return addr
}

// ledTo are the parameters that a value leads to: it is one, a part of one, or a literal that has one.
func (r *storeReader) ledTo(x ast.Expr) []int {
	x = ast.Unparen(x)
	if t := r.pass.TypesInfo.TypeOf(x); t == nil || !hasPointers(t) {
		return nil
	}
	switch x := x.(type) {
	case *ast.Ident:
		return r.carries[r.pass.TypesInfo.Uses[x]]
	case *ast.SliceExpr:
		return r.ledTo(x.X)
	case *ast.TypeAssertExpr:
		return r.ledTo(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return r.ledTo(x.X)
		}
	case *ast.CompositeLit:
		var list []int
		for _, e := range x.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			list = append(list, r.ledTo(e)...)
		}
		return list
	case *ast.CallExpr:
		// A conversion that keeps the memory.
		if len(x.Args) == 1 && r.pass.TypesInfo.Types[x.Fun].IsType() {
			from, to := r.pass.TypesInfo.TypeOf(x.Args[0]), r.pass.TypesInfo.TypeOf(x)
			if types.IsInterface(to) || types.Identical(from.Underlying(), to.Underlying()) {
				return r.ledTo(x.Args[0])
			}
		}
	}
	return nil
}

// call notes what a call of another setter keeps.
func (r *storeReader) call(x ast.Expr) {
	c, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return
	}
	f := calledFunc(r.pass.TypesInfo, c)
	if f == nil {
		return
	}
	args := c.Args
	if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && f.Signature().Recv() != nil {
		switch funcKey(f) {
		case "container/list.List.PushBack", "container/list.List.PushFront", "sync.Map.Store", "sync.Map.Swap":
			r.keep(sel.X, args[len(args)-1])
			return
		}
		args = append([]ast.Expr{sel.X}, args...)
	}
	if f.Signature().Variadic() {
		return
	}
	for _, s := range r.of(f) {
		depth, root := 0, s.In
		for root.A != nil {
			root = root.A
			depth++
		}
		if s.Param >= len(args) || root.Index >= len(args) || depth > 8 {
			continue
		}
		var base *Expr
		owner := ast.Unparen(args[root.Index])
		if n, ok := r.plain.param(owner); ok {
			base = &Expr{Kind: "param", Index: n}
		} else if base = r.fieldAddr(owner); base == nil {
			continue
		} else if isPtr(r.pass.TypesInfo.TypeOf(owner)) {
			base = &Expr{Kind: "load", A: base}
		}
		for _, n := range r.ledTo(args[s.Param]) {
			r.add(n, rebased(s.In, base))
		}
	}
}

// rebased is an expression over a callee's parameter as one over what the caller gives it.
func rebased(x, base *Expr) *Expr {
	if x.A == nil {
		return base
	}
	c := *x
	c.A = rebased(x.A, base)
	return &c
}

// storeFar adds to the outcomes of a call what the function, of another package, keeps in a container. Which key
// it has there is not known.
func (a *analysis) storeFar(outs []outcome, i ssa.CallInstruction, f *types.Func, args []*sym) {
	for _, s := range a.summaryOf(f).Stored {
		if s.Param >= len(args) {
			continue
		}
		for _, o := range outs {
			x := args[s.Param]
			if !a.isAtStake(o.st, x) {
				continue
			}
			n := &instance{a: a, st: o.st, call: i, args: args, sig: f.Origin().Signature(), objects: map[int]*sym{}}
			in, _ := n.eval(s.In)
			key := a.syms.fresh(kOpaque, nil)
			addr := a.syms.elem(a.syms.load(in, o.st.epochOf(in), nil), key, nil)
			addr.far = true
			a.farStores = true
			a.write(o.st, addr, x)
			a.noteStore(o.st, i, addr, x)
		}
	}
}

// forgetFar forgets what setters of other packages keep in objects that a call is given: it may
// be deleted there.
func (a *analysis) forgetFar(st *state, args []*sym) {
	if !a.farStores {
		return
	}
	for k := range st.mem {
		if k.far && slices.ContainsFunc(args, func(x *sym) bool { return x != nil && inside(k, plain(x).root()) }) {
			delete(st.mem, k)
		}
	}
}
