// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that gives its caller an element of a container, and counts no reference for it, lends what
// the references of the container keep. When those are given up, all at once, what was lent may be in its
// pool.

// judgeLentRefs reports objects that are used after the container that they were lent from gave them up.
func (r *refs) judgeLentRefs() {
	lends := map[*ssa.Function]map[int]*types.Var{}
	drains := map[*types.Var]map[*ssa.Function]bool{}
	for _, fn := range r.c.a.fns {
		if r.c.a.inTest(fn) {
			continue
		}
		if home := r.drainedBy(fn); home != nil {
			if drains[home] == nil {
				drains[home] = map[*ssa.Function]bool{}
			}
			for f := range r.c.leadTo(fn) {
				drains[home][f] = true
			}
		}
		lends[fn] = r.lentBy(fn)
	}
	if len(drains) == 0 {
		return
	}
	for _, fn := range r.c.a.fns {
		if r.c.a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			call, ok := i.(*ssa.Call)
			if !ok || call.Call.IsInvoke() {
				continue
			}
			for k, home := range lends[r.c.a.calledFunction(call)] {
				if drains[home] != nil && r.owns(home) {
					r.judgeLentRef(call, k, home, drains[home])
				}
			}
		}
	}
}

// judgeLentRef reports the use of a result of a call after another one that gives up the references of a
// container.
func (r *refs) judgeLentRef(lend *ssa.Call, k int, home *types.Var, drains map[*ssa.Function]bool) {
	fn := lend.Parent()
	v := nthResult(lend, k)
	if v == nil {
		return
	}
	all := r.aliases(v)
	for x := range all {
		for _, i := range referrers(x) {
			if c, ok := i.(ssa.CallInstruction); ok && r.up[r.c.a.calledFunction(c)] {
				return
			}
		}
	}
	for i := range instrsOf(fn) {
		drain, ok := i.(*ssa.Call)
		if !ok || drain == lend || !drains[r.c.a.calledFunction(drain)] || !follows(lend, drain, nil) || !r.sameOwner(lend, drain) {
			continue
		}
		var use ssa.Instruction
		for x := range all {
			for _, u := range referrers(x) {
				switch u.(type) {
				case *ssa.DebugRef, *ssa.BinOp, *ssa.Phi:
					continue
				}
				if u != i && follows(drain, u, lend) && (use == nil || instrPos(u) < instrPos(use)) {
					use = u
				}
			}
		}
		if use == nil {
			continue
		}
		pattern, does := useAfterPut, "used"
		if _, isReturn := use.(*ssa.Return); isReturn {
			pattern, does = returnAlias, "returned"
		}
		r.c.a.reportFound(finding{
			pattern: pattern, pos: instrPos(use), fn: fn, cause: instrPos(drain),
			message: fmt.Sprintf("the %s that is %s here was lent by %s without a reference of its own, and those of %s were given up (%s): it may be in its pool", pointee(v.Type()).Obj().Name(), does, nameOfCalled(lend), home.Name(), r.c.a.line(instrPos(drain))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(lend), Message: "lent here"}, {Pos: instrPos(drain), Message: "this call gives up the references"}},
		})
		return
	}
}

// nthResult is the value of the k-th result of a call.
func nthResult(c *ssa.Call, k int) ssa.Value {
	if _, tuple := c.Type().(*types.Tuple); !tuple {
		return c
	}
	for _, x := range referrers(c) {
		if x, ok := x.(*ssa.Extract); ok && x.Index == k {
			return x
		}
	}
	return nil
}

// sameOwner reports whether the first arguments of two calls were come to from one object.
func (r *refs) sameOwner(x, y *ssa.Call) bool {
	if len(x.Call.Args) == 0 || len(y.Call.Args) == 0 {
		return false
	}
	from := map[ssa.Value]bool{}
	r.c.back(x.Call.Args[0], func(v ssa.Value) bool { from[v] = true; return true })
	same := false
	r.c.back(y.Call.Args[0], func(v ssa.Value) bool { same = same || from[v]; return !same })
	return same
}

// elementHome is the container of the package's own that a value was found in, be it in a struct there.
func (r *refs) elementHome(v ssa.Value) (home *types.Var) {
	pkg := r.c.a.pkg.Pkg
	r.c.back(v, func(x ssa.Value) bool {
		if home != nil {
			return false
		}
		switch x := x.(type) {
		case *ssa.IndexAddr:
			home = shelfVar(pkg, x.X)
		case *ssa.Lookup:
			home = shelfVar(pkg, x.X)
		case *ssa.Range:
			home = shelfVar(pkg, x.X)
		case *ssa.Call:
			return false
		}
		return home == nil
	})
	return home
}

// drainedBy is the container of which a function counts down all elements.
func (r *refs) drainedBy(fn *ssa.Function) *types.Var {
	for _, b := range fn.Blocks {
		if !inLoop(b) {
			continue
		}
		for _, i := range b.Instrs {
			if c, ok := i.(*ssa.Call); ok && r.down[r.c.a.calledFunction(c)] && len(c.Call.Args) > 0 {
				if home := r.elementHome(c.Call.Args[0]); home != nil {
					return home
				}
			}
		}
	}
	return nil
}

// lentBy are the results of a function that are elements of a container that stay there, without a
// reference of their own.
func (r *refs) lentBy(fn *ssa.Function) map[int]*types.Var {
	var list map[int]*types.Var
	res := fn.Signature.Results()
	for k := range res.Len() {
		if r.counts[pointee(res.At(k).Type())] == nil {
			continue
		}
		for _, b := range fn.Blocks {
			ret, ok := lastInstr(b).(*ssa.Return)
			if !ok || isNilConst(ret.Results[k]) {
				continue
			}
			for _, v := range valuesOf(ret.Results[k]) {
				home := r.elementHome(v)
				if isNilConst(v) {
					continue
				}
				if home == nil || r.changed(fn, v, home) {
					return nil
				}
				if list == nil {
					list = map[int]*types.Var{}
				}
				list[k] = home
			}
		}
	}
	return list
}

// valuesOf are the values that a result has: where calls are deferred, it is a variable.
func valuesOf(v ssa.Value) []ssa.Value {
	l, ok := v.(*ssa.UnOp)
	if !ok {
		return []ssa.Value{v}
	}
	al, ok := l.X.(*ssa.Alloc)
	if !ok {
		return []ssa.Value{v}
	}
	var list []ssa.Value
	for _, r := range referrers(al) {
		if s, ok := r.(*ssa.Store); ok && s.Addr == al {
			list = append(list, s.Val)
		}
	}
	return list
}

// changed reports whether a function counts an element up, or takes elements out of the container.
func (r *refs) changed(fn *ssa.Function, v ssa.Value, home *types.Var) bool {
	counted := false
	r.c.back(v, func(x ssa.Value) bool {
		if x.Referrers() == nil || r.counts[pointee(x.Type())] == nil {
			return !counted
		}
		for _, i := range referrers(x) {
			if c, ok := i.(ssa.CallInstruction); ok && r.up[r.c.a.calledFunction(c)] {
				counted = true
			}
		}
		return !counted
	})
	if counted {
		return true
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Call:
			if isBuiltin(i, "delete") && shelfVar(r.c.a.pkg.Pkg, i.Call.Args[0]) == home {
				return true
			}
		case *ssa.Store:
			if fieldAt(i.Addr) != home {
				continue
			}
			if call, ok := i.Val.(*ssa.Call); !ok || !isBuiltin(call, "append") || len(appended(call)) == 0 || shelfVar(r.c.a.pkg.Pkg, call.Call.Args[1]) == home {
				return true
			}
		}
	}
	return false
}
