// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A path that counted a reference of its own and dropped it, so that the number is what it
// was before, has none left. Where it then finds the count at an end, nobody has: what goes to
// the pool there is not this path's any more, nor anybody's.

// ownDropped reports whether a number in memory was counted up and down again by the same
// amount, in this order.
func (a *analysis) ownDropped(st *state, x, old *sym) bool {
	sum := constant.MakeInt64(0)
	first := 0 // sign of the step that came first, which is the innermost
	for ; x != old; x = x.a {
		if x.b == nil || x.b.kind != kConst || x.b.val.Kind() != constant.Int {
			return false
		}
		op := token.Token(x.idx)
		step := constant.BinaryOp(constant.MakeInt64(0), op, x.b.val)
		sum = constant.BinaryOp(sum, token.ADD, step)
		first = constant.Sign(step)
	}
	return first > 0 && constant.Sign(sum) == 0 && a.keepsToItself(st, old)
}

// keepsToItself reports whether a reference that the path counted can be nobody else's: the
// object is not the path's own, of which more is known, and nobody was given it.
func (a *analysis) keepsToItself(st *state, count *sym) bool {
	switch b := count.base(); b.kind {
	case kParam:
		if p, ok := b.obj.(*ssa.Parameter); ok && a.heldByCaller(p) {
			return false
		}
	case kFree, kGlobal:
	case kToken:
		// Code that is chosen at run time counts what it keeps.
		if st.escaped[b] || st.gone[b] || st.rel[b] != nil || st.sent[b] != nil || st.handed[b] && st.lent[b] == nil {
			return false
		}
	default:
		return false
	}
	for x := count; x != nil; x = x.a {
		if x.kind == kElem {
			return false // what it was found in has a reference as well, and may be what gave that up
		}
	}
	if givenUpByHolder(st) || givenToOther(st, count.base()) {
		return false
	}
	for f := st.f; f != nil; f = f.parent {
		for i := range instrsOf(f.fn) {
			switch i.(type) {
			case *ssa.Go, *ssa.Send, *ssa.Select:
				return false
			}
		}
	}
	return true
}

// heldByCaller reports whether some caller goes on to use what it passes for a parameter: it has a reference for that.
func (a *analysis) heldByCaller(p *ssa.Parameter) bool {
	k := slices.Index(p.Parent().Params, p)
	return slices.ContainsFunc(a.callsOf(p.Parent()), func(c ssa.CallInstruction) bool {
		if _, plain := c.(*ssa.Call); !plain || c.Common().IsInvoke() || k >= len(c.Common().Args) || a.inTest(c.Parent()) {
			return false
		}
		arg := c.Common().Args[k]
		return a.afterwards(c, arg, func(i ssa.Instruction) bool { return slices.Contains(referrers(arg), i) }) != nil
	})
}

// givenToOther reports whether the path has left an object with a receiver, a goroutine, or in memory of
// somebody else's: what it counted is the reference of that.
func givenToOther(st *state, x *sym) bool {
	if st.sent[x] != nil || slices.ContainsFunc(st.gos, func(g *spawn) bool { return slices.Contains(g.holds, x) }) {
		return true
	}
	for k, v := range st.mem {
		if v == x && k.base() != x && (k.kind == kElem || k.base().kind != kAlloc) {
			return true
		}
	}
	return false
}

// givenUpByHolder reports whether the function that counts down was called for what a field of somebody
// else's object holds, by a function that sets the field: that was the field's reference.
func givenUpByHolder(st *state) bool {
	for f := st.f; f.parent != nil && len(f.stack) > 0; f = f.parent {
		c, ok := f.stack[len(f.stack)-1].(ssa.CallInstruction)
		if !ok || c.Parent() != f.parent.fn || len(c.Common().Args) == 0 {
			return false
		}
		switch v := c.Common().Args[0].(type) {
		case *ssa.Parameter:
			continue
		case *ssa.UnOp:
			fa, ok := v.X.(*ssa.FieldAddr)
			if !ok {
				return false
			}
			of := f.parent.env.get(fa.X)
			if of == nil || of.base().kind == kAlloc {
				return false
			}
			found := false
			eachStore(f.parent.fn, func(s *ssa.Store) {
				to, ok := s.Addr.(*ssa.FieldAddr)
				found = found || ok && to.X == fa.X && to.Field == fa.Field
			})
			return found
		}
		return false
	}
	return false
}

// ownField is the number of the field that stands for the references that a path counted itself
// in an atomic number.
const ownField = -7

// ownEnd is the number of the field that says that the path dropped the last reference that it had counted itself.
const ownEnd = -8

// ownNone is the number of the field that says that the path dropped all references that it had, others may be left.
const ownNone = -9

// countsOn reports whether a path goes on to count the references to an object after it dropped the last that it had
// counted itself: who does that has had another one from the start, and the count did not come to its end.
func (a *analysis) countsOn(st *state, f *types.Func, args []*sym) bool {
	if len(args) == 0 || !strings.HasPrefix(f.Name(), "Add") || !fromPackage(f, "sync/atomic") {
		return false
	}
	addr := args[0]
	if f.Signature().Recv() != nil {
		addr = a.syms.cell(addr)
	}
	if st.mem[a.syms.field(addr, nil, ownEnd)] == nil {
		return false
	}
	for x, r := range st.rel {
		if !r.async && x.base() == addr.base() {
			return true // put at what was taken for the end
		}
	}
	return false
}

// assertsLast reports whether a test of a count lets those go on only who have the last reference, and panics
// for the others: what comes then does not depend on who else has one.
func assertsLast(b *ssa.BasicBlock, c *sym) bool {
	for c.kind == kArith && c.idx == int(token.NOT) {
		c = c.a
	}
	if c.kind != kCmp || c.idx != int(token.EQL) {
		return false
	}
	test, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	cond, ok := test.Cond.(*ssa.BinOp)
	if !ok || cond.Op != token.EQL && cond.Op != token.NEQ {
		return false
	}
	other := b.Succs[1]
	if cond.Op == token.NEQ {
		other = b.Succs[0]
	}
	_, panics := other.Instrs[len(other.Instrs)-1].(*ssa.Panic)
	return panics
}

// ownFrom notes the references that a path has to a value which it took from a pool: as many as it sets the count to.
// What others count for themselves, code that is not in view among them, is theirs.
func (a *analysis) ownFrom(st *state, addr, n *sym) {
	if k := addr.base().kind; k != kToken && k != kAlloc {
		return
	}
	own := a.syms.field(addr, nil, ownField)
	if n.kind == kConst && n.val.Kind() == constant.Int && constant.Sign(n.val) > 0 {
		st.mem[own] = n
	} else {
		delete(st.mem, own)
	}
}

// isOwnCount reports whether an address is where the references of a path to a value that it took from a pool are noted.
func isOwnCount(k *sym) bool {
	return k.kind == kField && k.idx == ownField && k.base().kind == kToken
}

// ownCounted adds to an atomic number. It reports whether the path has dropped by that what it
// counted before.
func (a *analysis) ownCounted(st *state, addr, delta *sym) bool {
	own := a.syms.field(addr, nil, ownField)
	had := st.mem[own]
	if delta.kind != kConst || delta.val.Kind() != constant.Int || had == nil && constant.Sign(delta.val) < 0 {
		delete(st.mem, own)
		return false
	}
	n := delta.val
	if had != nil {
		n = constant.BinaryOp(had.val, token.ADD, n)
	}
	st.mem[own] = a.syms.constant(n, types.Typ[types.Int])
	if constant.Sign(n) > 0 {
		return false
	}
	delete(st.mem, own)
	if constant.Sign(n) == 0 && addr.base().kind == kToken {
		st.mem[a.syms.field(addr, nil, ownNone)] = delta
	}
	if constant.Sign(n) != 0 || !a.keepsToItself(st, addr) {
		return false
	}
	st.mem[a.syms.field(addr, nil, ownEnd)] = delta
	return true
}

// someLeft sees a path drop a reference when it goes on to have others that it counted itself: the number has not come to
// its end.
func (a *analysis) someLeft(st *state, addr, delta, n *sym) {
	had := st.mem[a.syms.field(addr, nil, ownField)]
	if had == nil || delta.kind != kConst || delta.val.Kind() != constant.Int || constant.Sign(delta.val) >= 0 || !a.keepsToItself(st, addr) {
		return
	}
	zero, one := a.syms.constant(constant.MakeInt64(0), n.typ), a.syms.constant(constant.MakeInt64(1), n.typ)
	a.assume(st, a.equalTest(n, zero), false)
	for _, less := range []struct {
		x, y *sym
		is   bool
	}{{zero, n, true}, {n, zero, false}, {n, one, false}} {
		c, negated := a.syms.compare(token.LSS, less.x, less.y)
		a.assume(st, c, less.is != negated)
	}
}

// allCounted is what an atomic number becomes that counts the references to an object which the path made, and has for
// itself: all that were counted are known.
func (a *analysis) allCounted(st *state, addr, delta *sym) (constant.Value, bool) {
	b := addr.base()
	own := a.syms.field(addr, nil, ownField)
	had := st.mem[own]
	if b.kind != kAlloc || had == nil || delta.kind != kConst || delta.val.Kind() != constant.Int || st.escaped[b] || st.handed[b] || givenToOther(st, b) {
		return nil, false
	}
	for f := st.f; f != nil; f = f.parent {
		for i := range instrsOf(f.fn) {
			switch i.(type) {
			case *ssa.Go, *ssa.Send, *ssa.Select, *ssa.MakeClosure:
				return nil, false // one of them may have a reference
			}
		}
	}
	n := constant.BinaryOp(had.val, token.ADD, delta.val)
	st.mem[own] = a.syms.constant(n, types.Typ[types.Int])
	return n, true
}
