// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Pools by size whose Get cuts a slice to the size asked for, and whose Put
// takes only slices as long as a class: what was cut never comes back.

// judgeByLength reports Puts that ask for a length that Get does not give.
func (a *analysis) judgeByLength() {
	var cut map[types.Object]*ssa.Slice // by the pool or list of pools
	for c := range a.poolCalls("Put") {
		test, p := lengthRequired(c)
		if test == nil {
			continue
		}
		if cut == nil {
			cut = a.cutToSize()
		}
		obj := a.staticPool(c.Common().Args[0])
		g := cut[obj]
		if obj == nil || g == nil || a.extended(p) {
			continue
		}
		a.reportFound(finding{
			pattern: staleHeader, pos: instrPos(test), fn: c.Parent(),
			message: fmt.Sprintf("only slices whose length is that of the class go to %s, but what is taken is cut to the size asked for (%s): those are dropped; compare the capacity and put b[:cap(b)]", obj.Name(), a.line(instrPos(g))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(c), Message: "put here"}, {Pos: instrPos(g), Message: "cut here"}},
		})
	}
}

// lengthRequired finds the test under which a function puts a slice that it was
// given: that its length equals something.
func lengthRequired(put ssa.CallInstruction) (*ssa.BinOp, *ssa.Parameter) {
	fn := put.Parent()
	for _, b := range fn.Blocks {
		iff, ok := lastInstr(b).(*ssa.If)
		if !ok {
			continue
		}
		o, ok := iff.Cond.(*ssa.BinOp)
		if !ok || o.Op != token.EQL && o.Op != token.NEQ {
			continue
		}
		x, y := o.X, o.Y
		p := lengthOf(x)
		if p == nil {
			p, y = lengthOf(y), x
		}
		if p == nil || lengthOf(y) != nil || ofCap(y, 0) || !putsSlice(put, p) {
			continue
		}
		if c, ok := y.(*ssa.Const); ok && (c.Value == nil || isZero(c.Value)) {
			continue
		}
		to := b.Succs[0]
		if o.Op == token.NEQ {
			to = b.Succs[1]
		}
		if len(to.Preds) == 1 && to.Dominates(put.Block()) {
			return o, p
		}
	}
	return nil, nil
}

// lengthOf takes the parameter from its length.
func lengthOf(v ssa.Value) *ssa.Parameter {
	c, ok := unconverted(v).(*ssa.Call)
	if !ok {
		return nil
	}
	b, ok := c.Call.Value.(*ssa.Builtin)
	if !ok || b.Name() != "len" {
		return nil
	}
	if l, ok := c.Call.Args[0].(*ssa.UnOp); ok && l.Op == token.MUL {
		p := paramOf(l.X)
		return p
	}
	return paramOf(c.Call.Args[0])
}

// paramOf is the parameter that a value is, or that the variable at an address was set to alone.
func paramOf(v ssa.Value) *ssa.Parameter {
	switch v := v.(type) {
	case *ssa.Parameter:
		if isSlice(v.Type()) {
			return v
		}
		if p, ok := v.Type().Underlying().(*types.Pointer); ok && isSlice(p.Elem()) {
			return v
		}
	case *ssa.Alloc:
		var only *ssa.Parameter
		for _, r := range referrers(v) {
			if st, ok := r.(*ssa.Store); ok && st.Addr == v {
				p, ok := st.Val.(*ssa.Parameter)
				if !ok || only != nil {
					return nil
				}
				only = p
			}
		}
		return only
	}
	return nil
}

// ofCap reports whether a value has to do with a capacity.
func ofCap(v ssa.Value, depth int) bool {
	if _, ok := capOf(v); ok {
		return true
	}
	b, ok := v.(*ssa.BinOp)
	return ok && depth < 4 && (ofCap(b.X, depth+1) || ofCap(b.Y, depth+1))
}

// putsSlice reports whether a Put is of a parameter, however sliced.
func putsSlice(put ssa.CallInstruction, p *ssa.Parameter) bool {
	v := unboxed(put.Common().Args[1])
	for {
		s, ok := v.(*ssa.Slice)
		if !ok {
			return paramOf(v) == p
		}
		v = s.X
	}
}

// cutToSize finds, for each pool or list of pools, a slice that is cut to the
// size that the function was asked for and returned.
func (a *analysis) cutToSize() map[types.Object]*ssa.Slice {
	cut := map[types.Object]*ssa.Slice{}
	for fn, i := range a.instrsBeyondTests() {
		s, ok := i.(*ssa.Slice)
		if !ok || s.Low != nil || s.Max != nil || s.High == nil || !returned(s) {
			continue
		}
		if _, ok := unconverted(s.High).(*ssa.Parameter); !ok {
			continue
		}
		for j := range instrsOf(fn) {
			g, ok := j.(*ssa.Call)
			if !ok || g.Call.IsInvoke() || funcKey(calledMethod(g)) != "sync.Pool.Get" || !gotFrom(s.X, g, 0) {
				continue
			}
			if obj := a.staticPool(g.Call.Args[0]); obj != nil && cut[obj] == nil {
				cut[obj] = s
			}
		}
	}
	return cut
}

// returned reports whether a function returns a value as it is.
func returned(v ssa.Value) bool {
	for _, r := range referrers(v) {
		if ret, ok := r.(*ssa.Return); ok && ret.Results[0] == v {
			return true
		}
	}
	return false
}

// extended reports whether somebody gives a parameter a slice of full capacity.
func (a *analysis) extended(p *ssa.Parameter) bool {
	fn := p.Parent()
	for i := range instrsOf(fn) {
		if st, ok := i.(*ssa.Store); ok && st.Addr == p {
			return true
		}
	}
	for k, q := range fn.Params {
		if q != p {
			continue
		}
		for _, c := range a.callsOf(fn) {
			if c.Common().IsInvoke() || k >= len(c.Common().Args) {
				return true
			}
			if s, ok := c.Common().Args[k].(*ssa.Slice); ok && s.High != nil {
				if _, isCap := capOf(s.High); isCap {
					return true
				}
			}
		}
	}
	return false
}
