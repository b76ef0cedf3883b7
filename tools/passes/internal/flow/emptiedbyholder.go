// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Who makes an object that collects pooled values, stores it in a field under a lock, for others to find, and keeps it, may
// empty it at its end. A function that finds it in the field, puts all that it has and only sets the field to nil leaves all of
// that for him to put again. Another object's field may lead there as well.

// judgeEmptiedByHolder reports loops that put what who holds the object by another name puts again.
func (c *custody) judgeEmptiedByHolder() {
	all := c.a.drainings()
	for _, d := range all {
		if d.cleared || c.a.putsByMark(d.call, d.arg) {
			continue
		}
		from := c.a.droppedBy(d)
		if from == nil || !hasUnlock(d.fn) {
			continue
		}
		emptiers := slices.DeleteFunc(slices.Clone(all), func(o draining) bool {
			p, ok := o.owner.(*ssa.Parameter)
			return o.field != d.field || !o.cleared || o.fn == d.fn || !ok || p.Parent() != o.fn || c.a.putsByMark(o.call, o.arg)
		})
		if len(emptiers) == 0 {
			continue
		}
		if use, how := c.emptiedAgain(d, from, emptiers); use != nil {
			c.a.reportFound(finding{
				pattern: doublePut, pos: instrPos(d.call), fn: d.fn, cause: instrPos(d.call),
				message: "the elements of " + d.field.Name() + " are put but stay in it: " + outermost(use.Parent()).Name() + ", " + how + ", puts them again (" + c.a.line(instrPos(use)) + ")",
				related: []goanalysis.RelatedInformation{{Pos: instrPos(use), Message: "put again through this call"}},
			})
		}
	}
}

// emptiedAgain is a call by which somebody empties the object that a field led to, and how he comes to have it.
func (c *custody) emptiedAgain(d draining, from *types.Var, emptiers []draining) (use ssa.Instruction, how string) {
	apart := func(use ssa.Instruction) bool {
		fn := outermost(use.Parent())
		return fn != outermost(d.fn) && c.runsApart(d.fn, fn) && !c.tells(d.fn, fn, d.call.Common().Args[d.arg].Type(), from, d.field)
	}
	for fn, i := range c.a.instrsBeyondTests() {
		set, ok := i.(*ssa.Store)
		if !ok || fieldAt(set.Addr) != from || isNilConst(set.Val) || fn == d.fn {
			continue
		}
		names := namesOf(set.Val)
		if use := c.emptiesOwn(set, names, emptiers); use != nil && apart(use) {
			return use, "which set " + from.Name() + " to their object and still has it"
		}
		for i := range instrsOf(fn) {
			also, ok := i.(*ssa.Store)
			if !ok || !names[also.Val] {
				continue
			}
			other := fieldAt(also.Addr)
			if other == nil || other == from || other.Exported() || !c.setHereOnly(also) {
				continue
			}
			for _, o := range emptiers {
				for _, call := range c.a.callsOf(o.fn) {
					n := slices.Index(o.fn.Params, asParameter(o.owner))
					if n < len(call.Common().Args) && fieldOfValue(call.Common().Args[n]) == other && !c.a.inTest(call.Parent()) && apart(call) && !c.uses(call.Parent(), from) {
						return call, "which has their object by " + other.Name()
					}
				}
			}
		}
	}
	return nil, ""
}

// setHereOnly reports whether no instruction but one sets a field.
func (c *custody) setHereOnly(at *ssa.Store) bool {
	f := fieldAt(at.Addr)
	for _, i := range c.a.instrsBeyondTests() {
		if s, ok := i.(*ssa.Store); ok && s != at && fieldAt(s.Addr) == f {
			return false
		}
	}
	return true
}

// emptiesOwn is a call by which a function empties an object that it stored in a field, under a lock that it gave back, where
// it does not look at the field in between.
func (c *custody) emptiesOwn(set *ssa.Store, names map[ssa.Value]bool, emptiers []draining) (use ssa.Instruction) {
	fn := set.Parent()
	var unlock ssa.Instruction
	for i := range instrsOf(fn) {
		if isUnlock(i) && precedes(set, i) {
			unlock = i
			break
		}
	}
	if unlock == nil {
		return nil
	}
	for i := range instrsOf(fn) {
		call, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if _, deferred := i.(*ssa.Defer); !deferred && !precedes(unlock, i) {
			continue
		}
		if use := c.emptiesNamed(call, names, emptiers); use != nil && !c.looksAtField(fn, fieldAt(set.Addr), set, i) {
			return use
		}
	}
	return nil
}

// emptiesNamed is the call that empties one of some values: a call itself, or one in the function literal that it calls.
func (c *custody) emptiesNamed(call ssa.CallInstruction, names map[ssa.Value]bool, emptiers []draining) ssa.CallInstruction {
	if m, ok := call.Common().Value.(*ssa.MakeClosure); ok {
		for i := range instrsOf(m.Fn.(*ssa.Function)) {
			inner, ok := i.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if use := c.emptiesNamed(inner, names, emptiers); use != nil {
				return use
			}
		}
		return nil
	}
	g := c.a.calledFunction(call)
	if g == nil {
		return nil
	}
	for _, o := range emptiers {
		n := slices.Index(o.fn.Params, asParameter(o.owner))
		if o.fn == g && n < len(call.Common().Args) && names[call.Common().Args[n]] {
			return call
		}
	}
	return nil
}

// namesOf are the values of a function, and of its literals, that a value is: those of the variable that alone has it.
func namesOf(v ssa.Value) map[ssa.Value]bool {
	names := aliasesOf(v)
	var cells []ssa.Value
	if l, ok := v.(*ssa.UnOp); ok {
		cells = append(cells, l.X)
	}
	for _, r := range referrers(v) {
		if s, ok := r.(*ssa.Store); ok && s.Val == v {
			cells = append(cells, s.Addr)
		}
	}
	for _, x := range cells {
		al, ok := x.(*ssa.Alloc)
		if !ok || !setOnce(al) {
			continue
		}
		for _, l := range loadsOf(al) {
			names[l] = true
		}
		for _, r := range referrers(al) {
			m, ok := r.(*ssa.MakeClosure)
			if !ok {
				continue
			}
			for k, x := range m.Bindings {
				if x == ssa.Value(al) {
					for _, l := range loadsOf(m.Fn.(*ssa.Function).FreeVars[k]) {
						names[l] = true
					}
				}
			}
		}
	}
	return names
}

// looksAtField reports whether a function, or one that it calls, deals with a field in another way than by some instruction
// before it comes to a call.
func (c *custody) looksAtField(fn *ssa.Function, f *types.Var, but *ssa.Store, call ssa.Instruction) bool {
	for g := range c.reaches(fn) {
		for i := range instrsOf(g) {
			fa, ok := i.(*ssa.FieldAddr)
			if !ok || fieldAt(fa) != f || ssa.Value(fa) == but.Addr {
				continue
			}
			if _, late := call.(*ssa.Defer); g == fn && (precedes(fa, but) && !mayFollow(but, fa) || !late && precedes(call, fa)) {
				continue
			}
			return true
		}
	}
	return false
}

// asParameter is a value as a parameter; nil if it is none.
func asParameter(v ssa.Value) *ssa.Parameter {
	p, _ := v.(*ssa.Parameter)
	return p
}
