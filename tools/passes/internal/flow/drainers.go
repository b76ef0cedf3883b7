// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// An object may collect pooled values in a slice and have more than one method that puts
// them all. The slice is cleared then, or the next one puts them again. Where the object
// is dropped instead, by the field that leads to it, that is as good as long as nobody
// else has it: a function that takes it out of the field under a lock and uses it when
// the lock is given back has.

// A draining is a loop that puts all elements of a slice in a field.
type draining struct {
	fn      *ssa.Function
	field   *types.Var // that holds the slice
	owner   ssa.Value  // of the field
	call    ssa.CallInstruction
	arg     int // of the call, that is the element
	cleared bool
}

// drainings are such loops of the package.
func (a *analysis) drainings() (all []draining) {
	s := a.uses().sites
	for c := range a.productCalls() {
		if c.Common().IsInvoke() {
			continue
		}
		args := s.putArgs(a, c)
		if len(args) == 0 || !inLoop(c.Block()) {
			continue
		}
		for _, n := range args {
			if f, owner := rangedField(c.Common().Args[n]); f != nil {
				all = append(all, draining{c.Parent(), f, owner, c, n, a.setsField(c.Parent(), owner, f, 0)})
			}
		}
	}
	return all
}

// judgeEmptied reports loops that put what another one puts again.
func (a *analysis) judgeEmptied() {
	all := a.drainings()
	for _, d := range all {
		if d.cleared || !slices.ContainsFunc(all, func(o draining) bool { return o.field == d.field && o.cleared && o.fn != d.fn }) {
			continue
		}
		from := a.droppedBy(d)
		if from == nil {
			continue
		}
		for _, fn := range a.fns {
			if fn == d.fn || a.inTest(fn) {
				continue
			}
			if use := a.drainsLater(fn, from, d, all); use != nil {
				a.reportFound(finding{
					pattern: doublePut, pos: instrPos(d.call), fn: d.fn, cause: instrPos(d.call),
					message: "the elements of " + d.field.Name() + " are put but stay in it: " + fn.Name() + ", which may hold the object that " + from.Name() + " led to, puts them again (" + a.line(instrPos(use)) + ")",
					related: []goanalysis.RelatedInformation{{Pos: instrPos(use), Message: "put again through this call, outside the lock"}},
				})
				break
			}
		}
	}
}

// rangedField is the field that holds the slice of which v is an element, at an index
// that is not a constant, and the object that has the field.
func rangedField(v ssa.Value) (*types.Var, ssa.Value) {
	l, ok := unboxed(v).(*ssa.UnOp)
	if !ok || l.Op != token.MUL {
		return nil, nil
	}
	e, ok := l.X.(*ssa.IndexAddr)
	if !ok {
		return nil, nil
	}
	return rangedBy(e)
}

// rangedBy is the field that holds the slice of which an address is that of an element, by an index that is not
// constant, and the owner of the field.
func rangedBy(e *ssa.IndexAddr) (*types.Var, ssa.Value) {
	if _, fixed := e.Index.(*ssa.Const); fixed {
		return nil, nil
	}
	s, ok := e.X.(*ssa.UnOp)
	if !ok || s.Op != token.MUL {
		return nil, nil
	}
	f, ok := s.X.(*ssa.FieldAddr)
	if !ok {
		return nil, nil
	}
	return structOf(f.X.Type()).Field(f.Field).Origin(), f.X
}

// setsField reports whether a function sets a field of an object, by itself or by a
// method that it calls.
func (a *analysis) setsField(fn *ssa.Function, owner ssa.Value, f *types.Var, depth int) bool {
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Store:
				if i.Addr == owner {
					return true // all of it
				}
				if fa, ok := i.Addr.(*ssa.FieldAddr); ok && sameOwner(fa.X, owner) && structOf(fa.X.Type()).Field(fa.Field).Origin() == f {
					return true
				}
				if e, ok := i.Addr.(*ssa.IndexAddr); ok {
					if l, ok := e.X.(*ssa.UnOp); ok {
						if fa, ok := l.X.(*ssa.FieldAddr); ok && sameOwner(fa.X, owner) && structOf(fa.X.Type()).Field(fa.Field).Origin() == f {
							return true // element by element
						}
					}
				}
			case ssa.CallInstruction:
				if b, ok := i.Common().Value.(*ssa.Builtin); ok && b.Name() == "clear" {
					if got, o := fieldLoad(i.Common().Args[0]); got == f && sameOwner(o, owner) {
						return true
					}
				}
				g := a.calledFunction(i)
				for n, x := range i.Common().Args {
					if !sameOwner(x, owner) {
						continue
					}
					if g == nil || depth > 2 {
						return true // who knows
					}
					if n < len(g.Params) && a.setsField(g, g.Params[n], f, depth+1) {
						return true
					}
				}
			}
		}
	}
	return false
}

// sameOwner reports whether two values are one, or were loaded from one field of one
// object.
func sameOwner(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	f, o := fieldLoad(x)
	g, p := fieldLoad(y)
	return f != nil && f == g && o == p
}

// droppedBy is the field that led to the object of a draining and that its function
// sets to nil.
func (a *analysis) droppedBy(d draining) *types.Var {
	f, obj := fieldLoad(d.owner)
	if f == nil {
		return nil
	}
	found := false
	eachStore(d.fn, func(i *ssa.Store) {
		fa, ok := i.Addr.(*ssa.FieldAddr)
		found = found || ok && fa.X == obj && isNilConst(i.Val) && structOf(fa.X.Type()).Field(fa.Field).Origin() == f
	})
	if !found {
		return nil
	}
	return f
}

// drainsLater is a call by which a function drains the object that it found in a field,
// when it has given back the lock under which it looked.
func (a *analysis) drainsLater(fn *ssa.Function, from *types.Var, d draining, all []draining) ssa.CallInstruction {
	for _, b := range fn.Blocks {
		for at, i := range b.Instrs {
			v, ok := i.(*ssa.UnOp)
			if !ok {
				continue
			}
			if f, _ := fieldLoad(v); f != from || !unlocks(b.Instrs[at:]) {
				continue
			}
			if setInLock(b.Instrs[at:], from) {
				continue
			}
			for _, r := range referrers(v) {
				c, ok := r.(ssa.CallInstruction)
				if !ok || c.Block() == b && !afterUnlock(b.Instrs[at:], c) {
					continue
				}
				g := a.calledFunction(c)
				if g == nil {
					continue
				}
				for n, x := range c.Common().Args {
					if x != v || n >= len(g.Params) {
						continue
					}
					if slices.ContainsFunc(all, func(o draining) bool { return o.fn == g && o.field == d.field && o.owner == g.Params[n] }) {
						return c
					}
				}
			}
		}
	}
	return nil
}

// setInLock reports whether a field is set among some instructions, before a lock is given back: what it led to is nobody
// else's then.
func setInLock(list []ssa.Instruction, f *types.Var) bool {
	for _, i := range list {
		if s, ok := i.(*ssa.Store); ok && fieldAt(s.Addr) == f {
			return true
		}
		if isUnlock(i) {
			return false
		}
	}
	return false
}

// unlocks reports whether a lock is given back among some instructions.
func unlocks(list []ssa.Instruction) bool {
	return slices.ContainsFunc(list, isUnlock)
}

func isUnlock(i ssa.Instruction) bool {
	c, ok := i.(*ssa.Call)
	if !ok {
		return false
	}
	f := calledMethod(c)
	return f != nil && (f.Name() == "Unlock" || f.Name() == "RUnlock")
}

// afterUnlock reports whether a call comes after a lock was given back.
func afterUnlock(list []ssa.Instruction, c ssa.CallInstruction) bool {
	for _, i := range list {
		if i == c {
			return false
		}
		if isUnlock(i) {
			return true
		}
	}
	return false
}
