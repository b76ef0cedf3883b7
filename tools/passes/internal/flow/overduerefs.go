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

// An object that counts references begins with one, which the list has that it waits in for its answer. The queue of a
// goroutine that writes it has it as well, by no reference: when the answer is there it was written, but who gives up
// what waited for too long gives up the only reference, and the goroutine may still have to write it.

// An overdueDrop is a call that gives up, behind a test of the time that went by, what a field or the elements of a container hold.
type overdueDrop struct {
	home       *types.Var
	drop, late ssa.Instruction
	count      *types.Var // the field that counts the references
}

// judgeOverdueRefs reports such calls for what is in a queue as well.
func (c *custody) judgeOverdueRefs() {
	drops := c.overdueDrops()
	if len(drops) == 0 {
		return
	}
	judged := map[*types.Var]bool{}
	for fn, i := range c.a.instrsBeyondTests() {
		home, v := c.listed(i)
		if home == nil || judged[home] {
			continue
		}
		k := slices.IndexFunc(drops, func(d overdueDrop) bool { return d.home == home })
		if k < 0 {
			continue
		}
		d := drops[k]
		queue, send := c.queuedBy(fn, v, 0)
		if queue == nil || !c.oneReference(v, d.count, 0) {
			continue
		}
		use := c.usedByReceivers(queue, v.Type(), d)
		if use == nil {
			continue
		}
		judged[home] = true
		related := []goanalysis.RelatedInformation{{Pos: instrPos(send), Message: "sent here"}, {Pos: instrPos(use), Message: "used by who receives it"}}
		if d.late != d.drop {
			related = append(related, goanalysis.RelatedInformation{Pos: instrPos(d.late), Message: "given up from here when it is late"})
		}
		c.a.reportFound(finding{
			pattern: goroutineUse, pos: instrPos(d.drop), fn: d.drop.Parent(), cause: instrPos(d.drop),
			message: fmt.Sprintf("the only reference to the %s in %s is given up here when it waited too long, while the queue %s, which it was sent to as well (%s), may still have it for the goroutine that uses it", pointee(v.Type()).Obj().Name(), home.Name(), queue.Name(), c.a.line(instrPos(send))),
			related: related,
		})
	}
}

// overdueDrops finds such calls, the first one for each field.
func (c *custody) overdueDrops() (list []overdueDrop) {
	for _, i := range c.a.instrsBeyondTests() {
		call, ok := i.(*ssa.Call)
		if !ok || !c.a.dropsReference(call) {
			continue
		}
		x := call.Call.Args[0]
		home := fieldOfValue(x)
		if home == nil {
			home, _ = (&homes2{c: c}).takenFrom(x, 1)
		}
		count := countedBy(c.a.calledFunction(call))
		if home == nil || count == nil || home.Pkg() != c.a.pkg.Pkg || slices.ContainsFunc(list, func(d overdueDrop) bool { return d.home == home }) {
			continue
		}
		if drop, late := c.overdue([]ssa.Instruction{call}); drop != nil {
			list = append(list, overdueDrop{home, drop, late, count})
		}
	}
	return list
}

// countedBy is the field that a function counts down of its first parameter.
func countedBy(fn *ssa.Function) *types.Var {
	for i := range instrsOf(fn) {
		if of, f, by := countStep(i); of == ssa.Value(fn.Params[0]) && by == -1 {
			return f
		}
	}
	return nil
}

// listed is the field that an instruction stores a value in, or the container that it adds it to.
func (c *custody) listed(i ssa.Instruction) (home *types.Var, v ssa.Value) {
	switch i := i.(type) {
	case *ssa.MapUpdate:
		home, v = shelfVar(c.a.pkg.Pkg, i.Map), i.Value
	case *ssa.Store:
		if call, ok := i.Val.(*ssa.Call); ok && isBuiltin(call, "append") {
			home = shelfVar(c.a.pkg.Pkg, i.Addr)
			if added := appended(call); len(added) == 1 {
				v = added[0]
			}
		} else {
			home, v = fieldAt(i.Addr), i.Val
		}
	}
	if home == nil || v == nil || pointee(v.Type()) == nil {
		return nil, nil
	}
	return home, v
}

// oneReference reports whether a value was taken from a pool with a count of one, by the function that has it or those that
// call it, and nothing that these call counts up.
func (c *custody) oneReference(v ssa.Value, count *types.Var, depth int) bool {
	if p, ok := v.(*ssa.Parameter); ok {
		calls := c.a.callsOf(p.Parent())
		k := slices.Index(p.Parent().Params, p)
		return depth < 3 && len(calls) > 0 && !slices.ContainsFunc(calls, func(call ssa.CallInstruction) bool {
			return call.Common().IsInvoke() || k >= len(call.Common().Args) || !c.a.inTest(call.Parent()) && !c.oneReference(call.Common().Args[k], count, depth+1)
		})
	}
	i, ok := v.(ssa.Instruction)
	if !ok || !c.taken(v) {
		return false
	}
	one := false
	for g := range c.reaches(i.Parent()) {
		for j := range instrsOf(g) {
			if _, f, by := countStep(j); f == count {
				if by != -1 {
					return false
				}
				continue
			}
			switch n := setCount(j, count); n {
			case 0:
			case 1:
				one = true
			default:
				return false
			}
		}
	}
	return one
}

// usedByReceivers is where what a type points to is used by a function that receives from a channel, or one that it calls, if
// none of them counts references or has to do with the list.
func (c *custody) usedByReceivers(queue *types.Var, t types.Type, d overdueDrop) (use ssa.Instruction) {
	for fn, i := range c.a.instrsBeyondTests() {
		if !receivesOn(i, queue) {
			continue
		}
		if c.tells(d.late.Parent(), fn, t, d.home) || c.uses(fn, d.home) {
			return nil
		}
		for g := range c.reaches(fn) {
			for j := range instrsOf(g) {
				fa, ok := j.(*ssa.FieldAddr)
				if !ok || pointee(fa.X.Type()) != pointee(t) {
					continue
				}
				if fieldAt(fa) == d.count {
					return nil
				}
				if usesField(fa) && instrPos(fa).IsValid() && (use == nil || instrPos(fa) < instrPos(use)) {
					use = fa
				}
			}
		}
	}
	return use
}

// receivesOn reports whether an instruction receives from the channel in a field.
func receivesOn(i ssa.Instruction, queue *types.Var) bool {
	switch i := i.(type) {
	case *ssa.UnOp:
		return i.Op == token.ARROW && fieldOfValue(i.X) == queue
	case *ssa.Select:
		return slices.ContainsFunc(i.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly && fieldOfValue(s.Chan) == queue })
	}
	return false
}
