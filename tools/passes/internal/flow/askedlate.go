// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Who gives an object to a goroutine and waits for the answer on a channel that the object has reads the channel's field
// when the object is with the goroutine already. A channel with room takes the answer before anybody waits for it: where
// the goroutine then puts the object and makes its field anew, it may do so before the field is read.

// An answerThenPut is a function that answers on a channel of an object and puts that, without a wait.
type answerThenPut struct {
	typ       *types.Named
	field     *types.Var
	send, put ssa.Instruction
}

// judgeAskedLate reports such reads.
func (a *analysis) judgeAskedLate() {
	for fn, i := range a.instrsBeyondTests() {
		send, ok := i.(*ssa.Send)
		if !ok {
			continue
		}
		ch := a.whereKept(send.Chan)
		_, owner := fieldLoad(send.Chan)
		if owner == nil || ch.field == nil || ch.field.Exported() || ch.field.Pkg() != a.pkg.Pkg || ch.of == nil || pointee(owner.Type()) == nil || !a.roomForAnswer(ch.field) || !a.renews(ch.field) {
			continue
		}
		put := a.putRightAfter(send.Block(), slices.Index(send.Block().Instrs, i)+1, keptIn{of: ch.of})
		if call, ok := put.(*ssa.Call); !ok || a.countsDown(a.calledFunction(call)) {
			continue
		}
		h := &answerThenPut{typ: pointee(owner.Type()), field: ch.field, send: send, put: put}
		a.handedTo(h, fn, ch.of, false, 0)
	}
}

// roomForAnswer reports whether a field is set to new channels with room for a value only.
func (a *analysis) roomForAnswer(f *types.Var) bool {
	some := false
	for _, i := range a.instrs() {
		s, ok := i.(*ssa.Store)
		if !ok || fieldAt(s.Addr) != f || isNilConst(s.Val) {
			continue
		}
		m, ok := s.Val.(*ssa.MakeChan)
		if !ok {
			return false
		}
		n, ok := m.Size.(*ssa.Const)
		if !ok || n.Value == nil || constant.Sign(n.Value) <= 0 {
			return false
		}
		some = true
	}
	return some
}

// handedTo looks at those who give an object to a function. apart tells that it runs in another goroutine than they do.
func (a *analysis) handedTo(h *answerThenPut, fn *ssa.Function, obj ssa.Value, apart bool, depth int) {
	if depth > 4 || a.inTest(fn) {
		return
	}
	if of := parentOf(obj); of != fn {
		// A literal that has the variable of the function around it.
		for _, m := range a.closures[fn] {
			if at, left := leftToRun(m); at != nil && at.Parent() == of {
				a.givesTo(h, at, obj, apart || left, depth)
			}
		}
		return
	}
	p, ok := obj.(*ssa.Parameter)
	if !ok {
		return
	}
	k := slices.Index(fn.Params, p)
	for _, call := range a.callsTo(fn) {
		n := k
		if call.Common().IsInvoke() {
			n--
		}
		if n < 0 || n >= len(call.Common().Args) {
			continue
		}
		_, starts := call.(*ssa.Go)
		if _, isCall := call.(*ssa.Call); isCall || starts {
			a.givesTo(h, call, call.Common().Args[n], apart || starts, depth)
		}
	}
}

// parentOf is the function that a parameter or an instruction is of.
func parentOf(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Parameter:
		return v.Parent()
	case ssa.Instruction:
		return v.Parent()
	}
	return nil
}

// givesTo looks at a function that gives an object away at an instruction, and at those that it has it from.
func (a *analysis) givesTo(h *answerThenPut, at ssa.Instruction, obj ssa.Value, apart bool, depth int) {
	k := a.whereKept(obj)
	if k.field != nil || k.of == nil {
		return
	}
	if apart && parentOf(k.of) == at.Parent() {
		if use := a.askedAfter(h, at, k); use != nil {
			a.reportFound(finding{
				pattern: useAfterPut, pos: instrPos(use), fn: use.Parent(), cause: instrPos(h.put),
				message: fmt.Sprintf("field %s is read here to wait for the answer, when %s was handed on (%s): the goroutine that answers (%s) does not wait for that to be received, and may have put the %s by now; read the field before", h.field.Name(), orElse(a.valueName(obj), "the "+h.typ.Obj().Name()), a.line(instrPos(at)), a.line(instrPos(h.send)), h.typ.Obj().Name()),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(at), Message: "handed on here"}, {Pos: instrPos(h.send), Message: "the answer"}, {Pos: instrPos(h.put), Message: "put here"}},
			})
			return
		}
	}
	a.handedTo(h, at.Parent(), k.of, apart, depth+1)
}

// callsTo are the calls of a function, and those of methods of interfaces of which it is the only one in the package.
func (a *analysis) callsTo(fn *ssa.Function) []ssa.CallInstruction {
	list := slices.Clone(a.callsOf(fn))
	recv := fn.Signature.Recv()
	if recv == nil {
		return list
	}
	for c := range a.productCalls() {
		if !c.Common().IsInvoke() || c.Common().Method.Name() != fn.Name() {
			continue
		}
		it, ok := c.Common().Value.Type().Underlying().(*types.Interface)
		if !ok || !types.Implements(recv.Type(), it) || slices.ContainsFunc(a.fns, func(g *ssa.Function) bool {
			return g != fn && g.Name() == fn.Name() && !synthetic(g) && g.Signature.Recv() != nil && types.Implements(g.Signature.Recv().Type(), it)
		}) {
			continue
		}
		list = append(list, c)
	}
	return list
}

// leftToRun is where a closure is given to another goroutine: by a go statement, or on a channel. Where it is called in place it is not.
func leftToRun(m *ssa.MakeClosure) (at ssa.Instruction, apart bool) {
	for _, r := range referrers(m) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Go, *ssa.Send:
			if at != nil {
				return nil, false
			}
			at, apart = r, true
		default:
			return nil, false
		}
	}
	return at, apart
}

// askedAfter is where the channel of an object is read, after an instruction, to be received from there and then.
func (a *analysis) askedAfter(h *answerThenPut, at ssa.Instruction, of keptIn) ssa.Instruction {
	return a.afterwards(at, of.of, func(i ssa.Instruction) bool {
		l, ok := i.(*ssa.UnOp)
		if !ok || l.Op != token.MUL || fieldOfValue(l) != h.field {
			return false
		}
		if k := a.whereKept(l); k.field != h.field || k.of != of.of {
			return false
		}
		return slices.ContainsFunc(referrers(l), func(r ssa.Instruction) bool {
			if r.Block() != l.Block() || slices.ContainsFunc(l.Block().Instrs[slices.Index(l.Block().Instrs, i)+1:slices.Index(l.Block().Instrs, r)], func(x ssa.Instruction) bool {
				switch x.(type) {
				case *ssa.UnOp, *ssa.FieldAddr, *ssa.DebugRef, *ssa.IndexAddr:
					return false
				}
				return true
			}) {
				return false
			}
			switch r := r.(type) {
			case *ssa.UnOp:
				return r.Op == token.ARROW
			case *ssa.Select:
				return r.Blocking && !slices.ContainsFunc(r.States, func(s *ssa.SelectState) bool { return s.Dir != types.RecvOnly })
			}
			return false
		})
	})
}
