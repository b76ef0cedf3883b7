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

// A function may give what it is given in one of two types: one that puts it at its end, and one that does not, for
// what is small and was never from a pool. Whether that is so shows in the capacity. The length shows it only
// until somebody cuts what a pool gave.

// judgeLenDecides reports tests of a length that tell whether a slice is put, where one that came from a pool was cut.
func (c *custody) judgeLenDecides() {
	for _, fn := range c.a.fns {
		if fn.Parent() != nil || c.a.inTest(fn) || len(fn.Params) == 0 {
			continue
		}
		for _, b := range fn.Blocks {
			test, ok := lastInstr(b).(*ssa.If)
			if !ok {
				continue
			}
			k, small, large := lengthOfParam(test)
			if small == nil || !c.givenBare(small, fn.Params[k]) || !c.givenToPut(large, fn.Params[k]) {
				continue
			}
			call, cut := c.givenCut(fn, k)
			if call == nil {
				continue
			}
			c.a.reportFound(finding{
				pattern: missingPut, pos: instrPos(test.Cond.(ssa.Instruction)), fn: fn,
				message: fmt.Sprintf("the length of %s tells here whether it is put, and %s gives what it took from a pool and cut (%s): what is large, with little in it, is lost; ask for the capacity", fn.Params[k].Name(), call.Parent().Name(), c.a.line(instrPos(cut))),
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(cut), Message: "cut here"},
					{Pos: instrPos(call), Message: "given here"},
				},
			})
		}
	}
}

// lengthOfParam is the parameter whose length a test compares with a constant, and where the test leads for a small and
// for a large one.
func lengthOfParam(test *ssa.If) (k int, small, large *ssa.BasicBlock) {
	o, ok := test.Cond.(*ssa.BinOp)
	if !ok {
		return 0, nil, nil
	}
	x, y, op := o.X, o.Y, o.Op
	if _, isConst := x.(*ssa.Const); isConst {
		x, y = y, x
		op = map[token.Token]token.Token{token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ}[op]
	}
	if n, isConst := y.(*ssa.Const); !isConst || n.Value == nil || sizeCall(x) != "len" || n.Int64() < 2 {
		return 0, nil, nil
	}
	of := unconverted(x).(*ssa.Call).Call.Args[0]
	if l, ok := of.(*ssa.UnOp); ok && l.Op == token.MUL {
		of = l.X
	}
	p, ok := of.(*ssa.Parameter)
	if !ok || !isSlice(deref(p.Type())) {
		return 0, nil, nil
	}
	succs := test.Block().Succs
	switch op {
	case token.LSS, token.LEQ:
		small, large = succs[0], succs[1]
	case token.GTR, token.GEQ:
		small, large = succs[1], succs[0]
	}
	return slices.Index(test.Parent().Params, p), small, large
}

// givenBare reports whether a block returns a parameter as a type of the package's of which no method puts it.
func (c *custody) givenBare(b *ssa.BasicBlock, p *ssa.Parameter) bool {
	r, ok := lastInstr(b).(*ssa.Return)
	if !ok || slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool { return len(c.putBy(i)) > 0 }) {
		return false
	}
	for _, v := range r.Results {
		box, ok := v.(*ssa.MakeInterface)
		if !ok || !isSlice(box.X.Type()) {
			continue
		}
		made := false
		c.back(box.X, func(x ssa.Value) bool {
			made = made || x == p
			return !made
		})
		n, _ := types.Unalias(box.X.Type()).(*types.Named)
		if !made || n == nil || n.Obj().Pkg() != c.a.pkg.Pkg {
			continue
		}
		for m := range n.Methods() {
			if fn := c.a.prog.FuncValue(m); fn == nil || len(c.puts[fn]) > 0 {
				return false
			}
		}
		return true
	}
	return false
}

// givenToPut reports whether an arm of a test makes an object with a parameter in a field, and returns it as an
// interface, where what the field holds is put by a method of the object.
func (c *custody) givenToPut(arm *ssa.BasicBlock, p *ssa.Parameter) bool {
	for _, r := range referrers(p) {
		s, ok := r.(*ssa.Store)
		if !ok || s.Val != ssa.Value(p) || s.Block() != arm && !arm.Dominates(s.Block()) {
			continue
		}
		fa, ok := s.Addr.(*ssa.FieldAddr)
		if !ok || !slices.ContainsFunc(referrers(fa.X), func(i ssa.Instruction) bool { _, boxed := i.(*ssa.MakeInterface); return boxed }) {
			continue
		}
		for fn := range c.putsField[fieldAt(fa)] {
			if recv := fn.Signature.Recv(); recv != nil && types.Identical(recv.Type(), fa.X.Type()) {
				return true
			}
		}
	}
	return false
}

// givenCut finds a call that gives a function what came from a pool and was cut to a length that nobody knows, by who
// has nothing to do with it any more.
func (c *custody) givenCut(fn *ssa.Function, k int) (call *ssa.Call, cut ssa.Instruction) {
	for _, i := range c.a.callsOf(fn) {
		call, ok := i.(*ssa.Call)
		if !ok || c.a.inTest(call.Parent()) || k >= len(call.Call.Args) {
			continue
		}
		got := call.Call.Args[k]
		s, isCut := got.(*ssa.Slice)
		if isCut {
			got = s.X
		}
		from := got
		if t, ok := got.(*ssa.TypeAssert); ok {
			from = t.X
		}
		take, ok := from.(*ssa.Call)
		if !ok || !c.takenBy(take) {
			continue
		}
		unknown := func(s *ssa.Slice) bool {
			if s.High == nil {
				return false
			}
			_, isConst := s.High.(*ssa.Const)
			return !isConst && !slices.ContainsFunc(take.Call.Args, func(x ssa.Value) bool { return sameNumber(s.High, unconverted(x)) })
		}
		if isCut && unknown(s) {
			cut = s
		}
		// Nobody else has it, and it is not put after the call.
		alone := true
		for _, r := range referrers(got) {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.UnOp, *ssa.Slice:
			case *ssa.Store:
				if r.Addr != got {
					alone = false
				} else if s, ok := r.Val.(*ssa.Slice); ok && unknown(s) && precedes(r, call) {
					cut = s
				}
			case *ssa.Call, *ssa.MakeInterface:
				alone = alone && (r == ssa.Instruction(call) || !follows(call, r, nil))
			default:
				alone = false
			}
		}
		if alone && cut != nil {
			return call, cut
		}
		cut = nil
	}
	return nil, nil
}
