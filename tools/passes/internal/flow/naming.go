// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Messages call values by what the source calls them: the variable or field that what was taken is set to, and
// what stands in the Put. They say "the value" only of what has no name there.

// longestName is the most that a message shows of an expression.
const longestName = 40

// word is what the source calls the value of an expression, as far as it is one of a variable's or field's; empty
// if it is not.
func (a *analysis) word(x ast.Expr) string {
	if x == nil {
		return ""
	}
	if text := wordOf(x, a.pass.TypesInfo); len(text) <= longestName {
		return text
	}
	return ""
}

func wordOf(x ast.Expr, info *types.Info) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		if v, ok := info.ObjectOf(x).(*types.Var); !ok && info.ObjectOf(x) != nil || ok && v.Name() == "_" || x.Name == "_" {
			return ""
		}
		return x.Name
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok {
			if _, isPkg := info.Uses[id].(*types.PkgName); isPkg {
				return id.Name + "." + x.Sel.Name
			}
		}
		if v, ok := info.ObjectOf(x.Sel).(*types.Var); !ok || v.Name() == "_" {
			return ""
		}
		if of := wordOf(x.X, info); isPath(of) {
			return of + "." + x.Sel.Name
		}
		return "field " + x.Sel.Name
	case *ast.IndexExpr:
		if of := wordOf(x.X, info); of != "" {
			if text := of + "[" + types.ExprString(x.Index) + "]"; len(text) <= longestName/2 {
				return text
			}
			return "an element of " + of
		}
	case *ast.StarExpr:
		if of := wordOf(x.X, info); of != "" {
			return "*" + of
		}
	case *ast.UnaryExpr:
		if of := wordOf(x.X, info); of != "" && x.Op == token.AND {
			return "&" + of
		}
	case *ast.SliceExpr:
		return wordOf(x.X, info)
	case *ast.TypeAssertExpr:
		return wordOf(x.X, info)
	case *ast.CallExpr:
		if y := sameAfter(x, info); y != nil {
			return wordOf(y, info)
		}
	}
	return ""
}

// sameAfter is the expression that has the value of a call before it: what is converted or appended to, and what a
// method is called on that returns its like.
func sameAfter(call *ast.CallExpr, info *types.Info) ast.Expr {
	if info.Types[call.Fun].IsType() && len(call.Args) == 1 {
		return call.Args[0]
	}
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		if b, ok := info.Uses[fun].(*types.Builtin); ok && b.Name() == "append" && len(call.Args) > 0 {
			return call.Args[0]
		}
	case *ast.SelectorExpr:
		if s := info.Selections[fun]; s != nil && s.Kind() == types.MethodVal {
			if t := info.TypeOf(call); t != nil && pointery(t) && types.Identical(t, info.TypeOf(fun.X)) {
				return fun.X
			}
		}
	}
	return nil
}

// heldAs is what the source sets to the result of the call, or to what is received, at a position; empty if
// that is passed on as it is.
func (a *analysis) heldAs(p token.Pos) string {
	if a.holders == nil {
		a.holders = map[token.Pos]string{}
		for _, f := range a.pass.Files {
			ast.Inspect(f, a.seeHolder)
		}
	}
	return a.holders[p]
}

// seeHolder sees what is set to what.
func (a *analysis) seeHolder(n ast.Node) bool {
	info := a.pass.TypesInfo
	pair := func(to []ast.Expr, from []ast.Expr) {
		if len(to) == len(from) {
			for k := range to {
				a.holdsFrom(from[k], a.word(to[k]))
			}
			return
		}
		if len(from) != 1 {
			return
		}
		if _, isCall := ast.Unparen(from[0]).(*ast.CallExpr); !isCall {
			a.holdsFrom(from[0], a.word(to[0])) // with the ok
			return
		}
		name := ""
		for _, x := range to {
			if t := info.TypeOf(x); t == nil || !pointery(t) || isError(t) || a.word(x) == "" {
				continue
			}
			if name != "" {
				return // which of them is not known
			}
			name = a.word(x)
		}
		a.holdsFrom(from[0], name)
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		pair(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		to := make([]ast.Expr, len(n.Names))
		for k, id := range n.Names {
			to[k] = id
		}
		pair(to, n.Values)
	case *ast.RangeStmt:
		if t := info.TypeOf(n.X); t != nil && n.Key != nil {
			if _, isChan := t.Underlying().(*types.Chan); isChan {
				a.holds(n.For, a.word(n.Key))
				a.holdsFrom(n.X, a.word(n.Key))
			}
		}
	case *ast.KeyValueExpr:
		if id, ok := n.Key.(*ast.Ident); ok {
			if v, ok := info.Uses[id].(*types.Var); ok && v.IsField() {
				a.holdsFrom(n.Value, "field "+id.Name)
			}
		}
	case *ast.CallExpr:
		if b, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && len(n.Args) > 1 {
			if b, ok := info.Uses[b].(*types.Builtin); ok && b.Name() == "append" && !n.Ellipsis.IsValid() {
				if list := a.word(n.Args[0]); list != "" {
					for _, x := range n.Args[1:] {
						a.holdsFrom(x, "an element of "+list)
					}
				}
			}
		}
	}
	return true
}

// holdsFrom notes a name for an expression, and for what has its value in it.
func (a *analysis) holdsFrom(x ast.Expr, name string) {
	for name != "" && x != nil {
		x = ast.Unparen(x)
		switch y := x.(type) {
		case *ast.TypeAssertExpr:
			a.holds(y.Lparen, name)
			x = y.X
		case *ast.StarExpr:
			x = y.X
		case *ast.UnaryExpr:
			a.holds(y.OpPos, name)
			if y.Op != token.ARROW && y.Op != token.AND {
				return
			}
			x = y.X
		case *ast.SliceExpr:
			a.holds(y.Lbrack, name)
			x = y.X
		case *ast.IndexExpr:
			a.holds(y.Lbrack, name)
			x = y.X
		case *ast.CallExpr:
			a.holds(y.Lparen, name)
			x = sameAfter(y, a.pass.TypesInfo)
		default:
			return
		}
	}
}

func (a *analysis) holds(p token.Pos, name string) {
	if _, dup := a.holders[p]; !dup && name != "" {
		a.holders[p] = name
	}
}

// saidTaken says what was taken from a pool, by the calls that led there: by the name of what holds it in the outermost
// function that has one, with that line, or as the value.
func (a *analysis) saidTaken(stack []token.Pos, from string) string {
	for _, p := range stack {
		if name := a.heldAs(p); name != "" {
			return name + ", taken from " + from + " at " + a.line(p) + ","
		}
	}
	return noName + " taken from " + from
}

// argText is what the source calls an argument of a call, the receiver being the first.
func (a *analysis) argText(i ssa.Instruction, k int) string {
	ci, ok := i.(ssa.CallInstruction)
	if !ok {
		return ""
	}
	call := a.calls[ci.Pos()]
	if call == nil {
		return ""
	}
	if sig := ci.Common().Signature(); sig.Variadic() && k == len(ci.Common().Args)-1 && !call.Ellipsis.IsValid() && len(call.Args) > sig.Params().Len() {
		return "" // one of several
	}
	v := argument(ci.Common(), k)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if s := a.pass.TypesInfo.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			if k == 0 {
				return a.word(sel.X)
			}
			k--
		}
	}
	// A call of a wrapper may have been made one of the pool's own method.
	fits := func(x ast.Expr) bool {
		t := a.pass.TypesInfo.TypeOf(x)
		return v == nil || t == nil || types.Identical(t, v.Type()) || types.Identical(t, unboxed(v).Type()) || generic(t) || generic(unboxed(v).Type())
	}
	if k >= 0 && k < len(call.Args) && !call.Ellipsis.IsValid() && fits(call.Args[k]) {
		return a.word(call.Args[k])
	}
	var only ast.Expr
	for _, x := range call.Args {
		if fits(x) && a.word(x) != "" {
			if only != nil {
				return ""
			}
			only = x
		}
	}
	return a.word(only)
}

// releasedArg is the number of the argument of a call that goes to the pool, or that seems to where the call is one of a
// wrapper; -1 if there is none.
func (a *analysis) releasedArg(i ssa.Instruction) int {
	ci, ok := i.(ssa.CallInstruction)
	if !ok {
		return -1
	}
	if pf, ok := poolFuncOf(calledMethod(ci)); ok {
		return pf.release
	}
	if k := a.foreignPutArg(ci); k >= 0 {
		return k
	}
	args, found := ci.Common().Args, -1
	for k := len(args) - 1; k >= 0; k-- {
		t := unboxed(args[k]).Type()
		if !pointery(t) || isError(t) || types.IsInterface(t) && found >= 0 {
			continue
		}
		if found = k; !types.IsInterface(t) {
			break
		}
	}
	if found >= 0 && ci.Common().IsInvoke() {
		found++
	}
	return found
}

// foreignPutArg is the number of the one parameter, the receiver being the first, that a function of another package puts, or
// a part of it, as its summary says; -1 if there is none.
func (a *analysis) foreignPutArg(ci ssa.CallInstruction) int {
	f := calledMethod(ci)
	if f == nil {
		return -1
	}
	s := a.summaryOf(f)
	if s == nil {
		return -1
	}
	found := -1
	for _, o := range s.Outcomes {
		for _, p := range o.Puts {
			e := p.Value
			for e.A != nil && e.Kind != "param" {
				e = e.A
			}
			if e.Kind != "param" {
				continue
			}
			if found >= 0 && found != e.Index {
				return -1
			}
			found = e.Index
		}
	}
	return found
}

// putName is what function fn, or the one nearest to it that has a name for just that, calls what a Put puts; empty
// if nobody has a name for it.
func (a *analysis) putName(e *event, fn *ssa.Function) string {
	n := len(e.stack) - 1
	var v ssa.Value
	name := ""
	if sent := sentBy(e.stack[n]); sent != nil {
		name, v = a.valueName(sent), sent
	} else if sent := listedBy(e.stack[n]); sent != nil {
		name, v = a.valueName(sent), sent
	} else {
		k := a.releasedArg(e.stack[n])
		if k < 0 {
			return ""
		}
		name, v = a.argText(e.stack[n], k), argument(e.stack[n].(ssa.CallInstruction).Common(), k)
	}
	if in := onlyPartOf(unboxed(v)); name == "" && in != nil {
		name, v = a.valueName(in), in
	}
	for ; n > 0 && e.stack[n].Parent() != fn; n-- {
		p, ok := unboxed(v).(*ssa.Parameter)
		if !ok || p.Parent() != e.stack[n].Parent() {
			break
		}
		k := slices.Index(p.Parent().Params, p)
		call, ok := e.stack[n-1].(ssa.CallInstruction)
		if !ok {
			break
		}
		if c := call.Common(); c.StaticCallee() == nil && !c.IsInvoke() && len(c.Args) == len(p.Parent().Params)-1 {
			k-- // of a method value, which has its receiver
		}
		if k < 0 {
			break
		}
		if arg := argument(call.Common(), k); arg == nil || !types.Identical(arg.Type(), p.Type()) && !generic(p.Type()) && !generic(arg.Type()) {
			break
		}
		outer := a.argText(call, k)
		if outer == "" {
			break
		}
		name, v = outer, argument(call.Common(), k)
		if v == nil {
			break
		}
	}
	return name
}

// putNameAt is what the source calls what a call puts where it stands; empty if it has no name.
func (a *analysis) putNameAt(i ssa.Instruction) string {
	return a.putName(&event{stack: []ssa.Instruction{i}, fn: i.Parent()}, i.Parent())
}

// valueName is what the source calls a value: the variable or field that it was read from or set to; empty if
// it has no name.
func (a *analysis) valueName(v ssa.Value) string {
	if text := a.pathName(v, 0); len(text) <= longestName {
		return text
	}
	return ""
}

func (a *analysis) pathName(v ssa.Value, depth int) string {
	if v == nil || depth > 8 {
		return ""
	}
	named := func(name string) string {
		if name == "_" || !token.IsIdentifier(name) {
			return ""
		}
		return name
	}
	field := func(of ssa.Value, f *types.Var) string {
		if f == nil || f.Name() == "_" {
			return ""
		}
		if base := a.pathName(of, depth+1); isPath(base) {
			return base + "." + f.Name()
		}
		return "field " + f.Name()
	}
	switch x := v.(type) {
	case *ssa.Parameter:
		return named(x.Name())
	case *ssa.FreeVar:
		return named(x.Name())
	case *ssa.Global:
		return named(x.Name())
	case *ssa.Alloc:
		if a.declaredAs(x.Pos(), x.Comment) {
			return x.Comment
		}
	case *ssa.Phi:
		if a.declaredIn(x.Parent(), x.Comment) {
			return x.Comment
		}
		name := ""
		for _, e := range x.Edges {
			if _, isConst := e.(*ssa.Const); isConst || e == x {
				continue
			}
			of := a.pathName(e, depth+2)
			if of == "" || name != "" && of != name {
				return ""
			}
			name = of
		}
		return name
	case *ssa.UnOp:
		if x.Op == token.MUL {
			switch x.X.(type) {
			case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
				return a.pathName(x.X, depth+1)
			}
			if of := a.pathName(x.X, depth+1); of != "" && token.IsIdentifier(of) {
				return "*" + of
			}
			return ""
		}
		return a.heldAs(x.Pos())
	case *ssa.FieldAddr:
		return field(x.X, fieldAt(x))
	case *ssa.Field:
		if s, ok := x.X.Type().Underlying().(*types.Struct); ok {
			return field(x.X, s.Field(x.Field))
		}
	case *ssa.IndexAddr:
		if name := a.heldAs(x.Pos()); name != "" {
			return name
		}
		if of := a.pathName(x.X, depth+1); of != "" {
			return "an element of " + of
		}
	case *ssa.MakeInterface:
		return a.pathName(x.X, depth+1)
	case *ssa.ChangeType:
		return a.pathName(x.X, depth+1)
	case *ssa.ChangeInterface:
		return a.pathName(x.X, depth+1)
	case *ssa.Convert:
		return a.pathName(x.X, depth+1)
	case *ssa.Slice:
		return a.pathName(x.X, depth+1)
	case *ssa.TypeAssert:
		if name := a.heldAs(x.Pos()); name != "" {
			return name
		}
		return a.pathName(x.X, depth+1)
	case *ssa.Extract:
		return a.pathName(x.Tuple, depth+1)
	case *ssa.Call, *ssa.Lookup:
		return a.heldAs(x.Pos())
	}
	return ""
}

// declaredAs reports whether the source declares a variable of a name at a position.
func (a *analysis) declaredAs(p token.Pos, name string) bool {
	return name != "_" && p.IsValid() && a.definitions()[p] == name
}

// declaredIn reports whether a function declares a variable of a name.
func (a *analysis) declaredIn(fn *ssa.Function, name string) bool {
	n := fn.Syntax()
	if n == nil || name == "_" {
		return false
	}
	for p, v := range a.definitions() {
		if v == name && n.Pos() <= p && p < n.End() {
			return true
		}
	}
	return false
}

// definitions are the names of the variables that the source declares, by position.
func (a *analysis) definitions() map[token.Pos]string {
	if a.definedAt == nil {
		a.definedAt = map[token.Pos]string{}
		for id, o := range a.pass.TypesInfo.Defs {
			if _, ok := o.(*types.Var); ok {
				a.definedAt[id.Pos()] = id.Name
			}
		}
	}
	return a.definedAt
}

// isPath reports whether a name is one that a selector can follow.
func isPath(name string) bool { return name != "" && !strings.ContainsAny(name, " *&") }

// orElse is a name, or what to say where there is none.
func orElse(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return name
}

// takenHere is a place that takes from a pool: one in the function that a report is about, which the value that it is
// about comes from, as a rule; or else the first of the package, where another one does.
func (u *poolUse) takenHere(label string, fn *ssa.Function) goanalysis.RelatedInformation {
	if fn != nil {
		for _, g := range u.gets {
			if outermost(g.Parent()) == outermost(fn) {
				return goanalysis.RelatedInformation{Pos: instrPos(g), Message: "taken from " + label + " here"}
			}
		}
	}
	return goanalysis.RelatedInformation{Pos: instrPos(u.get), Message: "others are taken from " + label + " here"}
}

// takersFrom is a place of the package that takes from a pool, or else one that puts to it, or where it is declared.
func (a *analysis) takersFrom(p *pool, fn *ssa.Function) (list []goanalysis.RelatedInformation) {
	if p == nil {
		return nil
	}
	obj, _ := p.key.(types.Object)
	if obj != nil {
		if u := a.usesOfPools()[obj]; u != nil && u.get != nil {
			return []goanalysis.RelatedInformation{u.takenHere(p.label(), fn)}
		}
	}
	var first token.Pos
	for _, s := range p.puts {
		if at := s.ev.pos(); at.IsValid() && (!first.IsValid() || a.inOrder(at, first) < 0) {
			first = at
		}
	}
	if first.IsValid() {
		list = append(list, goanalysis.RelatedInformation{Pos: first, Message: "put in " + p.label() + " here"})
	}
	if len(list) == 0 && obj != nil && obj.Pos().IsValid() {
		list = append(list, goanalysis.RelatedInformation{Pos: obj.Pos(), Message: p.label() + " is declared here"})
	}
	return list
}

// explained are the places that a finding refers to: those that it rests on, and, where these do not name them, more that
// tell the reader where the value was.
func (a *analysis) explained(f finding) []goanalysis.RelatedInformation {
	var list []goanalysis.RelatedInformation
	for _, r := range f.related {
		r.Message = inSource(r.Message)
		list = append(list, r)
	}
	add := func(more []goanalysis.RelatedInformation) {
		for _, r := range more {
			if r.Pos.IsValid() && !slices.ContainsFunc(list, func(o goanalysis.RelatedInformation) bool { return o.Pos == r.Pos }) {
				list = append(list, r)
			}
		}
	}
	add(f.more)
	if f.whose != nil && !slices.ContainsFunc(list, func(r goanalysis.RelatedInformation) bool { return strings.HasPrefix(r.Message, "taken ") }) {
		add(a.takersFrom(f.whose, f.fn))
	}
	if f.typed != nil {
		add(a.usersOfType(f.typed))
	}
	return list
}

// A broughtFrom is where what a field has was taken from its pool, and stored.
type broughtFrom struct {
	pool          *pool
	taken, stored token.Pos
}

// noteCame sees a value from a pool in a field, or in the container in it, at the end of a path.
func (a *analysis) noteCame(st *state, addr *sym, f *types.Var, t *sym) {
	if len(t.stack) == 0 {
		return
	}
	c := broughtFrom{pool: t.pool, taken: t.stack[len(t.stack)-1]}
	if e := st.stores[addr]; e != nil {
		c.stored = e.pos()
	}
	if a.came == nil {
		a.came = map[*types.Var]broughtFrom{}
	}
	f = f.Origin()
	if old, dup := a.came[f]; !dup || a.inOrder(c.taken, old.taken) < 0 || c.taken == old.taken && a.inOrder(c.stored, old.stored) < 0 {
		a.came[f] = c
	}
}

// cameHere are the places where what a field has was taken and stored, or else those where its pool is used.
func (a *analysis) cameHere(f *types.Var, p *pool) []goanalysis.RelatedInformation {
	c, ok := a.came[f.Origin()]
	if !ok {
		return a.takersFrom(p, nil)
	}
	list := []goanalysis.RelatedInformation{{Pos: c.taken, Message: "taken from " + c.pool.label() + " here"}}
	if c.stored.IsValid() && c.stored != c.taken {
		list = append(list, goanalysis.RelatedInformation{Pos: c.stored, Message: "stored in " + f.Name() + " here"})
	}
	return list
}

// takenLine says where what a field has was taken, in brackets, if that is known.
func (a *analysis) takenLine(o types.Object) string {
	f, ok := o.(*types.Var)
	if !ok {
		return ""
	}
	if c, ok := a.came[f.Origin()]; ok {
		return " (" + a.line(c.taken) + ")"
	}
	return ""
}

// declaredHere is the place of a variable or field.
func declaredHere(obj types.Object) []goanalysis.RelatedInformation {
	if obj == nil || !obj.Pos().IsValid() {
		return nil
	}
	return []goanalysis.RelatedInformation{{Pos: obj.Pos(), Message: obj.Name() + " is declared here"}}
}

// apposed is a name with what is said of it between commas, or what to say where there is none.
func apposed(name, how, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return name + ", " + how + ","
}

// cameAt is cameHere for what may be a field.
func (a *analysis) cameAt(o types.Object, p *pool) []goanalysis.RelatedInformation {
	if f, ok := o.(*types.Var); ok {
		return a.cameHere(f, p)
	}
	return a.takersFrom(p, nil)
}

// usersOfField are the first place that puts what a field has, and else where the field is.
func (c *custody) usersOfField(f *types.Var) []goanalysis.RelatedInformation {
	var first ssa.Instruction
	for _, i := range c.putsField[f] {
		if p := instrPos(i); p.IsValid() && (first == nil || c.a.inOrder(p, instrPos(first)) < 0) {
			first = i
		}
	}
	if first == nil {
		return declaredHere(f)
	}
	return []goanalysis.RelatedInformation{{Pos: instrPos(first), Message: "what " + f.Name() + " has is put here"}}
}

// gotAs says what a use without a reset is of: by the name of what holds it, and where it was taken.
func (a *analysis) gotAs(g *getSite, otherwise string) string {
	for _, p := range g.token {
		if name := a.heldAs(p); name != "" {
			return name + ", taken from " + g.pool.label() + " at " + a.line(p) + ","
		}
	}
	return otherwise + " from " + g.pool.label()
}

// nilPut says that what is put is nil: x, or the slice in the box x.
func (a *analysis) nilPut(e *event, fn *ssa.Function, x *sym) string {
	name := a.putName(e, fn)
	switch {
	case name == "":
		return "nil is put"
	case x.kind != kAlloc || onlyPartOf(unboxed(lastArg(e.stack[len(e.stack)-1].(ssa.CallInstruction).Common()))) != nil:
	case strings.HasPrefix(name, "&"):
		name = name[1:]
	default:
		name = "the slice of " + name
	}
	return name + ", which is nil, is put"
}

// cutName is the name of the slice that a store cut, on the way to a Put.
func (a *analysis) cutName(cut, put *event, fn *ssa.Function) string {
	name := ""
	if st, ok := cut.stack[len(cut.stack)-1].(*ssa.Store); ok {
		switch st.Addr.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
			name = a.valueName(st.Addr)
		default:
			if of := a.valueName(st.Addr); isPath(of) {
				name = "*" + of
			}
		}
	}
	return orElse(orElse(name, a.putName(put, fn)), "the slice")
}

// usersOfStatic is takersFrom for the pool that a Put names.
func (a *analysis) usersOfStatic(put ssa.CallInstruction) []goanalysis.RelatedInformation {
	args := put.Common().Args
	if len(args) == 0 {
		return nil
	}
	obj := a.staticPool(args[0])
	if obj == nil {
		if p, ok := args[0].(*ssa.Parameter); ok {
			return []goanalysis.RelatedInformation{{Pos: p.Pos(), Message: "the pool is given here"}}
		}
		return nil
	}
	if u := a.usesOfPools()[obj]; u != nil && u.get != nil {
		return []goanalysis.RelatedInformation{u.takenHere(obj.Name(), put.Parent())}
	}
	return declaredHere(obj)
}

// keptAtAnySize says what a Put without a limit keeps.
func (a *analysis) keptAtAnySize(s *putSite) string {
	if name := a.putName(&s.ev, s.ev.fn); name != "" {
		return name + ", put at " + a.line(s.ev.pos()) + ", whatever its size"
	}
	return "values of any size"
}

// putSaid says of what kind that is which is put at a position, by its name if it has one.
func (a *analysis) putSaid(p token.Pos, what string) string {
	name := ""
	if call := a.calls[p]; call != nil && len(call.Args) > 0 {
		name = a.word(call.Args[len(call.Args)-1])
	}
	return apposed(name, what, what)
}

// forName says what the result of an expression is for, if that has a name.
func (a *analysis) forName(p token.Pos) string {
	if name := a.heldAs(p); name != "" {
		return " for " + name
	}
	return ""
}

// onlyPartOf is what an object that is made for a Put has, if that is one slice, map or pointer.
func onlyPartOf(v ssa.Value) (part ssa.Value) {
	al, ok := v.(*ssa.Alloc)
	if !ok {
		return nil
	}
	for _, r := range referrers(al) {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, u := range referrers(fa) {
			st, ok := u.(*ssa.Store)
			if !ok || st.Addr != fa || !pointery(st.Val.Type()) {
				continue
			}
			if part != nil {
				return nil
			}
			part = st.Val
		}
	}
	for {
		s, ok := part.(*ssa.Slice)
		if !ok {
			return part
		}
		part = s.X
	}
}

// tokenSaid is the name of what a path took from a pool, or its type.
func (a *analysis) tokenSaid(t *sym) string {
	what := "the pooled " + a.shortName(deref(t.typ))
	for _, p := range t.stack {
		if name := a.heldAs(p); name != "" {
			return name + ", " + what + " taken at " + a.line(p) + ","
		}
	}
	return what
}

// asNamed names what a Put puts, after what it is one of.
func (a *analysis) asNamed(put ssa.Instruction) string {
	if name := a.putNameAt(put); name != "" {
		return " (" + name + ")"
	}
	return ""
}

// gotName is what an instruction's result is set to.
func (a *analysis) gotName(i ssa.Instruction) string {
	if v, ok := i.(ssa.Value); ok {
		return a.valueName(v)
	}
	return ""
}

// passedName is what a call passes on: the last of its arguments that can be pooled.
func (a *analysis) passedName(c ssa.CallInstruction) string {
	if k := a.releasedArg(c); k >= 0 {
		return a.argText(c, k)
	}
	return ""
}

// refName is the name of an object that is counted, or its type.
func (a *analysis) refName(v ssa.Value) string {
	return orElse(a.valueName(v), "the "+pointee(v.Type()).Obj().Name())
}

// putIn is the name of what is put at an instruction, with its type.
func (a *analysis) putIn(i ssa.Instruction, t *types.Named) string {
	what := "the pooled " + t.Obj().Name()
	return apposed(a.putNameAt(i), what, what)
}

// movedName is the name of what was taken out of a field.
func (c *custody) movedName(v ssa.Value) string {
	if name := c.a.valueName(v); name != "" && !strings.Contains(name, ".") && !strings.HasPrefix(name, "field ") {
		return name + ", which was"
	}
	return "what was"
}

// elementName is the name of the element that a loop is at.
func (c *custody) elementName(r *elemRound) string {
	var first ssa.Value
	for v := range r.loads {
		if p := v.Pos(); first == nil || p < first.Pos() {
			first = v
		}
	}
	if first == nil {
		return ""
	}
	return c.a.valueName(first)
}

// gotValue says what was taken at a position, by its name if it has one.
func (a *analysis) gotValue(p token.Pos, from *pool) string {
	return apposed(a.heldAs(p), "taken from "+from.label()+" at "+a.line(p), "the value from "+from.label())
}

// usersOfType are the first places of the package that take values of a type from a pool, and that put them.
func (a *analysis) usersOfType(t *types.Named) (list []goanalysis.RelatedInformation) {
	first := func(sites []poolSite, what string) {
		var at token.Pos
		for _, s := range sites {
			if p := instrPos(s.instr); s.typ == t.Origin() && !a.inTest(s.fn) && p.IsValid() && (!at.IsValid() || a.inOrder(p, at) < 0) {
				at = p
			}
		}
		if at.IsValid() {
			list = append(list, goanalysis.RelatedInformation{Pos: at, Message: article(t.Obj().Name()) + " is " + what + " here"})
		}
	}
	s := a.uses().sites
	first(s.gets, "taken")
	first(s.puts, "put")
	return list
}

// memoryOf says what of a value that was put somebody has: the value itself, what it holds where it is a list, or else
// its memory.
func (a *analysis) memoryOf(st *state, x *sym, r *release, fn *ssa.Function) string {
	name := a.name(&r.event, fn)
	if exact := a.putName(&r.event, fn); exact != name {
		return "memory of " + name // of what holds it, as far as is known
	}
	if plain(x) == plain(r.value) {
		return name
	}
	if t := r.value.typ; t != nil {
		if s, ok := deref(t).Underlying().(*types.Slice); ok && pointery(s.Elem()) {
			return "what " + name + " holds"
		}
	}
	return "memory of " + name
}

// article is a name with the article that goes with it.
func article(name string) string {
	if strings.ContainsAny(name[:1], "aeiouAEIOU") {
		return "an " + name
	}
	return "a " + name
}

// functionName is the name of a function, or what to say of a literal.
func functionName(fn *ssa.Function) string {
	if fn.Parent() != nil || strings.Contains(fn.Name(), "$") {
		return "the function"
	}
	return fn.Name()
}

// literalName is what the SSA form calls function literals.
var literalName = regexp.MustCompile(`((?:\(\*?[\w.]+\)\.)?[A-Za-z_]\w*)(?:\$\d+)+`)

// inSource is a message without names that the source does not have: those of function literals are those of the
// functions that they are in.
func inSource(message string) string {
	if !strings.Contains(message, "$") {
		return message
	}
	return literalName.ReplaceAllStringFunc(message, func(name string) string {
		of := name[:strings.Index(name, "$")]
		if of == "init" || of == "glob" {
			return "a function literal"
		}
		return "a function in " + of
	})
}
