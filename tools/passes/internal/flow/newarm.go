// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that gives an object that was used before, or else a new one, makes the new one with what
// its caller asks for. Where it forgets to set that in the used one, the caller gets what the
// last one asked for.

// judgeNewArm reports fields that only new objects get from a parameter.
func (a *analysis) judgeNewArm() {
	f := a.uses()
	for _, fn := range a.fns {
		if a.inTest(fn) || fn.Signature.Results().Len() == 0 || len(fn.Params) == 0 {
			continue
		}
		t := pointee(fn.Signature.Results().At(0).Type())
		if t == nil || t.Obj().Pkg() != a.pkg.Pkg {
			continue
		}
		var made []*ssa.Alloc
		var used []ssa.Value
		for _, b := range fn.Blocks {
			r, ok := lastInstr(b).(*ssa.Return)
			if !ok {
				continue
			}
			f.arrivals(r.Results[0], &made, &used, 0)
		}
		if len(made) != 1 || len(used) == 0 {
			continue
		}
		if !f.gathered {
			f.gather() // the pool is none of package sync
			f.gathered = true
		}
		for _, u := range used {
			if f.newOnly(fn, made[0], u, t) {
				break
			}
		}
	}
}

// arrivals are the new objects, and those that were used before, that a value may be.
func (f *forgotten) arrivals(v ssa.Value, made *[]*ssa.Alloc, used *[]ssa.Value, depth int) {
	if depth > 4 {
		return
	}
	switch x := v.(type) {
	case *ssa.Phi:
		for _, e := range x.Edges {
			f.arrivals(e, made, used, depth+1)
		}
	case *ssa.Alloc:
		if !slices.Contains(*made, x) {
			*made = append(*made, x)
		}
	default:
		if f.usedBefore(v) && !slices.Contains(*used, v) {
			*used = append(*used, v)
		}
	}
}

// usedBefore reports whether a value comes from a pool: one of package sync, a channel that is not waited
// for, a slice that it is cut off, or a chain.
func (f *forgotten) usedBefore(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.TypeAssert:
		return f.usedBefore(x.X)
	case *ssa.Call:
		if f.gets0(f.a, x) {
			return true
		}
		fn := f.a.calledFunction(x)
		return fn != nil && unchains(fn)
	case *ssa.Extract:
		switch from := x.Tuple.(type) {
		case *ssa.Select:
			return !from.Blocking && x.Index > 1
		case *ssa.TypeAssert:
			return x.Index == 0 && f.usedBefore(from)
		}
	case *ssa.UnOp:
		ia, ok := x.X.(*ssa.IndexAddr)
		if !ok || x.Op != token.MUL {
			return false
		}
		v, _ := fieldLoad(ia.X)
		return v != nil && cutsField(x.Parent(), v)
	}
	return false
}

// cutsField reports whether a function stores a part of the slice in a field there.
func cutsField(fn *ssa.Function, v *types.Var) (found bool) {
	eachStore(fn, func(s *ssa.Store) {
		x, ok := s.Val.(*ssa.Slice)
		found = found || ok && x.High != nil && fieldAt(s.Addr) == v
	})
	return found
}

// unchains reports whether a function takes the first of the objects of a chain: it gives one, and puts
// what follows it in its place.
func unchains(fn *ssa.Function) bool {
	if fn.Signature.Results().Len() != 1 {
		return false
	}
	t := pointee(fn.Signature.Results().At(0).Type())
	if t == nil {
		return false
	}
	for i := range instrsOf(fn) {
		l, ok := i.(*ssa.UnOp)
		if !ok || l.Op != token.MUL || pointee(l.Type()) != t {
			continue
		}
		fa, ok := l.X.(*ssa.FieldAddr)
		if !ok || pointee(fa.X.Type()) != t {
			continue
		}
		for _, r := range referrers(l) {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Val == l && fieldAt(r.Addr) != fieldAt(fa) {
					return true
				}
			case *ssa.Call:
				if m := calledMethod(r); m != nil && m.Pkg() != nil && m.Pkg().Path() == "sync/atomic" {
					return true
				}
			}
		}
	}
	return false
}

// newOnly reports the fields that a function gives a new object from a parameter, and a used one not.
func (f *forgotten) newOnly(fn *ssa.Function, made *ssa.Alloc, used ssa.Value, t *types.Named) bool {
	at, ok := used.(ssa.Instruction)
	if !ok {
		return false
	}
	for _, r := range referrers(made) {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		v := fieldAt(fa)
		ff := f.facts[v]
		if ff == nil || len(ff.reads) == 0 || f.a.toldOf[v] || longLived(v.Type()) || slices.ContainsFunc(ff.reads, cutByUser) {
			continue
		}
		for _, q := range referrers(fa) {
			st, ok := q.(*ssa.Store)
			if !ok || st.Addr != fa {
				continue
			}
			p := askedFor(st.Val)
			if p == nil || f.ownsPool(p.Type(), t) || f.alwaysSame(p) || f.picks(p, at) || f.setElsewhere(ff, fn, used, t) {
				continue
			}
			f.a.toldOf[v] = true
			f.a.reportFound(finding{
				pattern: missingReset, pos: instrPos(at), fn: fn,
				message: fmt.Sprintf("%s sets field %s of a new %s as %s says (%s), but not that of one that was used before: it has what its last user asked for", fn.Name(), v.Name(), t.Obj().Name(), p.Name(), f.a.line(instrPos(st))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(st), Message: "set in a new one here"}},
			})
			return true
		}
	}
	return false
}

// cutByUser reports whether a slice that was read from a field is cut to a length: whoever does so
// does not rely on the one that it has.
func cutByUser(r ssa.Instruction) bool {
	v, ok := r.(ssa.Value)
	return ok && v.Referrers() != nil && slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		s, ok := r.(*ssa.Slice)
		return ok && s.High != nil && s.X == v
	})
}

// askedFor is the parameter that a value is, or a slice of that length.
func askedFor(v ssa.Value) *ssa.Parameter {
	for range 4 {
		switch x := v.(type) {
		case *ssa.Parameter:
			fn := x.Parent()
			if fn.Signature.Recv() != nil && x == fn.Params[0] {
				return nil
			}
			return x
		case *ssa.Convert:
			v = x.X
		case *ssa.MakeSlice:
			v = x.Len
		case *ssa.Slice: // of an array: a slice that is made with a constant capacity
			al, ok := x.X.(*ssa.Alloc)
			if !ok || al.Comment != "makeslice" || x.High == nil {
				return nil
			}
			v = x.High
		default:
			return nil
		}
	}
	return nil
}

// alwaysSame reports whether all calls in view give a parameter the same: one constant, or one field.
func (f *forgotten) alwaysSame(p *ssa.Parameter) bool {
	fn := p.Parent()
	k := slices.Index(fn.Params, p)
	var first ssa.Value
	n := 0
	for _, c := range f.callers[fn] {
		if f.a.inTest(c.Parent()) {
			continue
		}
		if c.Common().IsInvoke() || k >= len(c.Common().Args) {
			return false
		}
		x := c.Common().Args[k]
		if n++; n == 1 {
			first = x
			continue
		}
		if !sameGiven(first, x) {
			return false
		}
	}
	if n == 0 {
		return !token.IsExported(fn.Name())
	}
	switch first.(type) {
	case *ssa.Const, *ssa.Global:
		return true
	}
	v, base := fieldLoad(first)
	if v == nil {
		return false
	}
	p, ok := base.(*ssa.Parameter) // of the owner
	return ok && p.Parent().Signature.Recv() != nil && p == p.Parent().Params[0]
}

// sameGiven reports whether two arguments are one constant, or read from one field.
func sameGiven(x, y ssa.Value) bool {
	if c, ok := x.(*ssa.Const); ok {
		d, ok := y.(*ssa.Const)
		return ok && c.String() == d.String()
	}
	v, _ := fieldLoad(x)
	w, _ := fieldLoad(y)
	return v != nil && v == w || x == y
}

// picks reports whether a parameter decides which used object is taken, or whether it will do.
func (f *forgotten) picks(p *ssa.Parameter, at ssa.Instruction) bool {
	is := func(v ssa.Value) bool { return v == p }
	var from ssa.Value = at.(ssa.Value)
	if leadsFrom(from, 0, is) {
		return true
	}
	for _, b := range p.Parent().Blocks {
		c, ok := lastInstr(b).(*ssa.If)
		if !ok || !leadsFrom(c.Cond, 0, is) {
			continue
		}
		if leadsFrom(c.Cond, 0, func(v ssa.Value) bool { return v == from }) || b.Dominates(at.Block()) {
			return true
		}
	}
	return false
}

// setElsewhere reports whether the field is set in the used object after all: in the function itself, by
// one that it calls, by its callers, or where the object is put.
func (f *forgotten) setElsewhere(ff *fieldFacts, fn *ssa.Function, used ssa.Value, t *types.Named) bool {
	in := map[*ssa.Function]bool{fn: true}
	add := func(from *ssa.Function) {
		for i := range instrsOf(from) {
			c, ok := i.(ssa.CallInstruction)
			if !ok || !slices.ContainsFunc(c.Common().Args, func(x ssa.Value) bool { return within(x, t) }) {
				continue
			}
			if callee := f.a.calledFunction(c); callee != nil {
				in[callee] = true
			} else if c.Common().IsInvoke() || c.Common().StaticCallee() == nil {
				if _, builtin := c.Common().Value.(*ssa.Builtin); !builtin {
					in[nil] = true
				}
			}
		}
	}
	add(fn)
	if in[nil] {
		return true // whoever is called may
	}
	for _, c := range f.callers[fn] {
		in[c.Parent()] = true
	}
	return slices.ContainsFunc(ff.stores, func(s fieldStore) bool {
		if in[s.instr.Parent()] {
			return true
		}
		// Whatever is not made from what it was may come right after.
		return s.what != wDerived && !s.more
	})
}
