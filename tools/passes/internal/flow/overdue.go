// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// What is queued for a goroutine that writes it, and listed until its answer comes, was written when the answer is
// there, and can be put. Who takes it off the list since it has waited for too long knows nothing of the queue: it may
// still be there.

// judgeOverdue reports the Puts of what waited too long, of values that are in a queue as well.
func (c *custody) judgeOverdue() {
	received := c.receivedFields()
	if len(received) == 0 {
		return
	}
	judged := map[*types.Var]bool{}
	for _, fn := range c.a.fns {
		if c.a.inTest(fn) {
			continue
		}
		eachStore(fn, func(s *ssa.Store) {
			f := fieldAt(s.Addr)
			if f == nil || judged[f] || len(c.putsField[f]) == 0 || counted(f.Type()) {
				return
			}
			queue, send := c.queuedBy(fn, s.Val, 0)
			if queue == nil || !received[queue] {
				return
			}
			put, late := c.putOverdue(f)
			if put == nil {
				return
			}
			if call, ok := put.(*ssa.Call); ok && c.a.dropsReference(call) {
				return // whether the queue has a reference counts (overduerefs.go)
			}
			judged[f] = true
			related := []goanalysis.RelatedInformation{{Pos: instrPos(send), Message: "sent here"}}
			if late != put {
				related = append(related, goanalysis.RelatedInformation{Pos: instrPos(late), Message: "put from here when it is late"})
			}
			c.a.reportFound(finding{
				pattern: goroutineUse, pos: instrPos(put), fn: put.Parent(), cause: instrPos(put),
				message: fmt.Sprintf("field %s is put here for what waited too long, while the queue %s, which it was sent to as well (%s), may still have it for the goroutine that reads it", f.Name(), queue.Name(), c.a.line(instrPos(send))),
				related: related,
			})
		})
	}
}

// receivedFields are the channels in fields that something is received from.
func (c *custody) receivedFields() map[*types.Var]bool {
	fields := map[*types.Var]bool{}
	for _, fn := range c.a.fns {
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.UnOp:
				if f := fieldOfValue(i.X); f != nil && i.Op == token.ARROW && !c.a.inTest(fn) {
					fields[f] = true
				}
			case *ssa.Select:
				for _, s := range i.States {
					if f := fieldOfValue(s.Chan); f != nil && s.Dir == types.RecvOnly && !c.a.inTest(fn) {
						fields[f] = true
					}
				}
			}
		}
	}
	return fields
}

// queuedBy is the channel that a function, or one that it calls, sends a value on, or a struct made for it with the
// value in a field that nobody puts.
func (c *custody) queuedBy(fn *ssa.Function, v ssa.Value, depth int) (queue *types.Var, send ssa.Instruction) {
	if _, ok := v.Type().Underlying().(*types.Pointer); !ok || depth > 2 {
		return nil, nil
	}
	sent := []ssa.Value{v}
	for _, r := range referrers(v) {
		s, ok := r.(*ssa.Store)
		if !ok || s.Val != v {
			continue
		}
		if fa, ok := s.Addr.(*ssa.FieldAddr); ok && len(c.putsField[nthField(fa.X, fa.Field)]) == 0 {
			sent = append(sent, fa.X)
			for _, l := range referrers(fa.X) {
				if l, ok := l.(*ssa.UnOp); ok && l.Op == token.MUL {
					sent = append(sent, l) // the struct by value
				}
			}
		}
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Send:
			if slices.Contains(sent, i.X) {
				return fieldOfValue(i.Chan), i
			}
		case *ssa.Select:
			for _, s := range i.States {
				if s.Dir == types.SendOnly && slices.Contains(sent, s.Send) {
					return fieldOfValue(s.Chan), i
				}
			}
		case *ssa.Call:
			g := c.a.calledFunction(i)
			k := slices.Index(i.Call.Args, v)
			if g == nil || k < 0 || i.Call.IsInvoke() || k >= len(g.Params) {
				continue
			}
			if f, at := c.queuedBy(g, g.Params[k], depth+1); f != nil {
				return f, at
			}
		}
	}
	return nil, nil
}

// putOverdue is a Put of what a field holds, and the call that leads to it behind a test of the time that went by.
func (c *custody) putOverdue(f *types.Var) (put, late ssa.Instruction) {
	return c.overdue(slices.SortedFunc(maps.Values(c.putsField[f]), func(x, y ssa.Instruction) int { return cmp.Compare(instrPos(x), instrPos(y)) }))
}

// overdue is the first of some instructions that a test of the time that went by leads to, and the call behind it.
func (c *custody) overdue(ends []ssa.Instruction) (end, late ssa.Instruction) {
	for _, end := range ends {
		level := []ssa.Instruction{end}
		for range 3 {
			var above []ssa.Instruction
			for _, i := range level {
				if behindTime(i.Block()) {
					return end, i
				}
				for _, call := range c.callsOf(i.Parent()) {
					if !c.a.inTest(call.Parent()) {
						above = append(above, call)
					}
				}
			}
			level = above
		}
	}
	return nil, nil
}

// behindTime reports whether a block is reached where a time was later than another, or a duration longer.
func behindTime(b *ssa.BasicBlock) bool {
	for ; b.Idom() != nil; b = b.Idom() {
		test, ok := lastInstr(b.Idom()).(*ssa.If)
		if !ok || len(b.Preds) != 1 {
			continue
		}
		cond := test.Cond
		if o, ok := cond.(*ssa.UnOp); ok && o.Op == token.NOT {
			cond = o.X
		}
		values := []ssa.Value{cond}
		if o, ok := cond.(*ssa.BinOp); ok {
			values = []ssa.Value{o.X, o.Y}
		}
		for _, v := range values {
			call, ok := v.(*ssa.Call)
			if !ok {
				continue
			}
			switch funcKey(calledMethod(call)) {
			case "time.Since", "time.Until", "time.Time.Sub", "time.Time.After", "time.Time.Before", "time.Time.Compare":
				return true
			}
		}
	}
	return false
}
