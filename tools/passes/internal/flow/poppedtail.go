// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A list of idle objects is cut by one when the last is taken off, and the array behind it still leads to
// that. Where such objects go to a sync.Pool when they are no longer needed, the collector cannot
// have them as the pool would let it.

// judgePoppedTail reports lists that keep what was taken off, of objects that are put in a pool.
func (a *analysis) judgePoppedTail() {
	f := a.uses()
	if len(f.puts) == 0 {
		return
	}
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		eachStore(fn, func(s *ssa.Store) {
			cut, ok := s.Val.(*ssa.Slice)
			v := fieldAt(s.Addr)
			if !ok || v == nil || cut.Low != nil || cut.High == nil {
				return
			}
			if from, _ := fieldLoad(cut.X); from != v {
				return
			}
			_, elem := elementType(v.Type())
			if elem == nil {
				return
			}
			t := pointee(elem)
			if t == nil || t.Obj().Pkg() != a.pkg.Pkg || !slices.ContainsFunc(f.puts, func(p poolSite) bool { return p.typ == t.Origin() && !a.inTest(p.fn) }) || a.clearsAny(elem) {
				return
			}
			taken := takenOff(cut)
			if taken == nil || a.foundIn(retainedRefs, fn) {
				return
			}
			a.reportFound(finding{
				pattern: retainedRefs, pos: instrPos(s), fn: fn,
				message: fmt.Sprintf("%s is cut here, but the array behind it still leads to the *%s that was taken off (%s), which may go to its pool meanwhile: set the element to nil first", v.Name(), t.Obj().Name(), a.line(instrPos(taken))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(taken), Message: "taken off here"}},
			})
		})
	}
}

// takenOff is the read of the last element of a slice that is cut by one.
func takenOff(cut *ssa.Slice) ssa.Instruction {
	by, ok := cut.High.(*ssa.BinOp)
	if !ok || by.Op != token.SUB {
		return nil
	}
	if c, ok := by.Y.(*ssa.Const); !ok || c.Value == nil || c.Int64() != 1 {
		return nil
	}
	for i := range instrsOf(cut.Parent()) {
		l, ok := i.(*ssa.UnOp)
		if !ok || l.Op != token.MUL || !precedes(l, cut) {
			continue
		}
		ia, ok := l.X.(*ssa.IndexAddr)
		if !ok || !oneRead(ia.X, cut.X, 0) {
			continue
		}
		x, ok := ia.Index.(*ssa.BinOp)
		if ok && x.Op == token.SUB && (x == by || x.X == by.X || oneRead(x.X, by.X, 0) || sameRead(x.X, by.X)) {
			return l
		}
	}
	return nil
}
