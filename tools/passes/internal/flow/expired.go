// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A timer's callback, or a goroutine, that deletes from a map or list without a look at what
// it deletes loses the values from pools in there, where only the container leads to them
// and the functions that take them out put them.

// judgeExpired reports such deletions.
func (c *custody) judgeExpired() {
	for _, fn := range c.a.fns {
		if !c.a.inTest(fn) && c.runsAlone(fn, 0) {
			c.expires(fn)
		}
	}
}

// expires looks at the containers that a function empties.
func (c *custody) expires(fn *ssa.Function) {
	for i := range instrsOf(fn) {
		var at ssa.Instruction
		var f *types.Var
		switch i := i.(type) {
		case *ssa.Call:
			if bi, ok := i.Call.Value.(*ssa.Builtin); ok && (bi.Name() == "delete" || bi.Name() == "clear") {
				f, at = fieldOfAddr(i.Call.Args[0]), i
			}
		case *ssa.Store:
			if fa, ok := i.Addr.(*ssa.FieldAddr); ok && emptied(i.Val) {
				f, at = nthField(fa.X, fa.Field), i
			}
		}
		if f == nil || f.Pkg() != c.a.pkg.Pkg || f.Exported() {
			continue
		}
		held := c.heldIn(f.Type(), 0)
		if held == nil || c.looksInto(fn, f) || !c.onlyHolder(f) {
			continue
		}
		c.a.reportFound(finding{
			pattern: missingPut, pos: instrPos(at), fn: fn,
			message: fmt.Sprintf("what is deleted from %s here holds values from a pool in field %s, which are not put: whoever takes them out elsewhere puts them", f.Name(), held.Name()),
			more:    append(c.a.cameHere(held, nil), c.usersOfField(held)...),
		})
	}
}

// emptied reports whether a field is set to nil or a new container.
func emptied(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.Value == nil
	case *ssa.MakeMap, *ssa.MakeSlice:
		return true
	}
	return false
}

// runsAlone reports whether a function is a callback of a timer, or a goroutine, and
// nothing else calls it.
func (c *custody) runsAlone(fn *ssa.Function, depth int) bool {
	if depth > 3 || exportedRoot(fn) {
		return false
	}
	starts := 0
	if fn.Parent() != nil {
		for i := range instrsOf(fn.Parent()) {
			m, ok := i.(*ssa.MakeClosure)
			if !ok || m.Fn != ssa.Value(fn) {
				continue
			}
			for _, r := range referrers(m) {
				switch r := r.(type) {
				case *ssa.DebugRef:
				case *ssa.Go:
					starts++
				case *ssa.Call:
					f := calledMethod(r)
					if f == nil || funcKey(f) != "time.AfterFunc" && funcKey(f) != "context.AfterFunc" {
						return false
					}
					starts++
				default:
					return false
				}
			}
		}
		return starts > 0
	}
	for _, call := range c.a.callsOf(fn) {
		if _, ok := call.(*ssa.Go); !ok && !c.runsAlone(call.Parent(), depth+1) {
			return false
		}
		starts++
	}
	return starts > 0 && !c.namedOtherwise(fn)
}

// namedOtherwise reports whether a function is used as a value.
func (c *custody) namedOtherwise(fn *ssa.Function) bool {
	if c.named == nil {
		c.named, c.bound = map[*ssa.Function]bool{}, map[types.Object]bool{}
		for _, g := range c.a.fns {
			for i := range instrsOf(g) {
				c.noteNamed(i)
			}
		}
	}
	return c.named[fn] || c.bound[fn.Object()]
}

// noteNamed adds the functions and methods that an instruction uses as values.
func (c *custody) noteNamed(i ssa.Instruction) {
	if m, ok := i.(*ssa.MakeClosure); ok {
		if f := m.Fn.(*ssa.Function); f.Synthetic != "" {
			c.bound[f.Object()] = true
		}
	}
	var called ssa.Value
	if call, ok := i.(ssa.CallInstruction); ok {
		called = call.Common().Value
	}
	for _, r := range i.Operands(nil) {
		if f, ok := (*r).(*ssa.Function); ok && *r != called {
			c.named[f] = true
		}
	}
}

// heldIn is the field, of the elements of a container or of what these lead to, that holds
// values from a pool.
func (c *custody) heldIn(t types.Type, depth int) *types.Var {
	var elem types.Type
	switch u := t.Underlying().(type) {
	case *types.Map:
		elem = u.Elem()
	case *types.Slice:
		elem = u.Elem()
	default:
		return nil
	}
	s := structOf(elem)
	if s == nil || depth > 2 {
		return nil
	}
	for f := range s.Fields() {
		f = f.Origin()
		if f.Pkg() != c.a.pkg.Pkg {
			return nil
		}
		if len(c.takesField[f]) > 0 && len(c.putsField[f]) > 0 {
			return f
		}
		if g := c.heldIn(f.Type(), depth+1); g != nil && c.onlyHolder(f) {
			return g
		}
	}
	return nil
}

// looksInto reports whether a function does anything with a container but take
// elements off it, or anything that may put them.
func (c *custody) looksInto(fn *ssa.Function, f *types.Var) bool {
	for g := range c.reaches(fn) {
		if c.putsIn(g) {
			return true
		}
		for i := range instrsOf(g) {
			l, ok := i.(*ssa.UnOp)
			if !ok || fieldOfValue(l) != f {
				continue
			}
			for _, r := range referrers(l) {
				switch r := r.(type) {
				case *ssa.DebugRef:
				case *ssa.Lookup:
					if slices.ContainsFunc(referrers(r), func(u ssa.Instruction) bool {
						e, ok := u.(*ssa.Extract)
						return !ok || e.Index == 0 && len(referrers(e)) > 0
					}) {
						return true
					}
				case *ssa.Range:
					for _, n := range referrers(r) {
						if n, ok := n.(*ssa.Next); ok {
							if e := part(n, 2); e != nil && !onlyAsked(e) {
								return true
							}
						}
					}
				case *ssa.Call:
					if !isBuiltinCall(r) {
						return true
					}
				default:
					return true
				}
			}
		}
	}
	return false
}

// onlyAsked reports whether of an element only numbers, times and texts are read.
func onlyAsked(v ssa.Value) bool {
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.FieldAddr:
			for _, u := range referrers(r) {
				l, ok := u.(*ssa.UnOp)
				if !ok || hasPointers(l.Type()) && namedPkg(l.Type()) != "time" && !isText(l.Type()) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// onlyHolder reports whether what is stored in a container was made for it: nobody else
// has it.
func (c *custody) onlyHolder(f *types.Var) bool {
	stores := 0
	for _, fn := range c.a.fns {
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.MapUpdate:
				if fieldOfAddr(i.Map) != f {
					continue
				}
				stores++
				if !c.madeForIt(i.Value, 0) {
					return false
				}
			case *ssa.Store:
				fa, ok := i.Addr.(*ssa.FieldAddr)
				if !ok {
					if fieldOfAddr(i.Addr) == f {
						return false // an element of its own
					}
					continue
				}
				if nthField(fa.X, fa.Field) != f || emptied(i.Val) {
					continue
				}
				switch v := i.Val.(type) {
				case *ssa.Slice:
					if fieldOfValue(v.X) != f {
						return false
					}
				case *ssa.Call:
					bi, ok := v.Call.Value.(*ssa.Builtin)
					if !ok || bi.Name() != "append" || fieldOfValue(v.Call.Args[0]) != f {
						return false
					}
					stores++
					for _, x := range appended(v) {
						if !c.madeForIt(x, 0) {
							return false
						}
					}
				default:
					return false
				}
			}
		}
	}
	return stores > 0
}

// appended are the elements that a call of append adds one by one; the slice of them
// where they are not known.
func appended(v *ssa.Call) (list []ssa.Value) {
	s, ok := v.Call.Args[1].(*ssa.Slice)
	if !ok {
		return []ssa.Value{v.Call.Args[1]}
	}
	al, ok := s.X.(*ssa.Alloc)
	if !ok {
		return []ssa.Value{v.Call.Args[1]}
	}
	for _, r := range referrers(al) {
		if e, ok := r.(*ssa.IndexAddr); ok {
			for _, u := range referrers(e) {
				if st, ok := u.(*ssa.Store); ok && st.Addr == e {
					list = append(list, st.Val)
				}
			}
		}
	}
	return list
}

// madeForIt reports whether a value is a new object that is filled in and stored in one
// place.
func (c *custody) madeForIt(v ssa.Value, depth int) bool {
	if depth > 3 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Alloc:
		return c.storedOnce(v, depth)
	case *ssa.UnOp:
		// A struct by value, built in a variable.
		if al, ok := v.X.(*ssa.Alloc); ok && structOf(al.Type()) != nil {
			return c.storedOnce(al, depth)
		}
	case *ssa.Parameter:
		fn := v.Parent()
		if !c.storedOnce(v, depth) || exportedRoot(fn) && fn.Signature.Recv() == nil {
			return false
		}
		k := slices.Index(fn.Params, v)
		calls := c.a.callsOf(fn)
		return k >= 0 && len(calls) > 0 && !slices.ContainsFunc(calls, func(call ssa.CallInstruction) bool {
			return call.Common().IsInvoke() || !c.madeForIt(call.Common().Args[k], depth+1)
		})
	}
	return false
}

// storedOnce reports whether a value is filled in, stored in one place, or given to one
// function of the package which does that, and not passed on otherwise.
func (c *custody) storedOnce(v ssa.Value, depth int) bool {
	if depth > 3 {
		return false
	}
	places := 0
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr, *ssa.UnOp, *ssa.BinOp:
		case *ssa.Phi:
			// Made where there was none.
			if slices.ContainsFunc(referrers(r), func(u ssa.Instruction) bool {
				switch u.(type) {
				case *ssa.DebugRef, *ssa.FieldAddr:
					return false
				}
				return true
			}) {
				return false
			}
		case *ssa.MapUpdate:
			places++
		case *ssa.Store:
			if r.Val == v {
				places++
			}
		case *ssa.Call:
			fn := c.a.calledFunction(r)
			k := slices.Index(r.Call.Args, v)
			if fn == nil || r.Call.IsInvoke() || k < 0 || k >= len(fn.Params) || !c.storedOnce(fn.Params[k], depth+1) {
				return false
			}
			places++
		default:
			return false
		}
	}
	return places <= 1
}
