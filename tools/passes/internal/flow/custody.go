// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// custody is a view of the package without paths: which functions put what they are
// given, which give what they took, and which fields hold values from pools. What one
// end of an object forgets shows beside what the other ends do with the same field.
type custody struct {
	a     *analysis
	sites *sites                         // to ask for what functions of other packages do
	puts  map[*ssa.Function]map[int]bool // parameters that a function puts
	gives map[*ssa.Function]bool         // a result is a value from a pool
	// Functions that put what a field holds, and those that store in it what they took.
	putsField, takesField map[*types.Var]map[*ssa.Function]ssa.Instruction
	reached               map[*ssa.Function]map[*ssa.Function]bool
	keeps                 map[*ssa.Function]map[int][]*types.Var // fields that a function stores a parameter in
	named                 map[*ssa.Function]bool                 // functions used as values
	bound                 map[types.Object]bool                  // methods used so
	lists                 map[*types.Var]bool                    // fields with slices that are pools themselves
}

// maxCustody bounds the walk back from a value.
const maxCustody = 40

// findCustody looks through the package.
func (a *analysis) findCustody() *custody {
	c := &custody{
		a: a, sites: &sites{}, puts: map[*ssa.Function]map[int]bool{}, gives: map[*ssa.Function]bool{},
		putsField: map[*types.Var]map[*ssa.Function]ssa.Instruction{}, takesField: map[*types.Var]map[*ssa.Function]ssa.Instruction{},
		reached: map[*ssa.Function]map[*ssa.Function]bool{}, keeps: map[*ssa.Function]map[int][]*types.Var{},
	}
	c.lists = map[*types.Var]bool{}
	for _, p := range a.sliceLists.puts {
		if f, ok := p.key.(*types.Var); ok {
			c.lists[f] = true
		}
	}
	for again, n := true, 0; again && n < 8; n++ {
		again = false
		for _, fn := range a.fns {
			if a.relevant[fn] && c.learn(fn) {
				again = true
			}
		}
	}
	return c
}

// learn looks at one function, and reports whether it told something new.
func (c *custody) learn(fn *ssa.Function) (news bool) {
	param := func(m map[*ssa.Function]map[int]bool, v ssa.Value) {
		for k, p := range fn.Params {
			if p == v && !m[fn][k] {
				if m[fn] == nil {
					m[fn] = map[int]bool{}
				}
				m[fn][k], news = true, true
			}
		}
	}
	note := func(m map[*types.Var]map[*ssa.Function]ssa.Instruction, f *types.Var, i ssa.Instruction) {
		if f == nil || f.Pkg() != c.a.pkg.Pkg || c.lists[f] {
			return
		}
		if m[f] == nil {
			m[f] = map[*ssa.Function]ssa.Instruction{}
		}
		if m[f][fn] == nil {
			m[f][fn], news = i, true
		}
	}
	for i := range instrsOf(fn) {
		for _, v := range c.putBy(i) {
			c.back(v, func(x ssa.Value) bool {
				param(c.puts, x)
				f := fieldOfValue(x)
				note(c.putsField, f, i)
				return f == nil
			})
		}
		switch i := i.(type) {
		case *ssa.Return:
			for _, v := range i.Results {
				if !c.gives[fn] && hasPointers(v.Type()) && c.taken(v) {
					c.gives[fn], news = true, true
				}
			}
		case *ssa.Store:
			if f := fieldOfAddr(i.Addr); f != nil && hasPointers(i.Val.Type()) {
				news = c.stored(fn, f, i.Val, i, note) || news
			}
		case *ssa.MapUpdate:
			if f := fieldOfAddr(i.Map); f != nil && hasPointers(i.Value.Type()) {
				news = c.stored(fn, f, i.Value, i, note) || news
			}
		case ssa.CallInstruction:
			callee := c.a.calledFunction(i)
			if callee == nil || i.Common().IsInvoke() {
				continue
			}
			for k, fields := range c.keeps[callee] {
				if k < len(i.Common().Args) {
					for _, f := range fields {
						news = c.stored(fn, f, i.Common().Args[k], i, note) || news
					}
				}
			}
		}
	}
	return news
}

// stored sees a value stored in a field.
func (c *custody) stored(fn *ssa.Function, f *types.Var, v ssa.Value, i ssa.Instruction, note func(map[*types.Var]map[*ssa.Function]ssa.Instruction, *types.Var, ssa.Instruction)) (news bool) {
	c.back(v, func(x ssa.Value) bool {
		if c.takenBy(x) {
			note(c.takesField, f, i)
		}
		for k, p := range fn.Params {
			if p != x {
				continue
			}
			if c.keeps[fn] == nil {
				c.keeps[fn] = map[int][]*types.Var{}
			}
			known := false
			for _, g := range c.keeps[fn][k] {
				known = known || g == f
			}
			if !known {
				c.keeps[fn][k], news = append(c.keeps[fn][k], f), true
			}
		}
		return fieldOfValue(x) == nil || ofLocal(x)
	})
	return news
}

// taken reports whether a value came from a pool in its function.
func (c *custody) taken(v ssa.Value) (taken bool) {
	c.back(v, func(x ssa.Value) bool {
		taken = taken || c.takenBy(x)
		return fieldOfValue(x) == nil || ofLocal(x)
	})
	return taken
}

// takenBy reports whether an instruction takes a value from a pool.
func (c *custody) takenBy(x ssa.Value) bool {
	switch x := x.(type) {
	case *ssa.Call:
		if pf, ok := poolFuncOf(calledMethod(x)); ok {
			return pf.acquire
		}
		if fn := c.a.calledFunction(x); fn != nil {
			return c.gives[fn]
		}
		return c.sites.gets0(c.a, x)
	case *ssa.UnOp:
		return c.a.sliceLists.takes[x] != nil
	case *ssa.Extract:
		if s, ok := x.Tuple.(*ssa.Select); ok && x.Index >= 2 && len(s.States) == 1 {
			return s.States[0].Dir == types.RecvOnly && c.freeList(s.States[0].Chan)
		}
	}
	return false
}

// putBy are the values that an instruction puts in a pool.
func (c *custody) putBy(i ssa.Instruction) (list []ssa.Value) {
	switch i := i.(type) {
	case *ssa.Select:
		for _, s := range i.States {
			if s.Dir == types.SendOnly && c.freeList(s.Chan) {
				list = append(list, s.Send)
			}
		}
	case *ssa.Store, *ssa.MapUpdate:
		if c.a.sliceLists.puts[i] != nil {
			list = append(list, c.a.sliceLists.elem[i])
		}
	case ssa.CallInstruction:
		cc := i.Common()
		args := cc.Args
		if cc.IsInvoke() {
			args = append([]ssa.Value{cc.Value}, args...)
		}
		if pf, ok := poolFuncOf(calledMethod(i)); ok {
			if pf.release >= 0 && pf.release < len(args) {
				list = append(list, args[pf.release])
			}
			return list
		}
		if fn := c.a.calledFunction(i); fn != nil {
			for k := range args {
				if c.puts[fn][k] {
					list = append(list, args[k])
				}
			}
			return list
		}
		for _, k := range c.sites.putArgs(c.a, i) {
			if k < len(cc.Args) {
				list = append(list, cc.Args[k])
			}
		}
	}
	return list
}

func (c *custody) freeList(ch ssa.Value) bool {
	l, ok := ch.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return false
	}
	obj := placeOf(l.X)
	return obj != nil && c.a.freeLists[obj] != nil
}

// fieldOfValue is the field that a value was read from.
func fieldOfValue(v ssa.Value) *types.Var {
	switch v := v.(type) {
	case *ssa.UnOp:
		if fa, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL {
			return nthField(fa.X, fa.Field)
		}
	case *ssa.Field:
		return nthField(v.X, v.Field)
	}
	return nil
}

// ofLocal reports whether a value was read from a variable of the function's own, of a struct type.
func ofLocal(v ssa.Value) bool {
	l, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	fa, ok := l.X.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	al, ok := fa.X.(*ssa.Alloc)
	return ok && !al.Heap
}

// nthField is a field of the struct that a value is or points to.
func nthField(x ssa.Value, n int) *types.Var {
	if s := structOf(x.Type()); s != nil {
		return s.Field(n).Origin()
	}
	return nil
}

// fieldOfAddr is the field at an address, or the one that holds the container which the
// address, or the map, is part of.
func fieldOfAddr(v ssa.Value) *types.Var {
	for range 4 {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			return nthField(x.X, x.Field)
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return nil
			}
			v = x.X
		default:
			return nil
		}
	}
	return nil
}

// back visits a value and those that it was made from, as long as visit wants to go on
// from there.
func (c *custody) back(v ssa.Value, visit func(ssa.Value) bool) {
	seen := map[ssa.Value]bool{}
	var walk func(v ssa.Value)
	walk = func(v ssa.Value) {
		if v == nil || seen[v] || len(seen) > maxCustody {
			return
		}
		seen[v] = true
		if !visit(v) {
			return
		}
		switch v := v.(type) {
		case *ssa.Phi:
			for _, e := range v.Edges {
				walk(e)
			}
		case *ssa.ChangeType:
			walk(v.X)
		case *ssa.Convert:
			walk(v.X)
		case *ssa.MakeInterface:
			walk(v.X)
		case *ssa.ChangeInterface:
			walk(v.X)
		case *ssa.TypeAssert:
			walk(v.X)
		case *ssa.Slice:
			walk(v.X)
		case *ssa.SliceToArrayPointer:
			walk(v.X)
		case *ssa.Extract:
			walk(v.Tuple)
		case *ssa.Next:
			walk(v.Iter)
		case *ssa.Range:
			walk(v.X)
		case *ssa.Lookup:
			walk(v.X)
		case *ssa.Index:
			walk(v.X)
		case *ssa.Field:
			walk(v.X)
		case *ssa.IndexAddr:
			walk(v.X)
		case *ssa.FieldAddr:
			walk(v.X)
		case *ssa.UnOp:
			if v.Op == token.MUL {
				walk(v.X)
			}
		case *ssa.Alloc:
			// A local variable, a literal, or the array of variable arguments.
			for _, r := range referrers(v) {
				switch r := r.(type) {
				case *ssa.Store:
					if r.Addr == v {
						walk(r.Val)
					}
				case *ssa.IndexAddr, *ssa.FieldAddr:
					if _, field := r.(*ssa.FieldAddr); field && v.Heap {
						continue // an object of its own
					}
					at := r.(ssa.Value)
					for _, s := range referrers(at) {
						if s, ok := s.(*ssa.Store); ok && s.Addr == at && hasPointers(s.Val.Type()) {
							walk(s.Val)
						}
					}
				}
			}
		case *ssa.Call:
			if b, ok := v.Call.Value.(*ssa.Builtin); ok {
				switch b.Name() {
				case "append", "SliceData", "StringData", "String":
					for _, x := range v.Call.Args {
						if hasPointers(x.Type()) {
							walk(x)
						}
					}
				case "Slice":
					walk(v.Call.Args[0])
				}
				return
			}
			// A function that views its argument as another type.
			if fn := c.a.calledFunction(v); fn != nil && len(fn.Blocks) == 1 && !v.Call.IsInvoke() {
				if r, ok := lastInstr(fn.Blocks[0]).(*ssa.Return); ok && len(r.Results) == 1 {
					c.back(r.Results[0], func(x ssa.Value) bool {
						for k, p := range fn.Params {
							if p == x && k < len(v.Call.Args) {
								walk(v.Call.Args[k])
							}
						}
						_, call := x.(*ssa.Call)
						return !call || isBuiltinCall(x)
					})
				}
			}
		}
	}
	walk(v)
}

func isBuiltinCall(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	_, ok = call.Call.Value.(*ssa.Builtin)
	return ok
}

// reaches are a function, the functions of the package that it calls, and its closures.
func (c *custody) reaches(fn *ssa.Function) map[*ssa.Function]bool {
	if seen := c.reached[fn]; seen != nil {
		return seen
	}
	seen := map[*ssa.Function]bool{}
	var walk func(fn *ssa.Function)
	walk = func(fn *ssa.Function) {
		if fn == nil || seen[fn] {
			return
		}
		seen[fn] = true
		for _, anon := range fn.AnonFuncs {
			walk(anon)
		}
		for i := range instrsOf(fn) {
			if call, ok := i.(ssa.CallInstruction); ok {
				walk(c.a.calledFunction(call))
			}
			for _, r := range i.Operands(nil) {
				if f, ok := (*r).(*ssa.Function); ok && c.a.inPackage(f) {
					walk(origin(f))
				}
			}
		}
	}
	walk(fn)
	c.reached[fn] = seen
	return seen
}

// judge draws the conclusions.
func (c *custody) judge() {
	c.judgeDiscarded()
	c.judgeBlinded()
	c.judgeUnclosed()
	c.judgeExpired()
	c.judgeNeverBack()
	c.judgeKeptForGood()
	c.judgeMovedOut()
	c.judgeQueuedWrites()
	c.judgeLazyNil()
	c.judgeKeptCuts()
	c.judgeLeftThere()
	c.judgeElemSkips()
	c.judgeUndrained()
	c.judgeEvicted()
	c.judgeDeferredInLoop()
	c.judgeRefBalance()
	c.judgeSharedCounts()
	c.judgeTwoHomes()
	c.judgeTwoOwners()
	c.judgeEmptiedByHolder()
	c.judgeAlsoQueued()
	c.judgeQueuedReturns()
	c.judgeOverdue()
	c.judgeOverdueRefs()
	c.judgeLeftToEnd()
	c.judgePutElems()
	c.judgeOwnerPuts()
	c.judgeLeftRings()
	c.judgeKeptSlots()
	c.judgeLeftContexts()
	c.judgeContextGoes()
	c.judgeKeepsLast()
	c.judgePartsLeft()
	c.judgeSetElsewhere()
	c.judgeLenDecides()
	c.judgeUnsetPuts()
	c.judgeFailedEnds()
	c.judgeFirstOnly()
	c.judgeSiblingLists()
	c.judgeLeftOpen()
	c.judgeLeftCleanups()
}
