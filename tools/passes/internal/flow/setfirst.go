// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// What a field of an object holds from before is seen by nobody where all who read the field set it
// first, or wait for those who set it.

// setFirst reports whether each function that reads a field of this package has set it before, by itself
// or by a function that it called.
func (a *analysis) setFirst(v *types.Var) bool {
	if known, ok := a.firstSet[v]; ok {
		return known
	}
	if a.firstSet == nil {
		a.firstSet = map[*types.Var]bool{}
	}
	stores := map[*ssa.Function]bool{}
	for _, fn := range a.fns {
		eachStore(fn, func(s *ssa.Store) { stores[fn] = stores[fn] || fieldAt(s.Addr) == v })
	}
	a.firstSet[v] = !v.Exported() && v.Pkg() == a.pkg.Pkg && a.readsFollow(v, func(i ssa.Instruction) bool {
		switch i := i.(type) {
		case *ssa.Store:
			return fieldAt(i.Addr) == v
		case *ssa.Call:
			return stores[a.calledFunction(i)]
		}
		return false
	})
	return a.firstSet[v]
}

// answers reports whether a field has the answer of those who are waited for: whoever sets it says
// so to a WaitGroup, and whoever reads it has waited.
func (a *analysis) answers(v *types.Var) bool {
	calls := func(i ssa.Instruction, key string) bool {
		c, ok := i.(ssa.CallInstruction)
		return ok && funcKey(calledMethod(c)) == key
	}
	n, told := 0, true
	for _, fn := range a.fns {
		eachStore(fn, func(s *ssa.Store) {
			if fieldAt(s.Addr) != v {
				return
			}
			n++
			done := false
			for i := range instrsOf(fn) {
				done = done || calls(i, "sync.WaitGroup.Done") && mayFollow(s, i)
			}
			told = told && done
		})
	}
	return n > 0 && told && a.readsFollow(v, func(i ssa.Instruction) bool { return calls(i, "sync.WaitGroup.Wait") })
}

// readsFollow reports whether a field is read somewhere, and everywhere only after an instruction of a kind.
func (a *analysis) readsFollow(v *types.Var, is func(ssa.Instruction) bool) bool {
	reads := 0
	for _, fn := range a.fns {
		for _, b := range fn.Blocks {
			for k, i := range b.Instrs {
				fa, ok := i.(*ssa.FieldAddr)
				if !ok || fieldAt(fa) != v || onlyStored(fa) {
					continue
				}
				reads++
				if !comesAfter(b, k, is) {
					return false
				}
			}
		}
	}
	return reads > 0
}

// onlyStored reports whether the address of a field serves to set it, and for nothing else.
func onlyStored(fa *ssa.FieldAddr) bool {
	for _, r := range referrers(fa) {
		if s, ok := r.(*ssa.Store); !ok || s.Addr != fa {
			return false
		}
	}
	return true
}

// comesAfter reports whether an instruction of a kind stands before the k-th of a block, or in a block that
// dominates it.
func comesAfter(b *ssa.BasicBlock, k int, is func(ssa.Instruction) bool) bool {
	for ; b != nil; b, k = b.Idom(), -1 {
		for n, i := range b.Instrs {
			if n == k {
				break
			}
			if is(i) {
				return true
			}
		}
	}
	return false
}

// setFirstAt is setFirst of the field at an address, unless the path set it last of all, or something in what is
// there: nobody would store what nobody reads.
func (a *analysis) setFirstAt(st *state, addr *sym) bool {
	v, ok := addr.obj.(*types.Var)
	return ok && addr.kind == kField && a.setFirst(v.Origin()) && a.readAfter(st.stores[addr], v.Origin()) && !a.filledLast(st, st.mem[addr], v.Origin())
}

// filledLast reports whether a path set a field of the object that v leads to, which nobody in view reads, to memory that went to
// the pool, and did not come back to the object by v: who reads that field has the object from v.
func (a *analysis) filledLast(st *state, x *sym, v *types.Var) bool {
	if x == nil {
		return false
	}
	if x = plain(x); x.kind != kAlloc || varargs(x) {
		return false
	}
	for _, k := range sortedKeys(st.mem) {
		kept := st.mem[k]
		if k.kind != kField || !inside(k, x) || a.releasedWithin(st, kept) == nil {
			continue
		}
		w, ok := k.obj.(*types.Var)
		if ok && st.stores[k] != nil && !a.readAfter(st.stores[k], v) && a.neverRead(w.Origin()) {
			return true
		}
	}
	return false
}

// neverRead reports whether nothing in view reads a field but to add to it.
func (a *analysis) neverRead(v *types.Var) bool {
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.FieldAddr:
			if fieldAt(i) == v && !servesToAdd(i, v) {
				return false
			}
		case *ssa.Field:
			if nthField(i.X, i.Field) == v {
				return false
			}
		}
	}
	return true
}

// servesToAdd reports whether the address of a field serves to set it, and to read the slice or map that it has for being added to.
func servesToAdd(fa *ssa.FieldAddr, v *types.Var) bool {
	for _, r := range referrers(fa) {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != fa {
				return false
			}
		case *ssa.UnOp:
			for _, use := range referrers(r) {
				if !extends(use, r, v) {
					return false
				}
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// readAfter reports whether a function that an event is in reads a field after it.
func (a *analysis) readAfter(e *event, v *types.Var) bool {
	if e == nil {
		return true
	}
	for _, at := range e.stack {
		for i := range instrsOf(at.Parent()) {
			if fa, ok := i.(*ssa.FieldAddr); ok && fieldAt(fa) == v && !onlyStored(fa) && mayFollow(at, fa) {
				return true
			}
		}
	}
	return false
}

// keptUnread reports whether what was released is found in fields only that nobody reads before they are set,
// or that another package has to itself: whether that reads them is not in view.
func (a *analysis) keptUnread(st *state, r *release) bool {
	n := 0
	for k, v := range st.mem {
		if a.released(st, v) != r {
			continue
		}
		if n++; !a.setFirstAt(st, k) && !a.privateElsewhere(k) {
			return false
		}
	}
	return n > 0
}

// privateElsewhere reports whether an address is that of another package's unexported field.
func (a *analysis) privateElsewhere(addr *sym) bool {
	v, ok := addr.obj.(*types.Var)
	return ok && addr.kind == kField && !v.Exported() && v.Pkg() != a.pkg.Pkg
}

// extends reports whether an instruction appends to the slice that a field has and sets the field to that, or adds an entry to its map.
func extends(i ssa.Instruction, x ssa.Value, v *types.Var) bool {
	switch i := i.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.MapUpdate:
		return i.Map == x
	case *ssa.Call:
		if b, ok := i.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" || i.Call.Args[0] != x {
			return false
		}
		return !slices.ContainsFunc(referrers(i), func(r ssa.Instruction) bool {
			s, ok := r.(*ssa.Store)
			return !ok || fieldAt(s.Addr) != v
		})
	}
	return false
}
