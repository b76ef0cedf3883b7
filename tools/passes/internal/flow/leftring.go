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

// A struct keeps the last values in slots, and gives the one that is in a slot back when another one comes to
// stand there. That is all that ever gives one back: when the struct itself goes, deleted from the map
// that has it, what stands in the slots is lost.

// A slotKeeper is a field with slots, and what is done with them.
type slotKeeper struct {
	field    *types.Var
	replaced *ssa.Store      // another value is set over the one that was given back
	end      ssa.Instruction // gives that back
}

// judgeLeftRings reports where structs are deleted that have values in slots.
func (c *custody) judgeLeftRings() {
	for _, k := range c.slotKeepers() {
		if !c.onlyReplaced(k) {
			continue
		}
		drop, home := c.dropsHolder(k.field)
		if drop == nil {
			continue
		}
		c.a.reportFound(finding{
			pattern: missingPut, pos: instrPos(drop), fn: drop.Parent(),
			message: fmt.Sprintf("what is deleted from %s here has values from pools in %s: one is put only when another takes its place (%s), the rest is lost", home.Name(), k.field.Name(), c.a.line(instrPos(k.replaced))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(k.end), Message: "put here when it is replaced"}},
		})
	}
}

// slotKeepers are the fields of which an element is put, or what it has, and another one stored in its place.
func (c *custody) slotKeepers() (list []slotKeeper) {
	for _, fn := range c.a.fns {
		if c.a.inTest(fn) || !c.a.relevant[fn] && !c.touchesSlots(fn) {
			continue
		}
		eachStore(fn, func(s *ssa.Store) {
			ia, ok := s.Addr.(*ssa.IndexAddr)
			if !ok || isNilConst(s.Val) || pointee(s.Val.Type()) == nil {
				return
			}
			f := slotsField(ia)
			if f == nil || f.Exported() || f.Pkg() != c.a.pkg.Pkg || slices.ContainsFunc(list, func(k slotKeeper) bool { return k.field == f }) {
				return
			}
			for i := range instrsOf(fn) {
				l, ok := i.(*ssa.UnOp)
				if !ok || l.Op != token.MUL {
					continue
				}
				from, ok := l.X.(*ssa.IndexAddr)
				if !ok || slotsField(from) != f || !oneRead(from.Index, ia.Index, 0) || !precedes(l, s) {
					continue
				}
				if end := c.endOf(l); end != nil && mayFollow(end, s) {
					list = append(list, slotKeeper{f, s, end})
					return
				}
			}
		})
	}
	return list
}

// touchesSlots reports whether a function stores to elements of an array or slice in a field.
func (c *custody) touchesSlots(fn *ssa.Function) (found bool) {
	eachStore(fn, func(s *ssa.Store) {
		ia, ok := s.Addr.(*ssa.IndexAddr)
		found = found || ok && slotsField(ia) != nil
	})
	return found
}

// slotsField is the field with the array or slice that an element is of.
func slotsField(ia *ssa.IndexAddr) *types.Var {
	if fa, ok := ia.X.(*ssa.FieldAddr); ok {
		return fieldAt(fa)
	}
	v, _ := fieldLoad(ia.X)
	return v
}

// endOf is an instruction that puts an element, or what it has.
func (c *custody) endOf(v ssa.Value) ssa.Instruction {
	for i := range instrsOf(v.Parent()) {
		if c.endsIt(i, v, 0) {
			return i
		}
	}
	return nil
}

// endsIt reports whether an instruction puts a value, or what its fields hold.
func (c *custody) endsIt(i ssa.Instruction, v ssa.Value, depth int) bool {
	call, ok := i.(ssa.CallInstruction)
	if !ok {
		return false
	}
	if slices.ContainsFunc(c.putBy(i), func(x ssa.Value) bool { return c.comesFrom(x, v) }) {
		return true
	}
	if fn := c.a.calledFunction(call); fn != nil && !call.Common().IsInvoke() && depth < 3 {
		for k, x := range call.Common().Args {
			if k < len(fn.Params) && aliasesOf(v)[x] && c.endsParam(fn, k, depth+1) {
				return true
			}
		}
		return false
	}
	if call.Common().IsInvoke() || call.Common().StaticCallee() != nil {
		return false
	}
	for _, f := range c.a.funcsOf(call.Common().Value) {
		fn, shift := f.fn, 0
		if m, ok := fn.Object().(*types.Func); ok && fn.Synthetic != "" && fn.Parent() == nil {
			if fn = c.a.prog.FuncValue(m); fn == nil {
				continue
			}
			shift = len(fn.Params) - len(call.Common().Args) // the receiver of a method value
		}
		for k, x := range call.Common().Args {
			if c.puts[fn][k+shift] && c.comesFrom(x, v) {
				return true
			}
		}
	}
	return false
}

// endsParam reports whether a function puts a parameter, or what its fields hold.
func (c *custody) endsParam(fn *ssa.Function, k, depth int) bool {
	if pointee(fn.Params[k].Type()) == nil {
		return false
	}
	for i := range instrsOf(fn) {
		if c.endsIt(i, fn.Params[k], depth) {
			return true
		}
	}
	return false
}

// onlyReplaced reports whether all that the package does with the slots of a field is to read what is in them,
// and to put what it replaces.
func (c *custody) onlyReplaced(k slotKeeper) bool {
	for fn, i := range c.a.instrs() {
		switch i := i.(type) {
		case *ssa.Field:
			if nthField(i.X, i.Field) == k.field {
				return false
			}
		case *ssa.FieldAddr:
			if fieldAt(i) != k.field {
				continue
			}
			for _, r := range referrers(i) {
				switch r := r.(type) {
				case *ssa.DebugRef:
				case *ssa.IndexAddr:
					if !c.slotOnlyReplaced(fn, r, k) {
						return false
					}
				case *ssa.UnOp:
					if !c.sliceOnlyReplaced(fn, r, k) {
						return false
					}
				case *ssa.Store:
					// The slots of a new object.
					if _, made := r.Val.(*ssa.MakeSlice); r.Addr != i || !made || !c.a.uses().isFresh(i.X) {
						return false
					}
				default:
					return false
				}
			}
		}
	}
	return true
}

// sliceOnlyReplaced is onlyReplaced of a slice that was read from the field.
func (c *custody) sliceOnlyReplaced(fn *ssa.Function, v *ssa.UnOp, k slotKeeper) bool {
	if !isSlice(v.Type()) {
		return false // the array, copied
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.IndexAddr:
			if !c.slotOnlyReplaced(fn, r, k) {
				return false
			}
		case *ssa.Call:
			if !isBuiltin(r, "len") && !isBuiltin(r, "cap") {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// slotOnlyReplaced is onlyReplaced of one slot.
func (c *custody) slotOnlyReplaced(fn *ssa.Function, ia *ssa.IndexAddr, k slotKeeper) bool {
	for _, r := range referrers(ia) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != ia || isNilConst(r.Val) {
				return false // somebody took it out
			}
		case *ssa.UnOp:
			if c.endOf(r) != nil && fn != k.replaced.Parent() || !c.slotRead(r, 0) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// slotRead reports whether a value from a slot is read, or put before it is replaced; it may be given to the
// caller, who does not put it.
func (c *custody) slotRead(v ssa.Value, depth int) bool {
	for x := range aliasesOf(v) {
		for _, r := range referrers(x) {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.BinOp, *ssa.FieldAddr, *ssa.UnOp, *ssa.Phi, *ssa.MakeInterface:
			case ssa.CallInstruction:
				if c.endsIt(r, v, 0) {
					continue // the one that is replaced
				}
				fn := c.a.calledFunction(r)
				if _, ok := r.(*ssa.Call); !ok || fn == nil || r.Common().IsInvoke() {
					return false
				}
				for k, arg := range r.Common().Args {
					if arg == x && (k >= len(fn.Params) || leavesIn(fn.Params[k], 0)) {
						return false
					}
				}
			case *ssa.Return:
				fn := r.Parent()
				for n := range r.Results {
					if !returnsIt(r, n, v) {
						continue
					}
					if depth > 2 || exportedRoot(fn) {
						return false
					}
					for _, x := range c.resultsOf(fn, n) {
						if c.endOf(x) != nil || !c.slotRead(x, depth+1) {
							return false
						}
					}
				}
			default:
				return false
			}
		}
	}
	return true
}

// dropsHolder is where a struct that has the slots is deleted from the map in a field that alone has such structs.
func (c *custody) dropsHolder(slots *types.Var) (drop ssa.Instruction, home *types.Var) {
	holds := func(t types.Type) (found bool) {
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			t = u.Elem()
		case *types.Map:
			return false
		}
		collectFields(t, 0, func(v *types.Var, _ *types.Struct) { found = found || v == slots })
		return found
	}
	for fn, i := range c.a.instrsBeyondTests() {
		call, ok := i.(*ssa.Call)
		if !ok || !isBuiltin(call, "delete") {
			continue
		}
		f, _ := fieldLoad(call.Call.Args[0])
		m, ok := call.Call.Args[0].Type().Underlying().(*types.Map)
		if !ok || f == nil || f.Exported() || f.Pkg() != c.a.pkg.Pkg || !holds(m.Elem()) || c.looksAt(fn, f) {
			continue
		}
		if drop == nil || instrPos(call) < instrPos(drop) {
			drop, home = call, f
		}
	}
	if drop == nil {
		return nil, nil
	}
	// Nobody else has them: another field of such a type, a channel or a pool.
	for fn, i := range c.a.instrs() {
		switch i := i.(type) {
		case *ssa.FieldAddr:
			v := fieldAt(i)
			if v == nil || v == home || v == slots {
				continue
			}
			if t := pointedOrIn(v.Type()); t != nil && holds(t) {
				if _, isStruct := v.Type().Underlying().(*types.Struct); !isStruct {
					return nil, nil
				}
			}
		case *ssa.Send:
			if holds(i.X.Type()) {
				return nil, nil
			}
		case ssa.CallInstruction:
			if c.a.inTest(fn) || c.a.calledFunction(i) != nil {
				continue // a function of the package has the Put itself
			}
			if slices.ContainsFunc(c.putBy(i), func(x ssa.Value) bool { return holds(unboxed(x).Type()) }) {
				return nil, nil
			}
		}
	}
	return drop, home
}

// pointedOrIn is the type of a pointer, or of what a container has.
func pointedOrIn(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Map:
		return u.Elem()
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Chan:
		return u.Elem()
	case *types.Pointer:
		return t
	}
	return nil
}

// looksAt reports whether a function takes an element out of a map in a field, or goes through it, and does more
// with it than to read its fields.
func (c *custody) looksAt(fn *ssa.Function, f *types.Var) bool {
	h := c.a.handlingOf(fn, f)
	return h == nil || h.takes
}
