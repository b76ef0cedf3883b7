// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A map that goes to a pool with what is in it, and is searched as it comes out, hands
// its elements to the next user: what was found there must not be written after the
// put. Elements of slices are not judged: what is in a slice beyond its length is not
// seen by who takes it.

// useOfKept reports a write to an object that was found in a pooled map which went
// back with the object in it.
func (a *analysis) useOfKept(st *state, i ssa.Instruction, addr *sym) {
	x := addr
	for x.kind == kField || x.kind == kElem {
		x = x.a
	}
	if x.kind != kLoad || x == addr || x.idx != 0 || x.a.kind != kElem || x.typ == nil {
		return
	}
	if _, isPtr := x.typ.Underlying().(*types.Pointer); !isPtr {
		return
	}
	m := x.a.a
	if m.kind != kToken || m.typ == nil || st.mem[x.a] != nil || st.epochOf(x.a) != 0 {
		return
	}
	if _, isMap := m.typ.Underlying().(*types.Map); !isMap || a.elementsLeave(m.typ) {
		return
	}
	r := st.rel[m]
	if r == nil || st.gone[m] {
		return
	}
	a.reportUse(st, i, x, r, "written where it stays in the map")
}

// elementsLeave reports whether the package deletes elements from maps of a type, or passes
// such maps to code out of view, which may.
func (a *analysis) elementsLeave(t types.Type) bool {
	for _, i := range a.instrs() {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if bi, ok := c.Common().Value.(*ssa.Builtin); ok {
			if n := bi.Name(); n != "delete" && n != "clear" {
				continue
			}
		} else if f := c.Common().StaticCallee(); f != nil && len(f.Blocks) > 0 && a.inPackage(f) || isPut(c) {
			continue
		}
		for _, x := range c.Common().Args {
			if types.Identical(x.Type().Underlying(), t.Underlying()) {
				return true
			}
		}
	}
	return false
}
