// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A value that goes through a channel is its receiver's to put. Where a channel is a
// field or variable that the package alone sees, or a variable of one function, all its receivers are in view: if none of them
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
	f, ok := a.chanNamed(ch).(*types.Var)
	if !ok || (f.IsField() || isPackageLevel(f)) && f.Exported() || f.Pkg() != a.pkg.Pkg || t.kind != kToken || t.pool == nil || !t.pool.known {
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

// endless reports whether a function has no end: it loops for good.
func endless(fn *ssa.Function) bool {
	return !slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return len(b.Succs) == 0 })
}

// judgeDrains reports the receives after which pooled values are lost.
func (a *analysis) judgeDrains() {
	for _, f := range slices.SortedFunc(maps.Keys(a.drains.sent), func(x, y types.Object) int { return a.inOrder(x.Pos(), y.Pos()) }) {
		t := a.drains.sent[f]
		if a.drains.spoil[f] || t.pool == nil || len(t.pool.puts) == 0 {
			continue
		}
		receives, ok := a.receivesFrom(f.(*types.Var))
		if !ok {
			receives, ok = a.receivesFromAll(f.(*types.Var))
		}
		what := "what is received from " + f.Name()
		if !ok {
			if receives, ok = a.farEnd(f.(*types.Var)); !ok {
				continue
			}
			what = "what is received here, as what is sent on " + f.Name() + ","
		}
		var first *received
		for n, r := range receives {
			if r.val == nil {
				continue // dropped
			}
			u := reading{a: a, seen: map[ssa.Value]bool{}}
			if !u.only(r.val, 0) {
				first = nil
				break
			}
			if u.reads && (first == nil || r.pos < first.pos) {
				first = &receives[n]
			}
		}
		if first == nil || !first.pos.IsValid() || a.inTest(first.fn) || a.found[findingKey{missingPut, first.pos}].fn != nil {
			continue
		}
		what = apposed(a.valueName(first.val), strings.TrimSuffix(strings.TrimPrefix(what, "what is "), ","), what)
		a.found[findingKey{missingPut, first.pos}] = finding{
			pattern: missingPut, pos: first.pos, fn: first.fn,
			message: what + " was taken from " + t.pool.label() + " (" + a.line(t.stack[0]) + "); it is read here and not put back, here or by another receiver",
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

// receivesFrom finds all receives from the channel in a field or variable; ok is false where the
// channel may also be used by code that is not in view.
func (a *analysis) receivesFrom(f *types.Var) (list []received, ok bool) {
	if !f.IsField() {
		return a.receivesFromVariable(f)
	}
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

// farEnd finds the receives from the channel in a field of which the package does not see what it is, nor receives from it,
// where it is the only one that it sends such values on, and there is one other field with such a channel, that it only
// receives from: somebody else connects the two.
func (a *analysis) farEnd(f *types.Var) (list []received, ok bool) {
	t, ok := f.Type().Underlying().(*types.Chan)
	if !ok || !f.IsField() || !a.isOwn(t.Elem()) {
		return nil, false
	}
	ends := map[*types.Var][]received{}
	for _, i := range a.instrs() {
		var v *types.Var
		switch i := i.(type) {
		case *ssa.MakeChan:
			if types.Identical(i.Type().Underlying().(*types.Chan).Elem(), t.Elem()) {
				return nil, false // seen, and something else
			}
			continue
		case *ssa.Field:
			v = fieldOfValue(i)
		case *ssa.FieldAddr:
			v = fieldAt(i)
		}
		if v == nil || !isChan(v.Type()) || !types.Identical(v.Type().Underlying().(*types.Chan).Elem(), t.Elem()) {
			continue
		}
		fa, isAddr := i.(*ssa.FieldAddr)
		if !isAddr || v.Exported() && exportedOwner(fa.X.Type()) {
			return nil, false
		}
		for _, r := range referrers(fa) {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.Store:
				if _, isParam := r.Val.(*ssa.Parameter); !isParam || r.Addr != ssa.Value(fa) {
					return nil, false
				}
			case *ssa.UnOp:
				more, ok := receivesOf(r)
				if !ok || slices.ContainsFunc(referrers(r), func(u ssa.Instruction) bool { _, sends := u.(*ssa.Send); return sends }) != (v.Origin() == f) {
					return nil, false
				}
				ends[v.Origin()] = append(ends[v.Origin()], more...)
			default:
				return nil, false
			}
		}
	}
	if len(ends) != 2 || len(ends[f]) > 0 {
		return nil, false
	}
	for v, list := range ends {
		if v != f {
			return list, len(list) > 0
		}
	}
	return nil, false
}

// isOwn reports whether values of a type are the package's own: of a type that it declares, or pointers to, or lists of such.
func (a *analysis) isOwn(t types.Type) bool {
	for range 3 {
		switch u := types.Unalias(t).(type) {
		case *types.Named:
			return u.Obj().Pkg() == a.pkg.Pkg
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		default:
			return false
		}
	}
	return false
}

// exportedOwner reports whether a struct is one that other packages can name.
func exportedOwner(t types.Type) bool {
	n := pointee(t)
	return n != nil && n.Obj().Exported()
}

// receivesFromVariable is receivesFrom for the channel in a variable, of the package or of a function.
func (a *analysis) receivesFromVariable(v *types.Var) (list []received, ok bool) {
	var views []ssa.Value
	if g := a.pkg.Var(v.Name()); isPackageLevel(v) && g != nil {
		for _, i := range a.instrs() {
			for _, op := range i.Operands(nil) {
				if *op != ssa.Value(g) {
					continue
				}
				switch i := i.(type) {
				case *ssa.UnOp:
					views = append(views, i)
				case *ssa.Store:
					if i.Addr != ssa.Value(g) || !madeFor(i.Val) {
						return nil, false
					}
				default:
					return nil, false
				}
			}
		}
	} else {
		for x, of := range a.localChans {
			if of == types.Object(v) {
				views = append(views, x)
			}
		}
	}
	for _, x := range views {
		more, ok := receivesOfView(x, func(y ssa.Value) bool { return slices.Contains(views, y) })
		if !ok {
			return nil, false
		}
		list = append(list, more...)
	}
	slices.SortFunc(list, func(r, s received) int { return cmp.Compare(r.pos, s.pos) })
	return list, len(list) > 0
}

// receivesOfView finds the receives from a value that stands for a channel, or for the variable that holds it,
// where all that it is given to stands for the channel as well.
func receivesOfView(x ssa.Value, known func(ssa.Value) bool) (list []received, ok bool) {
	var other []ssa.Instruction
	for _, r := range referrers(x) {
		switch i := r.(type) {
		case *ssa.Store:
			if !known(i.Addr) || i.Addr == x && !known(i.Val) {
				return nil, false
			}
		case *ssa.ChangeType:
			if !known(i) {
				return nil, false
			}
		case *ssa.UnOp:
			if i.Op == token.ARROW {
				other = append(other, r)
			} else if !known(i) {
				return nil, false
			}
		case *ssa.MakeClosure:
			for k, b := range i.Bindings {
				if b == x && !known(i.Fn.(*ssa.Function).FreeVars[k]) {
					return nil, false
				}
			}
		case ssa.CallInstruction:
			fn := i.Common().StaticCallee()
			if fn == nil {
				other = append(other, r)
				continue
			}
			for k, arg := range i.Common().Args {
				if arg == x && (k >= len(fn.Params) || !known(fn.Params[k])) {
					return nil, false
				}
			}
		default:
			other = append(other, r)
		}
	}
	return receivesIn(x, other)
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
func receivesOf(ch ssa.Value) (list []received, ok bool) { return receivesIn(ch, referrers(ch)) }

// receivesIn finds the receives among uses of a channel.
func receivesIn(ch ssa.Value, uses []ssa.Instruction) (list []received, ok bool) {
	for _, r := range uses {
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
	a     *analysis
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
		case *ssa.Field, *ssa.Extract:
			if x := r.(ssa.Value); hasPointers(x.Type()) && !u.only(x, depth+1) {
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
				if !readAfter(v, r) && !u.lends(v, r, depth) {
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

// lends reports whether a call only reads what it is given: a function of the package of which that can be seen, or one of
// the standard library that is given bytes and gives nothing for them that could lead to these.
func (u *reading) lends(v ssa.Value, call *ssa.Call, depth int) bool {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return false
	}
	for n, x := range call.Call.Args {
		switch {
		case x != v:
		case u.a.inPackage(fn) && len(fn.Blocks) > 0 && n < len(fn.Params):
			if !u.only(fn.Params[n], depth+1) {
				return false
			}
		case fn.Pkg != nil && isStdPath(fn.Pkg.Pkg.Path()) && plainSlice(v.Type()) && !setsBytes(fn):
			u.reads = true
			if !onlyTells(fn.Signature.Results()) && (!givesBytes(fn.Signature.Results()) || !u.only(call, depth+1)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// onlyTells reports whether results are numbers, texts and errors.
func onlyTells(results *types.Tuple) bool {
	for r := range results.Variables() {
		if hasPointers(r.Type()) && !isError(r.Type()) && !isText(r.Type()) {
			return false
		}
	}
	return true
}

// givesBytes reports whether what results lead to is bytes alone: parts of what a function was given.
func givesBytes(results *types.Tuple) bool {
	for r := range results.Variables() {
		t := r.Type()
		if s, ok := t.Underlying().(*types.Slice); ok && !plainSlice(t) {
			t = s.Elem()
		}
		if hasPointers(t) && !plainSlice(t) && !isError(t) && !isText(t) {
			return false
		}
	}
	return true
}

// setsBytes reports whether a method keeps the bytes that it is given, to go on with them.
func setsBytes(fn *ssa.Function) bool {
	return fn.Signature.Recv() != nil && slices.ContainsFunc([]string{"Reset", "Set", "Init", "Buffer"}, func(s string) bool { return strings.HasPrefix(fn.Name(), s) })
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
