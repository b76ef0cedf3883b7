// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A channel that is filled, where it is made, with as many new values as it has room for is a
// pool as well: who receives takes one and waits if there is none, who sends gives it back. What
// is lost of it is lost for good, and in the end all wait.

// filledUse is what a package does with one channel of pointers.
type filledUse struct {
	filled, other bool
	takes, gives  int // receives, and sends of what is not new
	users         []*ssa.Function
	alias         types.Object // the channel that it is a copy of
}

// collectFilledLists finds the channels that are filled, and adds the functions that use them.
func (a *analysis) collectFilledLists(direct map[*ssa.Function]bool) {
	uses := tally[filledUse]{}
	for fn, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.Store:
			obj := chanPlace(i.Addr)
			if obj == nil {
				continue
			}
			switch v := i.Val.(type) {
			case *ssa.MakeChan:
				uses.of(obj).made(fn, v, obj)
			case *ssa.UnOp:
				src := chanPlace(v.X)
				if src == nil || src == obj || uses.of(obj).alias != nil && uses.of(obj).alias != src {
					uses.of(obj).other = true
				} else {
					uses.of(obj).alias = src
				}
			case *ssa.Const:
			default:
				uses.of(obj).other = true
			}
		case *ssa.UnOp:
			if obj := chanPlace(i.X); obj != nil && i.Op == token.MUL {
				uses.of(obj).loaded(fn, i, obj)
			}
		case *ssa.Field:
			if s := structOf(i.X.Type()); s != nil && isChan(i.Type()) {
				uses.of(s.Field(i.Field).Origin()).other = true
			}
		}
	}
	// What is done with a copy is done with the channel.
	for range 3 {
		for obj, u := range uses {
			if u.alias == nil {
				continue
			}
			src := uses.of(u.alias)
			src.other = src.other || u.other
			src.takes, src.gives = src.takes+u.takes, src.gives+u.gives
			u.other, u.filled = src.other, src.filled
			if obj.Exported() || obj.Pkg() != a.pkg.Pkg {
				src.other = true
			}
		}
	}
	for obj, u := range uses {
		if u.other || !u.filled || u.alias == nil && (u.takes == 0 || u.gives == 0) || obj.Exported() || obj.Pkg() != a.pkg.Pkg || a.freeLists[obj] != nil {
			continue
		}
		key := obj
		if u.alias != nil {
			key = u.alias
		}
		p := a.filledPool(key)
		a.freeLists[obj] = p
		for _, fn := range u.users {
			direct[fn] = true
		}
	}
}

// filledPool is the pool that a channel stands for.
func (a *analysis) filledPool(key types.Object) *pool {
	for _, p := range a.freeLists {
		if p.key == key && p.filled {
			return p
		}
	}
	return &pool{key: key, name: "the channel " + key.Name(), api: "channel", known: true, filled: true, scarce: true}
}

// chanPlace is the field or variable at an address, if it holds a channel of what may be pooled.
func chanPlace(addr ssa.Value) types.Object {
	obj := placeOf(addr)
	if obj == nil || !isChan(obj.Type()) {
		return nil
	}
	e := obj.Type().Underlying().(*types.Chan).Elem()
	if !pointery(e) || types.IsInterface(e) {
		return nil
	}
	return obj
}

// made looks at a channel where it is made, and what goes into it before others have it.
func (u *filledUse) made(fn *ssa.Function, m *ssa.MakeChan, obj types.Object) {
	if isZeroSize(m.Size) {
		u.other = true
		return
	}
	for _, r := range referrers(m) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if placeOf(r.Addr) != obj {
				u.other = true
			}
		case *ssa.Send:
			u.sent(fn, r, m)
		default:
			u.other = true
		}
	}
	// The field may be read at once, to be filled.
	for i := range instrsOf(fn) {
		if s, ok := i.(*ssa.Send); ok {
			if l, ok := s.Chan.(*ssa.UnOp); ok && placeOf(l.X) == obj {
				u.sent(fn, s, m)
			}
		}
	}
}

// sent sees a value sent by the function that makes the channel.
func (u *filledUse) sent(fn *ssa.Function, s *ssa.Send, m *ssa.MakeChan) {
	if !isNew(s.X) || !turnsLike(s.Block(), m.Size) {
		u.other = true
		return
	}
	u.filled = true
	u.users = append(u.users, fn)
}

// isNew reports whether a value is made where it is used.
func isNew(v ssa.Value) bool {
	switch v := derivedFrom(v).(type) {
	case *ssa.Alloc:
		return v.Heap
	case *ssa.MakeSlice:
		return true
	case *ssa.Call:
		return !isBuiltinCall(v)
	}
	return false
}

// turnsLike reports whether a block is in a loop that goes round as often as a number says, or
// as a channel has room.
func turnsLike(b *ssa.BasicBlock, n ssa.Value) bool {
	same := func(v ssa.Value) bool {
		if c, ok := v.(*ssa.Const); ok {
			d, ok := n.(*ssa.Const)
			return ok && c.Value != nil && d.Value != nil && c.Value.ExactString() == d.Value.ExactString()
		}
		if c, ok := v.(*ssa.Call); ok && isBuiltinCall(c) {
			return c.Call.Value.(*ssa.Builtin).Name() == "cap" && isChan(c.Call.Args[0].Type())
		}
		if x, ok := v.(*ssa.UnOp); ok && x.Op == token.MUL {
			y, ok := n.(*ssa.UnOp)
			return ok && placeOf(x.X) != nil && placeOf(x.X) == placeOf(y.X)
		}
		return v == n
	}
	for _, d := range b.Parent().Blocks {
		i, ok := lastInstr(d).(*ssa.If)
		if !ok || !reaches(b, d) || !reaches(d, b) {
			continue
		}
		if c, ok := i.Cond.(*ssa.BinOp); ok && (same(c.X) || same(c.Y)) {
			return true
		}
	}
	return false
}

// loaded looks at what a function does with a channel that it read.
func (u *filledUse) loaded(fn *ssa.Function, l *ssa.UnOp, obj types.Object) {
	for _, r := range referrers(l) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.Send:
			if r.Chan != l {
				u.other = true
			}
			if !isNew(r.X) {
				u.gives++
			}
			u.users = append(u.users, fn)
		case *ssa.UnOp:
			if r.Op != token.ARROW || r.CommaOk {
				u.other = true // a range, or who asks whether it is closed
			}
			u.takes++
			u.users = append(u.users, fn)
		case *ssa.Select:
			for _, s := range r.States {
				if s.Send == l {
					u.other = true
				}
				if s.Chan == l && s.Dir == types.RecvOnly {
					u.takes++
				}
				if s.Chan == l && s.Dir == types.SendOnly {
					u.gives++
				}
			}
			u.users = append(u.users, fn)
		case *ssa.Store:
			if chanPlace(r.Addr) == nil {
				u.other = true
			}
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" && b.Name() != "cap" {
				u.other = true
			}
		default:
			u.other = true
		}
	}
}

// countsSlots reports whether functions that take from a pool send a signal on a channel, and
// those that put receive from it: as many values are out as there is room for signals.
func countsSlots(takers, putters []*ssa.Function) bool {
	sent := map[types.Object]bool{}
	signal := func(ch ssa.Value, visit func(types.Object)) {
		l, ok := ch.(*ssa.UnOp)
		if !ok || l.Op != token.MUL {
			return
		}
		if obj := placeOf(l.X); obj != nil && isChan(obj.Type()) && !hasPointers(obj.Type().Underlying().(*types.Chan).Elem()) {
			visit(obj)
		}
	}
	each := func(fns []*ssa.Function, visit func(ssa.Instruction)) {
		for _, fn := range fns {
			for i := range instrsOf(fn) {
				visit(i)
			}
		}
	}
	each(takers, func(i ssa.Instruction) {
		note := func(obj types.Object) { sent[obj] = true }
		switch i := i.(type) {
		case *ssa.Send:
			signal(i.Chan, note)
		case *ssa.Select:
			for _, s := range i.States {
				if s.Dir == types.SendOnly && i.Blocking {
					signal(s.Chan, note)
				}
			}
		}
	})
	given := false
	each(putters, func(i ssa.Instruction) {
		note := func(obj types.Object) { given = given || sent[obj] }
		switch i := i.(type) {
		case *ssa.UnOp:
			if i.Op == token.ARROW {
				signal(i.X, note)
			}
		case *ssa.Select:
			for _, s := range i.States {
				if s.Dir == types.RecvOnly {
					signal(s.Chan, note)
				}
			}
		}
	})
	return given
}

// mayFillList reports whether a package sends new values on a channel in a loop.
func mayFillList(pass *goanalysis.Pass) bool {
	found := false
	fills := func(body *ast.BlockStmt) {
		ast.Inspect(body, func(n ast.Node) bool {
			s, ok := n.(*ast.SendStmt)
			if !ok {
				return !found
			}
			ch, ok := pass.TypesInfo.TypeOf(s.Chan).Underlying().(*types.Chan)
			found = found || ok && pointery(ch.Elem()) && !types.IsInterface(ch.Elem())
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
				if t := pass.TypesInfo.TypeOf(n.X); t != nil && isInteger(t) {
					fills(n.Body)
				}
			}
			return !found
		})
	}
	return found
}
