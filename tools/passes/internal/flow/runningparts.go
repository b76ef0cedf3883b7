// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// What a goroutine works with may be an object with a pooled value of its own: who ends that object, by the method of it that
// puts the value, has to know that the goroutine has ended, as who puts the value itself has (running.go).

// judgeRunningParts reports calls of a method of what a field holds that puts what a field of that holds, where a goroutine that
// cannot be waited for calls other methods of it, which use that.
func (a *analysis) judgeRunningParts() {
	s := a.uses().sites
	puts := map[*ssa.Function]map[*types.Var]ssa.CallInstruction{} // by methods, of fields of their receiver
	for c := range a.productCalls() {
		fn := c.Parent()
		if _, isCall := c.(*ssa.Call); !isCall && fn.Signature.Recv() == nil || c.Common().IsInvoke() {
			continue
		}
		for _, n := range s.putArgs(a, c) {
			v, of := fieldLoad(unboxed(c.Common().Args[n]))
			if v == nil || len(fn.Params) == 0 || fn.Signature.Recv() == nil || of != ssa.Value(fn.Params[0]) {
				continue
			}
			if puts[fn] == nil {
				puts[fn] = map[*types.Var]ssa.CallInstruction{}
			}
			puts[fn][v.Origin()] = c
		}
	}
	if len(puts) == 0 {
		return
	}
	for g, body := range a.silentGoroutines() {
		for home, uses := range a.usedParts(body) {
			a.judgeRunningPart(g, body, home, uses, puts)
		}
	}
}

// A partUse is a call, in a loop, of a method that uses a field of its receiver.
type partUse struct {
	call  *ssa.Call
	field *types.Var
}

// usedParts are the uses of fields of what a field of the started object holds, by that field.
func (a *analysis) usedParts(body *ssa.Function) map[*types.Var][]partUse {
	uses := map[*types.Var][]partUse{}
	for _, b := range body.Blocks {
		if !inLoop(b) {
			continue
		}
		for _, i := range b.Instrs {
			c, ok := i.(*ssa.Call)
			if !ok || c.Call.IsInvoke() || len(c.Call.Args) == 0 {
				continue
			}
			home, of := fieldLoad(c.Call.Args[0])
			fn := a.calledFunction(c)
			if home == nil || !startedWith(of) || fn == nil || fn.Signature.Recv() == nil || len(fn.Params) == 0 {
				continue
			}
			for j := range instrsOf(fn) {
				if l, ok := j.(*ssa.UnOp); ok {
					if v, recv := fieldLoad(l); v != nil && recv == ssa.Value(fn.Params[0]) {
						uses[home.Origin()] = append(uses[home.Origin()], partUse{c, v.Origin()})
					}
				}
			}
		}
	}
	return uses
}

func (a *analysis) judgeRunningPart(g *ssa.Go, body *ssa.Function, home *types.Var, uses []partUse, puts map[*ssa.Function]map[*types.Var]ssa.CallInstruction) {
	for c := range a.productCalls() {
		call, ok := c.(*ssa.Call)
		if !ok || call.Call.IsInvoke() || len(call.Call.Args) == 0 {
			continue
		}
		fn := a.calledFunction(call)
		if v, _ := fieldLoad(call.Call.Args[0]); fn == nil || puts[fn] == nil || v == nil || v.Origin() != home {
			continue
		}
		if call.Parent() == g.Parent() || a.reachesCall(body, call.Parent(), 0) || a.mayWaitBefore(call, body) || a.mayWait(fn, 0) {
			continue
		}
		for _, u := range uses {
			put := puts[fn][u.field]
			if put == nil || locked(call) && locked(u.call) {
				continue
			}
			a.reportFound(finding{
				pattern: goroutineUse, pos: instrPos(call), fn: call.Parent(), cause: instrPos(put),
				message: "this puts field " + u.field.Name() + " of " + home.Name() + " (" + a.line(instrPos(put)) + ") while the goroutine that " + g.Parent().Name() + " started (" + a.line(instrPos(g)) + ") may still use it: nothing tells that it has ended",
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(g), Message: "started here"},
					{Pos: instrPos(u.call), Message: "used here"},
					{Pos: instrPos(put), Message: "the Put"},
				},
			})
			break
		}
	}
}

// mayWaitBefore reports whether a function may wait for a goroutine with that body before it comes to an instruction, or whoever
// calls it.
func (a *analysis) mayWaitBefore(to ssa.Instruction, body *ssa.Function) bool {
	for i := range instrsOf(to.Parent()) {
		if i == to || !precedes(i, to) && !reaches(i.Block(), to.Block()) {
			continue
		}
		switch i := i.(type) {
		case *ssa.Send, *ssa.Select:
			return true
		case *ssa.UnOp:
			if isChan(i.X.Type()) {
				return true
			}
		case *ssa.Call:
			if _, ok := i.Call.Value.(*ssa.Builtin); ok {
				continue
			}
			if f := a.calledFunction(i); f != nil {
				if a.mayWait(f, 1) {
					return true
				}
				continue
			}
			if !neverWaits(i) && !heldAgainst(i, body) {
				return true
			}
		}
	}
	return slices.ContainsFunc(a.uses().sites.callers[to.Parent()], func(o ssa.CallInstruction) bool { return a.mayWait(o.Parent(), 1) })
}

// heldAgainst reports whether a call is made while its function holds a lock, by a mutex in a field, that a goroutine with that body
// takes as well: such a call cannot wait for the goroutine, which would wait for the lock.
func heldAgainst(c *ssa.Call, body *ssa.Function) bool {
	held := heldAt(c)
	if held == nil {
		return false
	}
	for i := range instrsOf(body) {
		if call, ok := i.(*ssa.Call); ok && !call.Call.IsInvoke() && len(call.Call.Args) > 0 && fieldAt(call.Call.Args[0]) == held {
			switch funcKey(calledMethod(call)) {
			case "sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock":
				return true
			}
		}
	}
	return false
}

// heldAt is the field with the mutex that was locked last on the way to an instruction, and not unlocked since; nil if there is none.
func heldAt(at ssa.Instruction) *types.Var {
	for b := at.Block(); b != nil; b = b.Idom() {
		before := b.Instrs
		if b == at.Block() {
			before = before[:slices.Index(before, at)]
		}
		for _, i := range slices.Backward(before) {
			call, ok := i.(*ssa.Call)
			if !ok || call.Call.IsInvoke() || len(call.Call.Args) == 0 {
				continue
			}
			switch funcKey(calledMethod(call)) {
			case "sync.Mutex.Lock", "sync.RWMutex.Lock":
				return fieldAt(call.Call.Args[0])
			case "sync.Mutex.Unlock", "sync.RWMutex.Unlock":
				return nil
			}
		}
	}
	return nil
}
