// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// An error made by fmt.Errorf with %w, or by errors.Join, is what it wraps to those who ask errors.Is or
// errors.As, and so is one of the package's types of which Unwrap gives what is in a field.

// maxWraps is how deep errors are looked for in others.
const maxWraps = 8

// noteWrapped notes what an error that was just made wraps, where all of that is known and it is one that
// the package asks for: others are as good as any error.
func (a *analysis) noteWrapped(st *state, h *sym, name string, args []*sym) bool {
	if name != "Errorf" && name != "Join" || len(args) == 0 || len(a.askedFor()) == 0 {
		return false
	}
	base := a.elemBase(st, plain(args[len(args)-1]))
	if !varargs(base) {
		return false
	}
	var at []int
	switch name {
	case "Join":
		for n := range len(a.elements(st, base)) {
			at = append(at, n)
		}
	case "Errorf":
		if !wraps(args[0]) {
			return false
		}
		at = wrapVerbs(constant.StringVal(args[0].val))
	}
	var list []*sym
	for _, n := range at {
		x := st.mem[a.syms.elem(base, a.syms.constant(constInt(n), types.Typ[types.Int]), nil)]
		if x == nil {
			return false
		}
		list = append(list, x)
	}
	asked := func(of *ssa.Global) bool {
		is := a.errorIs(st, h, a.syms.load(a.val(st, of), 0, typeError), 0)
		v, ok := a.known(st, is)
		return ok && v
	}
	set(&a.syms.wrapped, h, list)
	if !slices.ContainsFunc(a.askedFor(), asked) {
		delete(a.syms.wrapped, h)
		return false
	}
	return true
}

// askedFor are the variables with the errors that the package asks for with errors.Is.
func (a *analysis) askedFor() []*ssa.Global {
	if a.errsAsked != nil {
		return *a.errsAsked
	}
	var list []*ssa.Global
	for _, i := range a.instrs() {
		c, ok := i.(*ssa.Call)
		if !ok || funcKey(calledMethod(c)) != "errors.Is" || len(c.Call.Args) != 2 {
			continue
		}
		if x, ok := c.Call.Args[1].(*ssa.UnOp); ok && x.Op == token.MUL {
			if g, ok := x.X.(*ssa.Global); ok && !slices.Contains(list, g) {
				list = append(list, g)
			}
		}
	}
	a.errsAsked = &list
	return list
}

// wrapVerbs are the numbers of the operands that a format wraps; none where it is not plain which these are.
func wrapVerbs(format string) []int {
	var at []int
	for n, k := 0, 0; k < len(format); k++ {
		if format[k] != '%' {
			continue
		}
		for k++; k < len(format); k++ {
			switch c := format[k]; {
			case c == '+' || c == '-' || c == '#' || c == ' ' || c == '.' || '0' <= c && c <= '9':
				continue
			case c == '*' || c == '[':
				return nil
			case c == 'w':
				at = append(at, n)
				n++
			case c != '%':
				n++
			}
			break
		}
	}
	return at
}

// errorIs is the answer to whether an error is, or wraps, another one.
func (a *analysis) errorIs(st *state, err, of *sym, depth int) *sym {
	x := plain(err)
	if isNil, ok := a.known(st, a.syms.nilTest(x)); ok && isNil {
		return a.syms.boolean(false)
	}
	if x == of || sentinel(x) && sentinel(of) && x.a == of.a {
		return a.syms.boolean(true)
	}
	if sentinel(x) && sentinel(of) && a.madeAlone(x.a) {
		return a.syms.boolean(false)
	}
	open := a.syms.intern(symKey{kind: kOpaque, a: x, b: of, obj: errIs{}}, types.Typ[types.Bool])
	list := a.wrappedBy(st, err)
	if depth > maxWraps || len(list) == 0 {
		return open
	}
	var only *sym // the one of which it depends
	for _, y := range list {
		is := a.errorIs(st, y, of, depth+1)
		switch v, ok := a.known(st, is); {
		case ok && v:
			return a.syms.boolean(true)
		case ok:
		case only == nil:
			only = is
		default:
			only = open
		}
	}
	if _, made := a.syms.wrapped[x]; !made {
		return open // its method Is may say more
	}
	if only == nil {
		return a.syms.boolean(false)
	}
	return only
}

// madeAlone reports whether a variable of the package is only ever set to an error that wraps no other one.
func (a *analysis) madeAlone(global *sym) bool {
	g, ok := global.obj.(*ssa.Global)
	if !ok || g.Pkg != a.pkg {
		return false
	}
	alone, known := a.errsAlone[g]
	if known {
		return alone
	}
	set(&a.errsAlone, g, false)
	n := 0
	look := func(i ssa.Instruction) bool {
		for _, op := range i.Operands(nil) {
			if *op != ssa.Value(g) {
				continue
			}
			switch i := i.(type) {
			case *ssa.UnOp, *ssa.DebugRef:
			case *ssa.Store:
				c, ok := i.Val.(*ssa.Call)
				if i.Addr != ssa.Value(g) || !ok || funcKey(calledMethod(c)) != "errors.New" {
					return false
				}
				n++
			default:
				return false
			}
		}
		return true
	}
	for i := range instrsOf(a.pkg.Func("init")) {
		if !look(i) {
			return false
		}
	}
	for _, i := range a.instrs() {
		if i.Parent() != a.pkg.Func("init") && !look(i) {
			return false
		}
	}
	a.errsAlone[g] = n == 1
	return n == 1
}

// wrappedBy are the errors that one wraps, as far as that is known.
func (a *analysis) wrappedBy(st *state, err *sym) []*sym {
	x := plain(err)
	if list := a.syms.wrapped[x]; list != nil {
		return list
	}
	if err.kind != kIface || !concrete(err.typ) {
		return nil
	}
	sel := types.NewMethodSet(err.typ).Lookup(a.pkg.Pkg, "Unwrap")
	if sel == nil || len(sel.Index()) != 1 {
		return nil
	}
	n, ok := a.unwraps(a.prog.MethodValue(sel))
	t := err.typ
	p, isPtr := t.Underlying().(*types.Pointer)
	if isPtr {
		t = p.Elem()
	}
	s := structOf(t)
	if !ok || s == nil || n >= s.NumFields() {
		return nil
	}
	if isPtr {
		return []*sym{a.read(st, a.syms.field(x, s, n), s.Field(n).Type())}
	}
	return []*sym{a.fieldOf(x, n, s.Field(n).Type())}
}

// unwraps is the number of the field that a method Unwrap does nothing but return.
func (a *analysis) unwraps(fn *ssa.Function) (field int, ok bool) {
	if fn == nil || len(fn.Blocks) != 1 || len(fn.Params) != 1 || fn.Signature.Results().Len() != 1 || !isError(fn.Signature.Results().At(0).Type()) {
		return 0, false
	}
	ret, ok := fn.Blocks[0].Instrs[len(fn.Blocks[0].Instrs)-1].(*ssa.Return)
	if !ok {
		return 0, false
	}
	own := func(v ssa.Value) bool { // the receiver, or the variable that it is in
		if v == fn.Params[0] {
			return true
		}
		al, ok := v.(*ssa.Alloc)
		return ok && al.Type().(*types.Pointer).Elem() == fn.Params[0].Type()
	}
	switch x := ret.Results[0].(type) {
	case *ssa.Field:
		return x.Field, own(x.X)
	case *ssa.UnOp:
		if fa, ok := x.X.(*ssa.FieldAddr); ok && x.Op == token.MUL {
			return fa.Field, own(fa.X)
		}
	}
	return 0, false
}
