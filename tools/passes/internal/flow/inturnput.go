// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A loop that writes the pieces of a buffer, say, and puts each when it is written, puts the first before
// the second is written. The first begins where the buffer does, so that a Put that asks for the capacity takes it
// for the whole: the pieces that the loop comes to are the pool's by then.

// judgePutInTurn reports such loops, of pieces of a buffer that came from a pool.
func (a *analysis) judgePutInTurn() {
	s := a.uses().sites
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		for _, c := range a.cuttings(fn) {
			if !a.ofPooled(s, c) {
				continue
			}
			var put ssa.CallInstruction
			var cut ssa.Instruction = c.sent
			if c.sent != nil {
				put = a.receivedInTurn(s, c.sent)
			} else {
				cut = c.into
				if put = a.putsElements(s, c.into, c.field, 0); put != nil && (a.putsFirstOnly(s, c, put) || a.takesPieces(s, put, c) || !usesInTurn(put, c.field)) {
					continue
				}
			}
			if put == nil || a.choosesPiece(put) {
				continue
			}
			a.reportFound(finding{
				pattern: useAfterPut, pos: instrPos(put), fn: put.Parent(), cause: instrPos(put),
				message: "the slices" + a.asNamed(put) + " that this loop uses and puts one by one are cut from one buffer (" + a.line(instrPos(cut)) + "): the capacity of the first reaches over the others, which are used after it was put",
				related: []goanalysis.RelatedInformation{{Pos: instrPos(cut), Message: "cut and kept here"}},
			})
		}
	}
}

// receivedInTurn is a call in a loop that puts each piece that it receives from the channel that pieces are sent on, where
// the loop uses the piece as well.
func (a *analysis) receivedInTurn(s *sites, sent *ssa.Send) ssa.CallInstruction {
	home := placeOf(loaded(sent.Chan))
	if home == nil {
		return nil
	}
	for _, i := range a.instrsBeyondTests() {
		r, ok := i.(*ssa.UnOp)
		if !ok || r.Op != token.ARROW || !inLoop(r.Block()) || placeOf(loaded(r.X)) != home {
			continue
		}
		for _, v := range receivedBy(r) {
			for _, u := range referrers(v) {
				put, ok := u.(ssa.CallInstruction)
				if !ok || !eachRound(v.(ssa.Instruction).Block(), put.Block()) {
					continue
				}
				if _, now := put.(*ssa.Call); now && slices.ContainsFunc(a.bytesPut(s, put), func(n int) bool { return put.Common().Args[n] == v }) && usedBeside(v, put) {
					return put
				}
			}
		}
	}
	return nil
}

// receivedBy is the value that a receive gives.
func receivedBy(r *ssa.UnOp) []ssa.Value {
	if !r.CommaOk {
		return []ssa.Value{r}
	}
	for _, u := range referrers(r) {
		if e, ok := u.(*ssa.Extract); ok && e.Index == 0 {
			return []ssa.Value{e}
		}
	}
	return nil
}

// usedBeside reports whether a value in a loop is given to other code than what puts it.
func usedBeside(v ssa.Value, put ssa.CallInstruction) bool {
	for _, u := range referrers(v) {
		c, ok := u.(*ssa.Call)
		if !ok || ssa.CallInstruction(c) == put {
			continue
		}
		if _, builtin := c.Call.Value.(*ssa.Builtin); builtin && !isBuiltin(c, "copy") && !isBuiltin(c, "append") {
			continue
		}
		if reaches(put.Block(), c.Block()) {
			return true
		}
	}
	return false
}

// usesInTurn reports whether a loop that puts the elements of a slice, or what is in a field of them, gives them to
// other code as well, before or after it puts them.
func usesInTurn(put ssa.CallInstruction, field *types.Var) bool {
	for i := range instrsOf(put.Parent()) {
		at, ok := i.(*ssa.IndexAddr)
		if !ok || !slices.ContainsFunc(elementLoads(at, field), func(v ssa.Value) bool {
			return slices.ContainsFunc(put.Common().Args, func(x ssa.Value) bool { return unboxed(x) == v })
		}) {
			continue
		}
		for _, e := range sameTurnsElement(at) {
			if slices.ContainsFunc(elementLoads(e, field), func(v ssa.Value) bool { return usedBeside(v, put) }) {
				return true
			}
		}
	}
	return false
}

// sameTurnsElement are the addresses that name an element as one does in a loop: those at the same index, and those of
// the head of a queue that the loop advances.
func sameTurnsElement(at *ssa.IndexAddr) []*ssa.IndexAddr {
	var list []*ssa.IndexAddr
	if _, fixed := at.Index.(*ssa.Const); !fixed {
		for _, r := range referrers(at.Index) {
			if e, ok := r.(*ssa.IndexAddr); ok && e.X == at.X && e.Index == at.Index {
				list = append(list, e)
			}
		}
		return list
	}
	if !advancesInLoop(at) {
		return nil
	}
	for i := range instrsOf(at.Parent()) {
		if e, ok := i.(*ssa.IndexAddr); ok && zeroConst(e.Index) && sameQueue(e.X, at.X) && reaches(at.Block(), e.Block()) && reaches(e.Block(), at.Block()) {
			list = append(list, e)
		}
	}
	return list
}

// advancesInLoop reports whether a loop takes the first element of a queue, by an address, and cuts it off in the same turn.
func advancesInLoop(at *ssa.IndexAddr) bool {
	if !zeroConst(at.Index) || !inLoop(at.Block()) {
		return false
	}
	for i := range instrsOf(at.Parent()) {
		cut, ok := i.(*ssa.Slice)
		if !ok || cut.Low == nil || cut.High != nil || !sameQueue(cut.X, at.X) || !eachRound(at.Block(), cut.Block()) {
			continue
		}
		for _, r := range referrers(cut) {
			switch r := r.(type) {
			case *ssa.Phi:
				if ssa.Value(r) == at.X {
					return true
				}
			case *ssa.Store:
				if l, ok := at.X.(*ssa.UnOp); ok && r.Val == ssa.Value(cut) && (r.Addr == l.X || sameFieldAddr(r.Addr, l.X)) {
					return true
				}
			}
		}
	}
	return false
}

// sameQueue reports whether two values are one slice, or are read from one variable or field.
func sameQueue(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	lx, ok := x.(*ssa.UnOp)
	ly, ok2 := y.(*ssa.UnOp)
	return ok && ok2 && lx.Op == token.MUL && ly.Op == token.MUL && (lx.X == ly.X || sameFieldAddr(lx.X, ly.X))
}

// choosesPiece reports whether the loop around a put, or what it calls to put, asks how much a slice holds, or where
// it is: not every piece need go to the pool.
func (a *analysis) choosesPiece(put ssa.CallInstruction) bool {
	if len(a.testedIn(put.Parent())) > 0 {
		return true
	}
	fn := a.calledFunction(put)
	if fn == nil {
		return false
	}
	for i := range instrsOf(fn) {
		if c, ok := i.(*ssa.Call); ok && isBuiltin(c, "len") {
			return true
		}
	}
	return false
}
