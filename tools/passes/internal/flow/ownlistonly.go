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

// Each object of a type has a pool or a list of its own, and all that take from one take from that of a variable of the package.
// What another object's methods put in their own is never taken again: the one list makes values for ever, and the other keeps them.

// A listOwner is the object that has a pool or a list in a field, as a function has it: what it begins with, and the fields from there.
type listOwner struct {
	root ssa.Value
	path []*types.Var
}

// ownerAt is the object at an address.
func ownerAt(v ssa.Value) (o listOwner) {
	for {
		f, ok := v.(*ssa.FieldAddr)
		if !ok {
			o.root = v
			return o
		}
		o.path = append([]*types.Var{fieldAt(f)}, o.path...)
		v = f.X
	}
}

// within is the object that o is of where what it begins with is the one given.
func (o listOwner) within(v ssa.Value) listOwner {
	outer := ownerAt(v)
	outer.path = slices.Concat(outer.path, o.path)
	return outer
}

// An ownedList is a pool or a list that is a field, with the objects whose it is where values are taken and put.
type ownedList struct {
	field  *types.Var
	takers []*ssa.Function
	takes  []listOwner
	taken  ssa.Instruction // the first
	puts   []ownedPut
	other  bool
}

// An ownedPut is the instruction of a function that puts a value to an object's list.
type ownedPut struct {
	at   ssa.Instruction
	elem ssa.Value
	to   listOwner
	call ssa.CallInstruction // that leads to the object, nil where the function has it
}

// judgeOwnLists reports values from the one list that is taken from and that go to the list of another object.
func (a *analysis) judgeOwnLists() {
	for _, l := range a.ownedLists() {
		if l.other || len(l.takes) == 0 || len(l.puts) == 0 || l.field.Exported() || l.field.Pkg() != a.pkg.Pkg {
			continue
		}
		home := a.listHomeOf(l)
		if home == nil {
			continue
		}
		for _, put := range l.puts {
			steps := 0
			p := a.strayPut(l, home, put, 0, &steps)
			if p == nil || slices.ContainsFunc(l.takers, a.namedElsewhere) {
				continue
			}
			a.reportStrayPut(l, home, p)
			break
		}
	}
}

func (a *analysis) reportStrayPut(l *ownedList, home *listHome, p *ownedPut) {
	related := []goanalysis.RelatedInformation{{Pos: instrPos(l.taken), Message: "taken from " + l.field.Name() + " here"}}
	if p.call != nil {
		related = append(related, goanalysis.RelatedInformation{Pos: instrPos(p.call), Message: "called for another object here"})
	}
	a.reportFound(finding{
		pattern: wrongPool, pos: instrPos(p.at), fn: p.at.Parent(),
		message: fmt.Sprintf("%s was taken from %s of %s but is put in %s of another object, from which nothing is taken: it is never used again",
			orElse(a.valueName(p.elem), "the value"), l.field.Name(), home.variable.Name(), l.field.Name()),
		related: related,
	})
}

// ownedLists are the pools and lists in fields, in the order of the source.
func (a *analysis) ownedLists() (list []*ownedList) {
	lists := tally[ownedList]{}
	of := func(addr ssa.Value) (*ownedList, listOwner) {
		f, ok := addr.(*ssa.FieldAddr)
		if !ok {
			return nil, listOwner{}
		}
		v := fieldAt(f)
		if v == nil {
			return nil, listOwner{}
		}
		l := lists.of(v)
		if l.field == nil {
			l.field = v
			list = append(list, l)
		}
		return l, ownerAt(f.X)
	}
	take := func(i ssa.Instruction, addr ssa.Value) {
		if l, o := of(addr); l != nil {
			l.takes, l.takers = append(l.takes, o), append(l.takers, origin(i.Parent()))
			if l.taken == nil {
				l.taken = i
			}
		}
	}
	put := func(i ssa.Instruction, addr, elem ssa.Value) {
		if l, o := of(addr); l != nil && elem != nil {
			l.puts = append(l.puts, ownedPut{at: i, elem: elem, to: o})
		}
	}
	for fn, i := range a.instrsBeyondTests() {
		switch x := i.(type) {
		case *ssa.UnOp:
			if p := a.sliceLists.takes[x]; p != nil {
				addr := x.X
				if e, ok := addr.(*ssa.IndexAddr); ok {
					if l, ok := e.X.(*ssa.UnOp); ok {
						addr = l.X
					}
				}
				if placeOf(addr) == p.key {
					take(i, addr)
				} else if v, ok := p.key.(*types.Var); ok {
					lists.of(v).other = true // taken in a way that does not tell from whose
				}
			} else if ch := placeOf(x.X); x.Op == token.MUL && ch != nil && a.freeLists[ch] != nil {
				for _, r := range referrers(x) {
					switch freeUseOf(fn, r) {
					case freeGet:
						take(i, x.X)
					case freePut:
						put(i, x.X, sentOn(r, x))
					case freeHarmless:
					default:
						if l, _ := of(x.X); l != nil {
							l.other = true
						}
					}
				}
			}
		case *ssa.Store:
			if a.sliceLists.puts[i] != nil {
				put(i, x.Addr, a.sliceLists.elem[i])
			}
		case ssa.CallInstruction:
			m := calledMethod(x)
			if m == nil || x.Common().IsInvoke() || len(x.Common().Args) == 0 {
				continue
			}
			obj := poolHome(x.Common().Args[0])
			if obj == nil || isPtr(obj.Type()) { // of a pointer, two objects may have one pool
				continue
			}
			if u := a.usesOfPools()[obj]; u == nil || u.open {
				continue
			}
			switch funcKey(m) {
			case "sync.Pool.Get":
				take(i, x.Common().Args[0])
			case "sync.Pool.Put":
				put(i, x.Common().Args[0], unboxed(x.Common().Args[1]))
			}
		}
	}
	return list
}

// sentOn is what an instruction sends on a channel.
func sentOn(i ssa.Instruction, ch ssa.Value) ssa.Value {
	switch i := i.(type) {
	case *ssa.Send:
		return unboxed(i.X)
	case *ssa.Select:
		for _, s := range i.States {
			if s.Chan == ch && s.Send != nil {
				return unboxed(s.Send)
			}
		}
	}
	return nil
}

// A listHome is the variable of the package with the one object whose list is taken from.
type listHome struct {
	variable types.Object
	pointer  bool // the variable points to it
	path     []*types.Var
}

// listHomeOf is the variable whose object all takes of a list take from.
func (a *analysis) listHomeOf(l *ownedList) (home *listHome) {
	steps := 0
	for _, o := range l.takes {
		h := a.oneHome(o, &steps)
		if h == nil || home != nil && (home.variable != h.variable || !slices.Equal(home.path, h.path)) {
			return nil
		}
		home = h
	}
	return home
}

// maxOwnerSteps bounds the calls that the owner of one list is looked for in.
const maxOwnerSteps = 64

func (a *analysis) oneHome(o listOwner, steps *int) (home *listHome) {
	if h := a.variableOf(o); h != nil {
		return h
	}
	p, ok := o.root.(*ssa.Parameter)
	if !ok {
		return nil
	}
	fn := origin(p.Parent())
	k := slices.Index(p.Parent().Params, p)
	s := a.uses().sites
	if token.IsExported(fn.Name()) || fn.Parent() != nil || s.taken[fn] || len(s.invokes[fn.Name()]) > 0 {
		return nil
	}
	for _, c := range a.callsOf(fn) {
		if *steps++; *steps > maxOwnerSteps || k >= len(c.Common().Args) {
			return nil
		}
		if a.inTest(c.Parent()) {
			continue
		}
		h := a.oneHome(o.within(c.Common().Args[k]), steps)
		if h == nil || home != nil && (home.variable != h.variable || !slices.Equal(home.path, h.path)) {
			return nil
		}
		home = h
	}
	return home
}

// variableOf is the variable of the package that an object is, or is the only one that leads to.
func (a *analysis) variableOf(o listOwner) *listHome {
	switch x := o.root.(type) {
	case *ssa.Global:
		if v := x.Object(); v != nil && v.Pkg() == a.pkg.Pkg {
			return &listHome{variable: v, path: o.path}
		}
	case *ssa.UnOp:
		g, ok := x.X.(*ssa.Global)
		if !ok || x.Op != token.MUL || g.Object() == nil || g.Object().Pkg() != a.pkg.Pkg || g.Object().Exported() {
			return nil
		}
		if v, ok := g.Object().(*types.Var); ok && a.setToOwnOnce(v) {
			return &listHome{variable: v, pointer: true, path: o.path}
		}
	}
	return nil
}

// strayPut finds a call that leads a Put to the list of another object, and where the function stands that has the value from home.
func (a *analysis) strayPut(l *ownedList, home *listHome, p ownedPut, depth int, steps *int) *ownedPut {
	root, ok := p.to.root.(*ssa.Parameter)
	if a.otherThan(p.to, home) {
		if a.fromTakers(p.elem, l, 0) {
			return &p
		}
		return nil
	}
	if !ok || depth > 4 || a.asksOf(root, l.field) {
		return nil
	}
	fn := origin(root.Parent())
	k := slices.Index(root.Parent().Params, root)
	for _, c := range a.callsOf(fn) {
		args := c.Common().Args
		if *steps++; *steps > maxOwnerSteps || k >= len(args) || c.Common().IsInvoke() {
			return nil
		}
		if a.inTest(c.Parent()) {
			continue
		}
		next := ownedPut{p.at, p.elem, p.to.within(args[k]), c}
		if e, ok := p.elem.(*ssa.Parameter); ok && e.Parent() == root.Parent() {
			n := slices.Index(e.Parent().Params, e)
			if n >= len(args) {
				return nil
			}
			next.at, next.elem, next.call = c, unboxed(args[n]), nil
		}
		if found := a.strayPut(l, home, next, depth+1, steps); found != nil {
			return found
		}
	}
	return nil
}

// otherThan reports whether an object is certainly not the one of a variable.
func (a *analysis) otherThan(o listOwner, home *listHome) bool {
	if h := a.variableOf(o); h != nil {
		return h.variable != home.variable || !slices.Equal(h.path, home.path)
	}
	if len(o.path) > 0 {
		// What is in a field is not what a variable has in another, or is.
		return len(home.path) == 0 || home.path[len(home.path)-1] != o.path[len(o.path)-1]
	}
	al, ok := o.root.(*ssa.Alloc)
	return ok && !slices.ContainsFunc(referrers(al), func(r ssa.Instruction) bool {
		st, ok := r.(*ssa.Store)
		return ok && st.Val == ssa.Value(al)
	})
}

// asksOf reports whether the function of a parameter asks which object that is: compares it, or decides by anything that it has
// besides the list.
func (a *analysis) asksOf(p *ssa.Parameter, list *types.Var) bool {
	var of func(v ssa.Value, depth int) bool
	of = func(v ssa.Value, depth int) bool {
		if v == ssa.Value(p) {
			return true
		}
		if depth > 5 {
			return true
		}
		switch x := v.(type) {
		case *ssa.FieldAddr:
			return fieldAt(x) != list && of(x.X, depth+1)
		case *ssa.UnOp:
			return of(x.X, depth+1)
		case *ssa.BinOp:
			return of(x.X, depth+1) || of(x.Y, depth+1)
		case *ssa.Call:
			return slices.ContainsFunc(x.Call.Args, func(v ssa.Value) bool { return of(v, depth+1) })
		case *ssa.Extract:
			return of(x.Tuple, depth+1)
		case *ssa.Phi:
			return slices.ContainsFunc(x.Edges, func(v ssa.Value) bool { return of(v, depth+2) })
		}
		return false
	}
	for _, b := range p.Parent().Blocks {
		if i, ok := lastInstr(b).(*ssa.If); ok && of(i.Cond, 0) {
			return true
		}
	}
	return false
}

// fromTakers reports whether a value is what a function that takes from a list gave, or one that returns that.
func (a *analysis) fromTakers(v ssa.Value, l *ownedList, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Extract:
		return a.fromTakers(x.Tuple, l, depth)
	case *ssa.TypeAssert:
		return a.fromTakers(x.X, l, depth+1)
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return a.fromTakers(e, l, depth+2) })
	case *ssa.Call:
		if l.field != nil && funcKey(calledMethod(x)) == "sync.Pool.Get" {
			return poolHome(x.Call.Args[0]) == types.Object(l.field)
		}
		fn := a.calledFunction(x)
		if fn == nil {
			return false
		}
		if slices.Contains(l.takers, fn) {
			return true
		}
		for _, b := range fn.Blocks {
			if r, ok := lastInstr(b).(*ssa.Return); ok && len(r.Results) > 0 && a.fromTakers(r.Results[0], l, depth+1) {
				return true
			}
		}
	}
	return false
}
