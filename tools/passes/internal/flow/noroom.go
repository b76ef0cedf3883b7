// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A pool of structs around a slice, which New makes with room, keeps nothing of use when every
// Put lets go of the slice first: whoever takes a value appends to nothing.

// onlySlice is the slice field of a struct that has nothing else that is worth keeping.
func onlySlice(typ types.Type) *types.Var {
	s := structOf(typ)
	if s == nil {
		return nil
	}
	var only *types.Var
	for f := range s.Fields() {
		if _, ok := f.Type().Underlying().(*types.Slice); ok && only == nil {
			only = f.Origin()
		} else if !scalar(f.Type()) {
			return nil
		}
	}
	return only
}

// withoutSlice reports whether the path set the only slice of what it puts to nil, or cut its
// capacity to nothing.
func (a *analysis) withoutSlice(st *state, m *sym, typ types.Type) bool {
	only := onlySlice(typ)
	if only == nil && !pointsToSlice(typ) {
		return false
	}
	for k, v := range st.mem {
		if only != nil && (k.kind != kField || k.a != m || fieldOf0(k) != only) || only == nil && k != m {
			continue
		}
		e := st.stores[k]
		if e == nil {
			continue
		}
		store, ok := e.stack[len(e.stack)-1].(*ssa.Store)
		return ok && (v.kind == kNil || withoutRoom(store.Val))
	}
	return false
}

// fieldOf0 is the field that an address names.
func fieldOf0(k *sym) *types.Var {
	v, _ := k.obj.(*types.Var)
	return v
}

// withoutRoom reports whether a slice was cut to a capacity of 0.
func withoutRoom(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	return ok && s.Max != nil && isZeroSize(s.Max)
}

// judgeNoRoom reports a pool whose values never come back with the room that New gives them.
func (a *analysis) judgeNoRoom(p *pool) {
	var first *putSite
	for _, s := range p.puts {
		if !s.noRoom {
			return
		}
		if first == nil || s.ev.pos() < first.ev.pos() {
			first = s
		}
	}
	if first == nil {
		return
	}
	room := a.roomFor(p, onlySlice(first.typ))
	if room == nil {
		return
	}
	a.reportFound(finding{
		pattern: staleHeader, pos: first.ev.pos(), fn: first.fn,
		message: fmt.Sprintf("every Put in %s lets go of the slice that New makes with room (%s): what comes from the pool has no memory to be used again", p.label(), a.line(instrPos(room))),
		related: []goanalysis.RelatedInformation{{Pos: instrPos(room), Message: "made here"}},
	})
}

// roomFor finds where New, or a function that it calls, makes a field's slice with a capacity.
func (a *analysis) roomFor(p *pool, field *types.Var) ssa.Instruction {
	fns := slices.Clone(a.news[p.key])
	slices.SortFunc(fns, func(x, y *ssa.Function) int { return cmp.Compare(x.Pos(), y.Pos()) })
	for n := 0; n < len(fns) && n < 8; n++ {
		for i := range instrsOf(fns[n]) {
			switch i := i.(type) {
			case *ssa.Call:
				if f := i.Call.StaticCallee(); f != nil && a.inPackage(f) && !slices.Contains(fns, f) {
					fns = append(fns, f)
				}
			case *ssa.Store:
				_, isVar := i.Addr.(*ssa.Alloc)
				if (field != nil && fieldAt(i.Addr) == field || field == nil && isVar) && hasRoomAtStart(i.Val) {
					return i
				}
			}
		}
	}
	return nil
}

// hasRoomAtStart reports whether a value is a slice that is made with a capacity above 0.
func hasRoomAtStart(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeSlice:
		return !isZeroSize(v.Cap)
	case *ssa.Slice:
		al, ok := v.X.(*ssa.Alloc)
		return ok && al.Comment == "makeslice"
	}
	return false
}
