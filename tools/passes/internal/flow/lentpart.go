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

// A pooled struct may keep objects for its users, made when they are first needed: a writer, a
// decoder for each charset. An object that is returned from it, and begun anew for the caller, is
// found there by whoever takes the struct from the pool next.

// judgeLentParts reports results that stay in a struct which goes to its pool.
func (a *analysis) judgeLentParts() {
	for _, fn := range a.fns {
		if a.inTest(fn) || fn.Signature.Results().Len() == 0 {
			continue
		}
		var puts []ssa.CallInstruction
		var structs []keptIn
		for i := range instrsOf(fn) {
			c, ok := i.(ssa.CallInstruction)
			if _, isGo := i.(*ssa.Go); !ok || isGo {
				continue
			}
			for _, v := range a.valuesPut(c) {
				if p := a.whereKept(v); p.field == nil && pointee(unboxed(v).Type()) != nil {
					puts, structs = append(puts, c), append(structs, p)
				}
			}
		}
		if len(puts) == 0 {
			continue
		}
		for _, b := range fn.Blocks {
			ret, ok := lastInstr(b).(*ssa.Return)
			if !ok || b == fn.Recover {
				continue
			}
			for _, v := range ret.Results {
				a.judgeLentPart(fn, ret, v, puts, structs)
			}
		}
	}
}

func (a *analysis) judgeLentPart(fn *ssa.Function, ret *ssa.Return, v ssa.Value, puts []ssa.CallInstruction, structs []keptIn) {
	switch v.Type().Underlying().(type) {
	case *types.Pointer, *types.Interface:
	default:
		return
	}
	if l, ok := v.(*ssa.UnOp); ok {
		// The variable of a result: what this return sets it to.
		for _, i := range ret.Block().Instrs {
			if st, ok := i.(*ssa.Store); ok && st.Addr == l.X {
				v = st.Val
			}
		}
	}
	all := a.sourcesOf(v)
	for _, x := range all {
		from := a.partFrom(x)
		if from.field == nil || from.field.Pkg() != a.pkg.Pkg {
			continue
		}
		n := slices.IndexFunc(structs, func(p keptIn) bool { return p.of == from.of })
		if n < 0 || !a.begunAnew(append(all, a.foundThere(fn, from)...)) || !a.keptForGood(from.field) {
			continue
		}
		if _, isDefer := puts[n].(*ssa.Defer); !isDefer && !puts[n].Block().Dominates(ret.Block()) {
			continue
		}
		a.reportFound(finding{
			pattern: returnAlias, pos: instrPos(ret), fn: fn, cause: instrPos(puts[n]),
			message: fmt.Sprintf("what is returned stays in field %s of the value that is put (%s): its next user finds it there and begins it anew", from.field.Name(), a.line(instrPos(puts[n]))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(puts[n]), Message: "the Put"}},
		})
		return
	}
}

// sourcesOf are the values that a value may be: what meets in it, and what its variable is set to.
func (a *analysis) sourcesOf(v ssa.Value) []ssa.Value {
	list := []ssa.Value{v}
	add := func(x ssa.Value) {
		if len(list) < 16 && !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	for n := 0; n < len(list); n++ { // grows
		switch x := list[n].(type) {
		case *ssa.Phi:
			for _, e := range x.Edges {
				add(e)
			}
		case *ssa.MakeInterface:
			add(x.X)
		case *ssa.ChangeInterface:
			add(x.X)
		case *ssa.UnOp:
			if al, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
				for _, r := range referrers(al) {
					if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(al) {
						add(st.Val)
					}
					if l, ok := r.(*ssa.UnOp); ok {
						add(l)
					}
				}
			}
		}
	}
	return list
}

// partFrom is the field in which a value was found, or in the map of which.
func (a *analysis) partFrom(v ssa.Value) keptIn {
	if e, ok := v.(*ssa.Extract); ok && e.Index == 0 {
		v = e.Tuple
	}
	if l, ok := v.(*ssa.Lookup); ok {
		v = l.X
	}
	l, ok := v.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return keptIn{}
	}
	if fa, ok := l.X.(*ssa.FieldAddr); ok {
		return a.placeOfField(fa)
	}
	return keptIn{}
}

// foundThere are the values that a function finds in a field, or in its map.
func (a *analysis) foundThere(fn *ssa.Function, from keptIn) []ssa.Value {
	var list []ssa.Value
	for i := range instrsOf(fn) {
		if v, ok := i.(ssa.Value); ok && a.partFrom(v) == from {
			list = append(list, v)
		}
	}
	return list
}

// begunAnew reports whether an object, which some of the values are, is prepared for a new use.
func (a *analysis) begunAnew(all []ssa.Value) bool {
	for _, x := range all {
		if x.Referrers() == nil {
			continue
		}
		if _, made := x.(*ssa.Alloc); made {
			continue // what is new has to be filled
		}
		for _, r := range referrers(x) {
			switch r := r.(type) {
			case *ssa.FieldAddr:
				if slices.ContainsFunc(referrers(r), func(u ssa.Instruction) bool { st, ok := u.(*ssa.Store); return ok && st.Addr == ssa.Value(r) }) {
					return true
				}
			case ssa.CallInstruction:
				name := ""
				if r.Common().IsInvoke() && r.Common().Value == x {
					name = r.Common().Method.Name()
				} else if m := calledMethod(r); m != nil && m.Signature().Recv() != nil && len(r.Common().Args) > 0 && r.Common().Args[0] == x {
					name = m.Name()
				}
				switch name {
				case "Reset", "Begin", "Init", "Start", "Restart", "Clear", "Rewind", "Open":
					return true
				}
			}
		}
	}
	return false
}

// keptForGood reports whether what is in a field of the package's own, or in its map, was made for
// it, and is never taken out.
func (a *analysis) keptForGood(f *types.Var) bool {
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.Store:
			if fa, ok := i.Addr.(*ssa.FieldAddr); ok && fieldOfAddr(fa) == f && !a.madeFor(i.Val) {
				return false
			}
			if s := structOf(i.Addr.Type()); s != nil && !madeHere(i.Addr) && slices.ContainsFunc(slices.Collect(s.Fields()), func(g *types.Var) bool { return g.Origin() == f }) {
				return false // set as a whole
			}
		case *ssa.MapUpdate:
			if l, ok := i.Map.(*ssa.UnOp); ok && fieldOfAddr(l.X) == f && !a.madeFor(i.Value) {
				return false
			}
		case ssa.CallInstruction:
			if bi, ok := i.Common().Value.(*ssa.Builtin); ok && (bi.Name() == "delete" || bi.Name() == "clear") {
				if l, ok := i.Common().Args[0].(*ssa.UnOp); ok && fieldOfAddr(l.X) == f {
					return false
				}
			}
		}
	}
	return true
}

// madeFor reports whether a value was just made, as far as that shows.
func (a *analysis) madeFor(v ssa.Value) bool {
	return !slices.ContainsFunc(a.sourcesOf(v), func(x ssa.Value) bool {
		switch x := x.(type) {
		case *ssa.Alloc, *ssa.MakeMap, *ssa.Call, *ssa.Phi, *ssa.MakeInterface, *ssa.ChangeInterface:
			return false
		case *ssa.UnOp:
			_, variable := x.X.(*ssa.Alloc)
			return !variable
		}
		return true
	})
}
