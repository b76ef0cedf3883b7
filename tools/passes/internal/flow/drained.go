// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A value that goes through a channel is its receiver's to put. Where a channel is a
// field that the package alone sees, all its receivers are in view: if none of them
// does more with what it gets than to read it, and no sender puts it later, it
// is lost there.

// drains is what the walk saw of the values that are sent on channels.
type drains struct {
	sent   map[types.Object]*sym // a pooled value that was sent on the field's channel
	on     map[*event]types.Object
	had    map[*event]bool       // somebody had the value before it was sent
	shared map[types.Object]bool // somebody else than the receiver has them, or puts them
	spoil  map[types.Object]bool // somebody else has them, or puts them
}

// noteSent sees a pooled value sent on a channel.
func (a *analysis) noteSent(st *state, e *event, ch, t *sym) {
	f, ok := chanKey(ch).(*types.Var)
	if !ok || !f.IsField() || f.Exported() || f.Pkg() != a.pkg.Pkg || t.kind != kToken || t.pool == nil || !t.pool.known {
		return
	}
	f = f.Origin()
	if a.drains.sent == nil {
		a.drains = drains{sent: map[types.Object]*sym{}, on: map[*event]types.Object{}, had: map[*event]bool{}, shared: map[types.Object]bool{}, spoil: map[types.Object]bool{}}
	}
	a.drains.on[e] = f
	a.drains.had[e] = st.handed[t]
}

// sentAtExit sees, at the end of a path, what became of the values that were sent.
func (a *analysis) sentAtExit(e exit) {
	st := e.st
	here := false // on this path: what other roots sent must not decide what this one costs
	for _, sent := range st.sent {
		here = here || a.drains.on[sent] != nil
	}
	if !here {
		return
	}
	kept := map[*sym]bool{}
	mark := func(x *sym) bool {
		kept[x] = true
		return true
	}
	for _, x := range e.results {
		a.reach(st, x, mark)
	}
	for _, g := range st.gos {
		if g.sink == receiver {
			continue
		}
		for _, x := range g.holds {
			a.reach(st, x, mark)
		}
	}
	for _, addr := range sortedKeys(st.mem) {
		if b := addr.base(); b.kind != kAlloc && b.kind != kToken {
			a.reach(st, st.mem[addr], mark)
		}
	}
	for _, t := range sortedKeys(st.sent) {
		f := a.drains.on[st.sent[t]]
		if f == nil || t.pool == nil {
			continue
		}
		if a.drains.sent[f] == nil {
			a.drains.sent[f] = t
		}
		part := false
		for x := range st.rel {
			part = part || passes(x, t)
		}
		byReceiver := st.rel[t] != nil && st.rel[t].async && !a.drains.had[st.sent[t]]
		if kept[t] || !byReceiver && (part || st.gone[t] || st.handed[t]) {
			a.drains.shared[f] = true
		}
		if part || kept[t] || st.gone[t] || st.handed[t] {
			a.drains.spoil[f] = true
		}
	}
}

// judgeDrains reports the receives after which pooled values are lost.
func (a *analysis) judgeDrains() {
	for f, t := range a.drains.sent {
		if a.drains.spoil[f] || t.pool == nil || len(t.pool.puts) == 0 {
			continue
		}
		receives, ok := a.receivesFrom(f.(*types.Var))
		if !ok {
			continue
		}
		var first *received
		for n, r := range receives {
			if r.val == nil {
				continue // dropped
			}
			u := reading{seen: map[ssa.Value]bool{}}
			if !u.only(r.val, 0) {
				first = nil
				break
			}
			if u.reads && (first == nil || r.pos < first.pos) {
				first = &receives[n]
			}
		}
		if first == nil || !first.pos.IsValid() || a.inTest(first.fn) {
			continue
		}
		a.found[findingKey{missingPut, first.pos}] = finding{
			pattern: missingPut, pos: first.pos, fn: first.fn,
			message: "what is received from " + f.Name() + " was taken from " + t.pool.label() + "; it is read here and not put back, here or by another receiver",
			related: []goanalysis.RelatedInformation{{Pos: t.stack[0], Message: "taken from " + t.pool.label() + " here, and sent"}},
		}
	}
}

// A received is one receive from a channel.
type received struct {
	pos token.Pos
	fn  *ssa.Function
	val ssa.Value // what was received; nil where it is dropped
}

// receivesFrom finds all receives from the channel in a field; ok is false where the
// channel may also be used by code that is not in view.
func (a *analysis) receivesFrom(f *types.Var) (list []received, ok bool) {
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.Field:
			if s := structOf(i.X.Type()); s != nil && s.Field(i.Field).Origin() == f {
				return nil, false
			}
		case *ssa.FieldAddr:
			if s := structOf(i.X.Type()); s == nil || s.Field(i.Field).Origin() != f {
				continue
			}
			for _, r := range referrers(i) {
				switch r := r.(type) {
				case *ssa.DebugRef:
				case *ssa.Store:
					if !madeFor(r.Val) || r.Addr != ssa.Value(i) {
						return nil, false
					}
				case *ssa.UnOp:
					more, ok := receivesOf(r)
					if !ok {
						return nil, false
					}
					list = append(list, more...)
				default:
					return nil, false
				}
			}
		}
	}
	return list, len(list) > 0
}

// madeFor reports whether a channel is made and stored once: nobody else has it.
func madeFor(v ssa.Value) bool {
	m, ok := v.(*ssa.MakeChan)
	if !ok {
		return false
	}
	stores := 0
	for _, r := range referrers(m) {
		switch r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			stores++
		default:
			return false
		}
	}
	return stores == 1
}

// receivesOf finds the receives from a channel that was loaded.
func receivesOf(ch ssa.Value) (list []received, ok bool) {
	for _, r := range referrers(ch) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Send:
			if r.Chan != ch || r.X == ch {
				return nil, false
			}
		case *ssa.Select:
			at := 2
			for _, c := range r.States {
				if c.Send == ch {
					return nil, false
				}
				if c.Dir != types.RecvOnly {
					continue
				}
				if c.Chan == ch {
					list = append(list, received{c.Pos, r.Parent(), part(r, at)})
				}
				at++
			}
		case *ssa.UnOp:
			if r.Op != token.ARROW {
				return nil, false
			}
			v := ssa.Value(r)
			if r.CommaOk {
				v = part(r, 0)
			}
			list = append(list, received{instrPos(r), r.Parent(), v})
		case *ssa.BinOp:
		case ssa.CallInstruction:
			if bi, isBuiltin := r.Common().Value.(*ssa.Builtin); !isBuiltin || !slices.Contains([]string{"len", "cap", "close"}, bi.Name()) {
				return nil, false
			}
		default:
			return nil, false
		}
	}
	return list, true
}

// part is a component of a tuple, or nil where nothing takes it out.
func part(tuple ssa.Value, n int) ssa.Value {
	for _, r := range referrers(tuple) {
		if x, ok := r.(*ssa.Extract); ok && x.Index == n {
			return x
		}
	}
	return nil
}

// A reading follows a received value through a function.
type reading struct {
	seen  map[ssa.Value]bool
	reads bool // memory that it leads to is read
}

// only reports whether a value is read and nothing else: not passed on, kept, returned or put.
func (u *reading) only(v ssa.Value, depth int) bool {
	if u.seen[v] {
		return true
	}
	u.seen[v] = true
	if depth > 16 || v.Referrers() == nil {
		return false
	}
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.UnOp:
			u.reads = true
			if r.Op != token.MUL || hasPointers(r.Type()) && !u.only(r, depth+1) {
				return false
			}
		case *ssa.Field:
			if hasPointers(r.Type()) && !u.only(r, depth+1) {
				return false
			}
		case *ssa.Slice, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Phi, *ssa.ChangeType:
			if !u.only(r.(ssa.Value), depth+1) {
				return false
			}
		case *ssa.Convert:
			if hasPointers(r.Type()) && !isText(r.Type()) {
				return false
			}
			u.reads = true
		case *ssa.Store:
			if r.Addr == v {
				continue
			}
			// A variable: what becomes of it is followed from there.
			if al, ok := r.Addr.(*ssa.Alloc); !ok || !u.only(al, depth+1) {
				return false
			}
		case *ssa.Call:
			bi, ok := r.Call.Value.(*ssa.Builtin)
			if !ok {
				if !readAfter(v, r) {
					return false
				}
				continue
			}
			switch bi.Name() {
			case "len", "cap":
			case "copy", "append":
				s, ok := v.Type().Underlying().(*types.Slice)
				if !ok || hasPointers(s.Elem()) || bi.Name() == "append" && r.Call.Args[0] == v {
					return false
				}
				u.reads = true
			default:
				return false
			}
		default:
			return false
		}
	}
	return true
}

// readAfter reports whether a slice of numbers that code out of view is given, and gives nothing for, is read when that is
// done: it was lent only.
func readAfter(v ssa.Value, call *ssa.Call) bool {
	s, ok := v.Type().Underlying().(*types.Slice)
	if !ok || hasPointers(s.Elem()) || call.Call.StaticCallee() != nil || call.Call.Signature().Results().Len() > 0 {
		return false
	}
	return slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.IndexAddr:
			return precedes(call, r)
		case *ssa.Call:
			return (isBuiltin(r, "copy") || isBuiltin(r, "append")) && r.Call.Args[1] == v && precedes(call, r)
		}
		return false
	})
}

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
