// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A leakEnds is what the fix of a lost value needs to know of the paths.
type leakEnds struct {
	puts    []*release          // on other paths
	ends    map[*ssa.Return]int // how many paths that took the value end there
	noted   int                 // of the lost paths
	muddled bool                // a part of the value was put or kept, or one of several was lost
}

// noteEnds keeps, for each value that a path took, where the path ended.
func (a *analysis) noteEnds(e exit, kept map[*sym]bool) {
	lostBefore := map[*leak]bool{}
	for _, t := range e.st.toks {
		l := a.leaks[leakKey{t.stack[0], t.pool.label()}]
		if l == nil {
			continue
		}
		was, again := lostBefore[l]
		if was {
			l.muddled = true // an earlier round of a loop lost it
		}
		if !again {
			if l.ends == nil {
				l.ends = map[*ssa.Return]int{}
			}
			l.ends[e.ret]++
		}
		lost := slices.ContainsFunc(l.lost[l.noted:], func(p lostPath) bool { return p.tok == t })
		lostBefore[l] = lost
		if r := e.st.rel[t]; r != nil {
			l.puts = append(l.puts, r)
		} else if !lost {
			for x := range e.st.rel {
				if passes(x, t) {
					l.muddled = true // a part of it was put
				}
			}
		}
		if lost && !l.muddled {
			for x := range kept {
				if passes(x, t) {
					l.muddled = true // somebody has a part of it
				}
			}
		}
	}
	for l := range lostBefore {
		l.noted = len(l.lost)
	}
}

// mendLost puts a value back before each return that loses it, with the statement
// that puts it on the other paths. It gives up where anything else than these
// returns and Puts has to do with the value.
func (a *analysis) mendLost(l *leak, lost []lostPath) []goanalysis.SuggestedFix {
	if !l.put || l.handed || l.muddled || len(l.lent)+len(l.shelved) > 0 || len(l.get.stack) == 0 {
		return nil
	}
	for _, k := range a.leakOrder {
		if other := a.leaks[k]; other != l && k.pos == l.get.stack[0] {
			return nil // the call takes several values
		}
	}
	fn := a.root
	body := bodyOf(fn)
	x, get, _ := a.declared(l.get.stack[0])
	if x == nil || body == nil || get.Pos() < body.Pos() || get.End() > body.End() {
		return nil
	}
	clean, put := a.putsAlike(l, x)
	if put == nil || !a.onlyBorrowed(fn, x) {
		return nil
	}
	added := append(slices.Clip(clean), put.stmt)
	var text bytes.Buffer
	var lines []string
	for _, st := range added {
		if !a.steadyNames(fn, st, x) {
			return nil
		}
		text.Reset()
		if format.Node(&text, a.fset, st) != nil || bytes.ContainsRune(text.Bytes(), '\n') {
			return nil
		}
		lines = append(lines, text.String())
	}
	count := map[*ssa.Return]int{}
	var edits []goanalysis.TextEdit
	for _, p := range lost {
		ret, ok := p.at.(*ssa.Return)
		if !ok {
			return nil
		}
		count[ret]++
		if count[ret] > 1 {
			continue
		}
		pos, list := a.returnAt(ret)
		if !pos.IsValid() {
			return nil
		}
		for _, st := range added {
			if !a.sameNames(st, pos) {
				return nil
			}
		}
		if list != nil && a.usedByReturn(fn, list, x) || a.cleanedElsewhere(body, x, pos) {
			return nil
		}
		e := goanalysis.TextEdit{Pos: pos, End: pos}
		if list == nil { // the end of the function
			e.NewText = []byte("\t" + strings.Join(lines, "\n\t") + "\n")
		} else {
			in := "\n" + a.indent(pos)
			if _, path := a.enclosing(pos); slices.ContainsFunc(path, func(n ast.Node) bool { return statements(n) != nil && a.fileLine(n.Pos()) == a.fileLine(pos) }) {
				in = "; " // a block on one line
			}
			e.NewText = []byte(strings.Join(lines, in) + in)
		}
		edits = append(edits, e)
	}
	for ret, n := range count {
		if n != l.ends[ret] {
			return nil // other paths end there, and do not lose it
		}
	}
	slices.SortFunc(edits, func(x, y goanalysis.TextEdit) int { return int(x.Pos - y.Pos) })
	return []goanalysis.SuggestedFix{{Message: "put it back before each return that loses it", TextEdits: edits}}
}

// putsAlike are the statements, the same on all paths, that put a value back: a
// Put, and those right before it that clear the value for it.
func (a *analysis) putsAlike(l *leak, x *types.Var) (clean []ast.Stmt, put *putStmt) {
	var texts []string
	for _, r := range l.puts {
		if r.async || r.deferred || r.bounded || r.pool0().isList() || r.stack[0].Parent() != a.root {
			return nil, nil
		}
		p := a.putAt(&r.event, 0)
		if p == nil || p.x != x {
			return nil, nil
		}
		if _, isCall := p.instr.(*ssa.Call); !isCall || !a.decidedForPath(p) {
			return nil, nil
		}
		from := p.at
		for from > 0 && a.cleans(p.list[from-1], x) {
			from--
		}
		var these []string
		for _, st := range p.list[from : p.at+1] {
			var text bytes.Buffer
			if format.Node(&text, a.fset, st) != nil {
				return nil, nil
			}
			these = append(these, text.String())
		}
		if put != nil && !slices.Equal(these, texts) {
			return nil, nil
		}
		clean, put, texts = p.list[from:p.at], p, these
	}
	return clean, put
}

// decidedForPath reports whether no test around a Put is about the value, or about
// the Put alone: the arms that hold it leave the function or have an alternative.
func (a *analysis) decidedForPath(p *putStmt) bool {
	left := false // some arm that holds it leaves
	for _, n := range p.path[1:] {
		if n.Pos() <= p.x.Pos() {
			return true // what is around the declaration decides nothing about the Put
		}
		if list := statements(n); list != nil {
			left = left || leaves(list)
		}
		switch n := n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return true
		case *ast.IfStmt:
			if a.mentions(n.Cond, p.x) || n.Else == nil && !left {
				return false
			}
		case *ast.CaseClause:
			for _, x := range n.List {
				if a.mentions(x, p.x) {
					return false
				}
			}
		case *ast.SwitchStmt:
			if n.Tag != nil && a.mentions(n.Tag, p.x) {
				return false
			}
		case *ast.TypeSwitchStmt:
			if a.mentions(n.Assign, p.x) {
				return false
			}
		}
	}
	return false
}

// leaves reports whether a list of statements ends with one that leaves it.
func leaves(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch list[len(list)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// cleans reports whether a statement only clears a value or a part of it.
func (a *analysis) cleans(st ast.Stmt, x *types.Var) bool {
	switch st := st.(type) {
	case *ast.ExprStmt:
		call, ok := ast.Unparen(st.X).(*ast.CallExpr)
		if !ok {
			return false
		}
		name := strings.ToLower(lastName(call.Fun))
		if !slices.ContainsFunc([]string{"reset", "clear", "clean"}, func(verb string) bool { return strings.Contains(name, verb) }) {
			return false
		}
		if len(call.Args) == 0 {
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			return ok && a.rooted(sel.X, x)
		}
		return len(call.Args) == 1 && a.rooted(call.Args[0], x)
	case *ast.AssignStmt:
		if st.Tok != token.ASSIGN || len(st.Lhs) != 1 || len(st.Rhs) != 1 || !a.rooted(st.Lhs[0], x) {
			return false
		}
		switch v := ast.Unparen(st.Rhs[0]).(type) {
		case *ast.BasicLit:
			return true
		case *ast.Ident:
			return v.Name == "nil" || v.Name == "false"
		case *ast.CompositeLit:
			return len(v.Elts) == 0
		case *ast.SliceExpr:
			return a.rooted(v.X, x)
		}
	}
	return false
}

// cleanedElsewhere reports whether the value is cleared in a place that is neither on
// every way to a position nor right before a Put.
func (a *analysis) cleanedElsewhere(body *ast.BlockStmt, x *types.Var, pos token.Pos) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		list := statements(n)
		for k, st := range list {
			if !a.cleans(st, x) || st.End() <= pos && n.Pos() <= pos && pos <= n.End() {
				continue
			}
			for k < len(list) && a.cleans(list[k], x) {
				k++
			}
			if k < len(list) {
				if es, ok := list[k].(*ast.ExprStmt); ok {
					if call, ok := ast.Unparen(es.X).(*ast.CallExpr); ok && onlyPuts(call) && a.putVariable(call) == x {
						continue
					}
				}
			}
			found = true
		}
		return !found
	})
	return found
}

// onlyBorrowed reports whether nothing that runs later can have the value: neither a
// function literal, a goroutine or a deferred call, nor a method of it as a value.
func (a *analysis) onlyBorrowed(fn *ssa.Function, x *types.Var) bool {
	body := bodyOf(fn)
	ok := true
	calls := map[ast.Expr]bool{}
	later := func(call ast.Node) bool { // names x, or a variable that may have come from it
		found := false
		ast.Inspect(call, func(n ast.Node) bool {
			if id, isIdent := n.(*ast.Ident); isIdent {
				if v := a.localVar(id); v != nil && (v.Pos() < call.Pos() || call.End() <= v.Pos()) && hasPointers(v.Type()) {
					found = found || v.Pos() >= x.Pos() || !isError(v.Type()) && !a.steady(fn, v, false)
				}
			}
			return !found
		})
		return found
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			calls[ast.Unparen(n.Fun)] = true
		case *ast.SelectorExpr:
			if s := a.pass.TypesInfo.Selections[n]; s != nil && s.Kind() == types.MethodVal && !calls[n] && a.rooted(n.X, x) {
				ok = false
			}
		case *ast.FuncLit:
			if a.mentions(n, x) {
				ok = false
			}
		case *ast.DeferStmt:
			if later(n.Call) {
				ok = false
			}
		case *ast.GoStmt:
			if a.mentions(n, x) {
				ok = false
			}
		case *ast.BranchStmt:
			ok = ok && n.Tok != token.GOTO
		}
		return ok
	})
	return ok
}

// returnAt is where a return statement begins, and the statement; no statement for
// the end of a function.
func (a *analysis) returnAt(ret *ssa.Return) (token.Pos, *ast.ReturnStmt) {
	if !ret.Pos().IsValid() {
		body := bodyOf(ret.Parent())
		if body == nil || len(body.List) == 0 || a.fileLine(body.List[len(body.List)-1].End()) == a.fileLine(body.Rbrace) {
			return token.NoPos, nil
		}
		return body.Rbrace, nil
	}
	_, path := a.enclosing(ret.Pos())
	for n, node := range path {
		if rs, ok := node.(*ast.ReturnStmt); ok {
			if n+1 < len(path) && statements(path[n+1]) != nil {
				return rs.Pos(), rs
			}
			break
		}
	}
	return token.NoPos, nil
}

// usedByReturn reports whether what a return statement works out may be of a value.
func (a *analysis) usedByReturn(fn *ssa.Function, rs *ast.ReturnStmt, x *types.Var) bool {
	f, _ := a.enclosing(rs.Pos())
	used := false
	for _, res := range rs.Results {
		ast.Inspect(res, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				used = true
			case *ast.Ident:
				v := a.localVar(n)
				if v == nil || v != x && (!hasPointers(v.Type()) || isError(v.Type())) {
					break
				}
				b, isBasic := v.Type().Underlying().(*types.Basic)
				switch {
				case v == x:
					used = true
				case isBasic && b.Info()&types.IsString != 0 && !imported(f, "unsafe"):
				case v.Pos() > x.Pos():
					used = true // it may have come from the value
				case ast.Unparen(res) == ast.Expr(n):
				case v.Pos() > bodyOf(fn).Pos() || !a.steady(fn, v, false):
					used = true
				default:
					switch v.Type().Underlying().(type) {
					case *types.Struct, *types.Array:
						used = true // fields of its own, which may have been set
					}
				}
			}
			return !used
		})
	}
	return used
}
