// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/spare-go/spare/tools/passes/pattern"
)

const (
	useAfterPut       = pattern.UseAfterPut
	returnAlias       = pattern.ReturnAlias
	storeAlias        = pattern.StoreAlias
	goroutineUse      = pattern.GoroutineUse
	doublePut         = pattern.DoublePut
	missingPut        = pattern.MissingPut
	missingReset      = pattern.MissingReset
	retainedRefs      = pattern.RetainedRefs
	oversizeRetention = pattern.OversizeRetention
	staleHeader       = pattern.StaleHeader
	putByValue        = pattern.PutByValue
	putLocalAddr      = pattern.PutLocalAddr
	putNil            = pattern.PutNil
	wrongType         = pattern.WrongType
	wrongPool         = pattern.WrongPool
)

// A finding is one report, before ignore comments are applied.
type finding struct {
	pattern string
	pos     token.Pos
	fn      *ssa.Function
	message string
	related []goanalysis.RelatedInformation
	cause   token.Pos // the Put at fault: one report per cause and function
	fixes   []goanalysis.SuggestedFix
}

type findingKey struct {
	pattern string
	pos     token.Pos
}

// report keeps a finding of the current root.
func (a *analysis) report(f finding) {
	if a.quiet > 0 || !f.pos.IsValid() {
		return
	}
	k := findingKey{f.pattern, f.pos}
	if _, dup := a.pending[k]; !dup {
		a.pending[k] = f
	}
}

type relatedEvent struct {
	what string
	e    *event
}

func rel(what string, e *event) relatedEvent { return relatedEvent{what, e} }

// related turns events into positions: each with the calls that led there.
func (a *analysis) related(events ...relatedEvent) []goanalysis.RelatedInformation {
	var out []goanalysis.RelatedInformation
	for _, r := range events {
		if r.e == nil {
			continue
		}
		for n := len(r.e.stack) - 1; n >= 0; n-- {
			p := instrPos(r.e.stack[n])
			if !p.IsValid() {
				continue
			}
			msg := r.what
			if n < len(r.e.stack)-1 {
				msg = "through this call: " + r.what
			}
			out = append(out, goanalysis.RelatedInformation{Pos: p, Message: msg})
		}
	}
	return out
}

// diverge finds where two events part: the position of the second one in the
// innermost function that both went through, and that function.
func diverge(first, second *event) (token.Pos, *ssa.Function) {
	n := 0
	for n < len(first.stack)-1 && n < len(second.stack)-1 && first.stack[n] == second.stack[n] {
		n++
	}
	// A function literal that is called where it stands is part of the function.
	for n+1 < len(second.stack) && second.stack[n+1].Parent().Parent() == second.stack[n].Parent() && called(second.stack[n], second.stack[n+1].Parent()) {
		n++
	}
	i := second.stack[n]
	pos := instrPos(i)
	if !pos.IsValid() {
		pos = second.pos()
	}
	return pos, i.Parent()
}

// outermost is the position of an event in the root, in the body of a literal
// that is called where it stands.
func (e *event) outermost() (token.Pos, *ssa.Function) {
	n := 0
	for n+1 < len(e.stack) && called(e.stack[n], e.stack[n+1].Parent()) && e.stack[n+1].Parent().Parent() == e.stack[n].Parent() {
		n++
	}
	return instrPos(e.stack[n]), e.stack[n].Parent()
}

// called reports whether an instruction calls, or defers, a function literal.
func called(i ssa.Instruction, lit *ssa.Function) bool {
	ci, ok := i.(ssa.CallInstruction)
	return ok && ci.Common().StaticCallee() == lit
}

// acquired is the place where a token came from.
func (a *analysis) acquired(x *sym) []goanalysis.RelatedInformation {
	for y := x; y != nil; y = y.a {
		if y.kind == kToken && len(y.stack) > 0 {
			return []goanalysis.RelatedInformation{{Pos: y.stack[len(y.stack)-1], Message: "taken from " + y.pool.label() + " here"}}
		}
	}
	return nil
}

func (p *pool) label() string {
	if p == nil || p.name == "" {
		return "the pool"
	}
	return p.name
}

// line is a position as messages show it.
func (a *analysis) line(p token.Pos) string {
	pos := a.fset.Position(p)
	return fmt.Sprintf("line %d", pos.Line)
}

// name is what the program calls a value that an event concerns, in function
// fn where that is on the way to the event.
func (a *analysis) name(e *event, fn *ssa.Function) string {
	at := 0
	for n, i := range e.stack {
		if i.Parent() == fn {
			at = n
			break
		}
	}
	var call *ast.CallExpr
	for ; at < len(e.stack); at++ {
		ci, ok := e.stack[at].(ssa.CallInstruction)
		if !ok {
			return "the value"
		}
		call = a.calls[ci.Pos()]
		if call == nil {
			return "the value"
		}
		if _, isLit := ast.Unparen(call.Fun).(*ast.FuncLit); !isLit {
			break
		}
		call = nil // the body of the literal names it
	}
	if call == nil {
		return "the value"
	}
	var x ast.Expr
	for _, arg := range call.Args {
		if t := a.pass.TypesInfo.TypeOf(arg); t != nil && pointery(t) && !a.pass.TypesInfo.Types[arg].IsNil() {
			x = arg
		}
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && (x == nil || !givesBack(sel.Sel.Name)) && a.pass.TypesInfo.Selections[sel] != nil {
		x = sel.X
	}
	if x == nil {
		return "the value"
	}
	if _, isFunc := ast.Unparen(x).(*ast.FuncLit); isFunc {
		return "the value"
	}
	if text := types.ExprString(x); len(text) <= 40 {
		return text
	}
	return "the value"
}

// givesBack reports whether a method is named as one that takes a value back:
// its argument is the value, not its receiver.
func givesBack(name string) bool {
	name = strings.ToLower(name)
	for _, verb := range []string{"put", "release", "free", "recycle", "return", "give", "close", "discard", "grow"} {
		if strings.Contains(name, verb) {
			return true
		}
	}
	return false
}

func (a *analysis) reportUse(st *state, i ssa.Instruction, x *sym, r *release, how string) {
	if otherKind(st, r) {
		return
	}
	ev := st.here(i)
	pos, fn := diverge(&r.event, &ev)
	if r.async {
		a.report(finding{
			pattern: goroutineUse, pos: pos, fn: fn, cause: r.pos(),
			message: fmt.Sprintf("%s is %s after it was handed to a goroutine that puts it back (%s)", a.name(&r.event, fn), how, a.line(r.pos())),
			related: append(a.related(rel("handed over here", &r.event), rel(how+" here", &ev)), a.acquired(x)...),
		})
		return
	}
	a.report(finding{
		pattern: useAfterPut, pos: pos, fn: fn, cause: r.pos(),
		message: fmt.Sprintf("%s is %s after it was put in %s (%s)", a.name(&r.event, fn), how, r.pool.label(), a.line(r.pos())),
		related: append(a.related(rel("the Put", &r.event), rel(how+" here", &ev)), a.acquired(x)...),
	})
}

func (a *analysis) reportDouble(st *state, x *sym, r *release, ev *event, p *pool) {
	if otherKind(st, r) {
		return
	}
	pos, fn := diverge(&r.event, ev)
	a.report(finding{
		pattern: doublePut, pos: pos, fn: fn, cause: r.pos(),
		message: fmt.Sprintf("%s is put in %s a second time; the first Put is at %s", a.name(&r.event, fn), p.label(), a.line(r.pos())),
		related: append(a.related(rel("the first Put", &r.event), rel("the second Put", ev)), a.acquired(x)...),
	})
}

func (a *analysis) reportReturn(st *state, i *ssa.Return, n int, x *sym, r *release) {
	ev := st.here(i)
	pos, fn := diverge(&r.event, &ev)
	when := "after it was put in"
	if r.deferred {
		when = "while the deferred call puts it in"
	}
	if r.async {
		a.report(finding{
			pattern: goroutineUse, pos: pos, fn: fn, cause: r.pos(),
			message: fmt.Sprintf("memory of %s is returned after it was handed to a goroutine that puts it back (%s)", a.name(&r.event, fn), a.line(r.pos())),
			related: append(a.related(rel("handed over here", &r.event)), a.acquired(x)...),
		})
		return
	}
	a.report(finding{
		pattern: returnAlias, pos: pos, fn: fn, cause: r.pos(),
		message: fmt.Sprintf("memory of %s is returned %s %s (%s)", a.name(&r.event, fn), when, r.pool.label(), a.line(r.pos())),
		related: append(a.related(rel("the Put", &r.event)), a.acquired(x)...),
		fixes:   a.copyResult(i, n, r),
	})
}

func (a *analysis) reportGoroutine(st *state, g *spawn, x *sym, ev *event, p *pool) {
	pos, fn := diverge(&g.event, ev)
	who := "the goroutine started at " + a.line(g.pos())
	if g.sink != "" {
		who = g.sink + " (" + a.line(g.pos()) + ")"
	}
	a.report(finding{
		pattern: goroutineUse, pos: pos, fn: fn, cause: ev.pos(),
		message: fmt.Sprintf("%s is put in %s while %s may still use it", a.name(ev, fn), p.label(), who),
		related: append(a.related(rel("held from here", &g.event), rel("the Put", ev)), a.acquired(x)...),
	})
}

// settle moves the findings of a root that was followed to its end to those of
// the package.
func (a *analysis) settle() {
	for k, f := range a.pending {
		if old, dup := a.found[k]; !dup || f.message < old.message {
			a.found[k] = f
		}
	}
}

// result is the findings of the package: one of a kind for each cause and
// function, in the order of the file.
func (a *analysis) result() []finding {
	all := make([]finding, 0, len(a.found))
	for _, f := range a.found {
		all = append(all, f)
	}
	slices.SortFunc(all, func(x, y finding) int {
		return cmp.Or(cmp.Compare(x.pos, y.pos), cmp.Compare(x.pattern, y.pattern))
	})
	type cause struct {
		family string
		put    token.Pos
		fn     *ssa.Function
	}
	doubles := map[token.Pos]bool{}
	for _, f := range all {
		if f.pattern == doublePut {
			doubles[f.pos] = true
		}
	}
	seen := map[cause]bool{}
	var out []finding
	for _, f := range all {
		if f.pattern != doublePut && f.cause.IsValid() && doubles[f.pos] {
			continue
		}
		if f.cause.IsValid() {
			c := cause{f.pattern, f.cause, f.fn}
			if f.pattern == useAfterPut {
				if seen[c] {
					continue
				}
				seen[c] = true
			}
		}
		out = append(out, f)
	}
	return out
}
