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

// An element is put in a pool and cut from its slice, but the shorter slice is not stored where
// the longer one came from, a field or an entry of a map: there the element, or after the others
// moved up the last one twice, is found again.

// judgeCutCopies reports such Puts.
func (a *analysis) judgeCutCopies() {
	s := a.uses().sites
	webs := map[ssa.Value]*web{}
	for c := range a.productCalls() {
		fn := c.Parent()
		if _, isCall := c.(*ssa.Call); !isCall || fn.Name() == "Close" || ends(fn.Name()) {
			continue
		}
		for _, n := range s.putArgs(a, c) {
			l, ok := unboxed(c.Common().Args[n]).(*ssa.UnOp)
			if !ok || l.Op != token.MUL {
				continue
			}
			ia, ok := l.X.(*ssa.IndexAddr)
			if !ok {
				continue
			}
			if _, ok := ia.X.Type().Underlying().(*types.Slice); !ok {
				continue
			}
			w := webs[ia.X]
			if w == nil {
				w = &web{of: map[ssa.Value]bool{}}
				w.follow(ia.X)
				if w.cut == nil && w.emptied {
					w.cut = w.refilled
				}
				for v := range w.of {
					webs[v] = w
				}
			}
			if w.home == nil || w.mixed || w.leaves || w.cut == nil || !together(c, w.cut) && !(w.cut == w.refilled && inLoop(c.Block())) || a.homeWritten(fn, w.home) {
				continue
			}
			if slices.ContainsFunc(s.callers[fn], func(o ssa.CallInstruction) bool {
				return a.homeWritten(o.Parent(), w.home) || w.returned && keepsResult(o)
			}) || w.returned && s.taken[fn] {
				continue
			}
			name := describeHome(w.home)
			a.reportFound(finding{
				pattern: useAfterPut, pos: instrPos(c), fn: fn,
				message: fmt.Sprintf("an element is put and cut from a copy of the slice's header only: %s keeps the longer slice, where it, or another one twice, is found again", name),
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(w.cut), Message: "cut here"},
					{Pos: instrPos(w.home.(ssa.Instruction)), Message: "read here"},
				},
			})
		}
	}
}

// together reports whether one of two instructions leads to the other in any case.
func together(x, y ssa.Instruction) bool {
	return x.Block().Dominates(y.Block()) || y.Block().Dominates(x.Block())
}

// A web is the values that one slice variable has in a function, from where it was read to
// its last cut.
type web struct {
	of       map[ssa.Value]bool
	home     ssa.Value       // the read of a field, a global variable or a map
	cut      ssa.Instruction // that takes an element out
	mixed    bool            // it has other origins
	leaves   bool            // it is stored or passed on
	returned bool
	emptied  bool            // it is cut to length 0
	refilled ssa.Instruction // appends to it
}

// follow adds a value and those that it is made of, or that are made of it.
func (w *web) follow(v ssa.Value) {
	if w.of[v] || w.mixed {
		return
	}
	w.of[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			w.follow(e)
		}
	case *ssa.Slice:
		w.follow(v.X)
	case *ssa.Call:
		if !cutsSlice(v) && !isAppend(v) {
			w.mixed = true
			return
		}
		w.follow(v.Call.Args[0])
	case *ssa.UnOp:
		switch x := v.X.(type) {
		case *ssa.FieldAddr, *ssa.Global:
			w.from(v)
		case *ssa.Alloc:
			for _, r := range referrers(x) {
				switch r := r.(type) {
				case *ssa.Store:
					if r.Addr == ssa.Value(x) {
						w.follow(r.Val)
					} else {
						w.leaves = true
					}
				case *ssa.UnOp:
					w.follow(r)
				case *ssa.DebugRef:
				default:
					w.leaves = true // captured, or its address is passed on
				}
			}
		default:
			w.mixed = true
		}
	case *ssa.Lookup:
		w.from(v)
	case *ssa.Extract:
		if l, ok := v.Tuple.(*ssa.Lookup); ok && v.Index == 0 {
			w.from(l)
		} else {
			w.mixed = true
		}
	default:
		w.mixed = true
	}
	if w.mixed {
		return
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.Phi:
			w.follow(r)
		case *ssa.Slice:
			w.follow(r)
			w.popped(r)
			if k, ok := r.High.(*ssa.Const); ok && r.Low == nil && k.Int64() == 0 {
				w.emptied = true
			}
		case *ssa.Store:
			if _, local := r.Addr.(*ssa.Alloc); r.Val == v && !local {
				w.leaves = true
			}
		case *ssa.MapUpdate, *ssa.MakeInterface, *ssa.MakeClosure, *ssa.Send, *ssa.ChangeType:
			w.leaves = true
		case *ssa.Return:
			w.returned = true
		case ssa.CallInstruction:
			w.call(v, r)
		}
	}
}

// call sees the web in a call.
func (w *web) call(v ssa.Value, c ssa.CallInstruction) {
	call, _ := c.(*ssa.Call)
	if b, ok := c.Common().Value.(*ssa.Builtin); ok && (b.Name() != "append" || call == nil) {
		return
	}
	if call == nil || !isAppend(call) && !cutsSlice(call) {
		w.leaves = true
		return
	}
	if call.Call.Args[0] != v {
		return // its elements are read
	}
	w.follow(call)
	if cutsSlice(call) {
		w.cut = call
		return
	}
	w.refilled = call
	x, ok := v.(*ssa.Slice)
	if !ok {
		return
	}
	if y, ok := call.Call.Args[1].(*ssa.Slice); ok && x.High != nil && y.Low != nil && y.High == nil && w.of[y.X] {
		w.cut = call
	}
}

// popped sees a slice without its last element that takes the variable's place.
func (w *web) popped(s *ssa.Slice) {
	b, ok := s.High.(*ssa.BinOp)
	if !ok || b.Op != token.SUB || s.Low != nil {
		return
	}
	if n, ok := b.X.(*ssa.Call); !ok || len(n.Call.Args) != 1 || !w.of[n.Call.Args[0]] {
		return
	}
	for _, r := range referrers(s) {
		switch r.(type) {
		case *ssa.Phi, *ssa.Store:
			w.cut = s
		}
	}
}

// from notes an origin of the web.
func (w *web) from(v ssa.Value) {
	if w.home != nil && w.home != v && !sameField(w.home, v) {
		w.mixed = true
		return
	}
	if w.home != nil {
		return
	}
	w.home = v
	fn := v.(ssa.Instruction).Parent()
	for i := range instrsOf(fn) {
		if o, ok := i.(*ssa.UnOp); ok && sameField(v, o) {
			w.follow(o)
		}
	}
}

func isAppend(c *ssa.Call) bool {
	b, ok := c.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "append"
}

// cutsSlice reports whether a call takes elements out of its first argument, in place.
func cutsSlice(c *ssa.Call) bool {
	f := calledMethod(c)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "slices" {
		return false
	}
	return f.Name() == "Delete" || f.Name() == "DeleteFunc"
}

// keepsResult reports whether the caller of a function does more with its result than to look
// at the elements.
func keepsResult(c ssa.CallInstruction) bool {
	v := c.Value()
	if v == nil || v.Referrers() == nil {
		return false
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.IndexAddr, *ssa.Range, *ssa.If:
		case ssa.CallInstruction:
			if b, ok := r.Common().Value.(*ssa.Builtin); !ok || b.Name() != "len" && b.Name() != "cap" {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// homeWritten reports whether a function writes to the field, variable or kind of map that a slice
// was read from.
func (a *analysis) homeWritten(fn *ssa.Function, home ssa.Value) bool {
	var m types.Type
	var field *types.Var
	var global ssa.Value
	switch h := home.(type) {
	case *ssa.Lookup:
		m = h.X.Type()
	case *ssa.UnOp:
		field = fieldAt(h.X)
		if g, ok := h.X.(*ssa.Global); ok {
			global = g
		}
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.MapUpdate:
			if m != nil && types.Identical(i.Map.Type(), m) {
				return true
			}
		case *ssa.Store:
			f := fieldAt(i.Addr)
			if f != nil && (f == field || m != nil && types.Identical(f.Type(), m)) || global != nil && i.Addr == global {
				return true
			}
			if f == nil && field != nil && structOf(i.Val.Type()) != nil && hasField(structOf(i.Val.Type()), field) {
				return true // the struct as a whole
			}
		case ssa.CallInstruction:
			if bi, ok := i.Common().Value.(*ssa.Builtin); ok && (bi.Name() == "delete" || bi.Name() == "clear") && m != nil && types.Identical(i.Common().Args[0].Type(), m) {
				return true
			}
		}
	}
	return false
}

// describeHome names where a slice was read.
func describeHome(home ssa.Value) string {
	switch h := home.(type) {
	case *ssa.Lookup:
		if f := fieldOfValue(h.X); f != nil {
			return "map " + f.Name()
		}
		return "the map"
	case *ssa.UnOp:
		if f := fieldAt(h.X); f != nil {
			return "field " + f.Name()
		}
		return h.X.Name()
	}
	return "its place"
}
