// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// The slices and maps in a pooled map are its memory where the package fills them again: cuts one to length 0 and appends,
// or writes to its elements. Where entries are only ever set to what was made elsewhere, as a decoder does, whoever has
// one of them does not have memory of the map.

// entriesOnlySet reports whether a value was found in a map whose entries nobody in the package fills again.
func (a *analysis) entriesOnlySet(x *sym) bool {
	if x.a.kind != kElem || x.a.a.typ == nil || !isMapType(x.a.a.typ) {
		return false
	}
	if a.entriesFilled == nil {
		a.entriesFilled = a.filledEntries()
	}
	return !a.entriesFilled[x.a.a.typ.Underlying().String()]
}

// filledEntries are the types of maps of which the package fills entries again.
func (a *analysis) filledEntries() map[string]bool {
	filled, added, cleared := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, i := range a.instrs() {
		var of types.Type
		var entry ssa.Value
		switch i := i.(type) {
		case *ssa.Lookup:
			of, entry = i.X.Type(), i
		case *ssa.Extract:
			switch t := i.Tuple.(type) {
			case *ssa.Lookup:
				of, entry = t.X.Type(), i
			case *ssa.Next:
				if r, ok := t.Iter.(*ssa.Range); ok && i.Index == 2 {
					of, entry = r.X.Type(), i
				}
			}
		case ssa.CallInstruction:
			if isBuiltin(i, "clear") && isMapType(i.Common().Args[0].Type()) {
				cleared[i.Common().Args[0].Type().Underlying().String()] = true
			}
		}
		if of == nil || !isMapType(of) || !owned(entry.Type()) {
			continue
		}
		name := of.Underlying().String()
		again, more := fillsAgain(entry, map[ssa.Value]bool{})
		filled[name] = filled[name] || again
		added[name] = added[name] || more
	}
	for name, is := range added {
		filled[name] = filled[name] || is && !cleared[name] // what the last user left is added to
	}
	return filled
}

// fillsAgain reports whether what was found in a map is written from its start, or may be, and whether something is added
// to it.
func fillsAgain(v ssa.Value, seen map[ssa.Value]bool) (again, added bool) {
	if seen[v] {
		return false, false
	}
	seen[v] = true
	follow := func(x ssa.Value) {
		f, m := fillsAgain(x, seen)
		again, added = again || f, added || m
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.Slice:
			if r.High != nil {
				again = true
				continue
			}
			follow(r)
		case *ssa.Phi:
			follow(r)
		case *ssa.ChangeType:
			follow(r)
		case *ssa.IndexAddr:
			for _, u := range referrers(r) {
				if s, ok := u.(*ssa.Store); ok && s.Addr == r {
					again = true
				}
			}
		case *ssa.MapUpdate:
			added = added || r.Map == v
		case *ssa.Store:
			if r.Val != v {
				continue
			}
			if _, isVar := r.Addr.(*ssa.Alloc); !isVar {
				again = true // who reads it there is not followed
				continue
			}
			for _, l := range loadsOf(r.Addr) {
				follow(l)
			}
		case ssa.CallInstruction:
			switch c := r.Common(); {
			case isBuiltin(r, "append"):
				added = added || c.Args[0] == v
			case isBuiltin(r, "copy"):
				again = again || c.Args[0] == v
			case isBuiltin(r, "len"), isBuiltin(r, "cap"), isBuiltin(r, "delete"):
			case readsOnly(c.StaticCallee()):
			default:
				again = true
			}
		}
	}
	return again, added
}

// readsOnly reports whether a function is one of the standard library, which reads the slices that it is given, but for
// those that set their elements in order.
func readsOnly(fn *ssa.Function) bool {
	if fn == nil || fn.Pkg == nil || !isStdPath(fn.Pkg.Pkg.Path()) {
		return false
	}
	switch fn.Pkg.Pkg.Path() {
	case "bytes", "encoding/json", "fmt", "strconv", "strings", "unicode/utf8":
		return true
	}
	return false
}
