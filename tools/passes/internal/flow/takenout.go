// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Who finds an element in a map and takes it out there before the lock is given back has it alone: no eviction finds
// it again.

// takenOut reports whether every way from where a function found v in a map to an instruction takes it out there, with
// the lock held; every way to a return, if to is nil.
func takenOut(fn *ssa.Function, v ssa.Value, look, to ssa.Instruction, home *types.Var) bool {
	at := &takenFromMap{same: aliasesOf(v), home: home}
	switch l := look.(type) {
	case *ssa.Lookup:
		at.m, at.key = l.X, l.Index
		at.same[l] = true
	case *ssa.Call:
		if n := len(l.Call.Args); n > 1 {
			at.owner, at.key = l.Call.Args[0], l.Call.Args[n-1]
		}
		at.same[l] = true
	}
	if at.key == nil {
		return false
	}
	takes := false
	for i := range instrsOf(fn) {
		switch {
		case at.takes(i):
			takes = true
		case at.adds(i):
			return false
		}
	}
	if !takes {
		return false
	}
	return !at.left(look, to)
}

// A takenFromMap is an element that was found in a map.
type takenFromMap struct {
	same   map[ssa.Value]bool // what it is called
	home   *types.Var
	m, key ssa.Value
	owner  ssa.Value // of the map, where a call found the element
}

// in reports whether a value is the map.
func (t *takenFromMap) in(m ssa.Value) bool {
	if t.m != nil {
		return oneRead(m, t.m, 0)
	}
	f, owner := fieldLoad(m)
	return f == t.home && oneRead(owner, t.owner, 0)
}

// takes reports whether an instruction takes the element out of its map: a deletion, or another element in its place.
func (t *takenFromMap) takes(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Call:
		switch {
		case isBuiltin(i, "delete"):
			return t.in(i.Call.Args[0]) && sameEntry(i.Call.Args[1], t.key)
		case isBuiltin(i, "clear"):
			return t.in(i.Call.Args[0])
		}
	case *ssa.MapUpdate:
		return t.in(i.Map) && sameEntry(i.Key, t.key) && !t.same[i.Value]
	}
	return false
}

// adds reports whether the element goes to the map again.
func (t *takenFromMap) adds(i ssa.Instruction) bool {
	u, ok := i.(*ssa.MapUpdate)
	return ok && t.same[unboxed(u.Value)] && fieldOfAddr(u.Map) == t.home
}

// sameEntry reports whether two keys are one.
func sameEntry(x, y ssa.Value) bool {
	switch x := x.(type) {
	case *ssa.Const:
		d, ok := y.(*ssa.Const)
		return ok && x.Value != nil && d.Value != nil && x.Value.ExactString() == d.Value.ExactString()
	case *ssa.Convert:
		c, ok := y.(*ssa.Convert)
		return ok && sameEntry(x.X, c.X)
	}
	return oneRead(x, y, 0)
}

// left reports whether some way from an instruction to another one leaves the element in its map, or gives back the
// lock before that is taken out.
func (t *takenFromMap) left(from, to ssa.Instruction) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock, at int) bool
	walk = func(b *ssa.BasicBlock, at int) bool {
		for _, i := range b.Instrs[at:] {
			if i == from || t.takes(i) {
				return false
			}
			if _, isReturn := i.(*ssa.Return); i == to || to == nil && isReturn {
				return true
			}
			if isUnlock(i) && (to == nil || follows(i, to, from)) {
				return true
			}
		}
		for _, s := range b.Succs {
			if !seen[s] && !t.missing(b, s) {
				seen[s] = true
				if walk(s, 0) {
					return true
				}
			}
		}
		return false
	}
	for n, i := range from.Block().Instrs {
		if i == from {
			return walk(from.Block(), n+1)
		}
	}
	return true
}

// missing reports whether control goes from a block to another one where nothing was found.
func (t *takenFromMap) missing(b, s *ssa.BasicBlock) bool {
	i, ok := lastInstr(b).(*ssa.If)
	if !ok || b.Succs[0] == b.Succs[1] {
		return false
	}
	cond, found := i.Cond, s == b.Succs[0]
	for {
		not, ok := cond.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			break
		}
		cond, found = not.X, !found
	}
	switch c := cond.(type) {
	case *ssa.Extract:
		return c.Index == 1 && isBool(c.Type()) && t.isFrom(c.Tuple) && !found
	case *ssa.BinOp:
		if c.Op != token.EQL && c.Op != token.NEQ || !(t.same[c.X] && isNilConst(c.Y) || t.same[c.Y] && isNilConst(c.X)) {
			return false
		}
		return found == (c.Op == token.EQL)
	}
	return false
}

// isFrom reports whether the element is the first of several values.
func (t *takenFromMap) isFrom(tuple ssa.Value) bool {
	if t.same[tuple] {
		return true
	}
	for x := range t.same {
		if e, ok := x.(*ssa.Extract); ok && e.Tuple == tuple {
			return true
		}
	}
	return false
}
