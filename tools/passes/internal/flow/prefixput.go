// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// The first piece of a buffer has its beginning, and so the capacity of the whole: a Put that
// asks for the capacity of a class takes it for the buffer. Where only the pieces that were written are put,
// and those that follow are kept to be written later, their memory has gone to the pool with the first.

// putsFirstOnly reports whether a put in a loop takes the elements of a slice up to some number that
// is less than all, of pieces of a buffer that came from a pool.
func (a *analysis) putsFirstOnly(s *sites, c cutting, put ssa.CallInstruction) bool {
	if !a.ofPooled(s, c) {
		return false
	}
	for _, x := range put.Common().Args {
		l, ok := x.(*ssa.UnOp)
		if !ok {
			continue
		}
		e, ok := l.X.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		if sl, ok := e.X.(*ssa.Slice); ok && sl.High != nil {
			return true
		}
		if e.Index.Referrers() == nil {
			continue
		}
		for _, r := range referrers(e.Index) {
			t, ok := r.(*ssa.BinOp)
			if !ok || t.Op != token.LSS || t.X != e.Index || !inLoop(t.Block()) {
				continue
			}
			if n, ok := t.Y.(*ssa.BinOp); ok && n.Op == token.SUB && sizeCall(n.X) == "len" && sizeCall(n.Y) == "len" {
				return true
			}
		}
	}
	return false
}

// ofPooled reports whether the buffer that a loop cuts begins where one does that came from a pool.
func (a *analysis) ofPooled(s *sites, c cutting) bool {
	p := c.piece.X.(*ssa.Phi)
	for _, e := range p.Edges {
		if sl, ok := e.(*ssa.Slice); ok && sl.X == ssa.Value(p) {
			continue
		}
		if a.begunInPool(s, e, 0) {
			return true
		}
	}
	return false
}

// begunInPool reports whether a slice begins where one does that was taken from a pool, be it
// what a buffer holds that was made over it.
func (a *analysis) begunInPool(s *sites, v ssa.Value, depth int) bool {
	if depth > 8 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Parameter:
		n := slices.Index(x.Parent().Params, x)
		return slices.ContainsFunc(a.callsOf(x.Parent()), func(c ssa.CallInstruction) bool {
			return n < len(c.Common().Args) && a.begunInPool(s, c.Common().Args[n], depth+2)
		})
	case *ssa.Slice:
		return x.Low == nil && a.begunInPool(s, x.X, depth+1)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if a.begunInPool(s, e, depth+2) {
				return true
			}
		}
	case *ssa.TypeAssert:
		return a.begunInPool(s, x.X, depth+1)
	case *ssa.UnOp:
		if al, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
			return a.begunInPool(s, al, depth+1)
		}
		begun := x.Op == token.MUL && a.begunInPool(s, x.X, depth+1)
		if _, bytes := x.Type().Underlying().(*types.Slice); bytes && !begun {
			a.elementStores(x, func(v ssa.Value, _ ssa.Instruction) { begun = begun || a.begunInPool(s, v, depth+2) })
		}
		return begun
	case *ssa.Alloc:
		for _, r := range referrers(x) {
			if st, ok := r.(*ssa.Store); ok && st.Addr == x && a.begunInPool(s, st.Val, depth+1) {
				return true
			}
		}
	case *ssa.Call:
		if a.givesPooled(s, x) {
			return true
		}
		if isBuiltin(x, "append") {
			return a.begunInPool(s, x.Call.Args[0], depth+1)
		}
		if m := calledMethod(x); m != nil && (funcKey(m) == "bytes.Buffer.Bytes" || funcKey(m) == "bytes.NewBuffer") && len(x.Call.Args) > 0 {
			return a.begunInPool(s, x.Call.Args[0], depth+1)
		}
	}
	return false
}

// givesPooled reports whether a call takes from a pool, or from a function that gives what it
// took as a slice.
func (a *analysis) givesPooled(s *sites, c *ssa.Call) bool {
	if s.gets0(a, c) {
		return true
	}
	fn := a.calledFunction(c)
	if fn == nil || fn.Signature.Results().Len() != 1 || !isBytes(fn.Signature.Results().At(0).Type()) {
		return false
	}
	for _, b := range fn.Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok {
			continue
		}
		v := r.Results[0]
		for range 6 {
			switch x := v.(type) {
			case *ssa.Slice:
				if x.Low != nil {
					return false
				}
				v = x.X
				continue
			case *ssa.TypeAssert:
				v = x.X
				continue
			case *ssa.UnOp:
				v = x.X
				continue
			}
			break
		}
		if g, ok := v.(*ssa.Call); ok && s.gets0(a, g) {
			return true
		}
	}
	return false
}
