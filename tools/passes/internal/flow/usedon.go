// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A value whose size was tested may have been dropped for that: too small, or too large to
// be kept. It was not where the function that tested it gives it to its caller all the same,
// nor where the test is of what is in it, as in "too long to be sent": the other arm works
// on with the content.

// usedOn is what is known on a path of a value that was not dropped for its size.
func (a *analysis) usedOn(t *sym) *sym {
	return a.syms.intern(symKey{kind: kArith, a: t, val: "used on"}, nil)
}

// givenOn notes the values that an activation tested the size of, and returns; a box whose
// content is returned may be dropped.
func (a *analysis) givenOn(st *state, results []*sym) {
	if len(st.measured) == 0 {
		return
	}
	for _, x := range results {
		for y := x; y != nil && y.kind != kLoad; y = y.a {
			if y.kind == kToken && st.measured[y] != 0 {
				st.truth[a.usedOn(y)] = true
			}
		}
	}
}

// worksOn reports whether a comparison of a length decides on what becomes of the content:
// one of the arms reads it.
func (a *analysis) worksOn(cond ssa.Value) bool {
	o, ok := cond.(*ssa.BinOp)
	if !ok || o.Referrers() == nil {
		return false
	}
	for _, v := range []ssa.Value{measuredBy(o.X), measuredBy(o.Y)} {
		if v == nil {
			continue
		}
		for _, r := range referrers(o) {
			i, ok := r.(*ssa.If)
			if !ok {
				continue
			}
			for _, arm := range i.Block().Succs {
				if len(arm.Preds) == 1 && a.contentUsed(v, arm) {
					return true
				}
			}
		}
	}
	return false
}

// measuredBy is the slice, or buffer, whose length a value is.
func measuredBy(v ssa.Value) ssa.Value {
	c, ok := unconverted(v).(*ssa.Call)
	if !ok {
		return nil
	}
	if b, ok := c.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
		return c.Call.Args[0]
	}
	if m := calledMethod(c); m != nil && m.Name() == "Len" && len(c.Call.Args) == 1 {
		return c.Call.Args[0]
	}
	return nil
}

// contentUsed reports whether what is in a slice or buffer is read in a block, or where it
// leads to alone.
func (a *analysis) contentUsed(v ssa.Value, arm *ssa.BasicBlock) bool {
	if v.Referrers() == nil {
		return false
	}
	return slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		if r.Block() != arm && !arm.Dominates(r.Block()) {
			return false
		}
		switch r := r.(type) {
		case *ssa.IndexAddr, *ssa.Range, *ssa.Send:
			return true
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); ok {
				return b.Name() == "append" && r.Call.Args[1] == v || b.Name() == "copy" && r.Call.Args[1] == v
			}
			if m := calledMethod(r); m != nil {
				switch m.Name() {
				case "Len", "Cap", "Reset", "Truncate":
					return false
				}
			}
			f := r.Call.StaticCallee()
			return f == nil || !a.relevant[f]
		}
		return false
	})
}
