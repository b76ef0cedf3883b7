// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Values from a pool that only a map or slice in a field of the package's own has, and
// whose elements are put in one function, are lost in another that deletes them, or cuts
// them off, without a Put.

// gathered is what the walk saw of the containers in fields.
type gathered struct {
	of     map[*types.Var]*pool // values of the pool are stored in the field's map or slice
	shared map[*types.Var]bool  // somebody else has such a value, too
}

// gatheredAtExit looks for the values from pools in containers when a path ends.
func (a *analysis) gatheredAtExit(e exit) {
	st := e.st
	in := map[*sym]*types.Var{}
	var others map[*sym]bool
	for _, addr := range sortedKeys(st.mem) {
		t := plain(st.mem[addr])
		var f *types.Var
		switch addr.kind {
		case kElem:
			if memory(addr.a).kind == kLoad {
				f, _ = fieldOfPath(addr).(*types.Var)
			}
		case kField:
			if t.kind == kAppend && addr.idx >= 0 {
				f, _ = addr.obj.(*types.Var)
				whole := memory(t)
				if t = heldToken(st, t); t == whole {
					t = nil // the slice itself is from the pool
				}
			}
		}
		if t == nil || t.kind != kToken || addr.base() == t || f == nil || f.Exported() || f.Pkg() != a.pkg.Pkg {
			continue
		}
		f = f.Origin()
		if a.gathered.of == nil {
			a.gathered = gathered{of: map[*types.Var]*pool{}, shared: map[*types.Var]bool{}}
		}
		a.gathered.of[f] = t.pool
		a.noteCame(st, addr, f, t)
		if others == nil {
			others = map[*sym]bool{}
			mark := func(x *sym) bool { others[x] = true; return true }
			for _, x := range e.results {
				a.reach(st, x, mark)
			}
			for _, g := range st.gos {
				for _, x := range g.holds {
					a.reach(st, x, mark)
				}
			}
		}
		if others[t] || st.handed[t] || st.gone[t] || st.sent[t] != nil || in[t] != nil && in[t] != f {
			a.gathered.shared[f] = true
			if in[t] != nil {
				a.gathered.shared[in[t]] = true
			}
		}
		in[t] = f
	}
	// Or a field that is no container has it as well.
	for _, addr := range sortedKeys(st.mem) {
		if addr.kind == kField && addr.base().kind != kAlloc && addr.base().kind != kToken {
			if t := plain(st.mem[addr]); in[t] != nil {
				a.gathered.shared[in[t]] = true
			}
		}
	}
}

// judgeDiscarded reports the functions that let go of elements without a Put.
func (c *custody) judgeDiscarded() {
	a := c.a
	for f, p := range a.gathered.of {
		if a.gathered.shared[f] || !a.fields0.puts[f] {
			continue
		}
		users := map[*ssa.Function]*handling{}
		for _, fn := range a.fns {
			if h := a.handlingOf(fn, f); h != nil {
				users[fn] = h
			}
		}
		if c.leavesPut(f, users) {
			continue
		}
		for fn, h := range users {
			if h.takes || h.drop == nil || a.inTest(fn) || fn.Parent() != nil || h.moved && toldWhich(fn) || c.takenNear(fn, f, users) {
				continue
			}
			// A caller may have taken the element out.
			if slices.ContainsFunc(a.callsOf(fn), func(c ssa.CallInstruction) bool {
				u := users[c.Parent()]
				return u != nil && u.takes || c.Parent().Parent() != nil
			}) {
				continue
			}
			if !exportedRoot(fn) && len(a.callsOf(fn)) > 0 && slices.ContainsFunc(a.callsOf(fn), func(c ssa.CallInstruction) bool {
				return len(c.Common().Args) > 1 && hasPointers(c.Common().Args[1].Type()) && !isText(c.Common().Args[1].Type())
			}) {
				continue // it may be told which element by the element
			}
			a.reportFound(finding{
				pattern: missingPut, pos: instrPos(h.drop), fn: fn,
				message: fmt.Sprintf("%s lets go of values in %s that were taken from %s%s and puts none: nobody else has them", fn.Name(), f.Name(), p.label(), a.takenLine(f)),
				more:    a.cameHere(f, p),
			})
		}
	}
}

// handling is what a function does with the elements of a container.
type handling struct {
	takes   bool            // elements are used in other ways than read
	moved   bool            // elements are moved over others
	cleared bool            // the field is set to nil, or something new
	drop    ssa.Instruction // elements are deleted, or cut off

	replaced ssa.Instruction // the container is set to nil, or something new, and not looked at
}

// handlingOf looks at the uses of a field in a function; nil where there are none.
func (a *analysis) handlingOf(fn *ssa.Function, f *types.Var) *handling {
	var h *handling
	looks := false
	for i := range instrsOf(fn) {
		fa, ok := i.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		if s := structOf(fa.X.Type()); s == nil || s.Field(fa.Field).Origin() != f {
			continue
		}
		if h == nil {
			h = &handling{}
		}
		for _, r := range referrers(fa) {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.UnOp:
				looks = true
				h.loaded(r, fa, 0)
			case *ssa.Store:
				if r.Addr != fa {
					h.takes = true
				}
				h.cleared = h.cleared || emptied(r.Val)
				if r.Addr == fa && emptied(r.Val) && !a.uses().isFresh(fa.X) {
					h.replaced = r
				}
			default:
				h.takes = true
			}
		}
	}
	if h != nil && !looks && !h.takes && h.drop == nil {
		h.drop = h.replaced
	}
	return h
}

// loaded looks at the uses of a container.
func (h *handling) loaded(v ssa.Value, fa *ssa.FieldAddr, depth int) {
	read := func(x ssa.Value) {
		if x != nil && !staysThere(x, 0) {
			h.takes = true
		}
	}
	if depth > 4 {
		h.takes = true
		return
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.MapUpdate:
		case *ssa.Lookup:
			if r.CommaOk {
				read(part(r, 0))
			} else {
				read(r)
			}
		case *ssa.Range:
			for _, n := range referrers(r) {
				if n, ok := n.(*ssa.Next); ok {
					read(part(n, 2))
				}
			}
		case *ssa.IndexAddr:
			for _, e := range referrers(r) {
				switch e := e.(type) {
				case *ssa.DebugRef:
				case *ssa.UnOp:
					if movedWithin(e, fa) {
						h.moved = true
						continue
					}
					read(e)
				case *ssa.Store:
					if e.Addr != r || !movedOver(e, fa) {
						h.takes = true
					}
				default:
					h.takes = true
				}
			}
		case *ssa.Slice:
			back := false
			for _, s := range referrers(r) {
				switch s := s.(type) {
				case *ssa.DebugRef:
				case *ssa.Store:
					same, ok := s.Addr.(*ssa.FieldAddr)
					if !ok || same.Field != fa.Field || same.X != fa.X {
						h.takes = true
						continue
					}
					back = true
				case *ssa.Call:
					drops, ok := closesGap(s, fa)
					if !ok {
						h.takes = true
					}
					h.moved = h.moved || ok
					if drops && h.drop == nil {
						h.drop = s
					}
				default:
					h.takes = true
				}
			}
			if back && (r.Low != nil || r.High != nil) && h.drop == nil {
				h.drop = r
			}
		case *ssa.Call:
			bi, ok := r.Call.Value.(*ssa.Builtin)
			if !ok {
				h.takes = true
				continue
			}
			switch bi.Name() {
			case "len", "cap":
			case "delete":
				if h.drop == nil {
					h.drop = r
				}
			case "clear":
				h.cleared = true
				if _, isMap := v.Type().Underlying().(*types.Map); !isMap {
					h.takes = true // what was moved out of a slice before is not lost
				} else if h.drop == nil {
					h.drop = r
				}
			case "append":
				if r.Call.Args[0] != v {
					h.takes = true
				}
			default:
				h.takes = true
			}
		default:
			h.takes = true
		}
	}
}

// staysThere reports whether an element goes nowhere: only its fields are used.
func staysThere(v ssa.Value, depth int) bool {
	if _, isPtr := v.Type().Underlying().(*types.Pointer); !isPtr || depth > 4 {
		return false
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.UnOp:
		case *ssa.FieldAddr:
			for _, u := range referrers(r) {
				switch u := u.(type) {
				case *ssa.DebugRef, *ssa.UnOp:
				case *ssa.Store:
					if u.Addr != r {
						return false
					}
				default:
					return false
				}
			}
		case *ssa.Phi:
			if !staysThere(r, depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
