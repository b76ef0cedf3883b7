// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that stores a value in a field, and puts it, and leaves it there, has it put
// once more by another one that puts what the field holds unless that is nil. The first
// begins and ends a use; that the field is nil when nothing is there, the second relies on.

// noteLeftThere sees the fields that still hold what the path put.
func (a *analysis) noteLeftThere(st *state) {
	note := func(addr, v *sym, r *release) {
		obj, ok := addr.obj.(*types.Var)
		if !ok || addr.kind != kField || r.async || r.closed || !r.byField || obj.Exported() || obj.Pkg() != a.pkg.Pkg || a.released(st, addr) != nil || st.gone[v] {
			return
		}
		switch b := addr.base(); b.kind {
		case kParam, kFree, kGlobal, kRecv:
		case kOpaque:
			if b.a == nil {
				return // what a call gave; otherwise a field of a struct by value
			}
		default:
			return
		}
		if a.fields0.leftThere == nil {
			a.fields0.leftThere = map[*types.Var]*release{}
		}
		if old := a.fields0.leftThere[obj.Origin()]; old == nil || r.pos() < old.pos() {
			a.fields0.leftThere[obj.Origin()] = r
		}
	}
	for _, v := range sortedKeys(st.rel) {
		r := st.rel[v]
		if v.kind == kLoad && st.mem[v.a] == nil && v.idx == st.epochOf(v.a) {
			note(v.a, v, r)
		}
	}
	for _, addr := range sortedKeys(st.mem) {
		v := st.mem[addr]
		if r := st.rel[v]; r != nil && v.kind != kNil {
			note(addr, v, r)
		}
	}
}

// judgeLeftThere reports the values that are put, left in a field, and put from there.
func (c *custody) judgeLeftThere() {
	for f, put := range c.a.fields0.leftThere {
		way := map[*ssa.Function]bool{}
		for _, i := range put.stack {
			way[i.Parent()] = true
		}
		i := c.putsUnlessNil(f, way)
		if i == nil || c.clearedElsewhere(f, i.Parent()) {
			continue
		}
		// The function that sets the field, and then puts what it holds.
		var first ssa.Instruction
		for _, x := range put.stack {
			if first == nil && c.setsBefore(f, x) {
				first = x
			}
		}
		if first == nil || c.a.inTest(first.Parent()) {
			continue
		}
		c.a.reportFound(finding{
			pattern: doublePut, pos: instrPos(first), fn: first.Parent(),
			message: fmt.Sprintf("what field %s holds is put in %s here and left in the field, and %s puts it a second time (%s)", f.Name(), put.pool.label(), i.Parent().Name(), c.a.line(instrPos(i))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(i), Message: "the second Put"}},
		})
	}
}

// setsBefore reports whether a function sets a field on every way to an instruction.
func (c *custody) setsBefore(f *types.Var, i ssa.Instruction) bool {
	for x := range instrsOf(i.Parent()) {
		if s, ok := x.(*ssa.Store); ok && !isNilConst(s.Val) && precedes(s, i) {
			if fa, ok := s.Addr.(*ssa.FieldAddr); ok && nthField(fa.X, fa.Field) == f {
				return true
			}
		}
	}
	return false
}

// putsUnlessNil is the place where a function, none of those given, puts what a field holds
// under a test that it is not nil, and sets the field to nil.
func (c *custody) putsUnlessNil(f *types.Var, not map[*ssa.Function]bool) (at ssa.Instruction) {
	for fn, i := range c.putsField[f] {
		if not[fn] || c.a.inTest(fn) || at != nil && instrPos(at) < instrPos(i) {
			continue
		}
		clears, tested := false, false
		for _, b := range fn.Blocks {
			for _, x := range b.Instrs {
				if s, ok := x.(*ssa.Store); ok {
					if fa, ok := s.Addr.(*ssa.FieldAddr); ok && nthField(fa.X, fa.Field) == f {
						clears = clears || isNilConst(s.Val) && mayFollow(i, s)
					}
				}
			}
			t, ok := lastInstr(b).(*ssa.If)
			if !ok || !b.Dominates(i.Block()) {
				continue
			}
			cond, ok := t.Cond.(*ssa.BinOp)
			if !ok || !isNilConst(cond.Y) || fieldOfValue(cond.X) != f {
				continue
			}
			arm := b.Succs[0]
			if cond.Op == token.EQL {
				arm = b.Succs[1]
			}
			tested = tested || arm == i.Block() || arm.Dominates(i.Block())
		}
		if clears && tested {
			at = i
		}
	}
	return at
}

// clearedElsewhere reports whether another function than the given one sets a field to nil.
func (c *custody) clearedElsewhere(f *types.Var, but *ssa.Function) bool {
	for _, fn := range c.a.fns {
		if fn == but {
			continue
		}
		for i := range instrsOf(fn) {
			s, ok := i.(*ssa.Store)
			if !ok {
				continue
			}
			if t, ok := s.Val.Type().Underlying().(*types.Struct); ok && hasField(t, f) {
				return true
			}
			if fa, ok := s.Addr.(*ssa.FieldAddr); ok && nthField(fa.X, fa.Field) == f && isNilConst(s.Val) {
				return true
			}
		}
	}
	return false
}
