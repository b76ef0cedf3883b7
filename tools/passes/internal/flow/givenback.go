// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"
	"strings"
)

// What a function of another package gives inside an object is for its user to give back only where that package has
// a function for it: the root of a tree that only the tree's own methods take apart goes with the tree.

// A givenIn is the type of an object with a value out of a pool in it, which a function of another package gave.
type givenIn struct {
	typ  types.Type
	pool string
}

// canGiveBack reports whether the package of a function that gave a value out of a pool, inside an object, has
// functions that put what they find in such an object itself, and no deeper.
func (a *analysis) canGiveBack(f *types.Func, pool string) bool {
	res := f.Origin().Signature().Results()
	if res.Len() == 0 {
		return true
	}
	k := givenIn{res.At(0).Type(), pool}
	can, known := a.givenBack0[k]
	if !known {
		can = a.putsFromArgs(f.Pkg(), k)
		set(&a.givenBack0, k, can)
	}
	return can
}

// putsFromArgs looks through the facts of a package for functions that put what an argument of a type has in itself.
func (a *analysis) putsFromArgs(pkg *types.Package, k givenIn) bool {
	puts := func(f *types.Func) bool {
		sig := f.Origin().Signature()
		var params []types.Type
		if r := sig.Recv(); r != nil {
			params = append(params, r.Type())
		}
		for v := range sig.Params().Variables() {
			params = append(params, v.Type())
		}
		from := func(e *Expr) bool {
			n, param := e.loads()
			return param >= 0 && param < len(params) && n <= 1 && mayBe(params[param], k.typ)
		}
		if !slices.ContainsFunc(params, func(t types.Type) bool { return mayBe(t, k.typ) }) {
			return false
		}
		s := new(Summary)
		if !importSummary(a.pass, f.Origin(), s) {
			return false
		}
		if (s.Unfollowed || slices.ContainsFunc(s.Outcomes, func(o Outcome) bool { return slices.ContainsFunc(o.Gone, from) })) && slices.ContainsFunc(lastNames, func(name string) bool { return strings.HasPrefix(f.Name(), name) }) {
			return true // it may put it, and its name says that it does
		}
		for _, o := range s.Outcomes {
			for _, p := range o.Puts {
				if maySame(p.Pool, k.pool) && from(p.Value) {
					return true
				}
			}
		}
		return false
	}
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.Func:
			if puts(o) {
				return true
			}
		case *types.TypeName:
			n, ok := types.Unalias(o.Type()).(*types.Named)
			if !ok || o.IsAlias() {
				continue
			}
			for m := range n.Methods() {
				if puts(m) {
					return true
				}
			}
		}
	}
	return false
}

// maySame reports whether two names of facts may be of one pool: a field, or what has no name, may lead to any.
func maySame(x, y string) bool {
	open := func(name string) bool { return strings.HasPrefix(name, fieldMark) || name == "sync.Pool" }
	return x == y || open(x) || open(y)
}

// mayBe reports whether a parameter can have an object, both of which may be behind a pointer or an interface.
func mayBe(param, object types.Type) bool {
	if i, ok := param.Underlying().(*types.Interface); ok && !types.IsInterface(object) {
		return types.Implements(object, i)
	}
	if types.IsInterface(object) {
		return types.IsInterface(param) || types.AssignableTo(param, object)
	}
	p, ok1 := deref(param).(*types.Named)
	o, ok2 := deref(object).(*types.Named)
	return ok1 && ok2 && p.Origin() == o.Origin()
}

// loads counts the pointers that lead from a parameter to what an expression stands for. Where it begins elsewhere,
// there is no parameter: -1.
func (e *Expr) loads() (n, param int) {
	for ; e != nil; e = e.A {
		switch e.Kind {
		case "param":
			return n, e.Index
		case "load":
			n++
		}
	}
	return 0, -1
}
