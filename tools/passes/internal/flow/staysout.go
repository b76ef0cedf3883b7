// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A type may have values that live in a pool and others that never see one: those that a method derives, say, for whoever
// asks to keep. What these are made with tells nothing of what the pool gives.

// A stayingOut follows a new struct through the package, to whoever may put it.
type stayingOut struct {
	a    *analysis
	seen map[ssa.Value]bool
}

// staysOut reports whether a struct made in a function never goes to a pool, where no other package puts its type: it is
// used, and given back to callers that use it.
func (a *analysis) staysOut(made *ssa.Alloc) bool {
	return (&stayingOut{a, map[ssa.Value]bool{}}).only(made)
}

// only reports whether all that is done with a value leaves it out of pools.
func (o *stayingOut) only(v ssa.Value) bool {
	if o.seen[v] {
		return true
	}
	if len(o.seen) == 60 {
		return false
	}
	o.seen[v] = true
	return !slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool { return !o.use(r, v) })
}

// use reports whether one instruction does.
func (o *stayingOut) use(r ssa.Instruction, v ssa.Value) bool {
	switch r := r.(type) {
	case *ssa.DebugRef, *ssa.FieldAddr, *ssa.Field, *ssa.BinOp, *ssa.If:
		return true
	case *ssa.Phi, *ssa.Extract, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.TypeAssert:
		return o.only(r.(ssa.Value))
	case *ssa.UnOp:
		return r.Op != token.MUL || o.only(r) // what a variable has, or a copy
	case *ssa.Store:
		if r.Val != v {
			return true
		}
		al, ok := r.Addr.(*ssa.Alloc)
		return ok && o.only(al)
	case *ssa.Return:
		return o.returned(r, v)
	case ssa.CallInstruction:
		return o.call(r, v)
	}
	return false
}

// returned reports whether those that call the function leave what it returns out of pools. A function that is used as a
// value may be the one by which a pool makes its values.
func (o *stayingOut) returned(r *ssa.Return, v ssa.Value) bool {
	fn := r.Parent()
	if fn.Parent() != nil || o.a.uses().taken[origin(fn)] {
		return false
	}
	k := slices.Index(r.Results, v)
	for _, c := range o.a.callsOf(origin(fn)) {
		call := c.Value()
		if call == nil || o.a.inTest(c.Parent()) {
			continue
		}
		for _, x := range resultsAt(call, k) {
			if !o.only(x) {
				return false
			}
		}
	}
	return true
}

// resultsAt are the values of a result of a call.
func resultsAt(call *ssa.Call, k int) []ssa.Value {
	if call.Call.Signature().Results().Len() == 1 {
		return []ssa.Value{call}
	}
	var list []ssa.Value
	for _, r := range referrers(call) {
		if x, ok := r.(*ssa.Extract); ok && x.Index == k {
			list = append(list, x)
		}
	}
	return list
}

// call reports whether a call only uses a value.
func (o *stayingOut) call(c ssa.CallInstruction, v ssa.Value) bool {
	puts, args := o.a.uses().putArgs(o.a, c), c.Common().Args
	fn := o.a.calledFunction(c)
	for k, x := range args {
		if x != v {
			continue
		}
		if slices.Contains(puts, k) {
			return false
		}
		if c.Common().IsInvoke() {
			k++
		}
		if fn != nil && k < len(fn.Params) && !o.only(fn.Params[k]) {
			return false
		}
	}
	return true
}
