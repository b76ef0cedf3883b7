// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A map that a function of the standard library is given to print, encode or copy is read there, with all
// that is in it. It may be given as it is, among variable arguments, or in a struct made for the call.

// readsMap reports whether a call of a function out of view reads the map that is its argument k, and does no more.
func readsMap(c ssa.CallInstruction, k int) bool {
	f := calledMethod(c)
	if f == nil || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "fmt", "log", "encoding/json", "encoding/xml", "encoding/gob", "text/template", "html/template":
		return true
	case "maps":
		switch f.Name() {
		case "Keys", "Values", "All", "Clone", "Equal", "EqualFunc":
			return true
		case "Copy":
			return k == 1
		}
		return false
	}
	return !isStdPath(f.Pkg().Path()) && (strings.HasPrefix(f.Name(), "Marshal") || strings.HasPrefix(f.Name(), "Encode"))
}

// fillsMap reports whether a call adds keys of somebody else's to the map that is its argument k.
func fillsMap(c ssa.CallInstruction, k int) bool {
	f := calledMethod(c)
	return f != nil && k == 0 && (funcKey(f) == "maps.Copy" || funcKey(f) == "maps.Insert")
}

// givenInside follows a map that is stored in a struct, or a slice of arguments, made on the spot, to the
// calls that are given that. It reports whether these are all that is done with it.
func (g *gathering) givenInside(st *ssa.Store) bool {
	var in ssa.Value
	switch addr := st.Addr.(type) {
	case *ssa.FieldAddr:
		in = addr.X
	case *ssa.IndexAddr:
		in = addr.X
	}
	al, ok := in.(*ssa.Alloc)
	if !ok {
		return false
	}
	var calls func(v ssa.Value, depth int) bool
	calls = func(v ssa.Value, depth int) bool {
		if depth > 4 {
			return false
		}
		for _, r := range referrers(v) {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.FieldAddr, *ssa.IndexAddr:
				if slices.ContainsFunc(referrers(r.(ssa.Value)), func(q ssa.Instruction) bool {
					s, isStore := q.(*ssa.Store)
					_, isDebug := q.(*ssa.DebugRef)
					return !isDebug && (!isStore || s.Val == r.(ssa.Value))
				}) {
					return false
				}
			case *ssa.Store:
				if r.Addr != v { // boxed, among the arguments
					inner, ok := r.Addr.(*ssa.IndexAddr)
					if !ok || !calls(inner.X, depth+1) {
						return false
					}
				}
			case *ssa.UnOp, *ssa.MakeInterface, *ssa.Slice, *ssa.ChangeType:
				if !calls(r.(ssa.Value), depth+1) {
					return false
				}
			case ssa.CallInstruction:
				k := slices.Index(r.Common().Args, v)
				if k < 0 || !readsMap(r, k) {
					return false
				}
				if g.read == nil {
					g.read = r
				}
			default:
				return false
			}
		}
		return true
	}
	return calls(al, 0)
}

// setForAll reports whether a key that is a constant is set by all who take the struct: by a function that does nothing
// else first, called without a question.
func (g *gathering) setForAll(u *ssa.MapUpdate) bool {
	if _, isConst := unboxed(u.Key).(*ssa.Const); !isConst || !setInAnyCase(u) {
		return false
	}
	var always func(fn *ssa.Function, depth int) bool
	always = func(fn *ssa.Function, depth int) bool {
		if g.taker(fn) {
			return true
		}
		calls := g.a.callsOf(fn)
		if depth > 3 || len(calls) == 0 || g.a.uses().taken[fn] {
			return false
		}
		return !slices.ContainsFunc(calls, func(c ssa.CallInstruction) bool {
			in := c.Parent()
			if g.a.inTest(in) {
				return false
			}
			if c.Common().IsInvoke() {
				return true
			}
			for _, b := range in.Blocks {
				if _, ends := lastInstr(b).(*ssa.Return); ends && b != in.Recover && !c.Block().Dominates(b) {
					return true
				}
			}
			return !always(in, depth+1)
		})
	}
	return always(u.Parent(), 0)
}

// isMapType reports whether a type is one of maps.
func isMapType(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}
