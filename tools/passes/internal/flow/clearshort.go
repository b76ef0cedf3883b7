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

// Clearing a slice reaches what is within its length. Where the slice was cutFirst in place
// before, or cut, the elements behind its new length stay in the array, and in the pool.

// judgeClearedShort reports the clears of slices of pooled values that were shortened before.
func (a *analysis) judgeClearedShort() {
	f := a.uses()
	pooled := func(t *types.Named) bool {
		return t != nil && slices.ContainsFunc(f.puts, func(p poolSite) bool { return p.typ == t.Origin() })
	}
	for c := range a.productCalls() {
		b, ok := c.Common().Value.(*ssa.Builtin)
		if !ok || b.Name() != "clear" {
			continue
		}
		x := c.Common().Args[0]
		sl, ok := x.Type().Underlying().(*types.Slice)
		if !ok || !leadsOut(sl.Elem()) || reachesTail(c.Parent(), sl.Elem()) {
			continue
		}
		var short ssa.Instruction
		if v, base := fieldLoad(x); v != nil {
			if !pooled(pointee(base.Type())) {
				continue
			}
			short = a.leavesTail(v, sl.Elem())
		} else if a.storedBack(c.Parent(), x) {
			short = shortens(x, nil, map[ssa.Value]bool{})
		}
		if short == nil {
			continue
		}
		a.reportFound(finding{
			pattern: retainedRefs, pos: instrPos(c), fn: c.Parent(),
			message: fmt.Sprintf("%s is cleared after it was shortened in place (%s): what stands behind its length stays in the pooled array and is kept alive; clear it to its capacity, or the rest when it is shortened", orElse(a.argText(c, 0), "the slice"), a.line(instrPos(short))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(short), Message: "shortened here"}},
		})
	}
}

// fieldLoad is the field that a value was read from, and its object.
func fieldLoad(v ssa.Value) (*types.Var, ssa.Value) {
	l, ok := v.(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return nil, nil
	}
	fa, ok := l.X.(*ssa.FieldAddr)
	if !ok {
		return nil, nil
	}
	return fieldAt(fa), fa.X
}

// leavesTail finds where the package shortens the slice in a field and leaves what is
// behind the new length in its place.
func (a *analysis) leavesTail(v *types.Var, elem types.Type) (short ssa.Instruction) {
	for _, fn := range a.fns {
		if a.inTest(fn) || reachesTail(fn, elem) {
			continue
		}
		eachStore(fn, func(st *ssa.Store) {
			if fieldAt(st.Addr) == v && short == nil {
				short = shortens(st.Val, v, map[ssa.Value]bool{})
			}
		})
		if short != nil {
			return short
		}
	}
	return nil
}

// shortens finds how a value was made of a slice, that of field v if there is one, with some of
// its elements left out: by appending to the slice itself those to be kept, by moving them to
// its start, or by a cut of what is longer than some limit.
func shortens(x ssa.Value, v *types.Var, seen map[ssa.Value]bool) ssa.Instruction {
	if seen[x] || len(seen) > 30 {
		return nil
	}
	seen[x] = true
	switch x := x.(type) {
	case *ssa.Phi:
		for _, e := range x.Edges {
			if i := shortens(e, v, seen); i != nil {
				return i
			}
		}
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		if !ok || b.Name() != "append" || !inLoop(x.Block()) || len(x.Call.Args) != 2 {
			return nil
		}
		root := cutFirst(x.Call.Args[0], map[ssa.Value]bool{})
		if root == nil || v != nil && !readFrom(root.X, v) {
			return nil
		}
		if appendsElement(x, root.X) {
			return x
		}
	case *ssa.Slice:
		if x.High == nil || x.Low != nil || v != nil && !readFrom(x.X, v) {
			return nil
		}
		if movesTo(x) || cutsLonger(x) {
			return x
		}
	}
	return nil
}

func readFrom(x ssa.Value, v *types.Var) bool {
	w, _ := fieldLoad(x)
	return w == v
}

// cutFirst is the cut to length 0 that a slice starts from.
func cutFirst(x ssa.Value, seen map[ssa.Value]bool) *ssa.Slice {
	if seen[x] || len(seen) > 20 {
		return nil
	}
	seen[x] = true
	switch x := x.(type) {
	case *ssa.Slice:
		if n, ok := x.High.(*ssa.Const); ok && n.Value != nil && isZero(n.Value) {
			return x
		}
	case *ssa.Phi:
		for _, e := range x.Edges {
			if s := cutFirst(e, seen); s != nil {
				return s
			}
		}
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return cutFirst(x.Call.Args[0], seen)
		}
	}
	return nil
}

// appendsElement reports whether what a call appends is an element of the slice from, under a
// test: some are left out.
func appendsElement(c *ssa.Call, from ssa.Value) bool {
	s, ok := c.Call.Args[1].(*ssa.Slice)
	if !ok {
		return false
	}
	al, ok := s.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, r := range referrers(al) {
		ia, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, q := range referrers(ia) {
			st, ok := q.(*ssa.Store)
			if !ok {
				continue
			}
			l, ok := st.Val.(*ssa.UnOp)
			if !ok || l.Op != token.MUL {
				continue
			}
			e, ok := l.X.(*ssa.IndexAddr)
			if ok && (e.X == from || sameSlice(e.X, from)) && l.Block() != c.Block() {
				return true
			}
		}
	}
	return false
}

// sameSlice reports whether two values are read from the same place.
func sameSlice(x, y ssa.Value) bool {
	v, _ := fieldLoad(x)
	w, _ := fieldLoad(y)
	return v != nil && v == w || oneRead(x, y, 0)
}

// movesTo reports whether a slice is cut to a count of elements that were moved to its start.
func movesTo(x *ssa.Slice) bool {
	n, ok := x.High.(*ssa.Phi)
	if !ok {
		return false
	}
	for _, b := range x.Parent().Blocks {
		for _, i := range b.Instrs {
			st, ok := i.(*ssa.Store)
			if !ok || !inLoop(b) {
				continue
			}
			to, ok := st.Addr.(*ssa.IndexAddr)
			l, isLoad := st.Val.(*ssa.UnOp)
			if !ok || !isLoad || l.Op != token.MUL || !sameSlice(to.X, x.X) || to.Index != ssa.Value(n) && !slices.Contains(n.Edges, to.Index) {
				continue
			}
			if from, ok := l.X.(*ssa.IndexAddr); ok && sameSlice(from.X, x.X) && from.Index != to.Index && l.Block() != n.Block() {
				return true
			}
		}
	}
	return false
}

// cutsLonger reports whether a slice is cut where it was found to be longer than that.
func cutsLonger(x *ssa.Slice) bool {
	isLen := func(v ssa.Value) bool {
		c, ok := v.(*ssa.Call)
		if !ok {
			return false
		}
		b, ok := c.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "len" && sameSlice(c.Call.Args[0], x.X)
	}
	b := x.Block()
	if len(b.Preds) != 1 {
		return false
	}
	t, ok := lastInstr(b.Preds[0]).(*ssa.If)
	if !ok {
		return false
	}
	c, ok := t.Cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	then := b.Preds[0].Succs[0] == b
	return then && (c.Op == token.GTR && isLen(c.X) && oneValue(c.Y, x.High) || c.Op == token.LSS && isLen(c.Y) && oneValue(c.X, x.High))
}

func oneValue(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	c, ok := x.(*ssa.Const)
	d, ok2 := y.(*ssa.Const)
	return ok && ok2 && c.Value != nil && d.Value != nil && c.Value.ExactString() == d.Value.ExactString()
}

// reachesTail reports whether a function clears, or sets one by one, elements that may stand
// behind the length of a slice, or extends one to its capacity.
func reachesTail(fn *ssa.Function, elem types.Type) bool {
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Store:
			if ia, ok := i.Addr.(*ssa.IndexAddr); ok && sameElem(ia.X.Type(), elem) {
				if n, isConst := i.Val.(*ssa.Const); isConst && n.Value == nil {
					return true
				}
			}
		case *ssa.Slice:
			if !sameElem(i.Type(), elem) {
				continue
			}
			if i.Low != nil {
				return true // the rest, for whatever
			}
			if c, ok := i.High.(*ssa.Call); ok {
				if bi, ok := c.Call.Value.(*ssa.Builtin); ok && bi.Name() == "cap" {
					return true
				}
			}
		}
	}
	return false
}

// storedBack reports whether a function puts a pointer to which it stores the slice, cut.
func (a *analysis) storedBack(fn *ssa.Function, x ssa.Value) (found bool) {
	eachStore(fn, func(st *ssa.Store) {
		s, ok := st.Val.(*ssa.Slice)
		if !ok || s.X != x {
			return
		}
		for c := range a.poolCalls("Put") {
			if c.Parent() == fn && unboxed(c.Common().Args[1]) == st.Addr {
				found = true
			}
		}
	})
	return found
}
