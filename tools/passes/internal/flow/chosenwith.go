// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A struct may hold a function beside constants that say what kind of function it is, as a table of
// handlers does. Which of several functions a path takes then tells the constants, and constants
// that the path has tested tell which functions it cannot take.

// A funcBeside is a place that sets a field to a function: the constants that the other fields of the
// same struct get there, nil for what is not known.
type funcBeside struct {
	of     *types.Struct
	fn     *ssa.Function
	consts []constant.Value
}

// takesWith notes what the choice of f for the function value of tells of the fields beside it. It
// reports whether the path can take f.
func (a *analysis) takesWith(st *state, of, f *sym) bool {
	fn, ok := f.obj.(*ssa.Function)
	if !ok {
		return true
	}
	var v *types.Var
	if of.kind == kLoad && of.a.kind == kField {
		v, _ = of.a.obj.(*types.Var)
	}
	if v == nil {
		return true
	}
	var with *funcBeside
	for _, m := range a.funcsBeside()[v] {
		if m.fn != fn {
			continue
		}
		if with == nil {
			with = &funcBeside{of: m.of, fn: fn, consts: append([]constant.Value(nil), m.consts...)}
			continue
		}
		for i, c := range with.consts {
			if c == nil || m.consts[i] == nil || !constant.Compare(c, token.EQL, m.consts[i]) {
				with.consts[i] = nil
			}
		}
	}
	if with == nil {
		return true
	}
	for i, c := range with.consts {
		if c == nil {
			continue
		}
		addr := a.syms.field(of.a.a, with.of, i)
		if st.mem[addr] != nil {
			continue // set by the path
		}
		typ := with.of.Field(i).Type()
		x := a.syms.load(addr, of.idx, typ)
		is := true
		if c.Kind() == constant.Bool {
			is = constant.BoolVal(c)
		} else {
			x = a.equalTest(x, a.syms.constant(c, typ))
		}
		if known, ok := a.known(st, x); ok && known != is {
			return false
		}
		st.truth[x] = is
	}
	return true
}

// funcsBeside are the places that set fields of function type together with constants.
func (a *analysis) funcsBeside() map[*types.Var][]funcBeside {
	if a.madeBeside != nil {
		return a.madeBeside
	}
	a.madeBeside = map[*types.Var][]funcBeside{}
	elsewhere := map[*types.Var]bool{} // fields that are set in what is not made there
	for _, i := range a.instrs() {
		s, ok := i.(*ssa.Store)
		if !ok {
			continue
		}
		fa, ok := s.Addr.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		t := structOf(fa.X.Type())
		if t == nil {
			continue
		}
		v := t.Field(fa.Field).Origin()
		if !builtHere(fa.X) {
			elsewhere[v] = true
			continue
		}
		if _, isFunc := v.Type().Underlying().(*types.Signature); isFunc {
			a.madeBeside[v] = append(a.madeBeside[v], a.madeBy(s, fa, t)...)
		}
	}
	for _, list := range a.madeBeside {
		for _, m := range list {
			for i := range m.consts {
				if elsewhere[m.of.Field(i).Origin()] {
					m.consts[i] = nil
				}
			}
		}
	}
	return a.madeBeside
}

// madeBy is what a store of a function, to a struct that is made there, tells: once, or for each
// call where the function makes the struct of its parameters.
func (a *analysis) madeBy(s *ssa.Store, fa *ssa.FieldAddr, t *types.Struct) []funcBeside {
	set := make([]ssa.Value, t.NumFields())
	twice := make([]bool, t.NumFields())
	zeroed := true
	for _, r := range referrers(fa.X) {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			for _, u := range referrers(r) {
				switch u := u.(type) {
				case *ssa.Store:
					twice[r.Field] = twice[r.Field] || set[r.Field] != nil || u.Addr != r
					set[r.Field] = u.Val
				case *ssa.UnOp, *ssa.DebugRef:
				default:
					twice[r.Field] = true
				}
			}
		case *ssa.Store:
			zeroed = zeroed && r.Addr != fa.X
		}
	}
	if _, ok := fa.X.(*ssa.Alloc); !ok {
		zeroed = false
	}
	in := func(c ssa.CallInstruction) funcBeside {
		m := funcBeside{of: t, consts: make([]constant.Value, len(set))}
		arg := func(v ssa.Value) ssa.Value {
			if p, ok := v.(*ssa.Parameter); ok && c != nil {
				if n := slices.Index(p.Parent().Params, p); n >= 0 && n < len(c.Common().Args) {
					return c.Common().Args[n]
				}
			}
			return v
		}
		switch f := unchanged(arg(s.Val)).(type) {
		case *ssa.Function:
			m.fn = f
		case *ssa.MakeClosure:
			m.fn = f.Fn.(*ssa.Function)
		}
		for i, v := range set {
			b, ok := t.Field(i).Type().Underlying().(*types.Basic)
			switch {
			case !ok || twice[i]:
			case v == nil && zeroed && b.Info()&types.IsBoolean != 0:
				m.consts[i] = constant.MakeBool(false)
			case v == nil && zeroed && b.Info()&types.IsInteger != 0:
				m.consts[i] = constant.MakeInt64(0)
			case v == nil && zeroed && b.Info()&types.IsString != 0:
				m.consts[i] = constant.MakeString("")
			case v != nil:
				if k, ok := arg(v).(*ssa.Const); ok {
					m.consts[i] = k.Value
				}
			}
		}
		return m
	}
	if _, ok := s.Val.(*ssa.Parameter); ok {
		var list []funcBeside
		for _, c := range a.sites[s.Parent()] {
			list = append(list, in(c))
		}
		return list
	}
	return []funcBeside{in(nil)}
}

// builtHere reports whether an address is that of a struct that the function makes: a variable of
// its own, or an element of a slice or array that it fills.
func builtHere(x ssa.Value) bool {
	switch x := x.(type) {
	case *ssa.Alloc:
		return true
	case *ssa.IndexAddr:
		if _, ok := x.Index.(*ssa.Const); ok {
			_, ok = x.X.(*ssa.Alloc)
			return ok
		}
	}
	return false
}

// unchanged strips conversions between types of functions.
func unchanged(v ssa.Value) ssa.Value {
	for {
		c, ok := v.(*ssa.ChangeType)
		if !ok {
			return v
		}
		v = c.X
	}
}
