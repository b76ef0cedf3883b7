// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// What a path knows of a number from its tests against constants decides other tests against
// constants: what is 0 is not above 0, and what is below 3 is below 5.

// A span is where a number lies. A bound of nil is none.
type span struct{ least, most constant.Value }

// knownByRange evaluates a test of a whole number against a constant by the other tests of that number on
// the path.
func knownByRange(st *state, c *sym) (value, ok bool) {
	x, op, k := numberTest(c)
	if x == nil {
		return false, false
	}
	s := spanOf(st, x)
	switch op {
	case token.EQL:
		if s.least != nil && constant.Compare(k, token.LSS, s.least) || s.most != nil && constant.Compare(s.most, token.LSS, k) {
			return false, true
		}
	case token.LSS: // x < k
		if s.most != nil && constant.Compare(s.most, token.LSS, k) {
			return true, true
		}
		if s.least != nil && constant.Compare(s.least, token.GEQ, k) {
			return false, true
		}
	case token.GTR: // x > k
		if s.least != nil && constant.Compare(s.least, token.GTR, k) {
			return true, true
		}
		if s.most != nil && constant.Compare(s.most, token.LEQ, k) {
			return false, true
		}
	}
	return false, false
}

// numberTest takes apart a test of a whole number x against a constant k: x == k, x < k or x > k.
func numberTest(c *sym) (x *sym, op token.Token, k constant.Value) {
	if c.kind != kCmp || c.b == nil {
		return nil, 0, nil
	}
	op = token.Token(c.idx)
	x, y := c.a, c.b
	if x.kind == kConst {
		x, y = y, x
		if op == token.LSS {
			op = token.GTR
		}
	}
	if op != token.EQL && op != token.LSS && op != token.GTR {
		return nil, 0, nil
	}
	if y.kind != kConst || y.val == nil || y.val.Kind() != constant.Int || x.kind == kConst || x.typ == nil {
		return nil, 0, nil
	}
	if b, ok := x.typ.Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
		return nil, 0, nil
	}
	return x, op, y.val
}

// spanOf is where the tests on a path say that a number lies.
func spanOf(st *state, x *sym) (s span) {
	one := constant.MakeInt64(1)
	atLeast := func(k constant.Value) {
		if s.least == nil || constant.Compare(s.least, token.LSS, k) {
			s.least = k
		}
	}
	atMost := func(k constant.Value) {
		if s.most == nil || constant.Compare(k, token.LSS, s.most) {
			s.most = k
		}
	}
	if x.kind == kLen || x.kind == kCap || x.typ.Underlying().(*types.Basic).Info()&types.IsUnsigned != 0 {
		atLeast(constant.MakeInt64(0))
	}
	var not []constant.Value
	for c, is := range st.truth {
		y, op, k := numberTest(c)
		if y != x {
			continue
		}
		switch {
		case op == token.EQL && is:
			return span{k, k}
		case op == token.EQL:
			not = append(not, k)
		case op == token.LSS && is:
			atMost(constant.BinaryOp(k, token.SUB, one))
		case op == token.LSS:
			atLeast(k)
		case is:
			atLeast(constant.BinaryOp(k, token.ADD, one))
		default:
			atMost(k)
		}
	}
	// What it is known not to be makes the span shorter at its ends.
	for range not {
		for _, k := range not {
			if s.least != nil && constant.Compare(k, token.EQL, s.least) {
				s.least = constant.BinaryOp(k, token.ADD, one)
			}
			if s.most != nil && constant.Compare(k, token.EQL, s.most) {
				s.most = constant.BinaryOp(k, token.SUB, one)
			}
		}
	}
	return s
}

// onlyGrows reports whether a loop does nothing to a number but add to it: it has come as far as
// it was when the loop came round, or further.
func onlyGrows(p *ssa.Phi) bool {
	for k, e := range p.Edges {
		if !p.Block().Dominates(p.Block().Preds[k]) {
			continue
		}
		sum, ok := e.(*ssa.BinOp)
		if !ok || sum.Op != token.ADD || sum.X != ssa.Value(p) {
			return false
		}
		by, ok := sum.Y.(*ssa.Const)
		if !ok || by.Value == nil || by.Value.Kind() != constant.Int || constant.Sign(by.Value) <= 0 {
			return false
		}
	}
	return true
}
