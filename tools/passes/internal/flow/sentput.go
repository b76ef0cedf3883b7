// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A channel with a buffer keeps what was sent until somebody receives it. Who sends and then puts
// the channel puts it with what it sent in it: its receiver, and the next user, both find that.

// judgeSentPuts reports puts of channels right after a send.
func (a *analysis) judgeSentPuts() {
	for _, fn := range a.fns {
		if a.inTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for n, i := range b.Instrs {
				send, ok := i.(*ssa.Send)
				if !ok {
					continue
				}
				ch := a.whereKept(send.Chan)
				put := a.putRightAfter(b, n+1, ch)
				if put == nil && ch.field != nil {
					// The channel is in what is put: who asked has that, and receives from it.
					put = a.putRightAfter(b, n+1, keptIn{of: ch.of})
					if put != nil && (!a.asked(ch.field) || a.renews(ch.field)) {
						continue
					}
				}
				if put == nil || !a.buffered(send.Chan.Type()) {
					continue
				}
				a.reportFound(finding{
					pattern: goroutineUse, pos: instrPos(put), fn: fn, cause: instrPos(put),
					message: "the channel is put while what was sent on it (" + a.line(instrPos(send)) + ") may not have been received yet: let the receiver put it",
					related: []goanalysis.RelatedInformation{{Pos: instrPos(send), Message: "sent here"}},
				})
			}
		}
	}
}

// putRightAfter finds a put of a channel that the path from a point comes to, whatever happens.
func (a *analysis) putRightAfter(b *ssa.BasicBlock, from int, p keptIn) ssa.Instruction {
	for range 16 {
		for _, i := range b.Instrs[from:] {
			switch i := i.(type) {
			case *ssa.Call:
				if fn := a.calledFunction(i); fn != nil && a.waits(fn, 0) {
					return nil
				}
				for _, v := range a.valuesPut(i) {
					if a.whereKept(v) == p {
						return i
					}
				}
				if m := calledMethod(i); m != nil && m.Name() == "Wait" {
					return nil
				}
			case *ssa.Select, *ssa.Send:
				return nil
			case *ssa.UnOp:
				if _, isChan := i.X.Type().Underlying().(*types.Chan); isChan {
					return nil
				}
			}
		}
		switch {
		case len(b.Succs) == 1:
			b, from = b.Succs[0], 0
		case len(b.Succs) == 2 && joins(b):
			// What an if without else does is done before.
			for _, s := range b.Succs {
				if len(s.Preds) > 1 {
					b, from = s, 0
					break
				}
			}
		default:
			return nil
		}
	}
	return nil
}

// joins reports whether one arm of an if leads to the other and nowhere else.
func joins(b *ssa.BasicBlock) bool {
	x, y := b.Succs[0], b.Succs[1]
	return len(x.Succs) == 1 && x.Succs[0] == y && len(x.Preds) == 1 || len(y.Succs) == 1 && y.Succs[0] == x && len(y.Preds) == 1
}

// asked reports whether some function receives from the channel in a field.
func (a *analysis) asked(f *types.Var) bool {
	return slices.ContainsFunc(a.fns, func(fn *ssa.Function) bool {
		return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
			return slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool {
				return slices.ContainsFunc(a.waitsFor(i), func(p keptIn) bool { return p.field == f })
			})
		})
	})
}

// renews reports whether the package sets the channel in a field of an object that it has, or empties the whole object,
// so that the next user gets another channel.
func (a *analysis) renews(f *types.Var) bool {
	for _, i := range a.instrs() {
		st, ok := i.(*ssa.Store)
		if !ok {
			continue
		}
		if fa, ok := st.Addr.(*ssa.FieldAddr); ok && fieldAt(fa) == f {
			if _, isNew := fa.X.(*ssa.Alloc); !isNew {
				return true
			}
		}
		if _, isNew := st.Addr.(*ssa.Alloc); isNew {
			continue
		}
		if s := structOf(st.Val.Type()); s != nil && hasField(s, f) {
			return true
		}
	}
	return false
}

// boxed reports whether a value is made an interface, as what a pool has, or kept in a field.
func boxed(v ssa.Value) bool {
	return slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.MakeInterface:
			return true
		case *ssa.Store:
			_, inField := r.Addr.(*ssa.FieldAddr)
			return inField
		}
		return false
	})
}

// buffered reports whether all channels of a type that the package makes for a pool have room for
// a value.
func (a *analysis) buffered(t types.Type) bool {
	c, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	some := false
	for _, i := range a.instrs() {
		m, ok := i.(*ssa.MakeChan)
		if !ok || !sameType(m.Type(), c) || !boxed(m) {
			continue
		}
		n, ok := m.Size.(*ssa.Const)
		if !ok || n.Value == nil || constant.Sign(n.Value) <= 0 {
			return false
		}
		some = true
	}
	return some
}
