// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Pools by size class, whose Put looks for the class from the smallest up: the
// first that a capacity reaches is always the smallest, so that nothing ever
// comes back to the others. A Put must look from the largest down, or for the
// class that fits exactly.

// judgeFirstFit reports Puts to the first class that a capacity reaches.
func (a *analysis) judgeFirstFit() {
	for c := range a.poolCalls("Put") {
		if test, list := a.firstReached(c); test != nil {
			a.reportFound(finding{
				pattern: wrongPool, pos: instrPos(c), fn: c.Parent(),
				message: fmt.Sprintf("a slice is put in the first pool of %s whose size its capacity reaches, from the smallest up: that is always the smallest, and no other is ever filled", list),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(test), Message: "compared here"}},
			})
		}
	}
}

// firstReached sees a Put in a loop over classes, under a test that the capacity is
// no less than that of the class, after which the loop ends.
func (a *analysis) firstReached(c ssa.CallInstruction) (*ssa.BinOp, string) {
	ia, name := a.pickedPool(c.Common().Args[0])
	if ia == nil {
		return nil, ""
	}
	idx := unconverted(ia.Index)
	if !countsUp(idx) {
		return nil, ""
	}
	for b := c.Block(); b != nil; b = b.Idom() {
		for _, p := range b.Preds {
			iff, ok := lastInstr(p).(*ssa.If)
			if !ok || len(b.Preds) != 1 {
				continue
			}
			o, ok := iff.Cond.(*ssa.BinOp)
			if !ok {
				continue
			}
			op, x, y := o.Op, o.X, o.Y
			if p.Succs[1] == b {
				op = opposite(op)
			}
			if a.ofCapacity(y) {
				x, y, op = y, x, mirrored(op)
			}
			if !a.ofCapacity(x) || op != token.GEQ && op != token.GTR {
				continue
			}
			list, at := elementAt(y)
			if list == nil || unconverted(at) != idx || !a.ascending(list) {
				continue
			}
			if !reaches(c.Block(), p) && !a.otherBound(c.Parent(), o, x) {
				return o, name
			}
		}
	}
	return nil, ""
}

// pickedPool is the element of a list of pools that a value is the address of.
func (a *analysis) pickedPool(v ssa.Value) (*ssa.IndexAddr, string) {
	for range 4 {
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			if list := a.staticPool(x.X); list != nil {
				return x, list.Name()
			}
			return nil, ""
		}
	}
	return nil, ""
}

// countsUp reports whether an index starts at 0 and grows by 1.
func countsUp(v ssa.Value) bool {
	inc, ok := v.(*ssa.BinOp) // a range loop's
	if !ok {
		phi, ok := v.(*ssa.Phi)
		if !ok {
			return false
		}
		for _, e := range phi.Edges {
			switch e := e.(type) {
			case *ssa.Const:
				if e.Value == nil || !isZero(e.Value) {
					return false
				}
			case *ssa.BinOp:
				if one(e, phi) == false {
					return false
				}
				inc = e
			default:
				return false
			}
		}
		return inc != nil
	}
	phi, ok := inc.X.(*ssa.Phi)
	return ok && one(inc, phi) && len(phi.Edges) == 2
}

func one(b *ssa.BinOp, phi *ssa.Phi) bool {
	c, ok := b.Y.(*ssa.Const)
	return ok && b.Op == token.ADD && b.X == phi && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64() == 1
}

func opposite(op token.Token) token.Token {
	switch op {
	case token.GEQ:
		return token.LSS
	case token.GTR:
		return token.LEQ
	case token.LSS:
		return token.GEQ
	case token.LEQ:
		return token.GTR
	}
	return op
}

func mirrored(op token.Token) token.Token {
	switch op {
	case token.GEQ:
		return token.LEQ
	case token.GTR:
		return token.LSS
	case token.LSS:
		return token.GTR
	case token.LEQ:
		return token.GEQ
	}
	return op
}

// ofCapacity reports whether a value is a capacity, or a variable set to one.
func (a *analysis) ofCapacity(v ssa.Value) bool {
	_, ok := capOf(v)
	return ok
}

// elementAt takes a list and an index from an element of it, or from one of its fields.
func elementAt(v ssa.Value) (list, index ssa.Value) {
	v = unconverted(v)
	if l, ok := v.(*ssa.UnOp); ok && l.Op == token.MUL {
		addr := l.X
		if fa, ok := addr.(*ssa.FieldAddr); ok {
			addr = fa.X
		}
		if l, ok := addr.(*ssa.UnOp); ok {
			addr = l.X
		}
		if ia, ok := addr.(*ssa.IndexAddr); ok {
			return ia.X, ia.Index
		}
	}
	if ix, ok := v.(*ssa.Index); ok {
		return ix.X, ix.Index
	}
	return nil, nil
}

// ascending reports whether the sizes in a list grow: some function of the package
// picks the first that is not smaller than what is asked for.
func (a *analysis) ascending(list ssa.Value) bool {
	of := a.listObject(list)
	if of == nil {
		return false
	}
	for _, fn := range a.fns {
		for _, b := range fn.Blocks {
			iff, ok := lastInstr(b).(*ssa.If)
			if !ok {
				continue
			}
			o, ok := iff.Cond.(*ssa.BinOp)
			if !ok {
				continue
			}
			op, x, y := o.Op, o.X, o.Y
			l, at := elementAt(y)
			if l == nil {
				l, at = elementAt(x)
				x, op = y, mirrored(op)
			}
			if l == nil || a.listObject(l) != of || a.ofCapacity(x) || !countsUp(unconverted(at)) {
				continue
			}
			if _, isConst := x.(*ssa.Const); isConst {
				continue
			}
			if op == token.LEQ && !reaches(b.Succs[0], b) || op == token.GTR && !reaches(b.Succs[1], b) || op == token.LSS && !reaches(b.Succs[0], b) {
				return true
			}
		}
	}
	return false
}

func (a *analysis) listObject(v ssa.Value) types.Object {
	if l, ok := v.(*ssa.UnOp); ok && l.Op == token.MUL {
		v = l.X
	}
	return a.staticPool(v)
}

// otherBound reports whether the capacity is compared with something else in the loop.
func (a *analysis) otherBound(fn *ssa.Function, o *ssa.BinOp, capacity ssa.Value) bool {
	of, _ := capOf(capacity)
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			q, ok := i.(*ssa.BinOp)
			if !ok || q == o || !inLoop(b) {
				continue
			}
			for _, x := range []ssa.Value{q.X, q.Y} {
				if s, ok := capOf(x); ok && s == of {
					return true
				}
			}
		}
	}
	return false
}
