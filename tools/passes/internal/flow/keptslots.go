// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// An object keeps values from a pool in slots, a slice or map in a field, to use them again until it is closed. Where
// the package does no more with what is in the slots than to read it, the Close loses it.

// judgeKeptSlots reports the ends of objects whose slots nobody empties.
func (c *custody) judgeKeptSlots() {
	a := c.a
	for _, end := range a.fns {
		if !endsObject(end) || a.inTest(end) || pointee(end.Params[0].Type()) == nil || len(end.Blocks) == 0 {
			continue
		}
		s := structOf(end.Params[0].Type())
		if s == nil {
			continue
		}
		for f := range s.Fields() {
			f := f.Origin()
			elem := slotType(f.Type())
			p := a.gathered.of[f]
			if elem == nil || f.Exported() || p == nil || len(c.takesField[f]) == 0 || len(c.putsField[f]) > 0 || a.fields0.puts[f] {
				continue
			}
			if c.beginsAgain(end) || c.putsType(end.Params[0].Type()) || !c.putsType(elem) || !c.poolOfOthers(p, s) || a.foundIn(missingPut, end) {
				continue
			}
			fill := c.filledSlots(f)
			if fill == nil {
				continue
			}
			a.reportFound(finding{
				pattern: missingPut, pos: end.Pos(), fn: end, pool: p,
				message: fmt.Sprintf("%s leaves what is in %s, which was taken from %s (%s), and nothing in the package puts that back", end.Name(), f.Name(), p.label(), a.line(instrPos(fill))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(fill), Message: "comes to stand there here"}},
				more:    a.cameHere(f, p),
			})
		}
	}
}

// slotType is the type of the pointers to structs in a slice, map or array.
func slotType(t types.Type) types.Type {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Array:
		if e := pointedOrIn(t); pointee(e) != nil {
			return e
		}
	}
	return nil
}

// beginsAgain reports whether objects of the type of a method's receiver may live on after they ended, by the names of
// their other methods.
func (c *custody) beginsAgain(end *ssa.Function) bool {
	for _, fn := range c.a.fns {
		if fn.Parent() != nil || recvType(fn) == nil || recvType(fn) != recvType(end) {
			continue
		}
		name := strings.ToLower(fn.Name())
		for _, verb := range []string{"open", "reopen", "reset", "init", "start", "begin", "restart", "connect", "reconnect"} {
			if strings.HasPrefix(name, verb) {
				return true
			}
		}
	}
	return false
}

// putsType reports whether the package puts values of a type.
func (c *custody) putsType(t types.Type) bool {
	for _, i := range c.a.instrsBeyondTests() {
		for _, v := range c.putBy(i) {
			if types.Identical(unboxed(v).Type(), t) {
				return true
			}
		}
	}
	return false
}

// poolOfOthers reports whether a pool lives longer than the objects of a struct type: it is a variable of the
// package, or in an object that such an object was given.
func (c *custody) poolOfOthers(p *pool, s *types.Struct) bool {
	v, ok := p.key.(*types.Var)
	if !ok {
		return false
	}
	if !v.IsField() {
		return v.Parent() == c.a.pkg.Pkg.Scope()
	}
	for f := range s.Fields() {
		f := f.Origin()
		if t := structOf(f.Type()); f != v && (t == nil || !hasField(t, v)) {
			continue
		}
		if _, isPtr := f.Type().Underlying().(*types.Pointer); !isPtr || !c.onlyGiven(f) {
			return false
		}
	}
	return true
}

// onlyGiven reports whether a field is only set to what a function was given, or another field has.
func (c *custody) onlyGiven(f *types.Var) bool {
	for _, i := range c.a.instrsBeyondTests() {
		st, ok := i.(*ssa.Store)
		if !ok || fieldAt(st.Addr) != f || isNilConst(st.Val) {
			continue
		}
		if _, given := st.Val.(*ssa.Parameter); given {
			continue
		}
		if from, _ := fieldLoad(st.Val); from == nil {
			return false // made with it, perhaps
		}
	}
	return true
}

// filledSlots is where a value from a pool comes to stand in the slots of a field; nil if the package does more with what is
// in the slots than to read it.
func (c *custody) filledSlots(f *types.Var) (fill ssa.Instruction) {
	for _, i := range c.a.instrs() {
		switch i := i.(type) {
		case *ssa.Field:
			if nthField(i.X, i.Field) == f {
				return nil
			}
		case *ssa.Store:
			// The struct as a whole, but for a new one.
			if s, ok := i.Val.Type().Underlying().(*types.Struct); ok && hasField(s, f) && !isLiteral(i.Val) {
				return nil
			}
		case *ssa.FieldAddr:
			if fieldAt(i) != f {
				continue
			}
			for _, r := range referrers(i) {
				ok := false
				switch r := r.(type) {
				case *ssa.DebugRef:
					ok = true
				case *ssa.IndexAddr:
					ok = c.slotKept(r, f, &fill)
				case *ssa.UnOp:
					ok = c.slotsKept(r, f, &fill, 0)
				case *ssa.Store:
					ok = r.Addr == i && c.newSlots(r.Val, f)
				}
				if !ok {
					return nil
				}
			}
		}
	}
	return fill
}

// newSlots reports whether what a field is set to are empty slots, or those that it has with one more.
func (c *custody) newSlots(v ssa.Value, f *types.Var) bool {
	switch x := v.(type) {
	case *ssa.MakeSlice, *ssa.MakeMap:
		return true
	case *ssa.Slice:
		return madeConstant(x) > 0
	case *ssa.Call:
		if isBuiltin(x, "append") {
			from, _ := fieldLoad(x.Call.Args[0])
			return from == f
		}
	}
	return isNilConst(v)
}

// slotsKept is filledSlots of the slice or map that was read from the field.
func (c *custody) slotsKept(v ssa.Value, f *types.Var, fill *ssa.Instruction, depth int) bool {
	if _, isArray := v.Type().Underlying().(*types.Array); isArray || depth > 2 {
		return false // the array, copied
	}
	for _, r := range referrers(v) {
		ok := false
		switch r := r.(type) {
		case *ssa.DebugRef:
			ok = true
		case *ssa.BinOp:
			ok = isNilConst(r.X) || isNilConst(r.Y)
		case *ssa.IndexAddr:
			ok = c.slotKept(r, f, fill)
		case *ssa.MapUpdate:
			ok = r.Map == v && c.filledWith(r.Value, f)
			if *fill == nil {
				*fill = r
			}
		case *ssa.Lookup:
			found := ssa.Value(r)
			if r.CommaOk {
				found = part(r, 0)
			}
			ok = found == nil || c.slotStays(found, f, 0)
		case *ssa.Range:
			ok = true
			for _, n := range referrers(r) {
				if n, isNext := n.(*ssa.Next); isNext {
					if x := part(n, 2); x != nil {
						ok = ok && c.slotStays(x, f, 0)
					}
				}
			}
		case *ssa.Call:
			switch {
			case isBuiltin(r, "len"), isBuiltin(r, "cap"):
				ok = true
			case isBuiltin(r, "append") && r.Call.Args[0] == v:
				ok = true
				for _, u := range referrers(r) {
					if st, isStore := u.(*ssa.Store); !isStore || fieldAt(st.Addr) != f {
						ok = false
					}
				}
				for _, x := range appended(r) {
					ok = ok && c.filledWith(x, f)
					if *fill == nil {
						*fill = r
					}
				}
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// slotKept is filledSlots of one slot.
func (c *custody) slotKept(ia *ssa.IndexAddr, f *types.Var, fill *ssa.Instruction) bool {
	for _, r := range referrers(ia) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != ia || !c.filledWith(r.Val, f) {
				return false
			}
			if *fill == nil {
				*fill = r
			}
		case *ssa.UnOp:
			if !c.slotStays(r, f, 0) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// filledWith reports whether a value came from a pool, and nobody has it but the slot that it is to stand in.
func (c *custody) filledWith(v ssa.Value, f *types.Var) bool {
	if !c.taken(v) || !c.slotStays(v, f, 0) {
		return false
	}
	call, ok := derivedFrom(v).(*ssa.Call)
	if !ok {
		return false
	}
	fn := c.a.calledFunction(call)
	return fn == nil || c.onlyGives(fn, 0)
}

// onlyGives reports whether a function that gives what it took from a pool does not keep it as well.
func (c *custody) onlyGives(fn *ssa.Function, depth int) bool {
	if depth > 2 {
		return false
	}
	for i := range instrsOf(fn) {
		v, ok := i.(ssa.Value)
		if !ok || !c.takenBy(v) {
			continue
		}
		for x := range c.same(v) {
			if leavesIn(x, 0) {
				return false
			}
		}
		if call, ok := i.(*ssa.Call); ok {
			if g := c.a.calledFunction(call); g != nil && c.gives[g] && !c.onlyGives(g, depth+1) {
				return false
			}
		}
	}
	return true
}

// same are a value and what it is called when it was asserted to be of a type.
func (c *custody) same(v ssa.Value) map[ssa.Value]bool {
	all := map[ssa.Value]bool{}
	for list := []ssa.Value{v}; len(list) > 0; list = list[1:] {
		for x := range aliasesOf(list[0]) {
			if all[x] {
				continue
			}
			all[x] = true
			for _, r := range referrers(x) {
				if t, ok := r.(*ssa.TypeAssert); ok {
					if !t.CommaOk {
						list = append(list, t)
					} else if y := part(t, 0); y != nil {
						list = append(list, y)
					}
				}
			}
		}
	}
	return all
}

// slotStays reports whether all that is done with a value is to read it, to let it stand in the slots of a field, and to give
// it to callers in the package that do no more.
func (c *custody) slotStays(v ssa.Value, f *types.Var, depth int) bool {
	for x := range aliasesOf(v) {
		for _, r := range referrers(x) {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.BinOp, *ssa.FieldAddr, *ssa.UnOp, *ssa.Phi, *ssa.ChangeType:
			case *ssa.MapUpdate:
				if from, _ := fieldLoad(r.Map); r.Value != x || from != f {
					return false
				}
			case *ssa.Store:
				if r.Val != x {
					continue
				}
				ia, ok := r.Addr.(*ssa.IndexAddr)
				if !ok || slotsField(ia) != f && !c.appendedTo(x, f) {
					return false
				}
			case ssa.CallInstruction:
				fn := c.a.calledFunction(r)
				if _, ok := r.(*ssa.Call); !ok || fn == nil || r.Common().IsInvoke() || c.endsIt(r, v, 0) {
					return false
				}
				for k, arg := range r.Common().Args {
					if arg == x && (k >= len(fn.Params) || leavesIn(fn.Params[k], 0) || returnsParam(fn, k)) {
						return false
					}
				}
			case *ssa.Return:
				fn := r.Parent()
				for n := range r.Results {
					if !returnsIt(r, n, v) {
						continue
					}
					if depth > 2 || exportedRoot(fn) || fn.Object() == nil || len(c.a.callsOf(fn)) == 0 {
						return false
					}
					for _, y := range c.resultsOf(fn, n) {
						if !c.slotStays(y, f, depth+1) {
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

// appendedTo reports whether a value is appended to the slice in a field.
func (c *custody) appendedTo(v ssa.Value, f *types.Var) bool {
	call := appendedTo(v)
	if call == nil {
		return false
	}
	from, _ := fieldLoad(call.Call.Args[0])
	return from == f
}

// returnsParam reports whether a function returns its parameter.
func returnsParam(fn *ssa.Function, k int) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		r, ok := lastInstr(b).(*ssa.Return)
		return ok && slices.ContainsFunc(r.Results, func(v ssa.Value) bool { return aliasesOf(fn.Params[k])[v] })
	})
}
