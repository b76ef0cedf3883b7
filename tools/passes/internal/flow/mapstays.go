// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// What is stored in a map of an object stays there while other code has the object, if nothing in
// the package takes something out of that map, or sets the field to another.

// staysIn reports whether a container that a path found in a field is a map that the package only
// adds to.
func (a *analysis) staysIn(m *sym) bool {
	if m.kind != kLoad || m.a.kind != kField || m.typ == nil {
		return false
	}
	if _, isMap := m.typ.Underlying().(*types.Map); !isMap {
		return false
	}
	f, ok := m.a.obj.(*types.Var)
	if !ok || f.Exported() || f.Pkg() != a.pkg.Pkg {
		return false
	}
	if a.takenOutOf == nil {
		a.takenOutOf = a.mapsTakenFrom()
	}
	return !a.takenOutOf[f.Origin()]
}

// mapsTakenFrom are the fields whose maps the package takes something out of, sets, or gives to
// other code.
func (a *analysis) mapsTakenFrom() map[*types.Var]bool {
	taken := map[*types.Var]bool{}
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.Store:
			if fa, ok := i.Addr.(*ssa.FieldAddr); ok && !madeHere(fa.X) {
				taken[fieldOfAddr(fa)] = true
			}
		case ssa.CallInstruction:
			for _, x := range i.Common().Args {
				l, ok := x.(*ssa.UnOp)
				if !ok {
					continue
				}
				if fa, ok := l.X.(*ssa.FieldAddr); ok {
					if bi, ok := i.Common().Value.(*ssa.Builtin); ok && bi.Name() == "len" {
						continue
					}
					taken[fieldOfAddr(fa)] = true
				}
			}
		}
	}
	return taken
}

// changedLater reports whether the path stored something in a container once more, after other
// code had the object that it was found in.
func changedLater(st *state, c, m *sym) bool {
	for k := range st.mem {
		if k.kind == kElem && k.a != c && k.a.kind == kLoad && k.a.a == m.a {
			return true
		}
	}
	return false
}
