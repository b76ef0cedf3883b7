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

// A method that ends an object's life puts what the object's fields hold. Where it
// returns early, because a call gave an error, and nobody else puts what the field
// holds, the value is lost: nobody closes twice. The same goes for a method
// that leaves the error in the object, for all later calls to return. What was appended to a slice in
// a field is such a value, too.

// endings is what the walk saw of methods that put what a field of their receiver holds.
type endings struct {
	of     map[endingKey]*ending
	putsBy map[types.Object]map[*ssa.Function][]*ssa.Function // roots that put what a field holds, and the functions on the way
	taken  map[types.Object]token.Pos                         // where what a field holds was taken
	lists  map[types.Object]*pool                             // of fields with slices of pooled memory
}

type endingKey struct {
	fn    *ssa.Function
	field types.Object
}

// An ending is what the paths of one method do with one field.
type ending struct {
	puts, unclear bool
	lost          ssa.Instruction // a return that leaves the value in the field
	broken        ssa.Instruction // the same, where a method of the value failed
	other         bool            // the field is one of an object that the receiver leads to
	told          bool            // who puts the value is told of an error
	forgot        *event          // sets the field to nil on the way of an error
}

// endingsAtExit looks at the fields of the root's receiver when a path ends.
func (a *analysis) endingsAtExit(e exit) {
	st, fn := e.st, a.root
	if a.endings.of == nil {
		a.endings = endings{of: map[endingKey]*ending{}, putsBy: map[types.Object]map[*ssa.Function][]*ssa.Function{}, taken: map[types.Object]token.Pos{}, lists: map[types.Object]*pool{}}
	}
	note := func(x *sym, r *release) {
		f := fieldOfPath(x)
		if f == nil {
			return
		}
		by := a.endings.putsBy[f]
		if by == nil {
			by = map[*ssa.Function][]*ssa.Function{}
			a.endings.putsBy[f] = by
		}
		if by[fn] == nil {
			by[fn] = []*ssa.Function{fn}
		}
		for _, i := range r.stack {
			if p := i.Parent(); !slices.Contains(by[fn], p) {
				by[fn] = append(by[fn], p)
			}
		}
	}
	for x, r := range st.rel {
		note(x, r)
		for _, y := range x.list { // a struct by value
			note(y, r)
		}
	}
	for addr, v := range st.mem {
		if f, ok := addr.obj.(*types.Var); ok && addr.kind == kField {
			t := heldToken(st, v)
			if t == nil {
				if t = tokenInList(st, v); t != nil {
					a.endings.lists[f] = t.pool
				}
			}
			if t != nil {
				if p := a.endings.taken[f]; !p.IsValid() || t.stack[0] < p {
					a.endings.taken[f] = t.stack[0]
				}
			}
		}
	}
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 || !endsWithError(fn) {
		return
	}
	s := structOf(fn.Params[0].Type())
	if pointee(fn.Params[0].Type()) == nil || s == nil {
		return
	}
	recv := a.syms.intern(symKey{kind: kParam, obj: fn.Params[0]}, fn.Params[0].Type())
	if st.rel[recv] != nil || st.gone[recv] || st.again {
		return
	}
	broken := a.broken(e)
	leaves := broken && (final(fn) || a.leavesError(e, recv, s))
	a.endingsOf(e, recv, s, broken, leaves, false)
	for n := range s.NumFields() {
		// What a writer, say, uses of the connection that it leads to, and gives up for it.
		n0 := pointee(s.Field(n).Type())
		if n0 == nil || n0.Obj().Pkg() != a.pkg.Pkg || structOf(n0) == nil {
			continue
		}
		at := a.syms.field(recv, s, n)
		if st.epochOf(at) > 0 || st.mem[at] != nil {
			continue
		}
		if owner := a.syms.find(symKey{kind: kLoad, a: at}); owner != nil && st.rel[owner] == nil && !st.gone[owner] && !st.handed[owner] {
			a.endingsOf(e, owner, structOf(n0), broken, broken && a.leavesError(e, owner, structOf(n0)), true)
		}
	}
}

// tokenInList is a token of which memory was appended to a slice.
func tokenInList(st *state, v *sym) *sym {
	if v.kind != kAppend {
		return nil
	}
	for _, k := range sortedKeys(st.mem) {
		if k.kind == kElem && k.a == v {
			if x := plain(st.mem[k]); x.kind != kAppend {
				if t := heldToken(st, x); t != nil {
					return t
				}
			}
		}
	}
	return nil
}

// endingsOf looks at the fields of the receiver, or of an object that a field of it leads to.
func (a *analysis) endingsOf(e exit, owner *sym, s *types.Struct, broken, leaves, other bool) {
	st, fn := e.st, a.root
	for n := range s.NumFields() {
		f := s.Field(n).Origin()
		switch f.Type().Underlying().(type) {
		case *types.Pointer, *types.Slice, *types.Interface:
		default:
			continue
		}
		addr := a.syms.field(owner, s, n)
		load := a.syms.find(symKey{kind: kLoad, a: addr})
		if other && load == nil {
			continue
		}
		k := endingKey{fn, f}
		end := a.endings.of[k]
		if end == nil {
			end = &ending{}
			a.endings.of[k] = end
		}
		if st.epochOf(addr) > 0 {
			end.unclear = true
			continue
		}
		put, gone := false, false
		for x, r := range st.rel {
			if load != nil && (passes(x, load) || slices.Contains(x.list, load)) {
				put = true
				end.told = end.told || toldError(r)
			}
		}
		for x := range st.gone {
			gone = gone || load != nil && passes(x, load)
		}
		switch {
		case gone:
			end.unclear = true
		case put:
			end.puts = true
		case broken && !other && end.forgot == nil && a.forgets(e, addr, load):
			end.forgot = st.stores[addr]
		case !broken || end.lost != nil:
		case st.mem[addr] != nil && st.mem[addr] != load:
		case load != nil && (a.failed(st, load) || !isBuffer(f.Type()) && !types.IsInterface(f.Type())):
			if end.broken == nil && !other && final(fn) && !st.handed[load] {
				end.broken = e.ret
			}
		default:
			if load != nil {
				if isNil, ok := a.known(st, a.syms.nilTest(load)); ok && isNil {
					continue
				}
			}
			if withoutPool(st, owner) || a.withoutBox(st, owner, s, f.Type()) {
				continue
			}
			if other && (st.handed[load] || st.escaped[load] || endedBefore(st, owner.a.a, owner)) {
				continue
			}
			if leaves {
				end.lost, end.other = e.ret, other
			}
		}
	}
}

// endedBefore reports whether a path found an object without one of its parts, which may be the pool, or with
// an error in it or in the receiver, with which it had ended before.
func endedBefore(st *state, recv, owner *sym) bool {
	for c, isNil := range st.truth {
		if c.kind != kCmp || c.idx != int(token.EQL) || c.a.kind != kNil && c.b.kind != kNil {
			continue
		}
		for _, x := range []*sym{c.a, c.b} {
			if x.kind != kLoad || x.a.kind != kField {
				continue
			}
			if isError(x.typ) && !isNil && (x.a.a == owner || x.a.a == recv) || !isError(x.typ) && isNil && x.a.a == owner {
				return true
			}
		}
	}
	return false
}

// withoutPool reports whether a path found that an object has no pool: what it holds it made itself.
func withoutPool(st *state, owner *sym) bool {
	for c, isNil := range st.truth {
		if !isNil || c.kind != kCmp || c.idx != int(token.EQL) || c.a.kind != kNil && c.b.kind != kNil {
			continue
		}
		for _, x := range []*sym{c.a, c.b} {
			if x.kind != kLoad || x.a.kind != kField || x.a.a != owner || x.typ == nil {
				continue
			}
			if m, _, _ := types.LookupFieldOrMethod(x.typ, true, nil, "Put"); m != nil {
				return true
			}
		}
	}
	return false
}

// withoutBox reports whether a path found that a field which leads to values of a type is nil: one of that type has nothing of it then.
func (a *analysis) withoutBox(st *state, owner *sym, s *types.Struct, t types.Type) bool {
	for n := range s.NumFields() {
		p, ok := s.Field(n).Type().Underlying().(*types.Pointer)
		if !ok || !types.Identical(p.Elem(), t) {
			continue
		}
		load := a.syms.find(symKey{kind: kLoad, a: a.syms.field(owner, s, n)})
		if load == nil {
			continue
		}
		if isNil, ok := a.known(st, a.syms.nilTest(load)); ok && isNil {
			return true
		}
	}
	return false
}

// lostWithin reports whether a method that another one calls to put what a field holds loses it.
func (a *analysis) lostWithin(k endingKey) bool {
	for _, fn := range a.endings.putsBy[k.field][k.fn] {
		if within := a.endings.of[endingKey{fn, k.field}]; fn != k.fn && within != nil && within.puts && within.lost != nil {
			return true
		}
	}
	return false
}

// toldError reports whether one of the calls that led to a Put is given an error.
func toldError(r *release) bool {
	return slices.ContainsFunc(r.stack, func(i ssa.Instruction) bool {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			return false
		}
		for v := range c.Common().Signature().Params().Variables() {
			if isError(v.Type()) {
				return true
			}
		}
		return false
	})
}

// forgets reports whether a path set a field to nil whose content it had looked at, and left
// to nobody.
func (a *analysis) forgets(e exit, addr, load *sym) bool {
	st := e.st
	v := st.mem[addr]
	if load == nil || v == nil || v.kind != kNil || st.stores[addr] == nil || a.failed(st, load) || !a.mereMemory(load.typ) {
		return false
	}
	if isNil, ok := a.known(st, a.syms.nilTest(load)); ok && isNil {
		return false
	}
	if st.handed[load] || st.escaped[load] || st.sent[load] != nil || st.measured[load] != 0 {
		return false
	}
	if a.givesOn(st.stores[addr].fn, load.typ) || a.putsBefore(st.stores[addr]) {
		return false
	}
	kept, _ := a.keptAt(e, false)
	return !kept[load]
}

// putsBefore reports whether a function puts something on another way to what it does: it decides what is worth a Put.
func (a *analysis) putsBefore(e *event) bool {
	at := e.stack[len(e.stack)-1]
	for i := range instrsOf(e.fn) {
		if c, ok := i.(*ssa.Call); ok && len(a.uses().putArgs(a, c)) > 0 && at.Parent() == e.fn && reaches(c.Block(), at.Block()) {
			return true
		}
	}
	return false
}

// givesOn reports whether a function calls code out of view, but for a Put, with a value of a type.
func (a *analysis) givesOn(fn *ssa.Function, t types.Type) bool {
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok || a.calledFunction(c) != nil || len(a.uses().putArgs(a, c)) > 0 {
			continue
		}
		for n, x := range c.Common().Args {
			if n == 0 && !c.Common().IsInvoke() && c.Common().Signature().Recv() != nil {
				continue
			}
			if _, builtin := c.Common().Value.(*ssa.Builtin); !builtin && types.Identical(unboxed(x).Type(), t) {
				return true
			}
		}
	}
	return false
}

// mereMemory reports whether values of a type are buffers, or structs of the package's own
// that no method leaves in a state of which only its error tells.
func (a *analysis) mereMemory(t types.Type) bool {
	if t == nil || types.IsInterface(t) {
		return false
	}
	if isBuffer(t) {
		return true
	}
	n := pointee(t)
	if n == nil || n.Obj().Pkg() != a.pkg.Pkg {
		return false
	}
	for m := range n.Methods() {
		if res := m.Signature().Results(); res.Len() > 0 && isError(res.At(res.Len()-1).Type()) {
			return false
		}
	}
	for f := range structOf(t).Fields() {
		if streams(f.Type()) || namedPkg(f.Type()) == "bufio" {
			return false
		}
	}
	return true
}

// endsWithError reports whether the last result of a function is an error.
func endsWithError(fn *ssa.Function) bool {
	res := fn.Signature.Results()
	return res.Len() > 0 && isError(res.At(res.Len()-1).Type())
}

// final reports whether a method ends an object's life, by its name.
func final(fn *ssa.Function) bool { return fn.Name() == "Close" }

// broken reports whether a path ends because a call gave an error.
func (a *analysis) broken(e exit) bool {
	if len(e.results) == 0 || plain(e.results[len(e.results)-1]).kind == kNil {
		return false
	}
	for c, v := range e.st.truth {
		if !v && isErrorTest(c) && errorOf(c).kind == kOpaque && !ownError(errorOf(c)) {
			return true
		}
	}
	return false
}

// ownError reports whether an error is one that the program makes there, to tell of something that it found itself: that
// the object was closed before, say.
func ownError(x *sym) bool {
	i, ok := x.obj.(ssa.Instruction)
	if !ok {
		return false
	}
	key := funcKey(calledMethod(i))
	return key == "errors.New" || key == "fmt.Errorf"
}

// leavesError reports whether a path leaves the error that a call gave in a field of the
// receiver that some function returns.
func (a *analysis) leavesError(e exit, recv *sym, s *types.Struct) bool {
	for n := range s.NumFields() {
		f := s.Field(n).Origin()
		if !isError(f.Type()) {
			continue
		}
		v := e.st.mem[a.syms.field(recv, s, n)]
		if v == nil || plain(v).kind != kOpaque {
			continue
		}
		if isNil, ok := a.known(e.st, a.syms.nilTest(v)); ok && !isNil && a.returnsField(f) {
			return true
		}
	}
	return false
}

// returnsField reports whether some function returns what it found in a field.
func (a *analysis) returnsField(f *types.Var) bool {
	for _, fn := range a.fns {
		for _, b := range fn.Blocks {
			r, ok := lastInstr(b).(*ssa.Return)
			if !ok || len(r.Results) == 0 {
				continue
			}
			v := r.Results[len(r.Results)-1]
			if fieldOfValue(v) == f {
				return true
			}
			// Where there are deferred calls, the result is in a variable.
			if l, ok := v.(*ssa.UnOp); ok {
				if al, ok := l.X.(*ssa.Alloc); ok && slices.ContainsFunc(referrers(al), func(i ssa.Instruction) bool {
					s, ok := i.(*ssa.Store)
					return ok && s.Addr == al && fieldOfValue(s.Val) == f
				}) {
					return true
				}
			}
		}
	}
	return false
}

// judgeEndings reports the early returns that lose what a field holds.
func (a *analysis) judgeEndings() {
	for k, end := range a.endings.of {
		p := a.fields0.holds[k.field]
		if p == nil {
			p = a.endings.lists[k.field]
		}
		if !end.puts || end.unclear || p == nil || a.inTest(k.fn) {
			continue
		}
		// What a pool lends a limited number of has to come back broken as well, where who puts it
		// asks for the error.
		scarce := p.scarce && end.told
		if scarce && end.lost == nil {
			end.lost = end.broken
		}
		var f finding
		switch {
		case end.forgot != nil:
			f = finding{
				pattern: missingPut, pos: end.forgot.pos(), fn: end.forgot.fn,
				message: fmt.Sprintf("field %s is set to nil on the way of an error without a Put of what it holds, taken from %s; on other paths it is put", k.field.Name(), p.label()),
			}
		case end.lost == nil || !scarce && a.putOtherwise(k) || end.other && a.lostWithin(k):
			continue
		default:
			f = finding{
				pattern: missingPut, pos: instrPos(end.lost), fn: k.fn,
				message: fmt.Sprintf("%s returns here without a Put of what field %s holds, taken from %s; on other paths it puts it, and nobody else does", k.fn.Name(), k.field.Name(), p.label()),
			}
		}
		if at := a.endings.taken[k.field]; at.IsValid() {
			f.related = []goanalysis.RelatedInformation{{Pos: at, Message: "taken from " + p.label() + " here"}}
		}
		f.more = a.cameAt(k.field, p)
		a.reportFound(f)
	}
}

// putOtherwise reports whether what a field holds is also put on a way that does not
// lead through the method.
func (a *analysis) putOtherwise(k endingKey) bool {
	by := a.endings.putsBy[k.field]
	for root, way := range by {
		if !slices.Contains(way, k.fn) && (!slices.Contains(by[k.fn], root) || exportedRoot(root)) {
			return true
		}
	}
	return false
}
