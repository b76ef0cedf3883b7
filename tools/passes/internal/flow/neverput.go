// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A pool that nobody outside the package can reach, out of which functions take values and
// to which none puts any, is no pool: each value is lost, wherever it goes.

// A poolUse is what a package does with a sync.Pool.
type poolUse struct {
	get  ssa.CallInstruction // the first
	gets []ssa.CallInstruction
	puts bool
	open bool // its address goes elsewhere

	unused *ssa.Function // puts, but nothing calls it
}

// judgeNeverPut reports the pools that nobody puts to.
func (a *analysis) judgeNeverPut() {
	uses := a.usesOfPools()
	for obj, u := range uses {
		if u.get == nil || u.puts || u.open || obj.Pkg() != a.pkg.Pkg || a.toldLost(obj) || a.otherHomes[obj] {
			continue
		}
		if obj.Exported() {
			if e := a.emptyReleaseOf(u.gets); e != nil {
				a.reportFound(finding{
					pattern: missingPut, pos: instrPos(e.get), fn: e.get.Parent(),
					message: "values are taken from " + obj.Name() + ", but " + e.release.Name() + ", which they are given back to, puts none, nor does anything else in the package: every Get makes a new one",
					related: []goanalysis.RelatedInformation{{Pos: e.release.Pos(), Message: "not put here"}, {Pos: instrPos(e.call), Message: "given back here"}},
					more:    declaredHere(obj),
				})
			}
			continue // of others, who can reach it
		}
		if u.unused != nil && len(a.uses().callers[origin(u.get.Parent())]) == 0 {
			continue // as little as the other
		}
		message := "values are taken from " + obj.Name() + ", but nothing in the package puts any back: every Get makes a new one"
		if u.unused != nil {
			message = "values are taken from " + obj.Name() + ", but only " + u.unused.Name() + " puts any back, and nothing calls that: every Get makes a new one"
		}
		a.reportFound(finding{pattern: missingPut, pos: instrPos(u.get), fn: u.get.Parent(), message: message, related: a.takenFor(u.get), more: declaredHere(obj)})
	}
}

// usesOfPools is what the package does with each of its pools, and with wrappers around them.
func (a *analysis) usesOfPools() tally[poolUse] {
	if a.poolUses0 == nil {
		a.poolUses0 = tally[poolUse]{}
		for _, i := range a.instrs() {
			a.poolUses(i, a.poolUses0)
		}
		a.wrapperUses(a.poolUses0)
	}
	return a.poolUses0
}

// maxTakers bounds the callers that a report names.
const maxTakers = 3

// takenFor are the calls of the function with a Get that gives what it took to its callers: it is for
// them, or theirs, to put it.
func (a *analysis) takenFor(get ssa.CallInstruction) (list []goanalysis.RelatedInformation) {
	fn := get.Parent()
	if res := fn.Signature.Results(); res.Len() == 0 || !pointery(res.At(0).Type()) {
		return nil
	}
	for _, c := range a.callsOf(origin(fn)) {
		if !a.inTest(c.Parent()) {
			list = append(list, goanalysis.RelatedInformation{Pos: instrPos(c), Message: "taken for " + outermost(c.Parent()).Name() + " here"})
		}
	}
	slices.SortFunc(list, func(x, y goanalysis.RelatedInformation) int { return int(x.Pos - y.Pos) })
	return list[:min(len(list), maxTakers)]
}

// toldLost reports whether paths already showed values of a pool lost.
func (a *analysis) toldLost(obj types.Object) bool {
	p := a.pools[obj]
	for k, f := range a.found {
		if k.pattern == missingPut && f.pool != nil && f.pool == p {
			return true
		}
	}
	return false
}

// poolUses sees an instruction that names a variable or field of type sync.Pool.
func (a *analysis) poolUses(i ssa.Instruction, uses tally[poolUse]) {
	for _, op := range i.Operands(nil) {
		if *op == nil {
			continue
		}
		obj := poolHome(*op)
		if obj == nil {
			continue
		}
		u := uses.of(obj)
		c, ok := i.(ssa.CallInstruction)
		if !ok || c.Common().IsInvoke() || len(c.Common().Args) == 0 || c.Common().Args[0] != *op {
			switch i := i.(type) {
			case *ssa.FieldAddr, *ssa.DebugRef:
			case *ssa.UnOp:
				if i.Op != token.MUL {
					u.open = true
				}
			case *ssa.Store:
				// Made here, and stored nowhere else.
				if al, ok := i.Val.(*ssa.Alloc); i.Addr != *op || ok && stored(al) > 1 {
					u.open = true
				} else if _, isCall := i.Val.(*ssa.Call); isCall && i.Addr == *op {
					u.open = true
				} else if _, isParam := i.Val.(*ssa.Parameter); isParam || i.Addr == *op && foundElsewhere(i.Val) {
					u.open = true
				}
			default:
				u.open = true
			}
			continue
		}
		switch funcKey(calledMethod(c)) {
		case "sync.Pool.Get":
			u.gets = append(u.gets, c)
			if !a.inTest(i.Parent()) && (u.get == nil || instrPos(i) < instrPos(u.get)) {
				u.get = c
			}
		case "sync.Pool.Put":
			if fn := outermost(i.Parent()); slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return unboxed(c.Common().Args[1]) == p }) && a.uncalled(fn) {
				u.unused = fn
			} else {
				u.puts = true
			}
		default:
			u.open = true
		}
	}
}

// uncalled reports whether a function of the package that nobody else can call is not called.
func (a *analysis) uncalled(fn *ssa.Function) bool {
	fn = origin(fn)
	if fn.Object() == nil || fn.Object().Exported() || fn.Name() == "main" || fn.Name() == "init" {
		return false
	}
	s := a.uses().sites
	if s.taken[fn] || len(s.invokes[fn.Name()]) > 0 {
		return false
	}
	if slices.ContainsFunc(s.callers[fn], func(c ssa.CallInstruction) bool { return outermost(c.Parent()) != fn }) {
		return false
	}
	return !a.namedElsewhere(fn)
}

// namedElsewhere reports whether a function is made a value of, as a method of an object, or
// named in a file that is not built here.
func (a *analysis) namedElsewhere(fn *ssa.Function) bool {
	for _, i := range a.instrs() {
		if _, isCall := i.(*ssa.Call); isCall {
			continue
		}
		for _, r := range i.Operands(nil) {
			if *r == nil {
				continue
			}
			if w, ok := (*r).(*ssa.Function); ok && w.Object() == fn.Object() {
				return true
			}
		}
	}
	return a.namedInIgnored(fn.Name())
}

// foundElsewhere reports whether a pool that is stored is one out of a slice or map, or what
// some pointer led to.
func foundElsewhere(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.UnOp:
		al, local := x.X.(*ssa.Alloc)
		return !local || captured(al)
	case *ssa.Lookup, *ssa.Extract, *ssa.Phi, *ssa.TypeAssert, *ssa.IndexAddr:
		return true
	}
	return false
}

// captured reports whether closures share a variable: what they do with the pool in it they do with the
// one that is stored elsewhere as well.
func captured(al *ssa.Alloc) bool {
	return slices.ContainsFunc(referrers(al), func(r ssa.Instruction) bool {
		_, ok := r.(*ssa.MakeClosure)
		return ok
	})
}

func stored(al *ssa.Alloc) int {
	n := 0
	for _, r := range referrers(al) {
		if st, ok := r.(*ssa.Store); ok && st.Val == al {
			n++
		}
	}
	return n
}

// poolHome is the variable or field whose sync.Pool a value is the address of.
func poolHome(v ssa.Value) types.Object {
	if l, ok := v.(*ssa.UnOp); ok && l.Op == token.MUL && isSyncPool(l.Type()) {
		v = l.X // of a pointer to a pool
		switch v := v.(type) {
		case *ssa.Global:
			return v.Object()
		case *ssa.FieldAddr:
			return structOf(v.X.Type()).Field(v.Field).Origin()
		}
		return nil
	}
	p, ok := v.Type().Underlying().(*types.Pointer)
	if !ok || !isSyncPool(v.Type()) && !isSyncPool(p.Elem()) {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Global:
		return v.Object()
	case *ssa.FieldAddr:
		return structOf(v.X.Type()).Field(v.Field).Origin()
	}
	return nil
}

// wrapperUses sees what is done with the variables and fields that are wrappers of another package
// around a pool.
func (a *analysis) wrapperUses(uses tally[poolUse]) {
	home := func(v ssa.Value) types.Object {
		switch v := v.(type) {
		case *ssa.Global:
			return v.Object()
		case *ssa.FieldAddr:
			if s := structOf(v.X.Type()); s != nil {
				return s.Field(v.Field).Origin()
			}
		}
		return nil
	}
	wrappers := map[types.Object]bool{}
	for i := range a.through {
		v := i.(ssa.CallInstruction).Common().Args[0]
		if l, ok := v.(*ssa.UnOp); ok {
			v = l.X
		}
		if obj := home(v); obj != nil && poolHome(v) == nil {
			wrappers[obj] = true
		}
	}
	if len(wrappers) == 0 {
		return
	}
	// used sees an instruction that has the wrapper, or its address, as v.
	used := func(i ssa.Instruction, v ssa.Value, u *poolUse) {
		c, ok := i.(ssa.CallInstruction)
		if t := a.through[i]; ok && t != nil && c.Common().Args[0] == v {
			if t.Does == "Put" {
				u.puts = true
			} else if u.gets = append(u.gets, c); !a.inTest(i.Parent()) && (u.get == nil || instrPos(i) < instrPos(u.get)) {
				u.get = c
			}
			return
		}
		if _, debug := i.(*ssa.DebugRef); !debug {
			u.open = true
		}
	}
	for _, i := range a.instrs() {
		for _, op := range i.Operands(nil) {
			if *op == nil || !wrappers[home(*op)] {
				continue
			}
			u := uses.of(home(*op))
			switch i := i.(type) {
			case *ssa.UnOp:
				for _, r := range referrers(i) {
					used(r, i, u)
				}
			case *ssa.Store:
				// Made there for nobody else.
				c, isCall := i.Val.(*ssa.Call)
				al, isAlloc := i.Val.(*ssa.Alloc)
				if i.Addr != *op || !isCall && !isAlloc || isCall && a.makerOf(c) == nil || isAlloc && stored(al) > 1 {
					u.open = true
				}
			default:
				used(i, *op, u)
			}
		}
	}
}
