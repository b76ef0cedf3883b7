// SPDX-License-Identifier: BSD-3-Clause

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A scope is where a value lives: the statements of one block.
type scope struct {
	fn   ast.Node // the innermost function
	body *ast.BlockStmt
	list []ast.Stmt // the statements beside the one that makes the value
	at   int        // its place in list
	end  token.Pos  // of the block
	loop ast.Stmt   // the innermost loop of the function around the block, or nil
}

// scope finds where the candidate's statement stands.
func (p *proposer) scope(c *candidate) (*scope, error) {
	if c.obj == nil {
		return nil, refuse("it has no variable of its own, declared by a statement of its own")
	}
	path := p.path(c.stmt)
	for len(path) > 0 && path[0] != c.stmt {
		path = path[1:]
	}
	if len(path) < 2 {
		return nil, refuse("it is made at package level, once")
	}
	s := new(scope)
	switch b := path[1].(type) {
	case *ast.BlockStmt:
		s.list, s.end = b.List, b.Rbrace
	case *ast.CaseClause:
		s.list, s.end = b.Body, b.End()
	case *ast.CommClause:
		s.list, s.end = b.Body, b.End()
	default:
		return nil, refuse("it is declared in the head of a statement")
	}
	for i, st := range s.list {
		if st == c.stmt {
			s.at = i
		}
	}
	for _, n := range path[1:] {
		switch n := n.(type) {
		case *ast.ForStmt:
			if s.loop == nil {
				s.loop = n
			}
		case *ast.RangeStmt:
			if s.loop == nil {
				s.loop = n
			}
		case *ast.FuncDecl:
			s.fn, s.body = n, n.Body
		case *ast.FuncLit:
			s.fn, s.body = n, n.Body
		}
		if s.fn != nil {
			break
		}
	}
	if s.fn == nil {
		return nil, refuse("it is made at package level, once")
	}
	jumps := false
	ast.Inspect(s.body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			jumps = true
		}
		return !jumps
	})
	if jumps {
		return nil, refuse("its function has a goto")
	}
	return s, nil
}

// stays proves that the value v of candidate c does not outlive its function,
// or, in a loop, the block of the loop.
func (p *proposer) stays(c *candidate, s *scope, v ssa.Value, method func(*types.Func) (class, bool), dynamic types.Type) (*tracker, error) {
	fn := p.function(s.fn)
	if fn == nil {
		return nil, refuse("its function is not compiled here")
	}
	t := p.analysis().tracker(fn, 0)
	t.method, t.dynamic = method, dynamic
	if e := t.follow(v, region); e != nil {
		if e.pos.IsValid() {
			return nil, refuse("%s (line %d)", e.why, p.line(e.pos))
		}
		return nil, refuse("%s", e.why)
	}
	def := v.(ssa.Instruction)
	for instr := range t.uses {
		if d, ok := instr.(*ssa.Defer); ok {
			if s.loop != nil {
				return nil, refuse("a deferred call uses it after the loop (line %d)", p.line(d.Pos()))
			}
			if d.Parent() == fn && reaches(d, def, nil) {
				return nil, refuse("a call that was deferred before uses it, and runs after the value is given back (line %d)", p.line(d.Pos()))
			}
		}
	}
	if s.loop == nil {
		return t, nil
	}
	in := func(pos token.Pos) bool { return !pos.IsValid() || c.stmt.Pos() <= pos && pos < s.end }
	for val := range t.classes {
		if val == v {
			continue
		}
		if phi, ok := val.(*ssa.Phi); ok && phi.Comment != c.obj.Name() {
			return nil, refuse("%s holds it beyond one turn of the loop", phi.Comment)
		}
		if a, ok := val.(*ssa.Alloc); ok && !in(a.Pos()) {
			return nil, refuse("%s holds it beyond one turn of the loop", a.Comment)
		}
		if !in(val.Pos()) {
			return nil, refuse("it is used beyond one turn of the loop (line %d)", p.line(val.Pos()))
		}
	}
	for instr := range t.uses {
		if !in(instr.Pos()) {
			return nil, refuse("it is used beyond one turn of the loop (line %d)", p.line(instr.Pos()))
		}
	}
	return t, nil
}

// value returns the SSA value of the candidate: of its expression, or the
// memory of its variable.
func (p *proposer) value(c *candidate, s *scope) (ssa.Value, error) {
	fn := p.function(s.fn)
	if fn == nil || len(fn.Blocks) == 0 {
		return nil, refuse("its function is not compiled here")
	}
	var lparen token.Pos
	literal := false
	switch e := c.ctor.(type) {
	case *ast.CallExpr:
		lparen = e.Lparen
	case *ast.CompositeLit:
		literal = true
	}
	if c.ctor == nil || literal {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if a, ok := instr.(*ssa.Alloc); ok && a.Pos() == c.obj.Pos() {
					return a, nil
				}
			}
		}
		return nil, refuse("nothing takes its address: it is on the stack already")
	}
	if lparen.IsValid() && p.builtin(c.ctor.(*ast.CallExpr)) == "" {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok || call.Call.Pos() != lparen {
					continue
				}
				if _, ok := call.Type().(*types.Tuple); !ok {
					return call, nil
				}
				for _, r := range *call.Referrers() {
					if x, ok := r.(*ssa.Extract); ok && x.Index == 0 {
						return x, nil
					}
				}
			}
		}
	}
	if v, _ := fn.ValueForExpr(c.ctor); v != nil {
		if _, ok := v.(ssa.Instruction); ok {
			return v, nil
		}
	}
	return nil, refuse("its value cannot be found in the compiled form")
}

// put writes what gives the value back: a deferred call behind the statement
// pos, or, in a loop, a call at every end of the turn.
func (d *draft) put(c *candidate, s *scope, after ast.Stmt, call string) error {
	if s.loop == nil {
		d.after(after, "defer "+call)
		return nil
	}
	return d.atExits(c, s, call)
}

// atExits inserts call before everything that leaves the block, and at its end.
func (d *draft) atExits(c *candidate, s *scope, call string) error {
	p := d.p
	var exits []ast.Stmt
	var bad error
	// depth counts the statements within the block that a break, or a continue,
	// would leave instead.
	var walk func(n ast.Node, breakable, continuable bool)
	walk = func(n ast.Node, breakable, continuable bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			if m == nil || bad != nil {
				return false
			}
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt:
				walk(m.Body, true, true)
				return false
			case *ast.RangeStmt:
				walk(m.Body, true, true)
				return false
			case *ast.SwitchStmt:
				walk(m.Body, true, continuable)
				return false
			case *ast.TypeSwitchStmt:
				walk(m.Body, true, continuable)
				return false
			case *ast.SelectStmt:
				walk(m.Body, true, continuable)
				return false
			case *ast.LabeledStmt:
				bad = refuse("its block has a label")
				return false
			case *ast.BranchStmt:
				if m.Label != nil {
					bad = refuse("its block is left to a label")
				}
				if m.Tok == token.FALLTHROUGH || m.Tok == token.BREAK && breakable || m.Tok == token.CONTINUE && continuable {
					return false
				}
				exits = append(exits, m)
			case *ast.ReturnStmt:
				for _, r := range m.Results {
					if !p.plain(r) {
						bad = refuse("it is not plain that the result on line %d is worked out without it", p.line(m.Pos()))
					}
				}
				exits = append(exits, m)
			}
			return true
		})
	}
	for _, st := range s.list[s.at+1:] {
		walk(st, false, false)
	}
	if bad != nil {
		return bad
	}
	for _, e := range exits {
		d.insert(e.Pos(), call+"\n")
	}
	last := s.list[len(s.list)-1]
	switch last := last.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return nil
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.BlockStmt:
		return refuse("its block ends with a statement that may not end")
	case *ast.IfStmt:
		if last.Else != nil {
			return refuse("its block ends with an if and an else")
		}
	case *ast.ForStmt:
		if last.Cond == nil {
			return refuse("its block ends with a loop that may not end")
		}
	case *ast.ExprStmt:
		if x, ok := last.X.(*ast.CallExpr); ok && p.builtin(x) == "panic" {
			return nil
		}
	}
	if last == c.stmt {
		return refuse("nothing follows it in its block")
	}
	d.after(last, call)
	return nil
}

// plain reports whether an expression gives the same with the value given back:
// a constant, a variable of a type that cannot refer to it, nil.
func (p *proposer) plain(e ast.Expr) bool {
	if tv := p.info.Types[e]; tv.Value != nil || tv.IsNil() {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := p.info.Uses[e].(*types.Var)
		return ok && (!pointerful(v.Type()) || isError(v.Type()) || v.Parent() == p.pkg.Types.Scope())
	}
	return false
}
