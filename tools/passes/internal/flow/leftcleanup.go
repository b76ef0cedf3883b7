// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A message that goes over a channel may have its clean-up with it: a function that puts the buffer which the rest is cut from. Where all
// messages have one, a receiver that calls it on one path has to do so on the others: nobody else can.

// A cleanup is such a field.
type cleanup struct {
	field *types.Var
	of    *types.TypeName           // the struct
	puts  ssa.Instruction           // of one of the functions that it is set to
	calls map[ssa.Instruction]bool  // of the field
	taken map[*ssa.Parameter]*toEnd // what functions do that are given such a message
}

// toEnd is what the paths of a function do with one message.
type toEnd struct {
	escapes bool
	called  ssa.Instruction // the first call of the field
	lost    ssa.Instruction // the end of a path without one
	holders map[ssa.Value]bool
}

// judgeLeftCleanups reports receivers that call the clean-up on some paths only.
func (c *custody) judgeLeftCleanups() {
	var fields []*types.Var
	for f := range c.a.storesTo {
		v, ok := f.(*types.Var)
		if !ok || !v.IsField() || v.Exported() || v.Pkg() != c.a.pkg.Pkg {
			continue
		}
		if sig, ok := v.Type().Underlying().(*types.Signature); ok && sig.Params().Len()+sig.Results().Len() == 0 {
			fields = append(fields, v)
		}
	}
	slices.SortFunc(fields, func(f, g *types.Var) int { return cmp.Compare(f.Pos(), g.Pos()) })
	for _, f := range fields {
		if k := c.cleanupIn(f); k != nil {
			c.judgeCleanup(k)
		}
	}
}

// cleanupIn is what is known of a field, nil where it may be set to anything else than functions that put, called by others, or left out.
func (c *custody) cleanupIn(f *types.Var) *cleanup {
	k := &cleanup{field: f, calls: map[ssa.Instruction]bool{}, taken: map[*ssa.Parameter]*toEnd{}}
	for _, v := range c.a.storesTo[f] {
		list := c.a.funcsOf(v)
		for _, g := range list {
			put := c.putsCaptured(g.fn)
			if put == nil {
				return nil
			}
			k.puts = cmp.Or(k.puts, put)
		}
		if len(list) == 0 || !usedOnce(v) {
			return nil
		}
	}
	made, set := map[ssa.Value]bool{}, map[ssa.Value]bool{}
	for _, i := range c.a.instrs() {
		switch i := i.(type) {
		case *ssa.Alloc:
			made[i] = i.Comment == "complit"
		case *ssa.FieldAddr:
			if nthField(i.X, i.Field) != f {
				continue
			}
			k.of = recvName(i.X.Type())
			for _, r := range referrers(i) {
				switch r := r.(type) {
				case *ssa.DebugRef:
				case *ssa.Store:
					if _, isNew := i.X.(*ssa.Alloc); !isNew || r.Addr != ssa.Value(i) {
						return nil
					}
					set[i.X] = true
				case *ssa.UnOp:
					if !k.calledOnly(r) {
						return nil
					}
				default:
					return nil
				}
			}
		case *ssa.Field:
			if nthField(i.X, i.Field) == f && !k.calledOnly(i) {
				return nil
			}
		}
	}
	if k.of == nil || k.puts == nil || len(k.calls) == 0 {
		return nil
	}
	for v, literal := range made {
		if literal && recvName(v.Type()) == k.of && !set[v] {
			return nil // a message of another kind
		}
	}
	return k
}

// usedOnce reports whether a function that is stored in a field is not called after that by who stores it, nor kept elsewhere.
func usedOnce(v ssa.Value) bool {
	var to *ssa.Store
	for _, r := range referrers(v) {
		if s, ok := r.(*ssa.Store); ok {
			if to != nil {
				return false
			}
			to = s
		}
	}
	if to == nil {
		return true // what is read from a variable, say
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.Store, *ssa.DebugRef:
		case *ssa.Call:
			if r.Call.Value != v || precedes(to, r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// putsCaptured is the Put by which a function literal gives back a variable that it captured, whenever it is called.
func (c *custody) putsCaptured(fn *ssa.Function) (put ssa.Instruction) {
	for i := range instrsOf(fn) {
		if !asksNothing([]ssa.Instruction{i}) {
			continue
		}
		for _, v := range c.putBy(i) {
			c.back(v, func(x ssa.Value) bool {
				if _, ok := x.(*ssa.FreeVar); ok && put == nil {
					put = i
				}
				return put == nil
			})
		}
	}
	return put
}

// calledOnly reports whether what was read from the field is called, or compared with nil, and nothing else.
func (k *cleanup) calledOnly(v ssa.Value) bool {
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.BinOp:
			if !isNilConst(r.X) && !isNilConst(r.Y) {
				return false
			}
		case ssa.CallInstruction:
			if _, isGo := r.(*ssa.Go); isGo || r.Common().Value != v {
				return false
			}
			k.calls[r] = true
		default:
			return false
		}
	}
	return true
}

// judgeCleanup looks at all who receive messages with one.
func (c *custody) judgeCleanup(k *cleanup) {
	type receiver struct {
		at ssa.Instruction
		*toEnd
	}
	var list []receiver
	seen := map[ssa.Instruction]bool{}
	for _, i := range c.a.instrsBeyondTests() {
		if s, ok := i.(*ssa.Select); ok && slices.ContainsFunc(s.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly && k.sentOn(s.Chan) }) {
			return // which case it is tells what was received
		}
		r, ok := i.(*ssa.UnOp)
		if !ok || r.Op != token.ARROW || !k.sentOn(r.X) {
			continue
		}
		var v ssa.Value = r
		if r.CommaOk {
			v = extracted(r, 0)
		}
		if v == nil {
			return // dropped
		}
		e := c.follow(k, v, r, extracted(r, 1))
		if e.escapes {
			return
		}
		list = append(list, receiver{r, e})
		c.noteCalls(k, e, seen, 0)
	}
	for i := range k.calls {
		if !seen[i] {
			return // of what came in another way
		}
	}
	for _, r := range list {
		if r.called == nil || r.lost == nil {
			continue
		}
		at := instrPos(r.lost)
		name := apposed(c.a.heldAs(instrPos(r.at)), "received at "+c.a.line(instrPos(r.at)), "what is received")
		c.a.reportFound(finding{
			pattern: missingPut, pos: instrPos(r.at), fn: r.at.Parent(),
			message: name + " has in " + k.field.Name() + " what puts its memory back, which is called on other paths (" + c.a.line(instrPos(r.called)) + "), but not on the one that ends here (" + c.a.line(at) + ")",
			related: []goanalysis.RelatedInformation{
				{Pos: at, Message: "lost here"}, {Pos: instrPos(r.called), Message: "called here on another path"}, {Pos: instrPos(k.puts), Message: "the Put"},
			},
		})
	}
}

// sentOn reports whether such messages go over a channel.
func (k *cleanup) sentOn(ch ssa.Value) bool {
	c, ok := ch.Type().Underlying().(*types.Chan)
	return ok && recvName(c.Elem()) == k.of
}

// extracted is a result of a tuple, if somebody asks for it.
func extracted(tuple ssa.Value, n int) ssa.Value {
	for _, r := range referrers(tuple) {
		if e, ok := r.(*ssa.Extract); ok && e.Index == n {
			return e
		}
	}
	return nil
}

// noteCalls notes the calls of the field by a receiver, and by those that it gives the message to.
func (c *custody) noteCalls(k *cleanup, e *toEnd, seen map[ssa.Instruction]bool, depth int) {
	for i := range k.calls {
		if e.holders[heldBy(i)] {
			seen[i] = true
		}
	}
	for v := range e.holders {
		for _, r := range referrers(v) {
			if p := c.parameterFor(r, v); p != nil && k.taken[p] != nil && depth < 4 {
				c.noteCalls(k, k.taken[p], seen, depth+1)
			}
		}
	}
}

// heldBy is the message of which an instruction calls the field.
func heldBy(i ssa.Instruction) ssa.Value {
	switch v := i.(ssa.CallInstruction).Common().Value.(type) {
	case *ssa.Field:
		return v.X
	case *ssa.UnOp:
		if fa, ok := v.X.(*ssa.FieldAddr); ok {
			return fa.X
		}
	}
	return nil
}

// parameterFor is the parameter, of a function of the package that is called and waited for, that a value is given for.
func (c *custody) parameterFor(i ssa.Instruction, v ssa.Value) *ssa.Parameter {
	call, ok := i.(*ssa.Call)
	if !ok || call.Call.IsInvoke() {
		return nil
	}
	fn := c.a.calledFunction(call)
	if n := slices.Index(call.Call.Args, v); n >= 0 && fn != nil && n < len(fn.Params) && len(fn.Blocks) > 0 {
		return fn.Params[n]
	}
	return nil
}

// follow finds what becomes of a message on all paths from an instruction on, nil for the start of a parameter's function.
// open is what tells whether there was one, if anything does.
func (c *custody) follow(k *cleanup, v ssa.Value, from ssa.Instruction, open ssa.Value) *toEnd {
	e := &toEnd{holders: map[ssa.Value]bool{}}
	if e.escapes = !c.holds(k, v, e); e.escapes {
		return e
	}
	w := &messagePaths{c: c, k: k, e: e, from: from, open: open, seen: map[*ssa.BasicBlock]bool{}, seenAfter: map[*ssa.BasicBlock]bool{}}
	if from == nil {
		w.walk(v.(*ssa.Parameter).Parent().Blocks[0], 0, nil, nil)
	} else {
		w.walk(from.Block(), slices.Index(from.Block().Instrs, from)+1, nil, nil)
	}
	if !w.asked {
		e.lost = cmp.Or(w.lostIn, e.lost)
	}
	return e
}

// messagePaths are the paths on which nobody has called the field of a message so far.
type messagePaths struct {
	c               *custody
	k               *cleanup
	e               *toEnd
	from            ssa.Instruction
	open            ssa.Value
	seen, seenAfter map[*ssa.BasicBlock]bool
	lostIn          ssa.Instruction // the end of a path in a function that was given the message, and calls the field on others
	asked           bool            // it is called after such a function as well, which may have told that it did not
}

// outcomeOf is how a path came out of the test of a condition.
type outcomeOf struct {
	cond string
	arm  bool
}

// walk follows paths from an instruction of a block on. in is where a function that was given the message ended without a call, if one did.
func (w *messagePaths) walk(b *ssa.BasicBlock, at int, in ssa.Instruction, known []outcomeOf) {
	lost := func(i ssa.Instruction) {
		if in != nil {
			w.lostIn = cmp.Or(w.lostIn, in)
		} else {
			w.e.lost = cmp.Or(w.e.lost, i)
		}
	}
	for _, i := range b.Instrs[at:] {
		if w.k.calls[i] && w.e.holders[heldBy(i)] {
			if w.e.called == nil || instrPos(i) < instrPos(w.e.called) {
				w.e.called = i
			}
			w.asked = w.asked || in != nil
			return
		}
		if p := w.c.parameterOf(i, w.e.holders); p != nil {
			if g := w.k.taken[p]; g != nil && g.called != nil {
				w.e.called = cmp.Or(w.e.called, g.called)
				w.asked = w.asked || in != nil
				if g.lost == nil {
					return
				}
				in = cmp.Or(in, g.lost)
			}
		}
		if _, ok := i.(*ssa.Return); ok || i == w.from {
			lost(i)
			return
		}
	}
	t, branches := lastInstr(b).(*ssa.If)
	for n, s := range b.Succs {
		after := known
		if branches {
			cond, arm, ok := conditionOf(t.Cond, n == 0)
			if !ok || leftUnset(t, n == 0, w.e.holders, w.open, w.k.field) || slices.Contains(known, outcomeOf{cond, !arm}) {
				continue
			}
			after = append(slices.Clip(known), outcomeOf{cond, arm})
		}
		seen := w.seen
		if in != nil {
			seen = w.seenAfter
		}
		if w.from != nil && s.Dominates(w.from.Block()) && s.Dominates(b) && s != b {
			lost(lastPlaced(b)) // on to the head of the loop that receives
		} else if !seen[s] && s != b.Parent().Recover {
			seen[s] = true
			w.walk(s, 0, in, after)
		}
	}
}

// lastPlaced is the last instruction on the way to the end of a block that stands somewhere in the source.
func lastPlaced(b *ssa.BasicBlock) ssa.Instruction {
	for at := b; at != nil; at = at.Idom() {
		for _, i := range slices.Backward(at.Instrs) {
			if instrPos(i).IsValid() {
				return i
			}
		}
	}
	return lastInstr(b)
}

// conditionOf names what a branch asks, and which answer an arm is for. ok is false where the answer depends on the way to the
// branch, which is not kept apart from others.
func conditionOf(cond ssa.Value, arm bool) (name string, yes, ok bool) {
	for {
		n, isNot := cond.(*ssa.UnOp)
		if !isNot || n.Op != token.NOT {
			break
		}
		cond, arm = n.X, !arm
	}
	if b, isCmp := cond.(*ssa.BinOp); isCmp && b.Op == token.NEQ {
		arm = !arm
	}
	name, ok = described(cond, 0)
	return name, arm, ok
}

// described names a value by what it is made of, so that two that may well be the same have one name.
func described(v ssa.Value, depth int) (name string, ok bool) {
	if depth > 4 {
		return "", false
	}
	switch v := v.(type) {
	case *ssa.Phi:
		return "", false
	case *ssa.BinOp:
		x, ok := described(v.X, depth+1)
		y, too := described(v.Y, depth+1)
		op := v.Op
		if op == token.NEQ {
			op = token.EQL
		}
		return x + op.String() + y, ok && too
	case *ssa.Call:
		if f := calledMethod(v); f != nil {
			return f.FullName(), true
		}
	case *ssa.UnOp:
		if _, local := v.X.(*ssa.Alloc); local && v.Op == token.MUL {
			return "", false // a variable, which may be set on the way
		}
	case *ssa.Const:
		return v.String(), true
	case *ssa.Extract:
		return described(v.Tuple, depth+1)
	}
	if f := fieldOfValue(v); f != nil {
		return f.Name(), true
	}
	return v.Name(), true
}

// parameterOf is the parameter that an instruction gives one of the holders for.
func (c *custody) parameterOf(i ssa.Instruction, holders map[ssa.Value]bool) *ssa.Parameter {
	call, ok := i.(*ssa.Call)
	if !ok {
		return nil
	}
	for _, v := range call.Call.Args {
		if holders[v] {
			return c.parameterFor(i, v)
		}
	}
	return nil
}

// leftUnset reports whether an arm of a branch is the one in which there is no message, or nothing in its field.
func leftUnset(t *ssa.If, arm bool, holders map[ssa.Value]bool, open ssa.Value, f *types.Var) bool {
	cond := t.Cond
	for {
		n, ok := cond.(*ssa.UnOp)
		if !ok || n.Op != token.NOT {
			break
		}
		cond, arm = n.X, !arm
	}
	if cond == open && open != nil {
		return !arm
	}
	b, ok := cond.(*ssa.BinOp)
	if !ok || !isNilConst(b.Y) || !holders[b.X] && fieldOfValue(b.X) != f {
		return false
	}
	return b.Op == token.EQL && arm || b.Op == token.NEQ && !arm
}

// holds finds the values of a function that are one message, and reports whether it goes nowhere but to functions in view that keep it for themselves.
func (c *custody) holds(k *cleanup, v ssa.Value, e *toEnd) bool {
	if e.holders[v] {
		return true
	}
	if len(e.holders) > maxCustody {
		return false
	}
	e.holders[v] = true
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Field:
			if c.keptOn(r, 0) {
				return false
			}
		case *ssa.FieldAddr:
			if slices.ContainsFunc(loadsOf(r), func(v ssa.Value) bool { return c.keptOn(v, 0) }) {
				return false
			}
		case *ssa.BinOp:
			if !isNilConst(r.Y) {
				return false
			}
		case *ssa.Store:
			al, ok := r.Addr.(*ssa.Alloc)
			if r.Addr == v {
				if r.Val != v && !e.holders[r.Val] {
					return false // set to another one
				}
				continue
			}
			if !ok || !c.holds(k, al, e) {
				return false
			}
		case *ssa.UnOp:
			if r.Op != token.MUL || !c.holds(k, r, e) {
				return false
			}
		case *ssa.Call:
			p := c.parameterFor(r, v)
			if p == nil {
				return false
			}
			if k.taken[p] == nil {
				k.taken[p] = &toEnd{escapes: true} // of itself, nothing is known
				k.taken[p] = c.follow(k, p, nil, nil)
			}
			if k.taken[p].escapes {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// keptOn reports whether what was read from a message, or part of it, is left somewhere, so that it may be in use for longer than the message.
func (c *custody) keptOn(v ssa.Value, depth int) bool {
	if !hasPointers(v.Type()) {
		return false
	}
	return depth > 8 || slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.Store:
			return r.Val == v
		case *ssa.MapUpdate, *ssa.Send, *ssa.Select, *ssa.Return, *ssa.MakeClosure, *ssa.Go:
			return true
		case *ssa.Phi, *ssa.Slice, *ssa.ChangeType, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.TypeAssert, *ssa.Extract:
			return c.keptOn(r.(ssa.Value), depth+1)
		case *ssa.Call:
			fn := c.a.calledFunction(r)
			if fn == nil {
				return false // borrows it
			}
			for n, x := range r.Call.Args {
				if x == v && (len(c.keeps[fn][n]) > 0 || n < len(fn.Params) && c.keptOn(fn.Params[n], depth+1)) {
					return true
				}
			}
		}
		return false
	})
}
