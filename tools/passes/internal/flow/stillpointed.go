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

// Who puts the elements of a slice one by one, and then the slice, has to clear it in between: what is in one pool goes on
// pointing to what is in the other, and to whom that is given. In generic code too this needs no look at who uses
// it: what is put in a pool by itself is a pointer.

// A listEmptying is where the elements of a slice are put, in a loop or by a function that does so.
type listEmptying struct {
	list ssa.Value
	at   ssa.CallInstruction
}

// judgeStillPointed reports Puts of slices that lead to elements that were put before.
func (a *analysis) judgeStillPointed() {
	f := a.uses()
	direct := map[*ssa.Function][]listEmptying{}
	for c := range a.productCalls() {
		if !inLoop(c.Block()) || c.Common().IsInvoke() {
			continue
		}
		for _, n := range f.putArgs(a, c) {
			load, ok := unboxed(c.Common().Args[n]).(*ssa.UnOp)
			if !ok || load.Op != token.MUL {
				continue
			}
			if ia, ok := load.X.(*ssa.IndexAddr); ok && isSlice(ia.X.Type()) {
				direct[c.Parent()] = append(direct[c.Parent()], listEmptying{ia.X, c})
			}
		}
	}
	if len(direct) == 0 {
		return
	}
	through := a.storers()
	for c := range a.productCalls() {
		fn := c.Parent()
		if c.Common().IsInvoke() || a.foundIn(retainedRefs, fn) || a.foundIn(storeAlias, fn) {
			continue
		}
		for _, n := range a.putValues(c, through) {
			homes := listHomes(c.Common().Args[n])
			if len(homes) == 0 {
				continue
			}
			for _, e := range a.elementPuts(fn, direct) {
				if e.at == c || !mayFollow(e.at, c) && !isDefer(c) || !sharesHome(listHomes(e.list), homes) {
					continue
				}
				if a.clearsBetween(fn, homes, c, e.at) || a.clearedSomewhere(e.list.Type().Underlying().(*types.Slice).Elem()) {
					continue
				}
				a.reportFound(finding{
					pattern: retainedRefs, pos: instrPos(c), fn: fn,
					message: fmt.Sprintf("the elements of %s are put one by one (%s), and the slice goes to its pool without being cleared: it goes on pointing to them, whoever takes them; clear it before the Put", orElse(a.valueName(e.list), "the slice"), a.line(instrPos(e.at))),
					related: []goanalysis.RelatedInformation{{Pos: instrPos(e.at), Message: "the elements are put here"}},
					more:    a.usersOfStatic(c),
				})
				break
			}
		}
	}
}

// elementPuts are the places in a function where the elements of a slice are put.
func (a *analysis) elementPuts(fn *ssa.Function, direct map[*ssa.Function][]listEmptying) []listEmptying {
	out := slices.Clone(direct[fn])
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok || c.Common().IsInvoke() {
			continue
		}
		callee := a.calledFunction(c)
		for _, e := range direct[callee] {
			for k, x := range c.Common().Args {
				if k < len(callee.Params) && isSlice(x.Type()) && slices.Contains(listHomes(e.list), ssa.Value(callee.Params[k])) {
					out = append(out, listEmptying{x, c})
				}
			}
		}
	}
	return out
}

func isDefer(c ssa.CallInstruction) bool {
	_, ok := c.(*ssa.Defer)
	return ok
}

// listHomes are the parameters, variables and results of calls that a slice, or the box that it is in, came from.
func listHomes(v ssa.Value) []ssa.Value {
	var homes []ssa.Value
	seen := map[ssa.Value]bool{}
	var walk func(v ssa.Value)
	walk = func(v ssa.Value) {
		if seen[v] || len(seen) > 16 {
			return
		}
		seen[v] = true
		if t := deref(v.Type()); !isSlice(t) && !types.IsInterface(v.Type()) {
			return
		}
		switch x := v.(type) {
		case *ssa.MakeInterface:
			walk(x.X)
		case *ssa.ChangeType:
			walk(x.X)
		case *ssa.Slice:
			walk(x.X)
		case *ssa.Phi:
			for _, e := range x.Edges {
				walk(e)
			}
		case *ssa.UnOp:
			if x.Op == token.MUL {
				walk(x.X)
			}
		case *ssa.Alloc: // a variable, or the box for the Put
			homes = append(homes, v)
			for _, r := range referrers(x) {
				if s, ok := r.(*ssa.Store); ok && s.Addr == v {
					walk(s.Val)
				}
			}
		case *ssa.Parameter, *ssa.TypeAssert, *ssa.Call, *ssa.Extract:
			homes = append(homes, v)
		}
	}
	walk(v)
	return homes
}

func sharesHome(x, y []ssa.Value) bool {
	return slices.ContainsFunc(x, func(v ssa.Value) bool { return slices.Contains(y, v) })
}

// clearsBetween reports whether a function sets elements of a slice, or passes it on to who may do so.
func (a *analysis) clearsBetween(fn *ssa.Function, homes []ssa.Value, puts ...ssa.CallInstruction) bool {
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Store:
			if ia := elementOf(i.Addr); ia != nil && sharesHome(listHomes(ia.X), homes) {
				return true
			}
			if freshList(i.Val) && sharesHome(listHomes(i.Addr), homes) {
				return true // another one is put
			}
		case ssa.CallInstruction:
			if slices.Contains(puts, i) || sizeCallOf(i) {
				continue
			}
			if slices.ContainsFunc(i.Common().Args, func(x ssa.Value) bool {
				if ia := elementOf(x); ia != nil {
					x = ia.X // the place of an element
				}
				return sharesHome(listHomes(x), homes)
			}) {
				return true
			}
		case *ssa.MakeClosure:
			if slices.ContainsFunc(i.Bindings, func(x ssa.Value) bool { return sharesHome(listHomes(x), homes) }) {
				return true
			}
		}
	}
	return false
}

// freshList reports whether a value is nil or a slice that was just made.
func freshList(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const, *ssa.MakeSlice:
		return isSlice(v.(ssa.Value).Type())
	case *ssa.Slice:
		al, ok := v.X.(*ssa.Alloc)
		return ok && !isSlice(deref(al.Type()))
	}
	return false
}

// sizeCallOf reports whether a call asks for the length or capacity of its argument.
func sizeCallOf(c ssa.CallInstruction) bool {
	b, ok := c.Common().Value.(*ssa.Builtin)
	return ok && (b.Name() == "len" || b.Name() == "cap")
}

// clearedSomewhere reports whether the package clears slices of such elements, or uses old elements again, or these lead to nothing.
func (a *analysis) clearedSomewhere(elem types.Type) bool {
	if !generic(elem) {
		return !pointsOut(elem) || a.clearsAny(elem) || a.reslices(elem)
	}
	if !a.mayLeadOut(elem) {
		return true // of numbers
	}
	ofSuch := func(v ssa.Value) bool {
		_, t := elementType(v.Type())
		return t != nil && generic(t)
	}
	for _, i := range a.instrsBeyondTests() {
		switch i := i.(type) {
		case *ssa.Store:
			if ia := elementOf(i.Addr); ia != nil && ofSuch(ia.X) && zeroElement(i.Val) {
				return true
			}
		case *ssa.Slice:
			if ofSuch(i.X) && i.High != nil && !emptyCut(i) && pooledSlice(i.X, 0) {
				return true
			}
		case *ssa.Call:
			if b, ok := i.Call.Value.(*ssa.Builtin); ok && b.Name() == "clear" && ofSuch(i.Call.Args[0]) {
				return true
			}
			if len(i.Call.Args) > 0 && ofSuch(i.Call.Args[0]) && a.clearedElsewhere(i, elem) {
				return true
			}
		}
	}
	return false
}

// zeroElement reports whether a value is a constant, or what a variable has that nothing was stored in.
func zeroElement(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.UnOp:
		al, ok := x.X.(*ssa.Alloc)
		return ok && x.Op == token.MUL && !slices.ContainsFunc(referrers(al), func(r ssa.Instruction) bool {
			switch r.(type) {
			case *ssa.UnOp, *ssa.DebugRef:
				return false
			}
			return true
		})
	}
	return false
}
