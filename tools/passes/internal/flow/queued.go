// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// What is sent on a channel is its receiver's, unless the path waits for it. A value that
// the path took, or was given, and puts nevertheless is in two hands. So is a buffer whose
// bytes were sent: the receiver cannot put the buffer, which it does not have.

// inTwoHands reports whether a put of m, by who sent x, which is m or part of its memory,
// takes it from the receiver.
func inTwoHands(x, m *sym) bool {
	switch m.kind {
	case kToken, kParam:
		return true
	case kLoad:
		return owned(m.typ) || m.a.kind == kElem || plain(x) != m && x.typ != nil && (isBytes(x.typ) || isText(x.typ))
	case kField, kElem:
		return m.root().kind == kToken
	}
	return false
}

// queues reports whether a function, or one that it calls directly, sends something on a
// channel, or starts a goroutine: what it was given may be with another goroutine when it
// returns.
func (a *analysis) queues(fn *ssa.Function, depth int) bool {
	if q, ok := a.queuers[fn]; ok {
		return q
	}
	q := false
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Send, *ssa.Go:
			q = true
		case *ssa.Call:
			if f := a.calledFunction(i); f != nil && depth < 2 {
				q = q || a.queues(f, depth+1)
			}
		case *ssa.Select:
			q = q || slices.ContainsFunc(i.States, func(c *ssa.SelectState) bool { return c.Dir == types.SendOnly })
		}
	}
	if a.queuers == nil {
		a.queuers = map[*ssa.Function]bool{}
	}
	if q || depth == 0 {
		a.queuers[fn] = q
	}
	return q
}

// queued reports whether one of the callees queues an argument that the path was given
// by the root's caller, who may have left it to the root to put.
func (a *analysis) queued(fns, args []*sym) bool {
	if !a.relevant[a.root] || !slices.ContainsFunc(fns, func(f *sym) bool { return a.queues(f.obj.(*ssa.Function), 0) }) {
		return false
	}
	return slices.ContainsFunc(args, func(x *sym) bool { return memory(x).kind == kParam })
}

// toldBy drops the receivers that a test asks: a flag or number in the object that was sent,
// read since, tells what became of it.
func (a *analysis) toldBy(st *state, at *ssa.BasicBlock, c *sym) {
	if len(st.gos) == 0 {
		return
	}
	c.mentions(func(x *sym) bool {
		if x.kind == kOpaque {
			st.gos = countedSends(st, at, x)
			return false
		}
		if x.kind != kLoad || x.typ == nil || x.a.kind != kField {
			return false
		}
		if b, ok := x.typ.Underlying().(*types.Basic); !ok || b.Info()&(types.IsBoolean|types.IsInteger) == 0 {
			return false
		}
		asked := func(g *spawn) bool {
			return g.sink == receiver && slices.ContainsFunc(g.holds, func(h *sym) bool { return passes(x.a, h) })
		}
		if slices.ContainsFunc(st.gos, asked) {
			st.gos = slices.DeleteFunc(slices.Clone(st.gos), asked)
		}
		return false
	})
}

// countedSends are the goroutines, and the receivers less those that a number tells of: it counted, in a
// loop, what was sent to them there, and the path asks for it when the loop has ended.
func countedSends(st *state, at *ssa.BasicBlock, n *sym) []*spawn {
	p, ok := n.obj.(*ssa.Phi)
	if !ok || !isInteger(p.Type()) || p.Parent() != st.f.fn || reaches(at, p.Block()) {
		return st.gos
	}
	counted := func(g *spawn) bool {
		return g.sink == receiver && slices.ContainsFunc(g.stack, func(i ssa.Instruction) bool {
			return i.Parent() == p.Parent() && reaches(p.Block(), i.Block()) && reaches(i.Block(), p.Block())
		})
	}
	if !slices.ContainsFunc(st.gos, counted) {
		return st.gos
	}
	return slices.DeleteFunc(slices.Clone(st.gos), counted)
}
