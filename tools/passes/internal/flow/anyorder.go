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

// A table has objects by their number, and methods work on them that are called in any order: as steps of a script, or
// by others. One that ends an object takes it out of the table before it puts it. Another one that puts it as well, and
// leaves it there, has the first put it again, when somebody else may have it.

// judgeAnyOrder reports the Puts that leave the object in its place.
func (h *homes2) judgeAnyOrder() {
	c := h.c
	takes := slices.Clone(h.takes)
	for _, fn := range c.a.fns {
		if !c.a.inTest(fn) {
			takes = append(takes, h.boxedTakes(fn)...)
		}
	}
	for _, first := range takes {
		if first.whole || h.setsElements(first.fn, first.home) || h.clearsSlot(first.fn, first.home) || c.countsAt(first.put) || c.a.foundIn(doublePut, first.fn) {
			continue
		}
		if slices.ContainsFunc(c.a.callsOf(first.fn), func(call ssa.CallInstruction) bool { return h.clearsSlot(call.Parent(), first.home) }) {
			continue
		}
		for _, second := range takes {
			if second.home != first.home || second.fn == first.fn || second.whole || !h.clearsSlot(second.fn, second.home) || conditional(second) || c.countsAt(second.put) {
				continue
			}
			if !c.inAnyOrder(first.fn, second.fn) {
				continue
			}
			c.a.reportFound(finding{
				pattern: doublePut, pos: instrPos(first.put), fn: first.fn, cause: instrPos(first.put),
				message: fmt.Sprintf("%s stays in %s, from which %s, which may come later, takes it and puts it again (%s)", apposed(c.a.putNameAt(first.put), "put here", "what is put here"), first.home.Name(), second.fn.RelString(c.a.pkg.Pkg), c.a.line(instrPos(second.put))),
				related: []goanalysis.RelatedInformation{{Pos: foundAt(first.elem), Message: "found here"}, {Pos: instrPos(second.put), Message: "put again here"}},
			})
			break
		}
	}
}

// boxedTakes are the Puts by a method that is called through an interface, of what a function gives as such that
// only has one type.
func (h *homes2) boxedTakes(fn *ssa.Function) (list []homeTake) {
	for i := range instrsOf(fn) {
		call, ok := i.(*ssa.Call)
		if !ok || !call.Call.IsInvoke() {
			continue
		}
		if m, from := h.c.boxedMethod(call); m != nil && h.c.puts[m][0] {
			if home, whole := h.takenFrom(from, 1); home != nil && !whole {
				list = append(list, homeTake{fn, home, call.Call.Value, call, false})
			}
		}
	}
	return list
}

// boxedMethod is the method that is called through an interface which a function gave, where that only has one type, and
// what is in there.
func (c *custody) boxedMethod(call ssa.CallInstruction) (m *ssa.Function, from ssa.Value) {
	given, ok := call.Common().Value.(*ssa.Call)
	if !ok || c.a.calledFunction(given) == nil {
		return nil, nil
	}
	for _, r := range returnedBy(c.a.calledFunction(given)) {
		r = unboxed(r)
		if isNilConst(r) {
			continue
		}
		if types.IsInterface(r.Type()) || from != nil && !types.Identical(r.Type(), from.Type()) {
			return nil, nil
		}
		m, from = c.a.methodNamed(r.Type(), call.Common().Method), r
	}
	return m, from
}

// clearsSlot reports whether a function, or one that it calls, sets an element of a container to nil, or deletes it, or
// sets an entry of a map.
func (h *homes2) clearsSlot(fn *ssa.Function, home *types.Var) bool {
	for g := range h.c.reaches(fn) {
		for i := range instrsOf(g) {
			switch i := i.(type) {
			case *ssa.Store:
				if _, ok := i.Addr.(*ssa.IndexAddr); ok && isNilConst(i.Val) && shelfVar(h.c.a.pkg.Pkg, i.Addr) == home {
					return true
				}
			case *ssa.MapUpdate:
				if shelfVar(h.c.a.pkg.Pkg, i.Map) == home {
					return true
				}
			case *ssa.Call:
				if isBuiltin(i, "delete") && shelfVar(h.c.a.pkg.Pkg, i.Call.Args[0]) == home {
					return true
				}
			}
		}
	}
	return false
}

// conditional reports whether a Put depends on more than whether there is something to put.
func conditional(t homeTake) bool {
	for b := t.put.Block().Idom(); b != nil; b = b.Idom() {
		if_, ok := lastInstr(b).(*ssa.If)
		if !ok || !endsWithout(b, t.put.Block(), map[*ssa.BasicBlock]bool{}) {
			continue
		}
		switch x := if_.Cond.(type) {
		case *ssa.BinOp:
			if isNilConst(x.Y) && x.X == t.elem {
				continue
			}
		case *ssa.Extract:
			if e, ok := t.elem.(*ssa.Extract); ok && e.Tuple == x.Tuple {
				continue
			}
		}
		return true
	}
	return false
}

// endsWithout reports whether a way leads from a block to the end of the function past another block.
func endsWithout(from, past *ssa.BasicBlock, seen map[*ssa.BasicBlock]bool) bool {
	if from == past || seen[from] {
		return false
	}
	seen[from] = true
	return len(from.Succs) == 0 || slices.ContainsFunc(from.Succs, func(b *ssa.BasicBlock) bool { return endsWithout(b, past, seen) })
}

// countsAt reports whether a call may be one that only counts a reference down.
func (c *custody) countsAt(i ssa.Instruction) bool {
	call, ok := i.(ssa.CallInstruction)
	if !ok {
		return true
	}
	fn := c.a.calledFunction(call)
	if call.Common().IsInvoke() {
		fn, _ = c.boxedMethod(call)
	}
	if fn == nil {
		return !isPut(call)
	}
	for fn := range c.reaches(fn) {
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case ssa.CallInstruction:
				if m := calledMethod(i); m != nil && m.Pkg() != nil && m.Pkg().Path() == "sync/atomic" {
					return true
				}
			case *ssa.Store:
				if n, ok := i.Val.(*ssa.BinOp); ok && (n.Op == token.SUB || n.Op == token.ADD) && fieldOfValue(n.X) != nil && fieldOfValue(n.X) == fieldAt(i.Addr) {
					return true
				}
			}
		}
	}
	return false
}

// inAnyOrder reports whether two methods are called through one interface, in a loop over what is to be done, or are given
// to others both.
func (c *custody) inAnyOrder(x, y *ssa.Function) bool {
	p, q := recvType(x), recvType(y)
	if p == nil || q == nil || !types.Identical(x.Signature.Params(), y.Signature.Params()) {
		return false
	}
	if p == q {
		return exportedRoot(x) && exportedRoot(y) && p.Exported() && x.Signature.Params().Len() > 0
	}
	if x.Name() != y.Name() {
		return false
	}
	return slices.ContainsFunc(c.a.uses().sites.invokes[x.Name()], func(call ssa.CallInstruction) bool {
		of, ok := call.Common().Value.Type().Underlying().(*types.Interface)
		return ok && inLoop(call.Block()) && !c.a.inTest(call.Parent()) &&
			types.Implements(x.Signature.Recv().Type(), of) && types.Implements(y.Signature.Recv().Type(), of)
	})
}
