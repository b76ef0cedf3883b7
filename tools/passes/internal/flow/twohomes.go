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

// An object may be kept in two containers at once: in a map, to be found, and in a heap or a
// list, to be next. A function that takes it out of one and puts it, and has nothing to do
// with the other, leaves it there for those that put what they find in that one.

// homes2 is what a package does with containers that share elements.
type homes2 struct {
	c     *custody
	pairs map[[2]*types.Var]bool
	takes []homeTake
	keeps map[*ssa.Function]map[int][]*types.Var // containers that a function adds a parameter to; -1 is its result
	lists map[*ssa.Function]map[int]bool         // parameters that a function appends to a slice that serves as a pool
}

// A homeTake is a Put of an element of a container.
type homeTake struct {
	fn    *ssa.Function
	home  *types.Var
	elem  ssa.Value
	put   ssa.Instruction
	whole bool // by a loop over all elements
}

// judgeTwoHomes reports such Puts.
func (c *custody) judgeTwoHomes() {
	h := &homes2{c: c, pairs: map[[2]*types.Var]bool{}, keeps: map[*ssa.Function]map[int][]*types.Var{}, lists: map[*ssa.Function]map[int]bool{}}
	for range 3 {
		for _, fn := range c.a.fns {
			h.learn(fn)
		}
	}
	for _, fn := range c.a.fns {
		if !c.a.inTest(fn) {
			h.findTakes(fn)
		}
	}
	h.judgeSlots()
	h.judgeAnyOrder()
	for _, t := range h.takes {
		if t.whole {
			continue
		}
		for _, o := range h.takes {
			if !h.pairs[[2]*types.Var{t.home, o.home}] || o.fn == t.fn || h.mentions(t.fn, o.home) || h.looksUp(o.fn, t.home) ||
				slices.ContainsFunc(c.a.callsOf(t.fn), func(call ssa.CallInstruction) bool { return h.mentions(call.Parent(), o.home) }) {
				continue
			}
			pattern, does := doublePut, "puts it again"
			if slices.ContainsFunc(usesOf(o.elem, nil), func(i ssa.Instruction) bool { return i != o.put }) {
				pattern, does = storeAlias, "uses it, and puts it again"
			}
			c.a.reportFound(finding{
				pattern: pattern, pos: instrPos(t.put), fn: t.fn, cause: instrPos(t.put),
				message: fmt.Sprintf("%s was found in %s and is still in %s, where %s %s (%s)", apposed(c.a.putNameAt(t.put), "put here", "what is put here"), t.home.Name(), o.home.Name(), o.fn.Name(), does, c.a.line(instrPos(o.put))),
				related: []goanalysis.RelatedInformation{
					{Pos: foundAt(t.elem), Message: "found here"},
					{Pos: instrPos(o.put), Message: "put again here"},
				},
			})
			break
		}
	}
}

// foundAt is where an element was found.
func foundAt(v ssa.Value) token.Pos {
	if l := lookupOf(v); l != nil {
		return l.Pos()
	}
	if i, ok := v.(ssa.Instruction); ok {
		return instrPos(i)
	}
	return v.Pos()
}

// shelfVar is the field or variable that holds the container which a value is, or part of
// which an address is.
func shelfVar(pkg *types.Package, v ssa.Value) *types.Var {
	var obj *types.Var
	for n := 0; n < 4 && obj == nil; n++ {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			obj = nthField(x.X, x.Field)
		case *ssa.Global:
			obj, _ = x.Object().(*types.Var)
			if obj == nil {
				return nil
			}
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return nil
			}
			v = x.X
		case *ssa.Slice:
			v = x.X
		default:
			return nil
		}
	}
	if obj == nil || obj.Pkg() != pkg || obj.Exported() {
		return nil
	}
	switch t := obj.Type().Underlying().(type) {
	case *types.Map, *types.Slice, *types.Array:
		return obj
	case *types.Pointer:
		switch t.Elem().Underlying().(type) {
		case *types.Map, *types.Slice, *types.Array:
			return obj
		}
	}
	return nil
}

// learn sees which values a function adds to which containers.
func (h *homes2) learn(fn *ssa.Function) {
	pkg := h.c.a.pkg.Pkg
	in := map[ssa.Value][]*types.Var{}
	add := func(v ssa.Value, homes ...*types.Var) {
		v = unboxed(v)
		if _, isPtr := v.Type().Underlying().(*types.Pointer); !isPtr {
			return
		}
		for _, f := range homes {
			if f != nil && !slices.Contains(in[v], f) {
				in[v] = append(in[v], f)
			}
		}
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.MapUpdate:
			add(i.Value, shelfVar(pkg, i.Map))
		case *ssa.Store:
			if e, ok := i.Addr.(*ssa.IndexAddr); ok {
				add(i.Val, shelfVar(pkg, e.X))
			}
			if x, ok := h.c.a.sliceLists.elem[i]; ok && h.c.a.sliceLists.puts[i] != nil {
				h.noteList(fn, x)
			} else if call, ok := i.Val.(*ssa.Call); ok && isBuiltin(call, "append") {
				if f := shelfVar(pkg, i.Addr); f != nil && f == shelfVar(pkg, call.Call.Args[0]) {
					for _, x := range appended(call) {
						add(x, f)
					}
				}
			}
		case *ssa.Call:
			args := i.Call.Args
			if m := calledMethod(i); m != nil && funcKey(m) == "container/heap.Push" && len(args) == 2 {
				add(args[1], shelfVar(pkg, unboxed(args[0])))
			}
			g := h.c.a.calledFunction(i)
			if g == nil || i.Call.IsInvoke() {
				continue
			}
			for k, x := range args {
				add(x, h.keeps[g][k]...)
				if h.lists[g][k] {
					h.noteList(fn, x)
				}
			}
			add(i, h.keeps[g][-1]...)
		}
	}
	note := func(k int, homes []*types.Var) {
		if h.keeps[fn] == nil {
			h.keeps[fn] = map[int][]*types.Var{}
		}
		for _, f := range homes {
			if !slices.Contains(h.keeps[fn][k], f) {
				h.keeps[fn][k] = append(h.keeps[fn][k], f)
			}
		}
	}
	returned := returnedBy(fn)
	for v, homes := range in {
		for k, p := range fn.Params {
			if p == v {
				note(k, homes)
			}
		}
		if slices.Contains(returned, v) {
			note(-1, homes)
		}
		for _, f := range homes {
			for _, g := range homes {
				if f != g {
					h.pairs[[2]*types.Var{f, g}] = true
				}
			}
		}
	}
}

func (h *homes2) noteList(fn *ssa.Function, v ssa.Value) {
	for k, p := range fn.Params {
		if p == unboxed(v) {
			if h.lists[fn] == nil {
				h.lists[fn] = map[int]bool{}
			}
			h.lists[fn][k] = true
		}
	}
}

// putBy are the values that an instruction gives back, be it to a slice that serves as a pool.
func (h *homes2) putBy(i ssa.Instruction) []ssa.Value {
	list := h.c.putBy(i)
	if call, ok := i.(ssa.CallInstruction); ok && !call.Common().IsInvoke() {
		if g := h.c.a.calledFunction(call); g != nil {
			for k, x := range call.Common().Args {
				if h.lists[g][k] {
					list = append(list, x)
				}
			}
		}
	}
	return list
}

// findTakes finds what a function puts of what it found in containers.
func (h *homes2) findTakes(fn *ssa.Function) {
	for i := range instrsOf(fn) {
		for _, v := range h.putBy(i) {
			h.c.back(v, func(x ssa.Value) bool {
				if home, whole := h.takenFrom(x, 0); home != nil {
					h.takes = append(h.takes, homeTake{fn, home, x, i, whole})
					return false
				}
				return fieldOfValue(x) == nil
			})
		}
	}
}

// takenFrom is the container that a value was found in.
func (h *homes2) takenFrom(x ssa.Value, depth int) (home *types.Var, whole bool) {
	pkg := h.c.a.pkg.Pkg
	if l := lookupOf(x); l != nil {
		return shelfVar(pkg, l.X), false
	}
	switch x := x.(type) {
	case *ssa.Extract:
		if n, ok := x.Tuple.(*ssa.Next); ok && x.Index == 2 {
			if r, ok := n.Iter.(*ssa.Range); ok {
				return shelfVar(pkg, r.X), true
			}
		}
	case *ssa.UnOp:
		if e, ok := x.X.(*ssa.IndexAddr); ok && x.Op == token.MUL {
			return shelfVar(pkg, e.X), inLoop(x.Block())
		}
	case *ssa.TypeAssert:
		if call, ok := x.X.(*ssa.Call); ok && calledMethod(call) != nil && funcKey(calledMethod(call)) == "container/heap.Pop" {
			return shelfVar(pkg, unboxed(call.Call.Args[0])), false
		}
	case *ssa.Call:
		g := h.c.a.calledFunction(x)
		if g == nil || depth > 0 {
			return nil, false
		}
		for _, r := range returnedBy(g) {
			if home, whole := h.takenFrom(r, 1); home != nil && !whole {
				return home, false
			}
		}
	}
	return nil, false
}

// mentions reports whether a function, or one that it calls, deals with a container.
func (h *homes2) mentions(fn *ssa.Function, home *types.Var) bool {
	for g := range h.c.reaches(fn) {
		for i := range instrsOf(g) {
			for _, o := range i.Operands(nil) {
				if *o == nil {
					continue
				}
				switch x := (*o).(type) {
				case *ssa.FieldAddr:
					if nthField(x.X, x.Field) == home {
						return true
					}
				case *ssa.Global:
					if x.Object() == types.Object(home) {
						return true
					}
				}
			}
		}
	}
	return false
}

// looksUp reports whether a function asks what a map has.
func (h *homes2) looksUp(fn *ssa.Function, home *types.Var) bool {
	for i := range instrsOf(fn) {
		if l, ok := i.(*ssa.Lookup); ok && shelfVar(h.c.a.pkg.Pkg, l.X) == home {
			return true
		}
		if call, ok := i.(*ssa.Call); ok {
			if f, _ := h.takenFrom(call, 0); f == home {
				return true
			}
		}
	}
	return false
}
