// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A field that all who take a struct from its pool set is an input of what they do with
// it: what is decided by it says nothing of what the last user left.

// inputsOf are the fields of a struct that all who take one set, whatever happens: where
// it is taken, or in the function of the package that gives it.
func (f *forgotten) inputsOf(t *types.Named) map[*types.Var]bool {
	always := func(g poolSite) map[*types.Var]bool {
		set := map[*types.Var]bool{}
		if bases := takenValues(g.instr); len(bases) > 0 {
			for v, list := range f.setsOf(bases, g.instr, false, 0).at {
				set[v] = slices.ContainsFunc(list, func(x setAt) bool { return x.always })
			}
		}
		return set
	}
	both := func(x, y map[*types.Var]bool) map[*types.Var]bool {
		if x == nil {
			return y
		}
		for v := range x {
			x[v] = x[v] && y[v]
		}
		return x
	}
	given := map[*ssa.Function]map[*types.Var]bool{} // by functions that return what they take
	var takers []poolSite
	for _, g := range f.gets {
		switch {
		case g.typ != t || f.a.inTest(g.fn):
		case f.getter[g.fn]:
			given[g.fn] = both(given[g.fn], always(g))
		default:
			takers = append(takers, g)
		}
	}
	var inputs map[*types.Var]bool
	for _, g := range takers {
		set := always(g)
		if c, ok := g.instr.(ssa.CallInstruction); ok {
			if fn := f.a.calledFunction(c); fn != nil {
				for v, ok := range given[fn] {
					set[v] = set[v] || ok
				}
			}
		}
		inputs = both(inputs, set)
	}
	return inputs
}

// leadsFromState is leadsFrom, except for what is read from fields that are inputs, or got from them.
func leadsFromState(v ssa.Value, depth int, inputs map[*types.Var]bool, match func(ssa.Value) bool) bool {
	if v == nil || depth > 7 {
		return false
	}
	if addr := v; len(inputs) > 0 {
		if l, ok := v.(*ssa.UnOp); ok && l.Op == token.MUL {
			addr = l.X
		}
		// Also one that a method is called on.
		for fa, ok := addr.(*ssa.FieldAddr); ok; fa, ok = fa.X.(*ssa.FieldAddr) {
			if inputs[fieldAt(fa)] {
				return false
			}
		}
	}
	if match(v) {
		return true
	}
	if l, ok := v.(*ssa.Lookup); ok {
		return leadsFromState(l.X, depth+1, inputs, match) // what a map has is not told by the key
	}
	i, ok := v.(ssa.Instruction)
	if !ok {
		return false
	}
	for _, o := range i.Operands(nil) {
		if *o != nil && leadsFromState(*o, depth+1, inputs, match) {
			return true
		}
	}
	return false
}

// askedByCallers reports whether all who read a field return it, to callers who ask
// something else, an error or the struct, before they use it.
func (f *forgotten) askedByCallers(ff *fieldFacts) bool {
	if len(f.inputs) == 0 {
		return false
	}
	asks := func(b *ssa.BasicBlock, v ssa.Value) bool {
		return slices.ContainsFunc(deciders(b, nil), func(c ssa.Value) bool {
			return leadsFrom(c, 0, func(x ssa.Value) bool {
				if x == v {
					return false
				}
				fa, ok := x.(*ssa.FieldAddr)
				return isError(x.Type()) || ok && types.Identical(structOf(fa.X.Type()), ff.of) && fieldAt(fa) != ff.field
			})
		})
	}
	for _, r := range ff.reads {
		v, ok := r.(ssa.Value)
		if !ok || v.Referrers() == nil {
			return false
		}
		for _, u := range referrers(v) {
			if _, ok := u.(*ssa.Return); !ok {
				return false
			}
		}
		callers := f.callers[r.Parent()]
		if len(callers) == 0 {
			return false
		}
		for _, c := range callers {
			res, ok := c.(ssa.Value)
			if !ok || res.Referrers() == nil {
				continue
			}
			for _, u := range referrers(res) {
				if _, isTest := u.(*ssa.BinOp); !isTest && !asks(u.Block(), res) {
					return false
				}
			}
		}
	}
	return len(ff.reads) > 0
}
