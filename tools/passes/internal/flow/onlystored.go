// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A field of the package's own that is of an interface of another package, an io.Reader say, holds one type where all that
// the package stores there is of that type: a test's double is in a test. Calls through such a field are calls of that
// type's methods.

// onlyStored is the type, of the package, that all values stored in the field which a value was read from have; nil if
// there are others, or one of which it is not known.
func (a *analysis) onlyStored(v ssa.Value) types.Type {
	f := fieldOfValue(v)
	if f == nil || f.Exported() || f.Pkg() != a.pkg.Pkg || !types.IsInterface(f.Type()) {
		return nil
	}
	if a.storedTypes == nil {
		a.collectStoredTypes()
	}
	return a.storedTypes[f]
}

func (a *analysis) collectStoredTypes() {
	a.storedTypes = map[*types.Var]types.Type{}
	other := map[*types.Var]bool{}
	for fn, i := range a.instrs() {
		fa, ok := i.(*ssa.FieldAddr)
		if !ok || a.inTest(fn) {
			continue
		}
		f := fieldAt(fa)
		if f == nil || f.Exported() || f.Pkg() != a.pkg.Pkg || !types.IsInterface(f.Type()) {
			continue
		}
		for _, r := range referrers(fa) {
			switch r := r.(type) {
			case *ssa.UnOp, *ssa.DebugRef:
			case *ssa.Store:
				if r.Addr != fa || !a.noteStoredType(f, r.Val) {
					other[f] = true
				}
			default:
				other[f] = true
			}
		}
	}
	for f := range other {
		delete(a.storedTypes, f)
	}
}

// noteStoredType sees a value stored in a field, and reports whether its type is known and the only one so far.
func (a *analysis) noteStoredType(f *types.Var, v ssa.Value) bool {
	if isNilConst(v) {
		return true
	}
	box, ok := v.(*ssa.MakeInterface)
	if !ok {
		return false
	}
	t := box.X.Type()
	n := recvName(t)
	if n == nil || n.Pkg() != a.pkg.Pkg || types.IsInterface(t) {
		return false
	}
	if old := a.storedTypes[f]; old != nil && !types.Identical(old, t) {
		return false
	}
	a.storedTypes[f] = t
	return true
}
