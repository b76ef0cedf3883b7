// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that adds a value to a queue and wakes those who wait for the queue has given the value away as
// soon as the lock is given back: whoever was woken takes it out, and puts it when he has done with it. Where the
// function returns the value as well, its caller reads what may be in the pool by then.

// A queueing is an addition to a queue in a field, after which those who wait are woken.
type queueing struct {
	at  *ssa.Store
	to  *types.Var
	val ssa.Value // what was added
}

// judgeQueuedReturns reports returns of values that were added to a queue.
func (c *custody) judgeQueuedReturns() {
	for _, fn := range c.a.fns {
		if c.a.inTest(fn) || !c.a.relevant[fn] || fn.Signature.Results().Len() == 0 || fn.Parent() != nil {
			continue
		}
		eachStore(fn, func(s *ssa.Store) {
			q, ok := c.queues(s)
			if !ok {
				return
			}
			ret, n := returnedAfter(q)
			if ret == nil || c.shares(q) {
				return
			}
			put := c.putByWaiter(q)
			if put == nil {
				return
			}
			use := c.usedByCaller(fn, n, hasUnlock(fn), 0)
			if use == nil {
				return
			}
			c.a.reportFound(finding{
				pattern: returnAlias, pos: instrPos(ret), fn: fn, cause: instrPos(put),
				message: fmt.Sprintf("%s returns what it added to %s: who was woken for that takes it out and puts it (%s), perhaps before the caller has read it (%s)", fn.Name(), q.to.Name(), c.a.line(instrPos(put)), c.a.line(instrPos(use))),
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(s), Message: "added here"},
					{Pos: instrPos(put), Message: "put here by who takes it out"},
					{Pos: instrPos(use), Message: "read here by a caller"},
				},
			})
		})
	}
}

// queues sees a value from a pool appended to a slice in a field of the package's own, and those woken that
// wait for it.
func (c *custody) queues(s *ssa.Store) (queueing, bool) {
	fa, ok := s.Addr.(*ssa.FieldAddr)
	if !ok {
		return queueing{}, false
	}
	f := fieldAt(fa)
	call, ok := s.Val.(*ssa.Call)
	if f == nil || f.Exported() || f.Pkg() != c.a.pkg.Pkg || !ok || !adds(s.Val, fa) || len(call.Call.Args) != 2 {
		return queueing{}, false
	}
	var val ssa.Value
	c.back(call.Call.Args[1], func(x ssa.Value) bool {
		if val == nil && pointee(x.Type()) != nil && c.taken(x) {
			val = x
		}
		return val == nil
	})
	if val == nil {
		return queueing{}, false
	}
	for i := range instrsOf(s.Parent()) {
		if m := calledMethod(i); m != nil && mayFollow(s, i) && (funcKey(m) == "sync.Cond.Broadcast" || funcKey(m) == "sync.Cond.Signal") {
			return queueing{s, f, val}, true
		}
	}
	return queueing{}, false
}

// returnedAfter is a return of what was added to a queue, after that, and which of the results it is.
func returnedAfter(q queueing) (*ssa.Return, int) {
	for _, b := range q.at.Parent().Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok || !mayFollow(q.at, r) {
			continue
		}
		for n := range r.Results {
			if returnsIt(r, n, q.val) {
				return r, n
			}
		}
	}
	return nil, 0
}

// shares reports whether a function does more with what it adds to a queue than to fill it: it may
// count a reference for its caller. Nor is anything known of values whose references are counted.
func (c *custody) shares(q queueing) bool {
	for _, r := range referrers(q.val) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Store, *ssa.Return, *ssa.BinOp, *ssa.UnOp:
		case *ssa.FieldAddr:
			for _, u := range referrers(r) {
				if _, ok := u.(ssa.CallInstruction); ok {
					return true
				}
			}
		default:
			return true
		}
	}
	for _, i := range c.a.instrs() {
		switch i := i.(type) {
		case *ssa.Store:
			// A number that is counted down.
			x, ok := i.Val.(*ssa.BinOp)
			if fa, isField := i.Addr.(*ssa.FieldAddr); ok && isField && x.Op == token.SUB && readsField(x.X, fa, 5) && ofOneType(fa.X, q.val) {
				return true
			}
		case ssa.CallInstruction:
			m := calledMethod(i)
			if m == nil || m.Pkg() == nil || m.Pkg().Path() != "sync/atomic" || len(i.Common().Args) == 0 {
				continue
			}
			if fa, ok := i.Common().Args[0].(*ssa.FieldAddr); ok && ofOneType(fa.X, q.val) {
				return true
			}
		}
	}
	return false
}

func ofOneType(x, y ssa.Value) bool { return types.Identical(x.Type(), y.Type()) }

// putByWaiter is a Put of what a function took out of a queue that it waits for, there or where it is called.
func (c *custody) putByWaiter(q queueing) ssa.Instruction {
	for _, fn := range c.a.fns {
		if c.a.inTest(fn) || !waitsForSign(fn) || cutsOff(c.a.pkg.Pkg, fn) != q.to {
			continue
		}
		for i := range instrsOf(fn) {
			l, ok := i.(*ssa.UnOp)
			if !ok || !ofOneType(l, q.val) || !elementFrom(c.a.pkg.Pkg, l, q.to) {
				continue
			}
			if put := c.putAsResult(l, 0); put != nil {
				return put
			}
		}
	}
	return nil
}

// waitsForSign reports whether a function waits for a condition.
func waitsForSign(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		if m := calledMethod(i); m != nil && funcKey(m) == "sync.Cond.Wait" {
			return true
		}
	}
	return false
}

// putAsResult is a Put of a value in its function, or in one that gets it as a result.
func (c *custody) putAsResult(v ssa.Value, depth int) ssa.Instruction {
	fn := v.Parent()
	for i := range instrsOf(fn) {
		for _, x := range c.putBy(i) {
			if x = unboxed(x); ofOneType(x, v) && c.comesFrom(x, v) {
				return i
			}
		}
	}
	for n := range fn.Signature.Results().Len() {
		if depth > 2 || !returnsAt(fn, n, v) {
			continue
		}
		for _, r := range c.resultsOf(fn, n) {
			if put := c.putAsResult(r, depth+1); put != nil {
				return put
			}
		}
	}
	return nil
}

// returnsAt reports whether a function returns a value as its n-th result.
func returnsAt(fn *ssa.Function, n int, v ssa.Value) bool {
	for _, b := range fn.Blocks {
		if r, ok := lastInstr(b).(*ssa.Return); ok && returnsIt(r, n, v) {
			return true
		}
	}
	return false
}

// returnsIt reports whether a return gives a value as its n-th result, be it through the variable in which a
// function with deferred calls keeps its results.
func returnsIt(r *ssa.Return, n int, v ssa.Value) bool {
	if n >= len(r.Results) {
		return false
	}
	same := aliasesOf(v)
	if same[r.Results[n]] {
		return true
	}
	l, ok := r.Results[n].(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return false
	}
	for _, i := range referrers(l.X) {
		if s, ok := i.(*ssa.Store); ok && s.Addr == l.X && same[s.Val] && s.Block() == r.Block() {
			return true
		}
	}
	return false
}

// resultsOf are the n-th results of the calls of a function outside tests.
func (c *custody) resultsOf(fn *ssa.Function, n int) []ssa.Value {
	var list []ssa.Value
	for _, call := range c.a.callsOf(fn) {
		v, ok := call.(*ssa.Call)
		if !ok || c.a.inTest(call.Parent()) {
			continue
		}
		if fn.Signature.Results().Len() == 1 {
			list = append(list, v)
		} else if x := part(v, n); x != nil {
			list = append(list, x)
		}
	}
	return list
}

// usedByCaller is where a caller of a function reads or writes the object that is its n-th result, after the
// lock was given back and without taking it again.
func (c *custody) usedByCaller(fn *ssa.Function, n int, unlocked bool, depth int) (use ssa.Instruction) {
	for _, v := range c.resultsOf(fn, n) {
		in := v.Parent()
		if i := firstUse(v); unlocked && i != nil && !locked(i) && (use == nil || instrPos(i) < instrPos(use)) {
			use = i
		}
		for k := range in.Signature.Results().Len() {
			if depth > 1 || !returnsAt(in, k, v) {
				continue
			}
			if i := c.usedByCaller(in, k, unlocked || hasUnlock(in), depth+1); i != nil && (use == nil || instrPos(i) < instrPos(use)) {
				use = i
			}
		}
	}
	return use
}

// firstUse is the first instruction that reads or writes a field of an object.
func firstUse(v ssa.Value) (first ssa.Instruction) {
	for x := range aliasesOf(v) {
		for _, r := range referrers(x) {
			fa, ok := r.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			for _, u := range referrers(fa) {
				if _, isDebug := u.(*ssa.DebugRef); !isDebug && (first == nil || instrPos(u) < instrPos(first)) {
					first = u
				}
			}
		}
	}
	return first
}

// hasUnlock reports whether a function gives back a lock, at its end or before.
func hasUnlock(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		if m := calledMethod(i); m != nil && (funcKey(m) == "sync.Mutex.Unlock" || funcKey(m) == "sync.RWMutex.Unlock") {
			return true
		}
	}
	return false
}
