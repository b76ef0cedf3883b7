// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A struct has pieces from a pool in a slice, and a method that puts all of them but one, with which the struct begins
// again. Where the package puts no piece otherwise, the one is lost with the struct: in a list that is set to nil after the method
// was called for each of its elements.

// A lastKeeper is a field with pieces, and the method that puts all but one.
type lastKeeper struct {
	field *types.Var
	of    *types.Named
	by    *ssa.Function
	put   ssa.Instruction
}

// judgeKeepsLast reports where such structs are let go of.
func (c *custody) judgeKeepsLast() {
	for _, k := range c.lastKeepers() {
		if c.putsType(types.NewPointer(k.of)) {
			continue
		}
		for fn, i := range c.a.instrsBeyondTests() {
			drop, ok := i.(*ssa.Store)
			if !ok || !emptied(drop.Val) || c.a.foundIn(missingPut, fn) {
				continue
			}
			fa, ok := drop.Addr.(*ssa.FieldAddr)
			list := fieldAt(drop.Addr)
			if !ok || list == nil || list.Exported() || list.Pkg() != c.a.pkg.Pkg || c.a.uses().isFresh(fa.X) || pointee(slotType(list.Type())) != k.of {
				continue
			}
			if !c.callsForEach(fn, list, k.by, drop) || !c.onlyInList(list, k) {
				continue
			}
			c.a.reportFound(finding{
				pattern: missingPut, pos: instrPos(drop), fn: fn,
				message: fmt.Sprintf("what is in %s is let go of here, and with each element what its %s has left: %s puts all but one (%s), and nothing puts that", list.Name(), k.field.Name(), k.by.Name(), c.a.line(instrPos(k.put))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(k.put), Message: "the others are put here"}},
			})
			break
		}
	}
}

// lastKeepers are the fields of which all that is put is put by one method, which leaves something there.
func (c *custody) lastKeepers() (list []lastKeeper) {
	for _, fn := range c.a.fns {
		if c.a.inTest(fn) || fn.Signature.Recv() == nil || len(fn.Params) == 0 || fn.Parent() != nil {
			continue
		}
		n := pointee(fn.Params[0].Type())
		if n == nil || n.Obj().Pkg() != c.a.pkg.Pkg || n.TypeArgs().Len() > 0 {
			continue
		}
		for f := range structOf(n).Fields() {
			put := c.putsField[f][fn]
			if put == nil || f.Exported() || !isSlice(f.Type()) || len(c.takesField[f]) == 0 || len(c.putsField[f]) > 1 {
				continue
			}
			if c.putsAllButOne(fn, f) && beginsWithOne(fn, f) && c.piecesStay(f) {
				list = append(list, lastKeeper{f, n, fn, put})
			}
		}
	}
	return list
}

// putsAllButOne reports whether each element of a field that a function puts is one of those before the last.
func (c *custody) putsAllButOne(fn *ssa.Function, f *types.Var) bool {
	for i := range instrsOf(fn) {
		for _, v := range c.putBy(i) {
			of := false
			c.back(v, func(x ssa.Value) bool {
				of = of || fieldOfValue(x) == f
				return fieldOfValue(x) == nil
			})
			if !of {
				continue
			}
			ia := elementPut(v, 0)
			if ia == nil {
				return false
			}
			if sl, ok := ia.X.(*ssa.Slice); ok {
				if from, _ := fieldLoad(sl.X); from != f || !isLess(sl.High, f) {
					return false
				}
				continue
			}
			if from, _ := fieldLoad(ia.X); from != f || !slices.ContainsFunc(referrers(ia.Index), func(r ssa.Instruction) bool {
				t, ok := r.(*ssa.BinOp)
				return ok && t.Op == token.LSS && t.X == ia.Index && isLess(t.Y, f)
			}) {
				return false
			}
		}
	}
	return true
}

// isLess reports whether a number is less than the length of the slice in a field.
func isLess(v ssa.Value, f *types.Var) bool {
	n, ok := v.(*ssa.BinOp)
	if !ok || n.Op != token.SUB || !positiveConst(n.Y) {
		return false
	}
	call, ok := n.X.(*ssa.Call)
	if !ok || !isBuiltin(call, "len") {
		return false
	}
	from, _ := fieldLoad(call.Call.Args[0])
	return from == f
}

func positiveConst(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value != nil && k.Value.Kind() == constant.Int && constant.Sign(k.Value) > 0
}

// beginsWithOne reports whether a function cuts the slice in a field to some elements, and sets it to nothing else.
func beginsWithOne(fn *ssa.Function, f *types.Var) bool {
	cut := false
	for i := range instrsOf(fn) {
		s, ok := i.(*ssa.Store)
		if !ok || fieldAt(s.Addr) != f {
			continue
		}
		sl, ok := s.Val.(*ssa.Slice)
		if !ok {
			return false
		}
		from, _ := fieldLoad(sl.X)
		if from != f || !(sl.Low == nil && positiveConst(sl.High) || isLess(sl.Low, f) && sl.High == nil) {
			return false
		}
		cut = true
	}
	return cut
}

// piecesStay reports whether the pieces in a field are only written, read and put there.
func (c *custody) piecesStay(f *types.Var) bool {
	elem := f.Type().Underlying().(*types.Slice).Elem()
	if s, ok := elem.Underlying().(*types.Slice); !ok || hasPointers(s.Elem()) {
		return false
	}
	for _, i := range c.a.instrs() {
		switch i := i.(type) {
		case *ssa.Field:
			if nthField(i.X, i.Field) == f {
				return false
			}
		case *ssa.FieldAddr:
			if fieldAt(i) != f {
				continue
			}
			for _, r := range referrers(i) {
				switch r := r.(type) {
				case *ssa.DebugRef:
				case *ssa.Store:
					if r.Addr != i {
						return false
					}
				case *ssa.UnOp:
					if !c.pieceStays(r, f, map[ssa.Value]bool{}) {
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

// pieceStays is piecesStay of what was read from the field: the slice, one of its elements, or what was appended to that.
func (c *custody) pieceStays(v ssa.Value, f *types.Var, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	if len(seen) > maxCustody {
		return false
	}
	return !slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
			return false
		case *ssa.UnOp:
			return hasPointers(r.Type()) && !c.pieceStays(r, f, seen)
		case *ssa.Slice, *ssa.IndexAddr, *ssa.Phi, *ssa.ChangeType:
			return !c.pieceStays(r.(ssa.Value), f, seen)
		case *ssa.Store:
			if r.Addr == v {
				return false
			}
			if ia, ok := r.Addr.(*ssa.IndexAddr); ok && slotsField(ia) == f {
				return false
			}
			return fieldAt(r.Addr) != f && appendedTo(v) == nil
		case *ssa.Call:
			if len(c.putBy(r)) > 0 {
				return false
			}
			if isBuiltin(r, "append") && r.Call.Args[0] == v {
				return !c.pieceStays(r, f, seen)
			}
			return !c.a.readBy(r, v, f, map[ssa.Value]bool{})
		case *ssa.Select:
			return len(c.putBy(r)) == 0
		}
		return true
	})
}

// callsForEach reports whether a function calls a method for each element of the list in a field before it lets go of it.
func (c *custody) callsForEach(fn *ssa.Function, list *types.Var, by *ssa.Function, drop ssa.Instruction) bool {
	for i := range instrsOf(fn) {
		call, ok := i.(*ssa.Call)
		if !ok || c.a.calledFunction(call) != by || !inLoop(call.Block()) || !mayFollow(call, drop) {
			continue
		}
		if ia, ok := loaded(call.Call.Args[0]).(*ssa.IndexAddr); ok && slotsField(ia) == list {
			return true
		}
	}
	return false
}

// onlyInList reports whether the structs in a list are nowhere else: they are made for it, and only read there.
func (c *custody) onlyInList(list *types.Var, k lastKeeper) bool {
	isNew := func(v ssa.Value) bool {
		al, ok := v.(*ssa.Alloc)
		return ok && al.Heap && c.ownStays(al, list)
	}
	for _, i := range c.a.instrs() {
		switch i := i.(type) {
		case *ssa.Field:
			if nthField(i.X, i.Field) == list {
				return false
			}
		case *ssa.FieldAddr:
			if fieldAt(i) != list {
				continue
			}
			for _, r := range referrers(i) {
				switch r := r.(type) {
				case *ssa.DebugRef:
				case *ssa.Store:
					if r.Addr != i || !c.newSlots(r.Val, list) {
						return false
					}
				case *ssa.UnOp:
					for _, u := range referrers(r) {
						if !c.listOnlyRead(u, r, list, isNew) {
							return false
						}
					}
				default:
					return false
				}
			}
		}
	}
	return true
}

// listOnlyRead reports whether an instruction only reads the elements of a list, or adds new ones.
func (c *custody) listOnlyRead(u ssa.Instruction, v ssa.Value, list *types.Var, isNew func(ssa.Value) bool) bool {
	switch u := u.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.IndexAddr:
		for _, r := range referrers(u) {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.UnOp:
				if !c.ownStays(r, list) {
					return false
				}
			case *ssa.Store:
				if r.Addr != u || !isNew(r.Val) {
					return false
				}
			default:
				return false
			}
		}
		return true
	case *ssa.Call:
		if isBuiltin(u, "append") && u.Call.Args[0] == v {
			return !slices.ContainsFunc(appended(u), func(x ssa.Value) bool { return !isNew(x) })
		}
		return isBuiltin(u, "len") || isBuiltin(u, "cap")
	}
	return false
}

// ownStays reports whether a struct is used where it is, by its methods, and goes nowhere but to a list.
func (c *custody) ownStays(v ssa.Value, list *types.Var) bool {
	for x := range aliasesOf(v) {
		for _, r := range referrers(x) {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.BinOp, *ssa.FieldAddr, *ssa.UnOp, *ssa.Phi:
			case *ssa.Store:
				if r.Val != x {
					continue
				}
				ia, ok := r.Addr.(*ssa.IndexAddr)
				if !ok || slotsField(ia) != list && !c.appendedTo(x, list) {
					return false
				}
			case ssa.CallInstruction:
				fn := c.a.calledFunction(r)
				if _, ok := r.(*ssa.Call); !ok || fn == nil || r.Common().IsInvoke() {
					return false
				}
				for n, arg := range r.Common().Args {
					if arg == x && (n >= len(fn.Params) || leavesIn(fn.Params[n], 0) || returnsParam(fn, n)) {
						return false
					}
				}
			default:
				return false
			}
		}
	}
	return true
}
