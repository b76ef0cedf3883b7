// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
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
		for _, c := range cuttings(fn) {
			put := a.putsElements(s, c.into, 0)
			if put == nil || !a.ofPooled(s, c) || a.putsFirstOnly(s, c, put) || !usesInTurn(put) || a.choosesPiece(put) {
				continue
			}
			a.reportFound(finding{
				pattern: useAfterPut, pos: instrPos(put), fn: put.Parent(), cause: instrPos(put),
				message: "the slices that this loop uses and puts one by one are cut from one buffer (" + a.line(instrPos(c.into)) + "): the capacity of the first reaches over the others, which are used after it was put",
				related: []goanalysis.RelatedInformation{{Pos: instrPos(c.into), Message: "cut and kept here"}},
			})
		}
	}
}

// usesInTurn reports whether a loop that puts the elements of a slice gives them to other code as well,
// before or after it puts them.
func usesInTurn(put ssa.CallInstruction) bool {
	for _, x := range put.Common().Args {
		at, ok := loaded(x).(*ssa.IndexAddr)
		if !ok {
			continue
		}
		if _, fixed := at.Index.(*ssa.Const); fixed {
			continue
		}
		for _, r := range referrers(at.Index) {
			e, ok := r.(*ssa.IndexAddr)
			if !ok || e.X != at.X || e.Index != at.Index {
				continue
			}
			for _, l := range loadsOf(e) {
				for _, u := range referrers(l) {
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
			}
		}
	}
	return false
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
