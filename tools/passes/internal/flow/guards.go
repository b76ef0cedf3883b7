// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// guarded reports whether a path told the goroutine, by a flag under a lock,
// to keep its hands off: it stored a constant in a variable or field that is
// read elsewhere only after a lock was taken.
func (a *analysis) guarded(st *state, g *spawn) bool {
	for _, addr := range sortedKeys(st.stores) {
		v := st.mem[addr]
		if v == nil || v.kind != kConst && v.kind != kNil {
			continue
		}
		e := st.stores[addr]
		if e == nil || startsAfter(g, e) || !a.shares(st, g, addr) {
			continue
		}
		if addr.kind == kField && addr.idx == cellField {
			addr = addr.a // of an atomic.Bool, say
		}
		switch addr.kind {
		case kField:
			obj, ok := addr.obj.(*types.Var)
			if ok && a.readsLocked(func(x ssa.Value) bool {
				fa, ok := x.(*ssa.FieldAddr)
				if !ok {
					return false
				}
				s := structOf(fa.X.Type())
				return s != nil && s.Field(fa.Field).Origin() == obj
			}, e.fn) {
				return true
			}
		case kAlloc:
			al, ok := addr.obj.(*ssa.Alloc)
			if !ok {
				continue
			}
			if a.readsLocked(func(x ssa.Value) bool {
				fv, ok := x.(*ssa.FreeVar)
				return ok && fv.Name() == al.Comment && fv.Parent().Parent() == al.Parent()
			}, e.fn) {
				return true
			}
		}
	}
	return false
}

// startsAfter reports whether a goroutine was started when a store was over: what it found set from the
// beginning is no sign that came later.
func startsAfter(g *spawn, e *event) bool {
	n := 0
	for n < len(g.stack)-1 && n < len(e.stack)-1 && g.stack[n] == e.stack[n] {
		n++
	}
	x, y := e.stack[n], g.stack[n]
	return x != y && x.Parent() == y.Parent() && precedes(x, y) && !reaches(y.Block(), x.Block())
}

// shares reports whether an address is in memory that the goroutine can reach.
func (a *analysis) shares(st *state, g *spawn, addr *sym) bool {
	found := false
	for _, h := range g.holds {
		a.reach(st, h, func(y *sym) bool {
			if y == addr.root() {
				found = true
			}
			return !found
		})
	}
	return found
}

// readsLocked reports whether every other function's loads of a variable come
// after a lock was taken there, and that there are such loads.
func (a *analysis) readsLocked(is func(ssa.Value) bool, writer *ssa.Function) bool {
	n := 0
	for _, fn := range a.fns {
		if fn == writer {
			continue
		}
		for i := range instrsOf(fn) {
			from := loadedFrom(i)
			if from == nil || !is(from) {
				continue
			}
			n++
			if !locked(i) {
				return false
			}
		}
	}
	return n > 0
}

// loadedFrom is the address that an instruction loads from, be it by a function of sync/atomic.
func loadedFrom(i ssa.Instruction) ssa.Value {
	switch i := i.(type) {
	case *ssa.UnOp:
		if i.Op == token.MUL {
			return i.X
		}
	case *ssa.Call:
		if m := calledMethod(i); m != nil && m.Pkg() != nil && m.Pkg().Path() == "sync/atomic" && strings.HasPrefix(m.Name(), "Load") {
			return i.Call.Args[0]
		}
	}
	return nil
}

// locked reports whether a lock is taken on every way to an instruction.
func locked(at ssa.Instruction) bool {
	for b := at.Block(); b != nil; b = b.Idom() {
		for _, i := range b.Instrs {
			if i == at {
				break
			}
			if c, ok := i.(*ssa.Call); ok {
				if f := calledMethod(c); f != nil && (f.Name() == "Lock" || f.Name() == "RLock" || strings.HasSuffix(f.Name(), "TryLock")) {
					return true
				}
			}
		}
	}
	return false
}
