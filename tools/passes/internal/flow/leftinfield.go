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
		r := st.rel[v]
		if r == nil && isSlice(v.typ) {
			r = a.released(st, v) // in a box
		}
		if r != nil && v.kind != kNil {
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
		if i == nil {
			c.judgeLazilyLeft(f, put)
			continue
		}
		if c.clearedElsewhere(f, i.Parent()) {
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
		c.reportLeftThere(f, first, i, put.pool.label())
	}
	// Where a count decides who puts, no path shows that somebody did.
	for f, puts := range c.putsField {
		for fn, put := range puts {
			if c.a.fields0.leftThere[f] != nil || c.a.inTest(fn) || !c.setsBefore(f, put) || clearsAfter(f, put) {
				continue
			}
			i := c.putsUnlessNil(f, map[*ssa.Function]bool{fn: true})
			if i != nil && !c.clearedElsewhere(f, i.Parent()) && behindCount(put.Block()) {
				c.reportLeftThere(f, put, i, "its pool")
			}
		}
	}
}

func (c *custody) reportLeftThere(f *types.Var, first, second ssa.Instruction, pool string) {
	c.a.reportFound(finding{
		pattern: doublePut, pos: instrPos(first), fn: first.Parent(),
		message: fmt.Sprintf("what field %s holds is put in %s here and left in the field, and %s puts it a second time (%s)", f.Name(), pool, second.Parent().Name(), c.a.line(instrPos(second))),
		related: []goanalysis.RelatedInformation{{Pos: instrPos(second), Message: "the second Put"}},
	})
}

// clearsAfter reports whether the function with a Put may set the field that named the value to nil after it.
func clearsAfter(f *types.Var, put ssa.Instruction) (clears bool) {
	eachStore(put.Parent(), func(s *ssa.Store) {
		clears = clears || fieldAt(s.Addr) == f && isNilConst(s.Val) && mayFollow(put, s)
	})
	return clears
}

// behindCount reports whether a block is reached where a number that was counted down has come to zero.
func behindCount(b *ssa.BasicBlock) bool {
	for ; b.Idom() != nil; b = b.Idom() {
		test, ok := lastInstr(b.Idom()).(*ssa.If)
		if !ok || len(b.Preds) != 1 {
			continue
		}
		cond, ok := test.Cond.(*ssa.BinOp)
		if !ok || cond.Op != token.EQL && cond.Op != token.LEQ {
			continue
		}
		zero, ok := cond.Y.(*ssa.Const)
		if !ok || zero.Value == nil || !isZero(zero.Value) || b.Idom().Succs[0] != b {
			continue
		}
		if f := fieldOfValue(cond.X); f != nil {
			down := false
			eachStore(b.Parent(), func(s *ssa.Store) { down = down || takesFrom(s, f) && fieldAt(s.Addr) == f })
			if down {
				return true
			}
		}
	}
	return false
}

// setsBefore reports whether a function sets a field on every way to an instruction, or on those where it was nil.
func (c *custody) setsBefore(f *types.Var, i ssa.Instruction) bool {
	for x := range instrsOf(i.Parent()) {
		s, ok := x.(*ssa.Store)
		if !ok || isNilConst(s.Val) || fieldAt(s.Addr) != f {
			continue
		}
		if precedes(s, i) {
			return true
		}
		for b := s.Block(); b.Idom() != nil; b = b.Idom() {
			if isNil, arm := nilTestOf(b.Idom(), f); isNil == b && arm != nil && b.Idom().Dominates(i.Block()) && !b.Dominates(i.Block()) {
				return true
			}
		}
	}
	return false
}

// nilTestOf are the blocks that follow a block which asks whether a field is nil: where it is, and where it is not; nil if
// the block does not ask.
func nilTestOf(b *ssa.BasicBlock, f *types.Var) (isNil, isNot *ssa.BasicBlock) {
	t, ok := lastInstr(b).(*ssa.If)
	if !ok {
		return nil, nil
	}
	cond, ok := t.Cond.(*ssa.BinOp)
	if !ok || !isNilConst(cond.Y) || fieldOfValue(cond.X) != f {
		return nil, nil
	}
	switch cond.Op {
	case token.EQL:
		return b.Succs[0], b.Succs[1]
	case token.NEQ:
		return b.Succs[1], b.Succs[0]
	}
	return nil, nil
}

// passesNil reports whether a call is one of a function that does nothing with the argument that it puts where that is nil.
func (c *custody) passesNil(i ssa.Instruction, f *types.Var) bool {
	call, ok := i.(ssa.CallInstruction)
	if !ok || call.Common().IsInvoke() {
		return false
	}
	fn := c.a.calledFunction(call)
	if fn == nil || len(fn.Blocks) == 0 {
		return false
	}
	for k, x := range call.Common().Args {
		if fieldOfValue(x) != f || k >= len(fn.Params) {
			continue
		}
		t, ok := lastInstr(fn.Blocks[0]).(*ssa.If)
		if !ok {
			return false
		}
		cond, ok := t.Cond.(*ssa.BinOp)
		if !ok || !isNilConst(cond.Y) || !givenAs(cond.X, fn.Params[k]) {
			return false
		}
		skip := fn.Blocks[0].Succs[0] // where it is nil
		if cond.Op == token.NEQ {
			skip = fn.Blocks[0].Succs[1]
		}
		_, returns := lastInstr(skip).(*ssa.Return)
		return returns
	}
	return false
}

// givenAs reports whether a value is what a function was given as a parameter, be it by way of a variable of its own.
func givenAs(v ssa.Value, p *ssa.Parameter) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return v == p
	}
	return slices.ContainsFunc(referrers(p), func(r ssa.Instruction) bool {
		s, ok := r.(*ssa.Store)
		return ok && s.Val == p && s.Addr == load.X
	})
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
			if _, arm := nilTestOf(b, f); arm != nil && b.Dominates(i.Block()) {
				tested = tested || arm == i.Block() || arm.Dominates(i.Block())
			}
		}
		tested = tested || c.passesNil(i, f)
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
