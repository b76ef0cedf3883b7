// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A field that holds a value from a pool, which all functions of the package only read and
// one sets to nil, loses it there: nobody has it besides.

// heldBack is what the walk saw of values that were stored in fields and left there.
type heldBack struct {
	left   bool // nobody else has the value, and nobody put it
	shared bool // somebody else has, or may put, such a value
}

// noteInField sees, when a path ends, who has a value that is in a field.
func (a *analysis) noteInField(e exit, obj *types.Var, t *sym) {
	if obj.Exported() || obj.Pkg() != a.pkg.Pkg {
		return
	}
	left, shared := a.whoHas(e, obj, t)
	seen := a.fields0.kept[obj.Origin()]
	seen.left, seen.shared = seen.left || left, seen.shared || shared
	if a.fields0.kept == nil {
		a.fields0.kept = map[*types.Var]heldBack{}
	}
	a.fields0.kept[obj.Origin()] = seen
}

// whoHas reports whether at the end of a path only a field has a value, which was not put, or somebody else
// has it, too, or put it.
func (a *analysis) whoHas(e exit, obj *types.Var, t *sym) (left, shared bool) {
	st := e.st
	switch {
	case st.rel[t] != nil, st.gone[t], st.handed[t], st.sent[t] != nil:
		return false, true
	default:
		other := false
		mark := func(x *sym) bool { other = other || x == t; return !other }
		for _, x := range e.results {
			if x = plain(x); x.kind == kAlloc {
				continue // the object that has the field, perhaps
			}
			a.reach(st, x, mark)
		}
		for _, g := range st.gos {
			for _, x := range g.holds {
				a.reach(st, x, mark)
			}
		}
		for addr, v := range st.mem {
			if f, ok := addr.obj.(*types.Var); (!ok || f.Origin() != obj.Origin()) && addr.base().kind != kAlloc && heldToken(st, v) == t {
				other = true
			}
		}
		return !other, other
	}
}

// judgeNeverBack reports the fields that are set to nil while they hold what nobody puts.
func (c *custody) judgeNeverBack() {
	a := c.a
	for f, seen := range a.fields0.kept {
		p := a.fields0.holds[f]
		if !seen.left || seen.shared || p == nil || !a.putsTo(p) || a.fields0.puts[f] || len(c.putsField[f]) > 0 {
			continue
		}
		if drop := a.droppedUnread(f); drop != nil {
			a.reportFound(finding{
				pattern: missingPut, pos: instrPos(drop), fn: drop.Parent(), pool: p,
				message: fmt.Sprintf("field %s is set to nil here; what it held was taken from %s%s, and nothing in the package puts it back", f.Name(), p.label(), a.takenLine(f)),
				more:    a.cameHere(f, p),
			})
		}
	}
}

// putsTo reports whether anything is put in a pool: what was taken from it, or what some function is given.
func (a *analysis) putsTo(p *pool) bool {
	if len(p.puts) > 0 {
		return true
	}
	obj, ok := p.key.(types.Object)
	if !ok {
		return false
	}
	u := a.usesOfPools()[obj]
	return u != nil && u.puts
}

// droppedUnread is a store of nil to a field whose content all functions only read; nil if
// there is none, or something else is done with the content.
func (a *analysis) droppedUnread(f *types.Var) (drop *ssa.Store) {
	for fn, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.Field:
			if nthField(i.X, i.Field) == f {
				return nil
			}
		case *ssa.Store:
			// The struct as a whole.
			if s, ok := i.Val.Type().Underlying().(*types.Struct); ok && hasField(s, f) {
				if _, isNew := i.Addr.(*ssa.Alloc); !isNew {
					return nil
				}
			}
		case *ssa.FieldAddr:
			if nthField(i.X, i.Field) != f {
				continue
			}
			for _, r := range referrers(i) {
				switch r := r.(type) {
				case *ssa.DebugRef:
				case *ssa.Store:
					if r.Addr != i {
						return nil
					}
					if _, made := i.X.(*ssa.Alloc); !made && isNilConst(r.Val) && !a.inTest(fn) && (drop == nil || instrPos(r) < instrPos(drop)) {
						drop = r
					}
				case *ssa.UnOp:
					if !a.readsOnly(r, f, map[ssa.Value]bool{}) {
						return nil
					}
				default:
					return nil
				}
			}
		}
	}
	return drop
}

// readsOnly reports whether memory is read or written, and neither passed to code that may
// keep or put it, nor stored anywhere but in the field that it came from.
func (a *analysis) readsOnly(v ssa.Value, f *types.Var, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	if v.Referrers() == nil || len(seen) > maxCustody {
		return false
	}
	return !slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool { return !a.readBy(r, v, f, seen) })
}

func (a *analysis) readBy(r ssa.Instruction, v ssa.Value, f *types.Var, seen map[ssa.Value]bool) bool {
	switch r := r.(type) {
	case *ssa.DebugRef, *ssa.BinOp:
		return true
	case *ssa.UnOp:
		return r.Op == token.MUL && (!hasPointers(r.Type()) || a.readsOnly(r, f, seen))
	case *ssa.Slice, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Phi, *ssa.ChangeType:
		return a.readsOnly(r.(ssa.Value), f, seen)
	case *ssa.Index:
		return !hasPointers(r.Type())
	case *ssa.Convert:
		return !hasPointers(r.Type()) || isText(r.Type()) // a copy
	case *ssa.Store:
		if r.Addr == v {
			return true
		}
		fa, ok := r.Addr.(*ssa.FieldAddr)
		return ok && nthField(fa.X, fa.Field) == f
	case *ssa.Call:
		if b, ok := r.Call.Value.(*ssa.Builtin); ok {
			switch b.Name() {
			case "len", "cap", "clear":
				return true
			case "copy", "append":
				s, ok := v.Type().Underlying().(*types.Slice)
				return ok && !hasPointers(s.Elem()) && (b.Name() == "copy" || r.Call.Args[0] != v || a.readsOnly(r, f, seen))
			}
			return false
		}
		m := calledMethod(r)
		if m == nil || m.Pkg() == nil || !isStdPath(m.Pkg().Path()) && !r.Call.IsInvoke() {
			return false
		}
		switch {
		case r.Call.IsInvoke() && r.Call.Value == v && !slices.Contains(r.Call.Args, v):
			if !a.storesStd(v, f) {
				return false
			}
		case r.Call.IsInvoke():
			if !isBytes(v.Type()) || m.Name() != "Read" && m.Name() != "Write" {
				return false
			}
		case m.Pkg().Path() == "bytes" && m.Name() == "Bytes":
			return a.readsOnly(r, f, seen)
		case m.Pkg().Path() == "bytes" && m.Name() == "String":
			return true // a copy
		}
		for x := range r.Call.Signature().Results().Variables() {
			if hasPointers(x.Type()) && !isError(x.Type()) {
				return false
			}
		}
		return m.Pkg().Path() != "sync"
	}
	return false
}

// storesStd reports whether all that the package stores in a field of an interface type is of types of the standard
// library, of which no method puts what it is called on; v was read there.
func (a *analysis) storesStd(v ssa.Value, f *types.Var) bool {
	if f == nil || fieldOfValue(v) != f || f.Exported() {
		return false
	}
	found := false
	for _, i := range a.instrs() {
		s, ok := i.(*ssa.Store)
		if !ok || fieldOfAddr(s.Addr) != f || isNilConst(s.Val) {
			continue
		}
		box, ok := s.Val.(*ssa.MakeInterface)
		if !ok || !isStdPath(namedPkg(box.X.Type())) {
			return false
		}
		found = true
	}
	return found
}
