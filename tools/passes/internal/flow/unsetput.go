// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A struct has a field that some function puts, and that nobody ever sets; and it has another one that is set to
// what comes from a pool, and that nobody puts. The Put was copied from where the first one is in use.

// judgeUnsetPuts reports the values of such other fields as lost.
func (c *custody) judgeUnsetPuts() {
	a := c.a
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			for _, v := range c.putBy(i) {
				f, _ := fieldLoad(unboxed(v))
				if f == nil || f.Exported() || f.Pkg() != a.pkg.Pkg || c.lists[f] || len(c.takesField[f]) > 0 {
					continue
				}
				other := c.takenBeside(f)
				if other == nil || a.setAnywhere(f) {
					continue
				}
				var at ssa.Instruction
				for _, taken := range c.takesField[other] {
					if at == nil || instrPos(taken) < instrPos(at) {
						at = taken
					}
				}
				a.reportFound(finding{
					pattern: missingPut, pos: instrPos(i), fn: fn, cause: instrPos(at),
					message: fmt.Sprintf("%s is put here, which nobody ever sets, and what %s has from its pool (%s) is put nowhere", f.Name(), other.Name(), a.line(instrPos(at))),
					related: []goanalysis.RelatedInformation{{Pos: instrPos(at), Message: "taken here"}},
				})
			}
		}
	}
}

// takenBeside is a field of the same struct as another one that is set to what comes from a pool, and that nobody puts.
func (c *custody) takenBeside(f *types.Var) *types.Var {
	s := c.a.structWith(f)
	if s == nil {
		return nil
	}
	for g := range s.Fields() {
		if g = g.Origin(); g != f && !g.Exported() && len(c.takesField[g]) > 0 && len(c.putsField[g]) == 0 && sameShape(f.Type(), g.Type()) {
			return g
		}
	}
	return nil
}

// sameShape reports whether both of two types are slices, pointers or maps.
func sameShape(x, y types.Type) bool {
	switch x.Underlying().(type) {
	case *types.Slice:
		return isSlice(y)
	case *types.Pointer:
		return isPtr(y)
	case *types.Map:
		_, ok := y.Underlying().(*types.Map)
		return ok
	}
	return false
}

// setAnywhere reports whether anything in the package may set a field, or structs with it are made in ways that are not
// looked into.
func (a *analysis) setAnywhere(f *types.Var) bool {
	for _, i := range a.instrs() {
		fa, ok := i.(*ssa.FieldAddr)
		if !ok || fieldAt(fa) != f {
			continue
		}
		if slices.ContainsFunc(referrers(fa), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.UnOp:
				return false
			case *ssa.Store:
				return r.Addr != ssa.Value(fa) || !isNilConst(r.Val)
			}
			return true
		}) {
			return true
		}
	}
	return false
}
