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
	more    []goanalysis.RelatedInformation // for the reader only: what else explains it
	typed   *types.Named                    // whose Get and Put are told as well, where nothing else does
	whose   *pool                           // whose Get is told as well, where nothing else says where the value was taken
	cause   token.Pos                       // the Put at fault: one report per cause and function
	fixes   []goanalysis.SuggestedFix
	emptied bool              // what was put had lost its slices and maps before
	failing bool              // what is returned comes with an error, and is not that
	swap    [2]*pool          // where the value was taken from, and the other pool that it was put in
	pool    *pool             // out of which a value was lost
	kept    *types.Var        // the field that keeps what was put
	put     []ssa.Instruction // with the calls that led there
	lent    poolField         // the memory at fault is in this field, where every user of the pool sets its own
}

type findingKey struct {
	pattern string
	pos     token.Pos
}

// report keeps a finding of the current root.
func (a *analysis) report(f finding) {
	if a.quiet > 0 || !f.pos.IsValid() {
		a.unsaid++
		return
	}
	k := findingKey{f.pattern, f.pos}
	if old, dup := a.pending[k]; !dup || old.lent.pool != nil && f.lent.pool == nil {
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
	if len(first.stack) == len(second.stack) && n == len(second.stack)-1 && first.stack[n] == second.stack[n] {
		// The same once more: where only a test repeats it, the test is at fault.
		if k := repeatedBy(second.stack); k >= 0 && testFile(second.stack[k].Parent()) {
			n = k
		}
		// Where turns of a loop deferred it, what each of them does is at fault.
		if k := slices.IndexFunc(second.stack, func(i ssa.Instruction) bool { _, is := i.(*ssa.Defer); return is && inLoop(i.Block()) }); k >= 0 {
			n = k
		}
	}
	// A function literal that is called where it stands is part of the function.
	for n+1 < len(second.stack) && second.stack[n+1].Parent().Parent() == second.stack[n].Parent() && called(second.stack[n], second.stack[n+1].Parent()) {
		n++
	}
	// A literal that the root passed to a function which puts: the fault is in it.
	if n > 0 {
		for k := len(second.stack) - 1; k > n; k-- {
			if fn := second.stack[k].Parent(); fn.Parent() != nil && fn.Parent() == second.stack[0].Parent() {
				n = k
				break
			}
		}
	}
	i := second.stack[n]
	pos := instrPos(i)
	if !pos.IsValid() {
		pos = second.pos()
	}
	return pos, i.Parent()
}

// repeatedBy is the innermost of some nested calls that is in a loop, or -1.
func repeatedBy(stack []ssa.Instruction) int {
	k := len(stack) - 1
	for k >= 0 && !inLoop(stack[k].Block()) {
		k--
	}
	return k
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

// name is what the program calls a value that an event concerns, in function
// fn where that is on the way to the event.
func (a *analysis) name(e *event, fn *ssa.Function) string {
	text, _ := a.nameOf(e, fn)
	return text
}

// nameOf tells as well whether the name is known to be that of what was put: it is a guess where a function in
// between has it from elsewhere.
func (a *analysis) nameOf(e *event, fn *ssa.Function) (name string, known bool) {
	name, known = a.nameAtCall(e, fn)
	last := e.stack[len(e.stack)-1]
	pf, isPut := poolFunc{}, false
	if ci, ok := last.(ssa.CallInstruction); ok {
		pf, isPut = poolFuncOf(calledMethod(ci))
	}
	if pf.from {
		name = strings.TrimPrefix(name, "&")
	}
	if name == noName {
		if isPut && pf.release >= 0 || sentBy(last) != nil || listedBy(last) != nil {
			name = orElse(a.putName(e, fn), noName)
		}
	}
	return name, known
}

// noName is what messages say of a value that has no name in the source.
const noName = "the value"

// nameAtCall is nameOf for what the call in function fn names.
func (a *analysis) nameAtCall(e *event, fn *ssa.Function) (name string, known bool) {
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
			return noName, false
		}
		call = a.calls[ci.Pos()]
		if call == nil {
			return noName, false
		}
		if _, isLit := ast.Unparen(call.Fun).(*ast.FuncLit); !isLit && (at+1 >= len(e.stack) || !holdsLiteral(call, e.stack[at+1].Parent())) {
			break
		}
		call = nil // the body of the literal names it
	}
	if call == nil {
		return noName, false
	}
	if at == len(e.stack)-1 {
		ci := e.stack[at].(ssa.CallInstruction)
		if k := a.foreignPutArg(ci); k >= 0 {
			if text := a.argText(ci, k); text != "" {
				return text, true
			}
		}
	}
	if x := passedAs(e, at, call, a.pass.TypesInfo); x != nil {
		if a.pass.TypesInfo.Types[x].IsNil() || oneOfArgs(call, x, a.pass.TypesInfo) {
			return noName, false
		}
		if text := types.ExprString(fluent(x, a.pass.TypesInfo)); len(text) <= 40 {
			return text, true
		}
	}
	var x ast.Expr
	for _, arg := range call.Args {
		if t := a.pass.TypesInfo.TypeOf(arg); t != nil && pointery(t) && !isError(t) && !a.pass.TypesInfo.Types[arg].IsNil() {
			x = arg
		}
	}
	if ci, ok := e.stack[len(e.stack)-1].(*ssa.Call); ok && calledMethod(ci) != nil && startsFunc(calledMethod(ci)) {
		return noName, false // that the function which it starts works on
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && (x == nil || !givesBack(sel.Sel.Name)) && a.pass.TypesInfo.Selections[sel] != nil {
		x = sel.X
	}
	if x == nil {
		return noName, false
	}
	if _, isFunc := ast.Unparen(x).(*ast.FuncLit); isFunc {
		return noName, false
	}
	if text := types.ExprString(fluent(x, a.pass.TypesInfo)); len(text) <= 40 {
		return text, false
	}
	return noName, false
}

// oneOfArgs reports whether an argument is the first of several that make up one parameter of a variadic function.
func oneOfArgs(call *ast.CallExpr, x ast.Expr, info *types.Info) bool {
	sig, ok := info.TypeOf(call.Fun).(*types.Signature)
	if !ok || !sig.Variadic() || call.Ellipsis.IsValid() || len(call.Args) <= sig.Params().Len() {
		return false
	}
	return call.Args[sig.Params().Len()-1] == x
}

// fluent is what a chain of method calls begins with: x of x.Set(1).Set(2).
func fluent(x ast.Expr, info *types.Info) ast.Expr {
	for y := ast.Unparen(x); ; {
		call, ok := y.(*ast.CallExpr)
		if !ok {
			if y == ast.Unparen(x) {
				return x
			}
			if id, isIdent := y.(*ast.Ident); isIdent {
				if _, isPkg := info.Uses[id].(*types.PkgName); !isPkg {
					return y
				}
			}
			return x
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return x
		}
		y = ast.Unparen(sel.X)
	}
}

// holdsLiteral reports whether a function is a literal among a call's arguments.
func holdsLiteral(call *ast.CallExpr, fn *ssa.Function) bool {
	lit, ok := fn.Syntax().(*ast.FuncLit)
	return ok && call.Lparen < lit.Pos() && lit.End() <= call.Rparen
}

// parameterBound is the parameter that a function literal has as a free variable, where an instruction calls or defers the literal.
func parameterBound(i ssa.Instruction, v *ssa.FreeVar) (p *ssa.Parameter, ok bool) {
	call, isCall := i.(ssa.CallInstruction)
	if !isCall {
		return nil, false
	}
	m, isLit := call.Common().Value.(*ssa.MakeClosure)
	n := slices.Index(v.Parent().FreeVars, v)
	if !isLit || m.Fn != ssa.Value(v.Parent()) || n < 0 {
		return nil, false
	}
	p, ok = variableOf(m.Bindings[n]).(*ssa.Parameter)
	return p, ok
}

// passedAs is the argument, or receiver, of a call on the way to a Put, or a send, that becomes
// what is put or sent there; nil if that cannot be told.
func passedAs(e *event, at int, call *ast.CallExpr, info *types.Info) ast.Expr {
	k := 0
	sent := sentBy(e.stack[len(e.stack)-1])
	if sent == nil {
		sent = listedBy(e.stack[len(e.stack)-1])
	}
	if sent == nil {
		last, ok := e.stack[len(e.stack)-1].(ssa.CallInstruction)
		if !ok {
			return nil
		}
		pf, ok := poolFuncOf(calledMethod(last))
		if !ok || pf.release < 0 {
			return nil
		}
		k = pf.release
	}
	for n := len(e.stack) - 1; n > at; n-- {
		v := sent
		if sent = nil; v == nil {
			v = argument(e.stack[n].(ssa.CallInstruction).Common(), k)
		}
		p, ok := variableOf(v).(*ssa.Parameter)
		if fv, isFree := variableOf(v).(*ssa.FreeVar); isFree && n-1 > at {
			n-- // a literal that is called where it stands, or deferred there
			p, ok = parameterBound(e.stack[n], fv)
		}
		if !ok {
			return nil
		}
		if k = slices.Index(p.Parent().Params, p); k < 0 || p.Parent() != e.stack[n].Parent() {
			return nil
		}
		if _, ok := e.stack[n-1].(ssa.CallInstruction); !ok {
			return nil
		}
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && info.Selections[sel] != nil && info.Selections[sel].Kind() == types.MethodVal {
		if k == 0 {
			return sel.X
		}
		k--
	}
	if k < len(call.Args) {
		switch ast.Unparen(call.Args[k]).(type) {
		case *ast.FuncLit, *ast.CompositeLit:
		default:
			return call.Args[k]
		}
	}
	return nil
}

// sentBy is what an instruction sends on a channel, nil where it does not, or may send several values.
func sentBy(i ssa.Instruction) (v ssa.Value) {
	switch i := i.(type) {
	case *ssa.Send:
		return i.X
	case *ssa.Select:
		for _, s := range i.States {
			if s.Send != nil {
				if v != nil {
					return nil
				}
				v = s.Send
			}
		}
	}
	return v
}

// argument is an argument of a call, the receiver being the first.
func argument(c *ssa.CallCommon, k int) ssa.Value {
	if c.IsInvoke() {
		if k == 0 {
			return c.Value
		}
		k--
	}
	if k < len(c.Args) {
		return c.Args[k]
	}
	return nil
}

// variableOf is the variable that the path to a value begins with.
func variableOf(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Field:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.Alloc:
			// A parameter whose address is taken.
			var from ssa.Value
			for _, r := range referrers(x) {
				if st, ok := r.(*ssa.Store); ok && st.Addr == x {
					if from != nil {
						return x
					}
					from = st.Val
				}
			}
			if from == nil {
				return x
			}
			v = from
		default:
			return v
		}
	}
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
	if r.closed && memory(r.value).kind != kToken {
		return // what a request had before may be none
	}
	ev := st.here(i)
	defer a.aloud(&r.event, &ev)()
	if r.closed && a.reportResent(r, &ev, r.pool) {
		return
	}
	pos, fn := diverge(&r.event, &ev)
	if r.closed {
		a.report(finding{
			pattern: goroutineUse, pos: pos, fn: fn, cause: r.pos(),
			message: fmt.Sprintf("memory of a request's body is %s after the transport closed the body, which puts it in %s (%s)", how, r.pool.label(), a.line(r.pos())),
			related: append(a.related(rel("the Put", &r.event), rel(how+" here", &ev)), a.acquired(x)...),
			whose:   r.pool,
		})
		return
	}
	if r.async {
		if a.toldByGo(r, &ev) {
			return
		}
		a.report(finding{
			pattern: goroutineUse, pos: pos, fn: fn, cause: r.pos(),
			message: fmt.Sprintf("%s is %s after it was handed to a goroutine that puts it back (%s)", a.name(&r.event, fn), how, a.line(r.posIn(fn))),
			related: append(a.related(rel("handed over here", &r.event), rel(how+" here", &ev)), a.acquired(x)...),
			whose:   r.pool,
		})
		return
	}
	if flag := a.asksAgain(i, &r.event); flag != nil {
		a.reportAgain(x, r, &ev, flag)
		return
	}
	a.notePair(useAfterPut, &r.event, &ev, r.pool0().api == "sync.Pool")
	a.report(finding{
		pattern: useAfterPut, pos: pos, fn: fn, cause: r.pos(), lent: lentIn(st, x),
		message: fmt.Sprintf("%s is %s after it was put in %s (%s)", a.name(&r.event, fn), how, r.pool.label(), a.line(r.posIn(fn))),
		related: append(a.related(rel("the Put", &r.event), rel(how+" here", &ev)), a.acquired(x)...),
		whose:   r.pool,
	})
}

func (a *analysis) reportDouble(st *state, x *sym, r *release, ev *event, p *pool) {
	if otherKind(st, r) || r.closed && memory(r.value).kind != kToken || r.async && a.toldByGo(r, ev) {
		return
	}
	defer a.aloud(&r.event, ev)()
	if r.closed && a.reportResent(r, ev, p) {
		return
	}
	pos, fn := diverge(&r.event, ev)
	first := "the first Put"
	who, known := a.nameOf(&r.event, fn)
	if second, sure := a.nameOf(ev, fn); sure && !known {
		who = second
	}
	if r.closed {
		first, who = "the first Put, by the transport, which closes the body,", a.name(ev, fn)
	} else {
		a.notePair(doublePut, &r.event, ev, !p.isList() && !r.pool0().isList())
	}
	a.report(finding{
		pattern: doublePut, pos: pos, fn: fn, cause: r.pos(),
		message: fmt.Sprintf("%s is put in %s a second time; %s is at %s", who, p.label(), first, a.line(r.posIn(fn))),
		related: append(a.related(rel("the first Put", &r.event), rel("the second Put", ev)), a.acquired(x)...),
		whose:   p,
	})
}

func (a *analysis) reportReturn(st *state, i *ssa.Return, n int, x *sym, r *release) {
	ev := st.here(i)
	pos, fn := diverge(&r.event, &ev)
	when := "after it was put in"
	if r.deferred {
		when = "while the deferred call puts it in"
	}
	if r.closed {
		return // a request that is returned has its body still
	}
	if slices.ContainsFunc(r.stack, func(i ssa.Instruction) bool {
		c, ok := i.(ssa.CallInstruction)
		return ok && i.Parent() == fn && c.Common().StaticCallee() == fn
	}) {
		return // by the function itself, one call deeper, where it returned it as well
	}
	if r.async {
		a.report(finding{
			pattern: goroutineUse, pos: pos, fn: fn, cause: r.pos(),
			message: fmt.Sprintf("%s is returned after it was handed to a goroutine that puts it back (%s)", a.memoryOf(st, x, r, fn), a.line(r.posIn(fn))),
			related: append(a.related(rel("handed over here", &r.event)), a.acquired(x)...),
			whose:   r.pool,
		})
		return
	}
	a.report(finding{
		pattern: returnAlias, pos: pos, fn: fn, cause: r.pos(), lent: lentIn(st, x), failing: !r.deferred && n < len(i.Results)-1 && a.failsWith(st, i),
		message: fmt.Sprintf("%s is returned %s %s (%s)", a.memoryOf(st, x, r, fn), when, r.pool.label(), a.line(r.posIn(fn))),
		related: append(a.related(rel("the Put", &r.event)), a.acquired(x)...),
		whose:   r.pool,
		fixes:   a.copyResult(i, n, r),
	})
}

// blamedElsewhere reports whether another finding is of the same Put: what comes with an error is not used, as a rule,
// but somebody does.
func (a *analysis) blamedElsewhere(f finding) bool {
	for _, g := range a.found {
		if g.pos != f.pos && (g.cause == f.cause || slices.ContainsFunc(g.related, func(r goanalysis.RelatedInformation) bool { return r.Pos == f.cause })) {
			return true
		}
	}
	return false
}

// failsWith reports whether a return gives an error that is not nil on this path.
func (a *analysis) failsWith(st *state, i *ssa.Return) bool {
	n := len(i.Results) - 1
	if n < 1 || !isError(i.Results[n].Type()) {
		return false
	}
	isNil, known := a.known(st, a.syms.nilTest(a.val(st, i.Results[n])))
	return known && !isNil
}

func (a *analysis) reportGoroutine(st *state, g *spawn, x *sym, ev *event, p *pool) {
	if g.sink == receiver {
		defer a.aloud(&g.event, ev)()
	}
	pos, fn := diverge(&g.event, ev)
	who := "the goroutine started at " + a.line(g.pos())
	if g.callee != "" {
		who = "a goroutine that " + g.callee + " (" + a.line(g.pos()) + ") gave it to"
	} else if g.sink != "" {
		who = g.sink + " (" + a.line(g.pos()) + ")"
	}
	a.report(finding{
		pattern: goroutineUse, pos: pos, fn: fn, cause: ev.pos(),
		message: fmt.Sprintf("%s is put in %s while %s may still use it", a.name(ev, fn), p.label(), who),
		related: append(a.related(rel("held from here", &g.event), rel("the Put", ev)), a.acquired(x)...),
		whose:   p,
	})
}

// settle moves the findings of a root that was followed to its end to those of
// the package.
func (a *analysis) settle() {
	for k, pairs := range a.pairing {
		a.pairs[k] = append(a.pairs[k], pairs...)
	}
	for k, f := range a.pending {
		old, dup := a.found[k]
		if dup && (f.lent.pool == nil) != (old.lent.pool == nil) {
			if f.lent.pool == nil {
				a.found[k] = f
			}
			continue
		}
		if !dup || f.message < old.message {
			a.found[k] = f
		}
	}
}

// result is the findings of the package: one of a kind for each cause and
// function, in the order of the file.
func (a *analysis) result() []finding {
	all := make([]finding, 0, len(a.found))
	a.exchanged()
	for _, f := range a.found {
		if f.lent.pool != nil && !a.fields0.asCame[f.lent] || f.failing && !a.blamedElsewhere(f) {
			continue
		}
		if slices.ContainsFunc(a.inlined, func(r [2]token.Pos) bool { return r[0] <= f.pos && f.pos < r[1] }) {
			f.fixes = nil // what belongs to the end of the function would run at the literal's
		}
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
	others := map[cause]bool{} // Puts that are at fault in other ways too
	for _, f := range all {
		if f.cause.IsValid() && f.pattern != useAfterPut {
			others[cause{put: f.cause}] = true
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
		switch pairs := a.pairs[findingKey{f.pattern, f.pos}]; {
		case f.fixes != nil:
		case f.pattern == doublePut:
			f.fixes = a.mendDouble(pairs)
		case f.pattern == useAfterPut && !others[cause{put: f.cause}]:
			f.fixes = a.mendUse(pairs)
		}
		out = append(out, f)
	}
	return out
}

// exchanged drops the reports of values that go from one pool of a struct, or of the package, to
// another, and from that one back, reported or not: the two are one scheme, say for full
// boxes and for empty ones, which those of the package are taken for only where the box was emptied.
func (a *analysis) exchanged() {
	schemes := map[[2]*pool]bool{}
	for _, f := range a.found {
		if f.emptied {
			schemes[f.swap], schemes[[2]*pool{f.swap[1], f.swap[0]}] = true, true
		}
	}
	scope := func(p *pool) (field, known bool) {
		v, ok := p.key.(*types.Var)
		return ok && v.IsField(), ok
	}
	for k, f := range a.found {
		s := f.swap
		if s[0] == nil || !a.swaps[[2]*pool{s[1], s[0]}] {
			continue
		}
		x, ok := scope(s[0])
		if y, too := scope(s[1]); ok && too && x == y && (x || schemes[s]) {
			delete(a.found, k)
		}
	}
}
