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

// A worker that puts what it receives from a buffered channel, and ends when another channel
// tells it to, leaves what still stands in the first: unless somebody takes it out, that is lost.

// judgeUndrained reports the ends of such workers, where they are the only receivers.
func (c *custody) judgeUndrained() {
	for _, fn := range c.a.fns {
		if c.a.inTest(fn) || !c.a.relevant[fn] {
			continue
		}
		for i := range instrsOf(fn) {
			if s, ok := i.(*ssa.Select); ok && s.Blocking {
				c.undrained(s)
			}
		}
	}
}

// undrained judges one select.
func (c *custody) undrained(s *ssa.Select) {
	f, put := c.worksOff(s)
	if f == nil || !c.hasRoom(f) {
		return
	}
	receives, ok := c.a.receivesFrom(f)
	if !ok {
		return
	}
	for _, r := range receives {
		x, ok := r.val.(*ssa.Extract)
		if !ok {
			return
		}
		if other, ok := x.Tuple.(*ssa.Select); !ok || other != s {
			if !ok || !other.Blocking {
				return // somebody takes out the rest
			}
			if g, _ := c.worksOff(other); g != f {
				return
			}
		}
	}
	t := c.a.drains.sent[f]
	if t == nil {
		return
	}
	at := 0
	for k, st := range s.States {
		if st.Dir != types.RecvOnly || !bareSignals(st.Chan.Type()) || !c.ended(st.Chan) {
			continue
		}
		ret := c.endsAt(s, k)
		if ret == nil || at > 0 {
			continue
		}
		at++
		c.a.reportFound(finding{
			pattern: missingPut, pos: instrPos(ret), fn: s.Parent(),
			message: fmt.Sprintf("%s ends here and leaves what still stands in %s: values taken from %s, which it puts on other paths, and nobody else receives", s.Parent().Name(), f.Name(), t.pool.label()),
			related: []goanalysis.RelatedInformation{{Pos: t.stack[0], Message: "taken from " + t.pool.label() + " here, and sent"}, {Pos: instrPos(put), Message: "put here on another path"}},
		})
	}
}

// ended reports whether a channel is a context's, or one that the package closes or sends on.
func (c *custody) ended(ch ssa.Value) bool {
	if _, ok := ch.(*ssa.Call); ok {
		return true
	}
	l, ok := ch.(*ssa.UnOp)
	if !ok {
		return false
	}
	obj := placeOf(l.X)
	same := func(v ssa.Value) bool {
		l, ok := v.(*ssa.UnOp)
		return ok && obj != nil && placeOf(l.X) == obj
	}
	for _, fn := range c.a.fns {
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.Send:
				if same(i.Chan) {
					return true
				}
			case ssa.CallInstruction:
				if f, ok := i.Common().Value.(*ssa.Builtin); ok && f.Name() == "close" && same(i.Common().Args[0]) {
					return true
				}
			}
		}
	}
	return false
}

// bareSignals reports whether a channel carries nothing.
func bareSignals(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	s, ok := ch.Elem().Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// worksOff is the field whose channel a select in a loop receives from, where what it gets is
// put before the loop comes round, and the Put.
func (c *custody) worksOff(s *ssa.Select) (f *types.Var, put ssa.Instruction) {
	at := 2
	for _, st := range s.States {
		if st.Dir != types.RecvOnly {
			continue
		}
		v := part(s, at)
		at++
		l, ok := st.Chan.(*ssa.UnOp)
		if v == nil || !ok || l.Op != token.MUL {
			continue
		}
		fa, ok := l.X.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		g := nthField(fa.X, fa.Field)
		if g == nil || g.Exported() || g.Pkg() != c.a.pkg.Pkg {
			continue
		}
		for _, b := range s.Parent().Blocks {
			for _, i := range b.Instrs {
				if !reaches(b, s.Block()) {
					continue
				}
				if slices.ContainsFunc(c.putBy(i), func(x ssa.Value) bool { return c.comesFrom(x, v) }) || c.passesToPut(i, v, g, 0) {
					f, put = g, i
				}
			}
		}
	}
	return f, put
}

// comesFrom reports whether a value is made from another one, or found in it.
func (c *custody) comesFrom(x, v ssa.Value) (found bool) {
	c.back(x, func(y ssa.Value) bool {
		found = found || y == v
		return y != v
	})
	return found
}

// passesToPut reports whether an instruction gives what was received from the channel in a field to a function
// that puts the pooled value in it.
func (c *custody) passesToPut(i ssa.Instruction, v ssa.Value, g *types.Var, depth int) bool {
	call, ok := i.(ssa.CallInstruction)
	t := c.a.drains.sent[g]
	if !ok || call.Common().IsInvoke() || t == nil || depth > 2 {
		return false
	}
	fn := c.a.calledFunction(call)
	if fn == nil {
		return false
	}
	for k, x := range call.Common().Args {
		if k >= len(fn.Params) || !c.comesFrom(x, v) {
			continue
		}
		for j := range instrsOf(fn) {
			if slices.ContainsFunc(c.putBy(j), func(y ssa.Value) bool {
				return types.Identical(unboxed(y).Type(), t.typ) && c.comesFrom(y, fn.Params[k])
			}) || c.passesToPut(j, fn.Params[k], g, depth+1) {
				return true
			}
		}
	}
	return false
}

// hasRoom reports whether the channel in a field is made with room for values.
func (c *custody) hasRoom(f *types.Var) bool {
	room := false
	for _, fn := range c.a.fns {
		eachStore(fn, func(s *ssa.Store) {
			if m, ok := s.Val.(*ssa.MakeChan); ok && fieldOfAddr(s.Addr) == f {
				n, fixed := m.Size.(*ssa.Const)
				room = room || !fixed || n.Int64() > 0
			}
		})
	}
	return room
}

// endsAt is the return that a case of a select leads to, if it does not come back to the select.
func (c *custody) endsAt(s *ssa.Select, k int) ssa.Instruction {
	index := part(s, 0)
	if index == nil {
		return nil
	}
	var arm *ssa.BasicBlock
	for _, r := range referrers(index) {
		cmp, ok := r.(*ssa.BinOp)
		if !ok || cmp.Op != token.EQL {
			continue
		}
		n, ok := cmp.Y.(*ssa.Const)
		if !ok || n.Int64() != int64(k) {
			continue
		}
		for _, u := range referrers(cmp) {
			if i, ok := u.(*ssa.If); ok {
				arm = i.Block().Succs[0]
			}
		}
	}
	if arm == nil || reaches(arm, s.Block()) {
		return nil
	}
	for _, b := range s.Parent().Blocks {
		if ret, ok := lastInstr(b).(*ssa.Return); ok && (b == arm || reaches(arm, b)) {
			return ret
		}
	}
	return nil
}
