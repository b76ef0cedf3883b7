// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A channel that is filled, where it is made, with the numbers from zero on lends those: each stands for a
// slot that its taker may use until it sends the number back. Whoever returns an error with such a number
// in a variable that nothing looked at has lost the slot.

// slotUse is what a package does with one channel of integers.
type slotUse struct {
	filled, other bool
	takes         []ssa.Value // what was received
	gives         int
}

// judgeSlotNumbers reports the numbers that are lost.
func (a *analysis) judgeSlotNumbers() {
	if !sendsInLoop(a.pass, isInteger) {
		return
	}
	uses := tally[slotUse]{}
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.Store:
			if obj := numbersPlace(i.Addr); obj != nil {
				uses.of(obj).made(i)
			}
		case *ssa.UnOp:
			if obj := numbersPlace(i.X); obj != nil && i.Op == token.MUL {
				for _, r := range referrers(i) {
					uses.of(obj).used(r, i)
				}
			}
		case *ssa.FieldAddr:
			if obj := numbersPlace(i); obj != nil && slices.ContainsFunc(referrers(i), func(r ssa.Instruction) bool { return !loadsOrStores(r, i) }) {
				uses.of(obj).other = true
			}
		case *ssa.Field:
			if s := structOf(i.X.Type()); s != nil && isChan(i.Type()) {
				uses.of(s.Field(i.Field).Origin()).other = true
			}
		}
	}
	for obj, u := range uses {
		if u.other || !u.filled || u.gives == 0 || obj.Exported() || obj.Pkg() != a.pkg.Pkg {
			continue
		}
		for _, v := range u.takes {
			a.judgeSlotNumber(obj, v, 0)
		}
	}
}

// numbersPlace is the field or variable at an address, if it holds a channel of integers.
func numbersPlace(addr ssa.Value) types.Object {
	obj := placeOf(addr)
	if obj == nil || !isChan(obj.Type()) || !isInteger(obj.Type().Underlying().(*types.Chan).Elem()) {
		return nil
	}
	return obj
}

// made sees a channel stored.
func (u *slotUse) made(s *ssa.Store) {
	m, ok := s.Val.(*ssa.MakeChan)
	if !ok || isZeroSize(m.Size) {
		if k, isConst := s.Val.(*ssa.Const); !isConst || !k.IsNil() {
			u.other = true
		}
		return
	}
	for _, r := range referrers(m) {
		if r == ssa.Instruction(s) {
			continue
		}
		u.used(r, m)
	}
}

// used sees an instruction that has the channel.
func (u *slotUse) used(r ssa.Instruction, ch ssa.Value) {
	switch r := r.(type) {
	case *ssa.DebugRef, *ssa.BinOp:
	case *ssa.Send:
		switch {
		case r.Chan != ch:
			u.other = true
		case isCounter(r.X) && inLoop(r.Block()):
			u.filled = true
		default:
			u.gives++
		}
	case *ssa.UnOp:
		if r.Op != token.ARROW || r.CommaOk {
			u.other = true
			return
		}
		u.takes = append(u.takes, r)
	case *ssa.Select:
		n := 2
		for _, s := range r.States {
			if s.Chan == ch && s.Dir == types.RecvOnly {
				for _, x := range referrers(r) {
					if x, ok := x.(*ssa.Extract); ok && x.Index == n {
						u.takes = append(u.takes, x)
					}
				}
			}
			if s.Dir == types.RecvOnly {
				n++
			}
			if s.Chan == ch && s.Dir == types.SendOnly {
				u.gives++
			}
		}
	case *ssa.Call:
		if b, ok := r.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" && b.Name() != "cap" {
			u.other = true
		}
	default:
		u.other = true
	}
}

// isCounter reports whether a number is one that a loop counts.
func isCounter(v ssa.Value) bool {
	switch v := unconverted(v).(type) {
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool {
			b, ok := e.(*ssa.BinOp)
			return ok && b.X == ssa.Value(v)
		})
	case *ssa.BinOp:
		p, ok := v.X.(*ssa.Phi)
		return ok && v.Op == token.ADD && slices.Contains(p.Edges, ssa.Value(v))
	}
	return false
}

// judgeSlotNumber follows a number that was taken, through the functions that give it to their callers.
func (a *analysis) judgeSlotNumber(obj types.Object, v ssa.Value, depth int) {
	i := v.(ssa.Instruction)
	fn := i.Parent()
	if a.inTest(fn) || depth > 3 {
		return
	}
	if ret := lostNumber(v); ret != nil {
		a.reportFound(finding{
			pattern: missingPut, pos: gotAt(v), fn: fn,
			message: "the number taken from the channel " + obj.Name() + " is not sent back on the path that ends here (" + a.line(instrPos(ret)) + "): as many were sent there as there are slots, and this one is never used again",
			related: []goanalysis.RelatedInformation{{Pos: instrPos(ret), Message: "lost at this return"}},
		})
		return
	}
	for _, b := range fn.Blocks {
		ret, ok := lastInstr(b).(*ssa.Return)
		if !ok || !slices.Contains(ret.Results, v) {
			continue
		}
		n := slices.Index(ret.Results, v)
		for _, c := range a.callsOf(origin(fn)) {
			call, ok := c.(*ssa.Call)
			if !ok {
				continue
			}
			if len(ret.Results) == 1 {
				a.judgeSlotNumber(obj, call, depth+1)
				continue
			}
			for _, x := range referrers(call) {
				if x, ok := x.(*ssa.Extract); ok && x.Index == n {
					a.judgeSlotNumber(obj, x, depth+1)
				}
			}
		}
		return
	}
}

// gotAt is where a function got a value.
func gotAt(v ssa.Value) token.Pos {
	x, ok := v.(*ssa.Extract)
	if !ok {
		return instrPos(v.(ssa.Instruction))
	}
	s, ok := x.Tuple.(*ssa.Select)
	if !ok {
		return instrPos(x.Tuple.(ssa.Instruction))
	}
	n := 2
	for _, c := range s.States {
		if c.Dir == types.RecvOnly {
			if n == x.Index {
				return c.Pos
			}
			n++
		}
	}
	return instrPos(s)
}

// lostNumber is the return of an error that a path leads to on which nothing looked at a number.
func lostNumber(v ssa.Value) ssa.Instruction {
	used := usersOf(v)
	if len(used) == 0 {
		return nil // the slot is not told by its number
	}
	var with ssa.Value // of several results, of which one may be an error
	if x, ok := v.(*ssa.Extract); ok {
		with = x.Tuple
	}
	type step struct {
		b      *ssa.BasicBlock
		failed bool
	}
	seen := map[step]bool{}
	var find func(b *ssa.BasicBlock, k int, failed bool) ssa.Instruction
	find = func(b *ssa.BasicBlock, k int, failed bool) ssa.Instruction {
		for _, i := range b.Instrs[k:] {
			if used[i] {
				return nil
			}
			switch i := i.(type) {
			case *ssa.Return:
				if n := len(i.Results); failed && n > 0 && isError(i.Results[n-1].Type()) && !isNilConst(i.Results[n-1]) {
					return i
				}
				return nil
			case *ssa.RunDefers:
				if !failed {
					return nil
				}
			}
		}
		for n, s := range b.Succs {
			if t, ok := lastInstr(b).(*ssa.If); ok && with != nil && asksOther(t.Cond, with) && !(underSuccessOf(t.Cond) == n) {
				continue
			}
			next := step{s, failed || underFailure(s)}
			if seen[next] {
				continue
			}
			seen[next] = true
			if i := find(s, 0, next.failed); i != nil {
				return i
			}
		}
		return nil
	}
	i := v.(ssa.Instruction)
	return find(i.Block(), slices.Index(i.Block().Instrs, i)+1, false)
}

// usersOf are the instructions that do something with a number, or what is worked out from it.
func usersOf(v ssa.Value) map[ssa.Instruction]bool {
	used := map[ssa.Instruction]bool{}
	seen := map[ssa.Value]bool{}
	var add func(v ssa.Value)
	add = func(v ssa.Value) {
		if seen[v] || v.Referrers() == nil {
			return
		}
		seen[v] = true
		for _, r := range referrers(v) {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.Convert:
				add(r)
			case *ssa.ChangeType:
				add(r)
			default:
				used[r] = true
			}
		}
	}
	add(v)
	return used
}

// asksOther reports whether a condition asks for another result of a call: whether it gave something.
func asksOther(cond, tuple ssa.Value) bool {
	switch x := cond.(type) {
	case *ssa.Extract:
		return x.Tuple == tuple
	case *ssa.UnOp:
		return x.Op == token.NOT && asksOther(x.X, tuple)
	case *ssa.BinOp:
		return isNilConst(x.Y) && asksOther(x.X, tuple)
	}
	return false
}

// underSuccessOf is the arm of such a condition that leads on where the call gave something.
func underSuccessOf(cond ssa.Value) int {
	switch x := cond.(type) {
	case *ssa.UnOp:
		return 1
	case *ssa.BinOp:
		if x.Op == token.NEQ {
			return 1
		}
	}
	return 0
}

// sendsInLoop reports whether a package sends values of a kind in a loop that counts.
func sendsInLoop(pass *goanalysis.Pass, elem func(types.Type) bool) (found bool) {
	fills := func(body *ast.BlockStmt) {
		ast.Inspect(body, func(n ast.Node) bool {
			if s, ok := n.(*ast.SendStmt); ok {
				if ch, ok := pass.TypesInfo.TypeOf(s.Chan).Underlying().(*types.Chan); ok && elem(ch.Elem()) {
					found = true
				}
			}
			return !found
		})
	}
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ForStmt:
				if n.Cond != nil {
					fills(n.Body)
				}
			case *ast.RangeStmt:
				fills(n.Body)
			}
			return !found
		})
	}
	return found
}
