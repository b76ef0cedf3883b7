// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

func constInt(n int) constant.Value { return constant.MakeInt64(int64(n)) }

func structOf(t types.Type) *types.Struct {
	if t == nil {
		return nil // of a value that another package's function made, and nothing told the type of
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, _ := t.Underlying().(*types.Struct)
	return s
}

// A pool is a pool as a whole, known by the variable or field that holds it.
type pool struct {
	key    any // types.Object or *ssa.Alloc; nil when not known
	name   string
	api    string
	known  bool
	filled bool // a channel that is filled once
	scarce bool // what is lost is not made again
	ring   bool // which drops what it has no room for
	local  bool // a channel of a function's own
	field  bool // in a field of an object of another package's
	users  *listUsers
	puts   []*putSite
	gets   []*getSite
}

// poolAt identifies the pool at an address.
func (a *analysis) poolAt(addr *sym, api string) *pool {
	var key any
	name := api
	for x := addr; x != nil && key == nil; {
		switch x.kind {
		case kElem, kLoad, kView, kIface:
			if x.kind == kElem && x.a.kind == kParam {
				x = nil
				continue
			}
			x = x.a
		case kField:
			if v, ok := x.obj.(*types.Var); ok {
				key, name = v, v.Name()
				if v.Embedded() || namedPkg(v.Type()) == "sync" && x.a != nil && !besideOthers(v, x.a.typ) {
					// A wrapper type: the variable that holds it says more.
					if outer := a.poolAt(x.a, api); outer.known {
						return outer
					}
				}
			} else {
				x = nil
			}
		case kOpaque:
			// A field of a struct that is a value, as a method's receiver may be.
			u := structValue(x)
			if u == nil {
				x = nil
				continue
			}
			v := u.Field(x.idx).Origin()
			key, name = v, v.Name()
		case kGlobal:
			g := x.obj.(*ssa.Global)
			key, name = any(g), g.Name()
			if g.Object() != nil {
				key = g.Object()
			}
		case kFree:
			if k, ok := a.homes[x.obj]; ok {
				key, name = k, k.Name()
				continue
			}
			switch v := x.obj.(type) {
			case *ssa.Alloc:
				if v.Comment != "" {
					name = v.Comment // a variable of the function that made the closure
				}
			case *ssa.FieldAddr:
				if f := nthField(v.X, v.Field); f != nil {
					key, name = f, f.Name() // whose method is a value
				}
			}
			x = nil
		case kAlloc:
			if k, ok := a.homes[x.obj]; ok {
				key, name = k, k.Name()
			} else {
				x = nil
			}
		default:
			x = nil
		}
	}
	if key == nil {
		return &pool{name: name, api: api}
	}
	p := a.pools[key]
	if p == nil {
		p = &pool{key: key, name: name, api: api, known: true}
		a.pools[key] = p
		a.poolList = append(a.poolList, p)
	}
	return p
}

// besideOthers reports whether the struct that a pool is a field of, found at an address of the type, has other pools, too.
func besideOthers(v *types.Var, at types.Type) bool {
	s := structOf(at)
	if s == nil {
		return false
	}
	for f := range s.Fields() {
		if f.Origin() != v.Origin() && types.Identical(f.Type(), v.Type()) {
			return true
		}
	}
	return false
}

// structValue is the type of the struct value that x is a field of, or nil.
func structValue(x *sym) *types.Struct {
	if !ofStruct(x) {
		return nil
	}
	u := x.a.typ.Underlying().(*types.Struct)
	if x.idx < 0 || x.idx >= u.NumFields() {
		return nil
	}
	return u
}

func namedPkg(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path()
	}
	return ""
}

// poolCall follows a call of a known pool's function.
func (a *analysis) poolCall(st *state, i ssa.CallInstruction, pf poolFunc, target callee, args []*sym, c *ssa.CallCommon) []outcome {
	p := a.foreignPool(pf.api) // the package's own
	p.api = pf.api
	if target.method.Signature().Recv() != nil && pf.release != 0 && len(args) > 0 {
		p = a.poolAt(args[0], pf.api)
	}
	if pf.shares {
		x := plain(args[0])
		set(&st.gone, x, true)
		a.takeOver(st, x)
	}
	if pf.release >= 0 && pf.release < len(args) {
		if pf.lease {
			a.endLease(st, i, args[pf.release], p)
			return []outcome{{st, a.opaqueResult(st, i, c)}}
		}
		x, t := args[pf.release], argType(c, pf.release)
		if pf.from {
			addr := x
			t = t.Underlying().(*types.Pointer).Elem()
			x = a.read(st, addr, t)
			a.write(st, addr, a.syms.null())
		}
		a.put(st, i, x, p, pf, t)
	}
	if !pf.acquire {
		return []outcome{{st, a.opaqueResult(st, i, c)}}
	}
	var failed *state
	if c.Signature().Results().Len() == 2 {
		failed = st.clone() // a value or an error
	}
	res := c.Signature().Results().At(0).Type()
	if v := i.Value(); v != nil && types.IsInterface(res) {
		res = v.Type() // of a call that stands for one of a typed wrapper
	}
	t := a.makeFrom(st, kToken, i, 0, res, nil, p)
	if t.stack == nil {
		for _, s := range append(slices.Clip(st.f.stack), i) {
			t.stack = append(t.stack, instrPos(s))
		}
		t.pool, t.obj = p, i
		t.val = constant.MakeBool(pf.sized && workedOut(c, args))
		t.guessed = pf.sized && !workedOut(c, args)
	}
	if pf.fresh {
		st.content[t] = isReset
	}
	if pf.api != "sync.Pool" && !types.IsInterface(res) {
		st.truth[a.syms.nilTest(t)] = false
	}
	st.toks = append(slices.Clip(st.toks), t)
	if failed != nil {
		err := a.opaque(failed, i, 1, c.Signature().Results().At(1).Type())
		failed.truth[a.syms.nilTest(err)] = false
		return []outcome{{st, a.tuple(t, a.syms.null())}, {failed, a.tuple(a.syms.null(), err)}}
	}
	return []outcome{{st, t}}
}

// memory strips what does not change which memory a value is: slicing and boxes.
func memory(x *sym) *sym {
	for {
		switch x.kind {
		case kView, kAdv, kAppend, kIface:
			x = x.a
		default:
			return x
		}
	}
}

// targets are the objects that go to a pool with x.
func (a *analysis) targets(st *state, x *sym) []*sym {
	x = plain(x)
	list := append([]*sym{x}, overBytes(x)...)
	list = append(list, a.inHeaders(st, x)...)
	if m := memory(x); m != x {
		list = append(list, m)
		for y := x; y != m; y = y.a {
			if y.kind == kAppend && y != x {
				list = append(list, y)
			}
		}
	}
	if x.kind == kToken {
		// What a call gave, and a field has when it is cut to length 0 for the next user.
		for _, k := range keysOf(st.mem, func(k *sym) bool { return k.kind == kField && k.a == x }) {
			if v := st.mem[k]; v.kind == kView && v.idx == 1 && memory(v).kind == kOpaque {
				list = append(list, memory(v))
			}
		}
	}
	if x.kind == kAlloc {
		// A box made here: the slices in it go along.
		for _, k := range sortedKeys(st.mem) {
			if boxes(k, x) {
				if v := st.mem[k]; v.kind != kNil && (v.kind == kView || v.kind == kAppend || v.kind == kAdv || owned(v.typ) || ownedBehind(v)) {
					list = append(list, v)
					if m := memory(v); m != v {
						list = append(list, m)
					}
				}
			}
		}
	}
	return list
}

// ownedBehind reports whether a value that was read somewhere leads to a slice: who takes a box with such a
// pointer out of the pool uses the slice.
func ownedBehind(v *sym) bool {
	if v.kind != kLoad || v.typ == nil {
		return false
	}
	p, ok := v.typ.Underlying().(*types.Pointer)
	return ok && owned(p.Elem())
}

// boxes reports whether an address is all that the object at x holds: x is the
// address of a slice, or of a struct with one field.
func boxes(addr, x *sym) bool {
	if addr == x {
		return true
	}
	if addr.kind != kField || addr.a != x || x.typ == nil {
		return false
	}
	s := structOf(x.typ)
	return s != nil && s.NumFields() == 1
}

// put follows a release.
func (a *analysis) put(st *state, i ssa.CallInstruction, x *sym, p *pool, pf poolFunc, argType types.Type) {
	x = plain(x)
	a.putsInstance(st, x)
	ev := st.here(i)
	if memory(x).kind != kToken && a.putsGiven(&ev) {
		return
	}
	for _, part := range x.list {
		if x.kind == kAgg && part.kind == kOpaque && part.a != nil && part.a.kind == kToken && hasPointers0(part) {
			st.handOver(part.a) // a struct that was taken is put as another one with what it had
		}
	}
	targets := a.targets(st, x)
	if pf.counted && soleReference(st, x) {
		// A new one has one reference, and this path took no other.
		pf.counted, p = false, x.pool
	}
	if pf.counted || st.refcount >= 0 || a.ofTurn(st) {
		a.putByCount(st, i, targets, p)
		a.checkStartedLast(st, targets, &ev, p)
		for _, t := range targets {
			set(&st.gone, t, true)
			a.takeOver(st, t)
		}
		if isSlice(argType) {
			// Of all that is in it, a reference is given back.
			a.reach(st, x, func(y *sym) bool {
				if y.kind == kToken {
					set(&st.gone, y, true)
					a.takeOver(st, y)
				}
				return true
			})
		}
		a.notePut(st, i, x, p, pf, argType, ev)
		return
	}
	if a.putNil(st, x, ev, p, pf) {
		return
	}
	a.notePut(st, i, x, p, pf, argType, ev)
	a.noteSharedPut(st, x, p, ev)
	a.checkPool(st, x, p, ev)
	for _, t := range targets {
		if r := a.released(st, t); r != nil {
			if st.gone[t] {
				continue
			}
			if memory(r.value) == memory(t) || st.rel[t] == r || !r.pool0().known || r.pool0() == p {
				if onceOnly(&r.event, &ev) {
					return
				}
				a.reportDouble(st, t, r, &ev, p)
				return
			}
		}
	}
	shared := targets
	for _, t := range targets {
		shared = append(slices.Clip(shared), a.alongside(st, t)...)
	}
	if first := a.putByGo(st, targets, &ev); first != nil && a.quiet == 0 {
		a.reportDouble(st, first.value, first, &ev, p)
		return
	}
	a.checkGoroutines(st, shared, &ev, p)
	r := &release{event: ev, flags: setFlags(st), pool: p, deferred: st.f.inDefer, value: x, received: a.received, argType: argType, inTime: stoppedInTime(st)}
	r.byField, r.home = a.namedByField(st, i, x)
	a.letGo(st, targets, p)
	for _, t := range targets {
		for _, v := range a.alongside(st, t) {
			other := *r
			other.byField = false
			st.rel[v] = &other
		}
	}
	for _, t := range targets {
		if t.kind == kConst || t.kind == kFunc || t.kind == kGlobal {
			continue
		}
		st.rel[t] = r
		a.takeOver(st, t)
		a.noteConsumer(t)
	}
}

// soleReference reports whether the path took a value from its pool, or has put it since, and shared it with nobody.
func soleReference(st *state, x *sym) bool {
	if x.kind != kToken || x.pool == nil || st.gone[x] {
		return false
	}
	return st.rel[x] != nil || !st.handed[x] && st.sent[x] == nil && st.lent[x] == nil &&
		!slices.ContainsFunc(st.gos, func(g *spawn) bool { return slices.Contains(g.holds, x) })
}

// ofTurn reports whether the path compared a counter in memory with another
// value and then advanced it: whoever comes later with the old value is turned
// away, so that the release happens once for each turn.
func (a *analysis) ofTurn(st *state) bool {
	for c, v := range st.truth {
		if !v || c.kind != kCmp || c.idx != int(token.EQL) {
			continue
		}
		for _, x := range []*sym{c.a, c.b} {
			if x.kind == kLoad && x.a.kind == kField && st.mem[x.a] != nil && moved(x, st.mem[x.a]) {
				return true
			}
		}
	}
	return false
}

func (r *release) pool0() *pool {
	if r.pool == nil {
		return &pool{}
	}
	return r.pool
}

// setFlags are the fields of type bool that a path read and found true.
func setFlags(st *state) []*sym {
	var list []*sym
	for c, v := range st.truth {
		if v && c.kind == kLoad && c.a.kind == kField {
			list = append(list, c)
		}
	}
	return list
}

// otherKind reports whether a path came by a flag before a put and by another
// one of the same object after it. Such flags tell the kinds of an object
// apart: an object of both is not taken to exist.
func otherKind(st *state, r *release) bool {
	for _, c := range setFlags(st) {
		if slices.Contains(r.flags, c) {
			continue
		}
		if slices.ContainsFunc(r.flags, func(f *sym) bool { return f.a.a == c.a.a }) {
			return true
		}
	}
	return false
}

// takenOut reports whether the memory that a load was read from holds
// something else by now.
func (a *analysis) takenOut(st *state, s *sym) bool {
	for addr := s.a; addr != nil; addr = addr.a {
		if v := st.mem[addr]; v != nil {
			return memory(v) != s && !slices.Contains(overBytes(memory(v)), s)
		}
		if addr.kind != kField {
			break
		}
	}
	return s.idx != st.epochOf(s.a)
}

// overwritten reports whether the path stored something else where s was loaded from.
func overwritten(st *state, s *sym) bool {
	v := st.mem[s.a]
	return v != nil && memory(v) != s
}

// namedByField reports whether some call on the way to the put named the value
// by a field that holds it, and what the field is one of.
func (a *analysis) namedByField(st *state, i ssa.CallInstruction, x *sym) (named bool, home *sym) {
	m := memory(plain(x))
	if in := st.mem[m]; in != nil && m.kind == kAlloc && isSlice(in.typ) {
		m = memory(plain(in)) // a slice in a box that was made for the Put
	}
	n := len(st.f.stack)
	var at ssa.Instruction = i
	for f := st.f; f != nil; f = f.parent {
		if ci, ok := at.(ssa.CallInstruction); ok {
			for _, v := range ci.Common().Args {
				if mi, ok := v.(*ssa.MakeInterface); ok {
					v = mi.X
				}
				l, ok := v.(*ssa.UnOp)
				if !ok {
					continue
				}
				field, ok := l.X.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				if y := f.env.get(l); y == nil || passes(m, memory(plain(y))) {
					if at := f.env.get(field); at != nil {
						home = at.base()
					}
					return true, home
				}
			}
		}
		if n--; n >= 0 {
			at = st.f.stack[n]
		}
	}
	return false, nil
}

// holdsHome reports whether an address belongs to the object whose field named a value for its Put, or what is there
// leads to that object.
func (a *analysis) holdsHome(st *state, addr, v *sym, r *release) bool {
	if r.home == nil || addr.base() == r.home {
		return true
	}
	found := false
	a.reach(st, v, func(x *sym) bool {
		found = found || x == r.home
		return !found
	})
	return found
}

// putNil reports a put of a value that is nil on this path by construction.
func (a *analysis) putNil(st *state, x *sym, ev event, p *pool, pf poolFunc) bool {
	if x.kind == kConst {
		return true
	}
	// That a pointer was never set since its object was made is not enough:
	// loops that set it are followed only twice.
	empty := x.kind == kNil && x.idx == 0 || (x.kind == kNil || a.unsetElems[x]) && a.unsetForGood(st, ev)
	if x.kind == kNil && !empty {
		return true
	}
	if ci, ok := ev.stack[len(ev.stack)-1].(ssa.CallInstruction); ok && isNilConst(lastArg(ci.Common())) && types.IsInterface(lastArg(ci.Common()).Type()) {
		return true // sync.Pool ignores it
	}
	if v, ok := st.truth[a.syms.nilTest(x)]; ok && v && (inNilArm(ev.stack[len(ev.stack)-1]) || testedBefore(ev.stack)) {
		empty = true
	}
	if x.kind == kAlloc {
		// A box made for this put, with no slice in it. An object that merely has
		// no slice yet serves as well as a new one.
		n := 0
		for k, v := range st.mem {
			if boxes(k, x) {
				n++
				empty = v.kind == kNil && (k == x || owned(fieldType(k))) && (madeIn(x, ev.fn) || madeToPut(x, ev))
			}
		}
		empty = empty && n == 1
	}
	if !empty {
		return false
	}
	if st.refcount >= 0 || x.kind != kNil && nothingNeeded(st) || fitsSize(ev.stack[len(ev.stack)-1]) {
		return true // a count that comes to its end once, or a length of which there is none, or one that no pool is for
	}
	if len(st.usedNil) > 0 && slices.ContainsFunc(ev.stack, st.failedOn) {
		return true
	}
	if t := a.through[ev.stack[len(ev.stack)-1]]; pf.api != "sync.Pool" || a.quiet > 0 || t != nil && t.NilSafe || a.inTwoMinds(st) {
		return true // ignored by the others
	}
	pos, fn := ev.outermost()
	a.report(finding{
		pattern: putNil, pos: pos, fn: fn,
		message: a.nilPut(&ev, fn, x) + " in " + p.label() + " (" + a.line(ev.pos()) + ") on this path, so that a later Get returns it",
		related: a.related(rel("the Put", &ev)),
		whose:   p,
	})
	return true
}

// failedOn reports whether the path asked what a call is given, and is nil, for its fields, there or in a callee.
func (st *state) failedOn(i ssa.Instruction) bool {
	c, ok := i.(ssa.CallInstruction)
	return ok && slices.ContainsFunc(c.Common().Args, func(v ssa.Value) bool {
		v = unboxed(v)
		return st.usedNil[v] || slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
			call, ok := r.(ssa.CallInstruction)
			if !ok || r == i {
				return false
			}
			fn := call.Common().StaticCallee()
			return fn != nil && len(fn.Params) == len(call.Common().Args) && slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool {
				return st.usedNil[p] && call.Common().Args[slices.Index(fn.Params, p)] == v
			})
		})
	})
}

// nothingNeeded reports whether a path found that a number is not above zero, as who asks whether nil has room for it does.
func nothingNeeded(st *state) bool {
	for c, v := range st.truth {
		if !v && c.kind == kCmp && c.idx == int(token.LSS) && c.a.kind == kConst && c.a.val.Kind() == constant.Int && constant.Sign(c.a.val) == 0 && (c.b.kind == kParam || c.b.kind == kArith || c.b.kind == kOpaque) {
			return true
		}
	}
	return false
}

// inNilArm reports whether a put stands under a test that found the pointer
// that it puts to be nil.
func inNilArm(i ssa.Instruction) bool {
	ci, ok := i.(ssa.CallInstruction)
	if !ok || len(ci.Common().Args) == 0 {
		return false
	}
	v := unboxed(lastArg(ci.Common()))
	if _, ok := v.Type().Underlying().(*types.Pointer); !ok {
		return false
	}
	for b := i.Block(); b != nil && b.Idom() != nil; b = b.Idom() {
		if len(b.Preds) != 1 {
			continue
		}
		p := b.Preds[0]
		t, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		c, ok := t.Cond.(*ssa.BinOp)
		if !ok || c.X != v || !isNilConst(c.Y) {
			continue
		}
		return c.Op == token.EQL && p.Succs[0] == b || c.Op == token.NEQ && p.Succs[1] == b
	}
	return false
}

// madeIn reports whether an object was made by an instruction of fn.
func madeIn(x *sym, fn *ssa.Function) bool {
	i, ok := x.obj.(ssa.Instruction)
	return ok && i.Parent() == fn
}

// oneOfMany reports whether one pool is an element of a slice or array, or was reached by a
// pointer in a field, and the other is of the same struct type: they may be one.
func oneOfMany(x, y *pool) bool {
	elem := func(p *pool) types.Type {
		v, ok := p.key.(*types.Var)
		if !ok {
			return nil
		}
		switch t := v.Type().Underlying().(type) {
		case *types.Slice:
			return deref(t.Elem())
		case *types.Array:
			return deref(t.Elem())
		case *types.Pointer:
			return t.Elem()
		}
		return nil
	}
	a, b := elem(x), elem(y)
	has := func(t types.Type, p *pool) bool {
		v, ok := p.key.(*types.Var)
		return ok && t != nil && structOf(t) != nil && hasField(structOf(t), v)
	}
	if has(a, y) || has(b, x) {
		return true // the pool in an element, and in what a pointer leads to
	}
	return a != nil && b != nil && types.Identical(a, b) && structOf(a) != nil && namedPkg(a) != "sync"
}

// checkPool reports a value that goes to another pool than it came from. Pools
// of one size each are told apart by a test of the capacity.
func (a *analysis) checkPool(st *state, x *sym, p *pool, ev event) {
	m := memory(x)
	if m.kind == kLoad && m.a.kind == kToken {
		m = m.a // the slice in a header
	}
	if m.kind != kToken || !p.known || !m.pool.known || m.pool == p || m.pool.api != p.api || st.measured[m] != 0 {
		return
	}
	if m.pool.field || p.field {
		return // what the object was made with, or was told when it was taken, may be the same pool
	}
	if a.byBackLink(st, ev.stack[len(ev.stack)-1], m) || oneOfMany(m.pool, p) && !(a.hasOwnPool(m.pool) && a.hasOwnPool(p)) || a.narrowed(st, m) || a.asksValue(ev.stack[len(ev.stack)-1], m) || a.guessedBoth(st, m, ev) || a.oneOfSeveral(ev.stack[len(ev.stack)-1]) || a.oneOfSeveral(tookAt(m)) {
		return
	}
	a.swaps[[2]*pool{m.pool, p}] = true
	for _, s := range ev.stack {
		if a.testsSize(s.Parent()) && !a.picksGetOnly(s, m) {
			return
		}
	}
	pos, fn := ev.outermost()
	a.report(finding{
		pattern: wrongPool, pos: pos, fn: fn, swap: [2]*pool{m.pool, p}, emptied: m.typ != nil && a.lightened(st, m, m.typ),
		message: fmt.Sprintf("%s was taken from %s but is put in %s", a.name(&ev, fn), m.pool.label(), p.label()),
		related: append(a.related(rel("the Put", &ev)), a.acquired(m)...),
	})
}

// use checks that memory is still ours.
func (a *analysis) use(st *state, i ssa.Instruction, x *sym, how string) {
	if r := a.released(st, x); r != nil && !a.empty(st, x) {
		a.reportUse(st, i, x, r, how)
	}
}

// empty reports whether a slice is known to have no elements on this path.
func (a *analysis) empty(st *state, x *sym) bool {
	n := a.syms.intern(symKey{kind: kLen, a: x, idx: st.epochOf(x)}, nil)
	v, ok := a.known(st, a.equalTest(n, a.syms.constant(constInt(0), types.Typ[types.Int])))
	return ok && v
}

// checkGoroutines reports a put of what a goroutine or transport may still use.
func (a *analysis) checkGoroutines(st *state, targets []*sym, ev *event, p *pool) {
	a.checkLeftRunning(st, targets, ev, p)
	for _, g := range st.gos {
		hit := false
		for _, h := range g.holds {
			a.reach(st, h, func(y *sym) bool {
				if y.kind == kLoad && owned(y.typ) && overwritten(st, y) && !a.inOwnArray(st, y) {
					// A slice that has left the object that it was found in.
					hit = hit || slices.Contains(targets, y)
					return false
				}
				if foundEmpty(st, y) {
					return false
				}
				if slices.Contains(targets, y) || a.leadsToPart(st, g, y, targets) || a.mayHaveGrown(st, g, y, targets) || a.leadsToElement(g, y, targets, ev) {
					hit = true
				}
				return !hit
			})
		}
		hit = hit || a.hadPart(st, g, targets) || a.hasWriterOf(g, targets)
		if hit && g.sink == "" && (a.guarded(st, g) && !a.usesUnlocked(st, g, targets) && !(g.last && g.hasSlices()) || a.leavesAlone(st, g, targets) || a.toldEnded(st, g)) {
			continue
		}
		if hit && (toldByResult(&g.event, ev) || a.askedOf(st, g)) {
			continue
		}
		if hit && g.sink == "" && a.byStranger(g) && !a.wouldUse(st, g, targets, ev, p) {
			continue
		}
		if hit {
			a.reportGoroutine(st, g, targets[0], ev, p)
			return
		}
	}
}

// leadsToPart reports whether a goroutine that has an object uses a field of it
// whose content is among the targets. What it does with its own receiver is the
// object's affair.
func (a *analysis) leadsToPart(st *state, g *spawn, obj *sym, targets []*sym) bool {
	if obj.kind != kRecv && obj.kind != kParam {
		return false
	}
	if p, ok := obj.obj.(*ssa.Parameter); ok && p.Parent().Signature.Recv() != nil && p == p.Parent().Params[0] {
		return false
	}
	return slices.ContainsFunc(targets, func(t *sym) bool {
		if t.kind != kLoad || t.a.kind != kField || t.a.a != obj || st.mem[t.a] != nil && st.mem[t.a] != t {
			return false
		}
		f, ok := t.a.obj.(*types.Var)
		return ok && (g.uses(f) || a.usesCompanion(g, f))
	})
}

// checkReturn looks for results that lead to memory which is in a pool.
func (a *analysis) checkReturn(st *state, i *ssa.Return, results []*sym) {
	for n, x := range results {
		if !hasPointers(i.Results[n].Type()) || x.kind == kNil || x.kind == kConst {
			continue
		}
		if isNil, known := a.known(st, a.syms.nilTest(x)); known && isNil {
			continue
		}
		var r *release
		switch m := plain(x); {
		case m.kind == kAlloc, m.kind == kAgg, m.kind == kClosure, m.kind == kHold:
			r = a.releasedShallow(st, m)
		default:
			r = a.released(st, x)
		}
		if r == nil {
			r = a.releasedNested(st, ofArray(x), 0)
		}
		if r == nil {
			r = a.leaseEnded(st, x)
		}
		if r == nil {
			r = a.stringsWithin(st, x)
		}
		if r == nil {
			r = a.inKeptToken(st, x)
		}
		if r != nil && !before(st, r) {
			a.reportReturn(st, i, n, x, r)
		}
	}
}

// before reports whether a release happened before the current activation was
// called: what it returns was its caller's to look after.
func before(st *state, r *release) bool {
	n := len(st.f.stack)
	return len(r.stack) <= n || !slices.Equal(r.stack[:n], st.f.stack)
}

// releasedShallow finds released memory in a value made here: in its fields,
// not in those of what they point to.
func (a *analysis) releasedShallow(st *state, x *sym) *release {
	if r := a.released(st, x); r != nil {
		return r
	}
	if st.detached[x] {
		return a.releasedParts(st, x, map[*sym]bool{}) // what it has been given since
	}
	for _, y := range x.list {
		if x.kind == kClosure && !isBound(x.obj.(*ssa.Function)) {
			// A captured variable that the closure may only compare or nil.
			continue
		}
		r := a.released(st, y)
		if r == nil && x.kind == kHold && isError(x.typ) {
			r = a.releasedParts(st, y, map[*sym]bool{})
		}
		if r != nil {
			return r
		}
	}
	return a.releasedParts(st, x, map[*sym]bool{})
}

// releasedParts finds released memory in the fields of an object made here, and of
// the objects made here that it leads to.
func (a *analysis) releasedParts(st *state, x *sym, seen map[*sym]bool) *release {
	if x = plain(x); x.kind == kAgg && !seen[x] {
		seen[x] = true
		for _, v := range x.list {
			if r := a.released(st, v); r != nil {
				return r
			}
			if r := a.releasedParts(st, v, seen); r != nil {
				return r
			}
		}
	}
	if x.kind != kAlloc && x.kind != kHold || seen[x] || varargs(x) {
		return nil
	}
	seen[x] = true
	for _, k := range sortedKeys(st.mem) {
		if k != x && (!inside(k, x) || k.kind != kField) {
			continue
		}
		v := st.mem[k]
		if y := plain(v); x.kind == kHold && y.kind == kHold {
			if r := a.releasedInHold(st, y, 0); r != nil {
				return r // the body of a request
			}
		}
		if r := a.released(st, v); r != nil {
			return r
		}
		if r := a.releasedParts(st, v, seen); r != nil {
			return r
		}
	}
	return nil
}

// releasedInHold finds released memory that a reader was made over, or one that it was made over.
func (a *analysis) releasedInHold(st *state, hold *sym, depth int) *release {
	for _, x := range hold.list {
		if r := a.released(st, x); r != nil {
			return r
		}
		if y := plain(x); y.kind == kHold && depth < 4 {
			if r := a.releasedInHold(st, y, depth+1); r != nil {
				return r
			}
		}
	}
	return nil
}

func fieldType(addr *sym) types.Type {
	if v, ok := addr.obj.(*types.Var); ok {
		return v.Type()
	}
	return nil
}
