// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A container whose elements are counted up as they go in has references of its own. Who takes one out
// has that reference, and gives it up, or hands it on. Code out of view that is given an object which its
// owner still gives up keeps no reference.

// learnBorrowers finds the methods of interfaces that keep no reference to what they are given: those who
// call them give up the only one.
func (r *refs) learnBorrowers() {
	for _, fn := range r.c.a.fns {
		if r.c.a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			v, ok := i.(ssa.Value)
			if !ok || r.counts[pointee(v.Type())] == nil || !r.born(v) {
				continue
			}
			r.assumed = map[*types.Func]bool{}
			clear(r.effects)
			if r.balanced(v) {
				for m := range r.assumed {
					r.borrow[m] = true
				}
			}
			r.assumed = nil
		}
	}
	clear(r.effects)
}

// An ownKey is a parameter of a method of an interface.
type ownKey struct {
	m *types.Func
	n int
}

// countsOwn is where a method of an interface of the package's own counts an object up that it is given, for whom it
// hands that to: what all types in view do leaves the caller its reference. That is no matter of one of them
// that has no use for the object.
func (r *refs) countsOwn(c ssa.CallInstruction, x ssa.Value, depth int) ssa.Instruction {
	call, ok := c.(*ssa.Call)
	n := slices.Index(c.Common().Args, x)
	if !ok || n < 0 || c.Common().Method.Pkg() != r.c.a.pkg.Pkg {
		return nil
	}
	key := ownKey{c.Common().Method, n}
	up, asked := r.own[key]
	if !asked {
		r.own[key] = nil // as long as it is looked for
		for _, fn := range r.c.a.mayBeCalled(call) {
			if e := r.effect(fn, n+1, depth+1); !e.known || e.by != 0 {
				return nil
			}
			if up == nil {
				up = r.countedIn(fn, n+1, 0)
			}
		}
		r.own[key] = up
	}
	return up
}

// countedIn is where a function, or one that it passes a parameter to, counts that up.
func (r *refs) countedIn(fn *ssa.Function, n, depth int) ssa.Instruction {
	if fn == nil || n >= len(fn.Params) || n < 0 || depth > maxRefDepth {
		return nil
	}
	for _, i := range referrers(fn.Params[n]) {
		call, ok := i.(*ssa.Call)
		if !ok || call.Call.IsInvoke() {
			continue
		}
		callee := r.c.a.calledFunction(call)
		if r.up[callee] {
			return call
		}
		if up := r.countedIn(callee, slices.Index(call.Call.Args, ssa.Value(fn.Params[n])), depth+1); up != nil {
			return up
		}
	}
	return nil
}

// judgeHeld reports elements that are taken out of containers with references of their own, which are
// not given up.
func (r *refs) judgeHeld() {
	owned := map[*types.Var]bool{}
	for _, fn := range r.c.a.fns {
		if r.c.a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			call, ok := i.(*ssa.Call)
			if !ok {
				continue
			}
			v, home := r.takenOutBy(call)
			if v == nil {
				continue
			}
			own, asked := owned[home]
			if !asked {
				own = r.owns(home)
				owned[home] = own
			}
			if !own {
				continue
			}
			ends, ok := r.ends(v, 0)
			if !ok || len(ends) == 0 || slices.ContainsFunc(ends, func(e refEnd) bool { return e.left <= 0 }) {
				continue
			}
			r.c.a.reportFound(finding{
				pattern: missingPut, pos: instrPos(call), fn: fn,
				message: fmt.Sprintf("%s is taken out of %s here, which had a reference of its own to it; that is not given up on any path, and keeps it out of its pool", r.c.a.refName(v), home.Name()),
				more:    declaredHere(home),
			})
		}
	}
}

// takenOutBy is the object that a call takes out of a container of the package's own: what the callee gives
// and cuts off, what it is given to look for there, or what was found under the key that is deleted.
func (r *refs) takenOutBy(call *ssa.Call) (v ssa.Value, home *types.Var) {
	pkg := r.c.a.pkg.Pkg
	if isBuiltin(call, "delete") {
		home = shelfVar(pkg, call.Call.Args[0])
		if home == nil || !r.holds(home) {
			return nil, nil
		}
		if slices.ContainsFunc(r.c.a.callsOf(origin(call.Parent())), func(c ssa.CallInstruction) bool { return r.givesUpOne(c.Parent()) }) {
			return nil, nil // who asked for it may give up that reference
		}
		for i := range instrsOf(call.Parent()) {
			x, ok := i.(ssa.Value)
			if !ok || r.counts[pointee(x.Type())] == nil {
				continue
			}
			l := lookupOf(x)
			if l == nil || shelfVar(pkg, l.X) != home {
				continue
			}
			if v != nil || !follows(i, call, nil) || !sameOwner(l.Index, call.Call.Args[1]) {
				return nil, nil
			}
			v = x
		}
		return v, home
	}
	fn := r.c.a.calledFunction(call)
	if fn == nil || call.Call.IsInvoke() {
		return nil, nil
	}
	home = cutsOff(pkg, fn)
	if home == nil || !r.holds(home) {
		return nil, nil
	}
	if r.counts[pointee(call.Type())] != nil {
		for _, x := range returnedBy(fn) {
			if l, ok := x.(*ssa.UnOp); ok && l.Op == token.MUL {
				if e, ok := l.X.(*ssa.IndexAddr); ok && shelfVar(pkg, e.X) == home {
					return call, home
				}
			}
		}
		return nil, nil
	}
	for k, p := range fn.Params {
		if r.counts[pointee(p.Type())] == nil || k >= len(call.Call.Args) {
			continue
		}
		if slices.ContainsFunc(referrers(p), func(i ssa.Instruction) bool {
			o, ok := i.(*ssa.BinOp)
			return ok && o.Op == token.EQL && (elementFrom(pkg, o.X, home) || elementFrom(pkg, o.Y, home))
		}) {
			if _, given := call.Call.Args[k].(*ssa.Parameter); given {
				return nil, nil // its caller may give it up
			}
			if e := r.effect(fn, k, 0); e.known && e.by == 0 {
				return call.Call.Args[k], home
			}
		}
	}
	return nil, nil
}

// givesUpOne reports whether a function calls one that counts an object down.
func (r *refs) givesUpOne(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool {
			c, ok := i.(ssa.CallInstruction)
			return ok && r.down[r.c.a.calledFunction(c)]
		})
	})
}

// elementFrom reports whether a value was read from an element of a container.
func elementFrom(pkg *types.Package, v ssa.Value, home *types.Var) bool {
	l, ok := v.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return false
	}
	e, ok := l.X.(*ssa.IndexAddr)
	return ok && shelfVar(pkg, e.X) == home
}

// cutsOff is the slice that a function makes shorter, if it does nothing else with one.
func cutsOff(pkg *types.Package, fn *ssa.Function) (home *types.Var) {
	several := false
	eachStore(fn, func(s *ssa.Store) {
		f := fieldAt(s.Addr)
		if f == nil || !isSlice(f.Type()) {
			return
		}
		switch x := s.Val.(type) {
		case *ssa.Slice:
			if shelfVar(pkg, x.X) != f {
				several = true
				return
			}
		case *ssa.Call:
			// append(s[:i], s[i+1:]...)
			if !isBuiltin(x, "append") || shelfVar(pkg, x.Call.Args[0]) != f || shelfVar(pkg, x.Call.Args[1]) != f {
				several = true
				return
			}
		default:
			several = true
			return
		}
		several = several || home != nil && home != f
		home = f
	})
	if several {
		return nil
	}
	return home
}

// holds reports whether the elements of a container are pointers to objects that count references.
func (r *refs) holds(home *types.Var) bool {
	switch t := home.Type().Underlying().(type) {
	case *types.Slice:
		return r.counts[pointee(t.Elem())] != nil
	case *types.Map:
		return r.counts[pointee(t.Elem())] != nil
	}
	return false
}

// owns reports whether all that goes into a container is counted up for it.
func (r *refs) owns(home *types.Var) bool {
	pkg, n, all := r.c.a.pkg.Pkg, 0, true
	add := func(x ssa.Value, at ssa.Instruction) {
		n++
		all = all && r.countedFor(x, at, home, 0)
	}
	for _, fn := range r.c.a.fns {
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.MapUpdate:
				if shelfVar(pkg, i.Map) == home {
					add(i.Value, i)
				}
			case *ssa.Store:
				if e, ok := i.Addr.(*ssa.IndexAddr); ok && shelfVar(pkg, e.X) == home {
					add(i.Val, i)
					continue
				}
				if fieldAt(i.Addr) != home {
					continue
				}
				switch x := i.Val.(type) {
				case *ssa.Call:
					if !isBuiltin(x, "append") || shelfVar(pkg, x.Call.Args[0]) != home {
						all = false
					} else if shelfVar(pkg, x.Call.Args[1]) != home {
						for _, y := range appended(x) {
							add(y, i)
						}
					}
				case *ssa.Const, *ssa.MakeMap, *ssa.MakeSlice:
				case *ssa.Slice:
					if shelfVar(pkg, x.X) != home {
						_, made := x.X.(*ssa.Alloc)
						all = all && made
					}
				default:
					all = false
				}
			}
		}
	}
	return n > 0 && all
}

// partsCounted reports whether what a literal of a struct holds is counted up.
func (r *refs) partsCounted(lit ssa.Value, at ssa.Instruction, home *types.Var, depth int) bool {
	al, ok := lit.(*ssa.Alloc)
	if !ok {
		return false
	}
	n := 0
	for _, i := range referrers(al) {
		fa, ok := i.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, u := range referrers(fa) {
			if s, ok := u.(*ssa.Store); ok && s.Addr == fa && r.counts[pointee(s.Val.Type())] != nil {
				if !r.countedFor(s.Val, at, home, depth) {
					return false
				}
				n++
			}
		}
	}
	return n > 0
}

// countedFor reports whether an object is counted up for a container that it goes into.
func (r *refs) countedFor(x ssa.Value, at ssa.Instruction, home *types.Var, depth int) bool {
	if isNilConst(x) || elementFrom(r.c.a.pkg.Pkg, x, home) {
		return true
	}
	if l, ok := x.(*ssa.UnOp); ok && structOf(x.Type()) != nil {
		return r.partsCounted(l.X, at, home, depth)
	}
	if call, ok := x.(*ssa.Call); ok && r.up[r.c.a.calledFunction(call)] {
		return true
	}
	if x.Referrers() == nil {
		return false
	}
	for _, i := range referrers(x) {
		call, ok := i.(*ssa.Call)
		if ok && r.up[r.c.a.calledFunction(call)] && call.Call.Args[0] == x && call.Block().Dominates(at.Block()) && follows(call, at, nil) {
			return true
		}
	}
	p, ok := x.(*ssa.Parameter)
	if !ok || depth > 1 {
		return false
	}
	fn := p.Parent()
	k := slices.Index(fn.Params, p)
	calls := r.c.a.callsOf(origin(fn))
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(c ssa.CallInstruction) bool {
		return k >= len(c.Common().Args) || !r.countedFor(c.Common().Args[k], c, home, depth+1)
	})
}
