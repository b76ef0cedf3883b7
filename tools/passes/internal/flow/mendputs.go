// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/token"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A putPair is two events on one path that a finding puts in one function: two Puts,
// or a Put and a use.
type putPair struct {
	first, second event
	n             int // where in their stacks that function is
}

// notePair keeps what led to a finding, for its fix. Later is whether a put to the
// pool may as well come later: nobody waits for it.
func (a *analysis) notePair(pat string, first, second *event, later bool) {
	if a.quiet > 0 {
		return
	}
	pos, fn := diverge(first, second)
	k := findingKey{pat, pos}
	n := 0
	for n < len(first.stack)-1 && n < len(second.stack)-1 && first.stack[n] == second.stack[n] {
		n++
	}
	if !later || first.stack[n].Parent() != second.stack[n].Parent() || second.stack[n].Parent() != fn && second.stack[n].Parent() != fn.Parent() {
		n = -1
	}
	a.pairing[k] = append(a.pairing[k], putPair{*first, *second, n})
}

// mendDouble removes the explicit Puts of what a deferred call puts anyway, or the
// second of two Puts that follow one another.
func (a *analysis) mendDouble(pairs []putPair) []goanalysis.SuggestedFix {
	var edits []goanalysis.TextEdit
	var seen []ast.Stmt
	message := "remove the second Put"
	for _, pr := range pairs {
		if pr.n < 0 {
			return nil
		}
		one, two := a.putAt(&pr.first, pr.n), a.putAt(&pr.second, pr.n)
		if two == nil {
			two = a.inLiteral(&pr.second, pr.n)
		}
		if one == nil || two == nil || one.text != two.text || one.x != two.x || one.instr == two.instr {
			return nil
		}
		fn := one.instr.Parent()
		if !a.steadyNames(fn, one.call, nil) {
			return nil
		}
		_, deferred := two.instr.(*ssa.Defer)
		_, both := one.instr.(*ssa.Defer)
		gone := two
		switch {
		case both && deferred:
			// The last to be deferred runs first. Drop that which comes later in the text.
			if gone = one; !precedes(two.instr, one.instr) || repeats(two.path) {
				return nil
			}
		case deferred:
			message = "leave it to the deferred Put"
			if gone = one; !precedes(two.instr, one.instr) || repeats(two.path) {
				return nil
			}
		case both:
			return nil
		default:
			if !precedes(one.instr, two.instr) || repeats(one.path) || a.namedBetween(fn, one, two) {
				return nil
			}
		}
		if _, isDefer := gone.stmt.(*ast.DeferStmt); isDefer && !(both && deferred) {
			return nil
		}
		if slices.Contains(seen, gone.stmt) {
			continue
		}
		seen = append(seen, gone.stmt)
		e, ok := a.removal(gone)
		if !ok {
			return nil
		}
		edits = append(edits, e)
	}
	if len(edits) == 0 {
		return nil
	}
	slices.SortFunc(edits, func(x, y goanalysis.TextEdit) int { return int(x.Pos - y.Pos) })
	return []goanalysis.SuggestedFix{{Message: message, TextEdits: edits}}
}

// inLiteral is a Put that a deferred function literal makes in any case, as if it
// were deferred itself.
func (a *analysis) inLiteral(e *event, n int) *putStmt {
	d, ok := e.stack[n].(*ssa.Defer)
	if !ok || n+1 >= len(e.stack) {
		return nil
	}
	call := a.calls[d.Pos()]
	if call == nil {
		return nil
	}
	lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
	if !ok || len(call.Args) > 0 {
		return nil
	}
	p := a.putAt(e, n+1)
	if p == nil || p.path[1] != ast.Node(lit.Body) {
		return nil
	}
	if _, isCall := p.instr.(*ssa.Call); !isCall {
		return nil
	}
	for _, st := range p.list[:p.at] {
		switch st.(type) {
		case *ast.ExprStmt, *ast.AssignStmt:
		default:
			return nil
		}
	}
	p.instr = d
	_, p.path = a.enclosing(d.Pos())
	return p
}

// namedBetween reports whether the value of two Puts is named between them or after
// them.
func (a *analysis) namedBetween(fn *ssa.Function, one, two *putStmt) bool {
	found := false
	ast.Inspect(bodyOf(fn), func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && a.pass.TypesInfo.ObjectOf(id) == one.x && id.Pos() >= one.stmt.End() && !(two.stmt.Pos() <= id.Pos() && id.Pos() < two.stmt.End()) {
			found = true
		}
		return !found
	})
	return found
}

// mendUse defers a Put after which the value is used: where the value was taken, in
// straight-line code.
func (a *analysis) mendUse(pairs []putPair) []goanalysis.SuggestedFix {
	var put *putStmt
	for _, pr := range pairs {
		if pr.n < 0 {
			return nil
		}
		p := a.putAt(&pr.first, pr.n)
		if p == nil || put != nil && p.stmt != put.stmt {
			return nil
		}
		put = p
	}
	if put == nil {
		return nil
	}
	fn := put.instr.Parent()
	body := bodyOf(fn)
	if _, isCall := put.instr.(*ssa.Call); !isCall || body == nil || put.path[1] != ast.Node(body) || !a.steadyNames(fn, put.call, nil) {
		return nil
	}
	// The declaration must be a statement of the same list.
	at := slices.IndexFunc(put.list, func(st ast.Stmt) bool { return st.Pos() == put.x.Pos() })
	if at < 0 || at >= put.at {
		return nil
	}
	get, ok := put.list[at].(*ast.AssignStmt)
	if !ok || get.Tok != token.DEFINE || len(get.Lhs) != 1 || !a.sameNames(put.call, get.End()) {
		return nil
	}
	for _, st := range put.list[at+1 : put.at] {
		if jumps(st) || a.cleans(st, put.x) {
			return nil
		}
	}
	// No other statement may give it away.
	single := true
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call != put.call && givesBack(lastName(call.Fun)) && a.mentions(call, put.x) {
			single = false
		}
		if _, ok := n.(*ast.DeferStmt); ok && n.Pos() > get.Pos() {
			single = false // the order of deferred calls may matter
		}
		return single
	})
	if !single {
		return nil
	}
	gone, ok := a.removal(put)
	if !ok {
		return nil
	}
	return []goanalysis.SuggestedFix{{
		Message: "defer the Put",
		TextEdits: []goanalysis.TextEdit{
			{Pos: get.End(), End: get.End(), NewText: []byte("\n" + a.indent(get.Pos()) + "defer " + put.text)},
			gone,
		},
	}}
}

// jumps reports whether a statement may leave its list, or comes round again.
func jumps(st ast.Stmt) bool {
	found := false
	ast.Inspect(st, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ReturnStmt, *ast.BranchStmt, *ast.LabeledStmt, *ast.ForStmt, *ast.RangeStmt:
			found = true
		case *ast.FuncLit:
			return false
		}
		return !found
	})
	return found
}
