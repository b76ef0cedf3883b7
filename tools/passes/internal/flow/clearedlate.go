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

// A method puts what a field holds under a lock, unless the field is nil, and sets it to nil. Another one that works with
// the field under that lock gives the lock back, puts what the field holds, and sets it to nil only then: in between the
// first one finds it there.

// A fieldEnd is where a method puts what a field of its receiver holds, and where it then sets that to nil.
type fieldEnd struct {
	fn     *ssa.Function
	field  *types.Var
	call   *ssa.Call
	clears *ssa.Store
	lock   *ssa.Call // the last call that took or gave back a lock before
	held   bool
}

// judgeClearedLate reports such late methods.
func (a *analysis) judgeClearedLate() {
	var ends []fieldEnd
	for fn, i := range a.instrsBeyondTests() {
		s, ok := i.(*ssa.Store)
		if !ok || fn.Signature.Recv() == nil || fn.Parent() != nil || !isNilConst(s.Val) {
			continue
		}
		fa, ok := s.Addr.(*ssa.FieldAddr)
		if !ok || a.whereKept(fa.X).of != ssa.Value(fn.Params[0]) {
			continue
		}
		if e, ok := a.fieldEndAt(s, fieldAt(fa)); ok {
			ends = append(ends, e)
		}
	}
	for _, late := range ends {
		if late.held || !a.worksLocked(late) {
			continue
		}
		n := slices.IndexFunc(ends, func(e fieldEnd) bool {
			return e.held && e.fn != late.fn && e.field == late.field && a.mutexOf(e.lock) == a.mutexOf(late.lock) && asksForNil(e) && !a.toldByField(late, e)
		})
		if n < 0 {
			continue
		}
		a.reportFound(finding{
			pattern: doublePut, pos: instrPos(late.call), fn: late.fn, cause: instrPos(ends[n].call),
			message: fmt.Sprintf("what %s holds is put through this call when the lock was given back (%s), and is there until %s is set to nil (%s): %s, which has the lock, may put it again (%s)",
				late.field.Name(), a.line(instrPos(late.lock)), late.field.Name(), a.line(instrPos(late.clears)), ends[n].fn.Name(), a.line(instrPos(ends[n].call))),
			related: []goanalysis.RelatedInformation{
				{Pos: instrPos(late.lock), Message: "the lock is given back here"},
				{Pos: instrPos(late.clears), Message: "set to nil here"},
				{Pos: instrPos(ends[n].call), Message: "put again here"},
			},
		})
	}
}

// fieldEndAt finds the call before a store of nil to a field that puts what the field holds.
func (a *analysis) fieldEndAt(s *ssa.Store, f *types.Var) (e fieldEnd, ok bool) {
	fn := s.Parent()
	for i := range instrsOf(fn) {
		c, isCall := i.(*ssa.Call)
		if !isCall || !precedes(c, s) {
			continue
		}
		for k, x := range c.Call.Args {
			g, of := fieldLoad(x)
			if g != f || a.whereKept(of).of != ssa.Value(fn.Params[0]) || !precedes(x.(*ssa.UnOp), c) || !a.endsArg(c, k, 0) {
				continue
			}
			lock, held := lastLock(x.(*ssa.UnOp))
			if lock == nil {
				return e, false
			}
			if after, _ := lastLock(s); held && after != lock {
				return e, false
			}
			return fieldEnd{fn, f, c, s, lock, held}, true
		}
	}
	return e, false
}

// endsArg reports whether a call puts its n-th argument, itself or by a function of the package, or a literal there.
func (a *analysis) endsArg(c ssa.CallInstruction, n, depth int) bool {
	if slices.Contains(a.valuesPut(c), c.Common().Args[n]) {
		return true
	}
	fn := a.calledFunction(c)
	if fn == nil || c.Common().IsInvoke() || depth > 2 || n >= len(fn.Params) {
		return false
	}
	p := keptIn{of: fn.Params[n]}
	for _, f := range append([]*ssa.Function{fn}, fn.AnonFuncs...) {
		for i := range instrsOf(f) {
			in, ok := i.(ssa.CallInstruction)
			if !ok {
				continue
			}
			for k, x := range in.Common().Args {
				if a.whereKept(x) == p && a.endsArg(in, k, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// lastLock is the last call on the way to an instruction that took or gave back a lock, and whether it took it; nil where
// it differs.
func lastLock(at ssa.Instruction) (last *ssa.Call, held bool) {
	for i := range instrsOf(at.Parent()) {
		c, ok := i.(*ssa.Call)
		if !ok || !takesOrGivesLock(c) || !mayFollow(c, at) {
			continue
		}
		switch {
		case last == nil || precedes(last, c):
			last = c
		case !precedes(c, last):
			return nil, false
		}
	}
	if last == nil || !precedes(last, at) {
		return nil, false
	}
	return last, calledMethod(last).Name() == "Lock"
}

func takesOrGivesLock(c *ssa.Call) bool {
	f := calledMethod(c)
	if f == nil || len(c.Call.Args) == 0 || f.Pkg() == nil || f.Pkg().Path() != "sync" {
		return false
	}
	switch f.Name() {
	case "Lock", "Unlock":
		return true
	}
	return false
}

// mutexOf is the field with the lock that a call takes or gives back.
func (a *analysis) mutexOf(c *ssa.Call) *types.Var { return fieldAt(c.Call.Args[0]) }

// worksLocked reports whether a method reads or sets a field before it gives the lock back.
func (a *analysis) worksLocked(e fieldEnd) bool {
	if a.mutexOf(e.lock) == nil {
		return false
	}
	for i := range instrsOf(e.fn) {
		fa, ok := i.(*ssa.FieldAddr)
		if !ok || fieldAt(fa) != e.field {
			continue
		}
		if l, held := lastLock(fa); l != nil && held && a.mutexOf(l) == a.mutexOf(e.lock) {
			return true
		}
	}
	return false
}

// asksForNil reports whether a Put of what a field holds stands behind a test that this is not nil.
func asksForNil(e fieldEnd) bool {
	for b := e.call.Block(); b != nil; b = b.Idom() {
		t, ok := lastInstr(b).(*ssa.If)
		if !ok || b == e.call.Block() {
			continue
		}
		if o, ok := t.Cond.(*ssa.BinOp); ok && (o.Op == token.EQL || o.Op == token.NEQ) && isNilConst(o.Y) && fieldOfValue(o.X) == e.field {
			return true
		}
	}
	return false
}

// toldByField reports whether one method sets another field, before it gives the lock back, that the other one asks.
func (a *analysis) toldByField(late, e fieldEnd) bool {
	for i := range instrsOf(late.fn) {
		s, ok := i.(*ssa.Store)
		if !ok || !precedes(s, late.call) {
			continue
		}
		f := fieldAt(s.Addr)
		if f == nil || f == e.field {
			continue
		}
		for j := range instrsOf(e.fn) {
			if l, ok := j.(*ssa.UnOp); ok && fieldOfValue(l) == f && mayFollow(l, e.call) {
				return true
			}
		}
	}
	return false
}
