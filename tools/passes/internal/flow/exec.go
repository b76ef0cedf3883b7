// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// An exit is one way in which an activation ends.
type exit struct {
	st      *state
	results []*sym
	ret     *ssa.Return
}

// Bounds on the exploration of one root. Over them the root is tried again
// with fewer callees inlined, and in the end not at all.
const (
	maxSteps  = 10_000
	maxExits  = 24 // of one inlined activation
	maxVisits = 2  // of one block on one path
)

// overBudget ends a walk. Where one callee has too many exits, it is to blame: the walk
// is tried again without following it.
type overBudget struct{ blame *ssa.Function }

// work is a point of a path still to be followed.
type work struct {
	st    *state
	block *ssa.BasicBlock
	prev  *ssa.BasicBlock
	at    int
}

// exec follows every path of an activation of fn. st.f is the caller's frame,
// nil for a root; the frames of the exits are the callee's.
func (a *analysis) exec(st *state, fn *ssa.Function, args, free []*sym, call ssa.Instruction) []exit {
	info := a.info(fn)
	f := &frame{fn: fn, env: newEnvironment(info), visits: make([]uint8, len(fn.Blocks)), parent: st.f}
	if st.f != nil {
		f.stack = append(slices.Clip(st.f.stack), call)
		f.inDefer = st.f.inDefer
	} else {
		st.refcount = -1
	}
	for i, p := range fn.Params {
		if i < len(args) {
			f.env.set(p, args[i])
		} else {
			f.env.set(p, a.syms.fresh(kOpaque, p.Type()))
		}
	}
	for i, v := range fn.FreeVars {
		if i < len(free) {
			f.env.set(v, free[i])
		} else {
			f.env.set(v, a.syms.intern(symKey{kind: kFree, obj: v}, v.Type()))
		}
	}
	st.f = f
	if call == nil && len(free) == 0 {
		a.freeAsserted(st, fn)
	}
	seen := map[uint64]bool{}
	todo := []work{{st: st, block: fn.Blocks[0]}}
	var exits []exit
	for len(todo) > 0 {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if w.at == 0 {
			b := w.block
			if w.st.f.visits[b.Index] >= a.visitsOf(w.st, b) && !a.comesRoundReleased(w.st, b, w.prev) && !a.comesRoundDeferred(w.st, b, w.prev) {
				if call == nil && endless(fn) {
					a.sentAtExit(exit{st: w.st}) // there is no other end
				}
				a.pathEnds(w.st)
				continue
			}
			w.st.f.visits[b.Index]++
			a.phis(w.st, b, w.prev)
			if len(b.Preds) > 1 {
				a.prune(w.st, b)
				h := a.signature(w.st, b)
				if seen[h] {
					a.pathEnds(w.st)
					continue
				}
				seen[h] = true
			}
		}
		next, done := a.block(w)
		for _, e := range done {
			if call == nil {
				a.pathEnds(e.st)
			}
			exits = append(exits, e)
		}
		if most := a.mostExits(); len(exits) > most && call != nil {
			if exits = a.mergeExits(exits); len(exits) > most {
				panic(overBudget{fn})
			}
		}
		todo = append(todo, next...)
	}
	if call != nil && len(exits) > 1 {
		if a.onceAll || a.steps > mergedAfter(a.limit) {
			exits = a.mergeExits(exits)
		} else if len(exits) > 2 {
			a.partAtExits()
		}
	}
	return exits
}

// mergedAfter is the number of steps, of those that a walk may take, after which the exits of calls are
// merged.
func mergedAfter(limit int) int { return min(limit, maxSteps) / 4 }

// phis binds the phis of a block on the edge from prev. Numbers that change in
// a loop become unknown when the loop comes round.
func (a *analysis) phis(st *state, b, prev *ssa.BasicBlock) {
	if prev == nil {
		return
	}
	edge := slices.Index(b.Preds, prev)
	var vals []*sym
	var phis []*ssa.Phi
	for _, i := range b.Instrs {
		p, ok := i.(*ssa.Phi)
		if !ok {
			break
		}
		v := a.val(st, p.Edges[edge])
		if st.f.visits[b.Index] > 1 && a.turnsOf(st, b) == 0 && (v.kind == kConst && v.val.Kind() == constant.Int || v.kind == kArith) {
			least := v
			v = a.opaque(st, p, 0, p.Type())
			if least.kind == kConst && onlyGrows(p) {
				below, _ := a.syms.compare(token.LSS, v, least)
				st.truth[below] = false
			}
		}
		phis, vals = append(phis, p), append(vals, v)
	}
	for i, p := range phis {
		st.f.env.set(p, vals[i])
	}
}

// block follows one block from w.at. It returns the points that follow and,
// at a return, the exits.
func (a *analysis) block(w work) (next []work, done []exit) {
	st, b := w.st, w.block
	for at := w.at; at < len(b.Instrs); at++ {
		a.steps++
		if a.steps > a.limit {
			panic(overBudget{})
		}
		instr := b.Instrs[at]
		if p := instr.Pos(); p.IsValid() {
			st.f.last = p
		}
		if a.nilFails && a.failsOnNil(st, instr) {
			a.pathEnds(st)
			return next, nil
		}
		switch i := instr.(type) {
		case *ssa.Phi:
		case *ssa.If:
			return append(next, a.branch(st, w.prev, b, i)...), nil
		case *ssa.Jump:
			return append(next, work{st: st, block: b.Succs[0], prev: b}), nil
		case *ssa.Return:
			results := make([]*sym, len(i.Results))
			for k, r := range i.Results {
				results[k] = a.val(st, r)
				if swapped(r) {
					results[k] = a.opaque(st, i, k, r.Type())
				}
			}
			a.checkReturn(st, i, results)
			return next, []exit{{st: st, results: results, ret: i}}
		case *ssa.Panic:
			a.notePanicOn(st, i)
			a.pathEnds(st)
			return next, nil
		case *ssa.RunDefers:
			states := a.runDefers(st)
			if len(states) == 0 {
				a.pathEnds(st)
				return next, nil
			}
			for _, s := range states[1:] {
				next = append(next, work{st: s, block: b, prev: w.prev, at: at + 1})
			}
			st = states[0]
		case *ssa.Call:
			mayPanic := a.mayPanic(st, i)
			outs := a.call(st, i, i.Common())
			if mayPanic && len(outs) > 0 {
				next = append(next, a.panics(outs[0].st)...)
			}
			if len(outs) == 0 {
				a.pathEnds(st)
				return next, nil
			}
			for n, o := range outs {
				o.st.f.env.set(i, o.result)
				if n > 0 {
					next = append(next, work{st: o.st, block: b, prev: w.prev, at: at + 1})
				}
			}
			st = outs[0].st
		case *ssa.Select:
			states := a.selectStates(st, i)
			if len(states) == 0 {
				a.pathEnds(st)
				return next, nil // select {}
			}
			for k, s := range states {
				splitShare(s, len(states))
				if k > 0 {
					next = append(next, work{st: s, block: b, prev: w.prev, at: at + 1})
				}
			}
			st = states[0]
		case *ssa.TypeAssert:
			if dead := a.typeAssert(st, i); dead {
				a.pathEnds(st)
				return next, nil
			}
		default:
			a.step(st, instr)
		}
	}
	return next, nil
}

// branch follows the successors of an if that the path allows.
func (a *analysis) branch(st *state, prev, b *ssa.BasicBlock, i *ssa.If) []work {
	c := a.val(st, i.Cond)
	v, ok := a.known(st, c)
	if !ok {
		v, ok = a.takesOne(st, c)
	}
	counting := st.refcount
	a.noteTest(st, c, i.Cond)
	if assertsLast(b, c) {
		st.refcount = counting
	}
	a.toldBy(st, b, c)
	a.mayAwait(st, b)
	if ok {
		s := b.Succs[1]
		if v {
			s = b.Succs[0]
		}
		a.noteSkip(st, b, s)
		comesToEnd(st, b, s)
		a.noteIdle(st, prev, b, s)
		return []work{{st: st, block: s, prev: b}}
	}
	a.charge(len(st.mem) + len(st.truth))
	a.giveUpHopeless()
	splitShare(st, 2)
	no := st.clone()
	a.assume(st, c, true)
	a.assume(no, c, false)
	a.foundEnough(st, c)
	a.foundEnough(no, c)
	a.noteSkip(st, b, b.Succs[0])
	a.noteSkip(no, b, b.Succs[1])
	comesToEnd(st, b, b.Succs[0])
	comesToEnd(no, b, b.Succs[1])
	a.noteIdle(st, prev, b, b.Succs[0])
	a.noteIdle(no, prev, b, b.Succs[1])
	// The last one is followed first: the path that leaves a loop.
	return []work{{st: st, block: b.Succs[0], prev: b}, {st: no, block: b.Succs[1], prev: b}}
}

// noteSkip records that a path passes by the arm of an if without else.
func (a *analysis) noteSkip(st *state, b, taken *ssa.BasicBlock) {
	other := b.Succs[0]
	if other == taken {
		other = b.Succs[1]
	}
	for other != taken && (other.Comment == "cond.true" || other.Comment == "cond.false") && len(other.Preds) == 1 && len(other.Succs) == 2 {
		// One test of several that are joined: what it leads to but the other arm.
		next := other.Succs[0]
		if next == taken {
			next = other.Succs[1]
		}
		other = next
	}
	if other == taken || len(other.Preds) != 1 {
		return
	}
	if testsFlag(b) && leavesWithout(taken) {
		st.skipped = append(st.skipped, other)
		return
	}
	if other.Comment != "if.then" && other.Comment != "if.else" {
		return
	}
	// The arm may have several blocks of its own; the first is what counts,
	// with those that follow it in a straight line.
	for x, n := other, 0; n < 4; n++ {
		if len(x.Succs) == 0 {
			return
		}
		if slices.Contains(x.Succs, taken) {
			st.skipped = append(st.skipped, other)
			return
		}
		if len(x.Succs) != 1 {
			// A test within the arm: follow the arm that does not leave.
			x = x.Succs[len(x.Succs)-1]
			continue
		}
		x = x.Succs[0]
		if len(x.Preds) != 1 {
			return
		}
	}
}

// noteTest sees conditions that count references.
func (a *analysis) noteTest(st *state, c *sym, cond ssa.Value) {
	how := asLimit
	if o, ok := cond.(*ssa.BinOp); ok && (makesRoom(o) || returnsMeasured(o)) {
		how = forRoom
	} else if ok && (ofEmptied(o) || joinsAtOnce(o)) {
		return
	}
	c.mentions(func(x *sym) bool {
		if t := capacityAsked(st, x); t != nil {
			set(&st.measured, t, max(st.measured[t], how))
		}
		if x.kind == kCap || x.kind == kLen && (largeConst(c) && !indexes(c, x) || tooShort(cond, x)) {
			how := how
			for y := x.a; y != nil; y = madeOf(y) {
				if how == forRoom && y.kind == kField && y.idx >= 0 {
					how = roomInPart
				}
				if y.kind == kLoad && y.a.kind == kField {
					set(&st.measured, y, max(st.measured[y], how))
				}
				if y.kind == kAlloc && how == asLimit {
					st.measureHolders(y)
				}
				if y.kind == kToken {
					if how != roomInPart && asksEnough(c, y, st.f.fn) {
						set(&st.measured, y, max(st.measured[y], whenTaken))
					} else {
						set(&st.measured, y, max(st.measured[y], how))
					}
					delete(st.truth, a.usedOn(y))
					if x.kind == kLen && a.worksOn(cond) {
						st.truth[a.usedOn(y)] = true
					}
					if !st.f.inDefer && c.b != nil && c.a.kind != kConst && c.b.kind != kConst {
						set(&st.fitted, y, true)
					}
				}
			}
		}
		return false
	})
	a.noteAsked(st, c, cond)
	if st.refcount >= 0 {
		return
	}
	counting := c.mentions(func(x *sym) bool {
		if x.kind == kAtomic {
			return !a.countsRing(x.a) && !a.neverShared(x)
		}
		if old := countedFrom(x); old != nil && old.kind == kLoad && old.a.kind == kField {
			// refs - 1 of a field that was written back.
			return st.mem[old.a] == x && !a.countsRing(old.a) && !beyond(c, x) && !withLength(c) && !a.ownDropped(st, x, old)
		}
		return false
	})
	if counting {
		st.refcount = len(st.f.stack)
	}
}

// countedFrom is what a number was before it was counted up or down, by this path.
func countedFrom(x *sym) *sym {
	if x.kind != kArith {
		return nil
	}
	for x != nil && x.kind == kArith && (x.idx == int(token.SUB) || x.idx == int(token.ADD)) {
		x = x.a
	}
	return x
}

// beyond reports whether a condition asks if a number that was counted up is
// more than a constant: a position rather than a number of references.
func beyond(c, x *sym) bool {
	return c.kind == kCmp && c.idx == int(token.LSS) && (c.a == x && c.b.kind == kConst || c.b == x && c.a.kind == kConst) &&
		(x.idx == int(token.ADD)) == (x.b.kind == kConst && constant.Sign(x.b.val) > 0)
}

// withLength reports whether a condition compares a number with the length of something: it
// is a position in that.
func withLength(c *sym) bool {
	isLen := func(x *sym) bool { return x != nil && (x.kind == kLen || x.kind == kCap) }
	return c.kind == kCmp && (isLen(c.a) || isLen(c.b))
}

// largeConst reports whether a comparison is with a number that looks like a limit.
func largeConst(c *sym) bool {
	return c.mentionsSome(setOf(kConst), func(x *sym) bool {
		return x.val.Kind() == constant.Int && constant.Compare(x.val, token.GEQ, constant.MakeInt64(16))
	})
}

// indexes reports whether a number only tells which element a condition asks for, as in
// b[len(b)-1] != '}'.
func indexes(c, number *sym) bool {
	switch c.kind {
	case kCmp, kArith:
		return (c.a == nil || indexes(c.a, number)) && (c.b == nil || indexes(c.b, number))
	}
	return c != number
}

// runDefers runs the deferred calls of the current frame, last first.
func (a *analysis) runDefers(st *state) []*state {
	states := []*state{st}
	defers := st.f.defers
	for k := len(defers) - 1; k >= 0; k-- {
		d := defers[k]
		var after []*state
		for _, s := range states {
			was := s.f.inDefer
			s.f.inDefer = true
			for _, o := range a.invoke(s, d.instr, d.callee, d.args, d.instr.Common()) {
				o.st.f.inDefer = was
				after = append(after, o.st)
			}
			if len(after) > a.mostExits() {
				panic(overBudget{})
			}
		}
		states = after
		if len(states) == 0 {
			return nil // every path through a deferred call panics or ends, and so the function does not return
		}
	}
	for _, s := range states {
		s.f.defers = nil
	}
	return states
}

// val is the symbol of an SSA value.
func (a *analysis) val(st *state, v ssa.Value) *sym {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return a.syms.zero(v.Type())
		}
		return a.syms.ofConst(v)
	case *ssa.Global:
		return a.syms.intern(symKey{kind: kGlobal, obj: v}, v.Type())
	case *ssa.Function:
		return a.syms.intern(symKey{kind: kFunc, obj: v}, v.Type())
	case *ssa.Builtin:
		return a.syms.intern(symKey{kind: kOpaque, obj: v}, v.Type())
	}
	if s := st.f.env.get(v); s != nil {
		return s
	}
	s := a.syms.fresh(kOpaque, v.Type())
	st.f.env.set(v, s)
	return s
}

// opaque is a new symbol for the result of an instruction on this path.
func (a *analysis) opaque(st *state, i ssa.Instruction, idx int, typ types.Type) *sym {
	return a.make(st, kOpaque, i, idx, typ)
}

func (a *analysis) make(st *state, k kind, i ssa.Instruction, idx int, typ types.Type) *sym {
	return a.makeOf(st, k, i, idx, typ, nil)
}

// makeOf makes a symbol that is derived from another one.
func (a *analysis) makeOf(st *state, k kind, i ssa.Instruction, idx int, typ types.Type, of *sym) *sym {
	return a.makeFrom(st, k, i, idx, typ, of, nil)
}

// makeFrom makes a symbol that differs with from, the pool that it came from if it is a
// value of one: a variable may name one pool on this path and another on the next.
func (a *analysis) makeFrom(st *state, k kind, i ssa.Instruction, idx int, typ types.Type, of *sym, from *pool) *sym {
	if idx == 0 {
		set(&st.vers, i, st.vers[i]+1)
	}
	var top ssa.Instruction
	if n := len(st.f.stack); n > 0 {
		top = st.f.stack[n-1]
	}
	s := a.syms.intern(symKey{kind: k, a: of, obj: i, idx: idx, k: st.vers[i], val: "made", top: top, from: from}, typ)
	s.pos = i.Pos()
	return s
}

// step follows an instruction that has one outcome.
func (a *analysis) step(st *state, instr ssa.Instruction) {
	env := &st.f.env
	switch i := instr.(type) {
	case *ssa.Alloc:
		s := a.make(st, kAlloc, i, 0, i.Type())
		env.set(i, s)
	case *ssa.MakeMap:
		env.set(i, a.make(st, kAlloc, i, 0, i.Type()))
	case *ssa.MakeChan:
		env.set(i, a.make(st, kAlloc, i, 0, i.Type()))
	case *ssa.MakeSlice:
		env.set(i, a.make(st, kAlloc, i, 0, i.Type()))
		a.noteMadeBeside(st, i)
	case *ssa.MakeClosure:
		s := a.syms.fresh(kClosure, i.Type())
		s.obj = i.Fn.(*ssa.Function)
		for _, b := range i.Bindings {
			s.list = append(s.list, a.val(st, b))
		}
		env.set(i, s)
	case *ssa.MakeInterface:
		env.set(i, a.syms.iface(a.val(st, i.X), i.X.Type()))
	case *ssa.ChangeType:
		env.set(i, a.val(st, i.X))
	case *ssa.ChangeInterface:
		env.set(i, a.val(st, i.X))
	case *ssa.MultiConvert:
		env.set(i, a.val(st, i.X))
	case *ssa.Convert:
		env.set(i, a.convert(st, i))
	case *ssa.SliceToArrayPointer:
		x := a.val(st, i.X)
		env.set(i, a.syms.view(x, i.Type()))
		if x.kind == kAdv {
			env.set(i, x)
		}
	case *ssa.FieldAddr:
		x := a.val(st, i.X)
		if x.kind == kNil {
			set(&st.usedNil, i.X, true)
		}
		env.set(i, a.syms.field(x, structOf(i.X.Type()), i.Field))
	case *ssa.Field:
		env.set(i, a.fieldOf(a.val(st, i.X), i.Field, i.Type()))
	case *ssa.IndexAddr:
		x := a.val(st, i.X)
		env.set(i, a.syms.elem(a.elemBase(st, x), a.val(st, i.Index), i.Type()))
		first := i.Block().Comment == "rangeindex.body" && st.f.visits[i.Block().Index] == 1
		a.visitWritten(st, i.Block(), env.get(i))
		if _, fixed := i.Index.(*ssa.Const); !fixed && (x.kind == kAlloc || first && (x.kind == kAppend || x.kind == kLoad)) {
			a.visit(st, env.get(i), first)
			a.visitStruct(st, env.get(i), i.Type().Underlying().(*types.Pointer).Elem())
		}
		a.inTurn(st, i, x, env.get(i))
	case *ssa.Index:
		x := a.val(st, i.X)
		a.use(st, i, x, "read")
		env.set(i, a.indexed(st, i))
	case *ssa.Slice:
		env.set(i, a.slice(st, i))
	case *ssa.UnOp:
		a.unop(st, i)
	case *ssa.BinOp:
		env.set(i, a.binop(st, i))
	case *ssa.Extract:
		t := a.val(st, i.Tuple)
		if t.kind == kAgg && i.Index < len(t.list) {
			env.set(i, t.list[i.Index])
		} else {
			env.set(i, a.syms.intern(symKey{kind: kOpaque, a: t, idx: i.Index, val: "extract"}, i.Type()))
		}
	case *ssa.Lookup:
		m, k := a.val(st, i.X), a.val(st, i.Index)
		a.use(st, i, m, "read")
		if _, isMap := i.X.Type().Underlying().(*types.Map); !isMap {
			env.set(i, a.opaque(st, i, 0, i.Type()))
			return
		}
		elem := i.X.Type().Underlying().(*types.Map).Elem()
		v := a.readElem(st, m, k, elem, false)
		if i.CommaOk {
			env.set(i, a.tuple(v, a.syms.intern(symKey{kind: kOk, a: v, obj: m}, types.Typ[types.Bool])))
		} else {
			env.set(i, v)
		}
	case *ssa.Range:
		env.set(i, a.val(st, i.X))
	case *ssa.Next:
		x := a.val(st, i.Iter)
		a.use(st, i, x, "ranged over")
		ok := a.opaque(st, i, 0, types.Typ[types.Bool])
		tup := i.Type().(*types.Tuple)
		if i.IsString {
			env.set(i, a.tuple(ok, a.opaque(st, i, 1, tup.At(1).Type()), a.opaque(st, i, 2, tup.At(2).Type())))
			return
		}
		k := a.opaque(st, i, 1, tup.At(1).Type())
		v := a.readElem(st, x, k, tup.At(2).Type(), st.f.visits[i.Block().Index] == 1)
		env.set(i, a.tuple(ok, k, v))
	case *ssa.MapUpdate:
		if a.putToList(st, i) {
			return
		}
		m := a.val(st, i.Map)
		a.use(st, i, m, "written")
		a.noteWrite(st, i, m, true)
		a.write(st, a.syms.elem(m, a.val(st, i.Key), nil), a.val(st, i.Value))
		a.assume(st, a.syms.nilTest(m), false)
		a.noteStore(st, i, a.syms.elem(m, a.val(st, i.Key), nil), a.val(st, i.Value))
	case *ssa.Store:
		if a.putToList(st, i) {
			return
		}
		addr, v := a.val(st, i.Addr), a.val(st, i.Val)
		a.use(st, i, addr, "written")
		a.dereferenced(st, addr)
		a.useOfKept(st, i, addr)
		a.noteFieldStore(st, i, addr, v)
		if c, ok := i.Val.(*ssa.Const); ok && c.Value == nil && addr.kind == kToken && a.takesFor(i.Parent(), takenIn(addr), 0) {
			set(&st.blank, addr, true)
		}
		if old := st.mem[addr]; old != nil && old.kind != kNil {
			a.fields0.seen[addr] = true
		}
		if _, ok := i.Val.Type().Underlying().(*types.Struct); ok {
			a.replaced(st, addr, v)
		}
		a.noteReplaced(st, i, addr)
		a.noteGiven(st, addr, v)
		bodyReplaced(st, addr)
		a.write(st, addr, a.lasting(st, addr, v))
		a.unlinked(st, addr, v)
		a.noteStore(st, i, addr, v)
	case *ssa.Send:
		if ch, x := a.val(st, i.Chan), a.val(st, i.X); !a.giveToChan(st, i, ch, x) {
			a.send(st, i, ch, x)
		}
	case *ssa.Go:
		a.goStmt(st, i)
	case *ssa.Defer:
		d := &deferred{instr: i}
		d.callee, d.args = a.resolve(st, i.Common())
		if bindsSlice(i) {
			d.vers = maps.Clone(st.vers)
		}
		st.f.defers = append(slices.Clip(st.f.defers), d)
	case *ssa.DebugRef:
	default:
		if v, ok := instr.(ssa.Value); ok {
			env.set(v, a.opaque(st, instr, 0, v.Type()))
		}
	}
}

// elemBase strips what does not change the numbering of elements.
func (a *analysis) elemBase(st *state, x *sym) *sym {
	for x.kind == kView && !st.detached[x] {
		x = x.a
	}
	return x
}

// readElem is the content of a slice or map element.
func (a *analysis) readElem(st *state, m, k *sym, typ types.Type, ranged bool) *sym {
	addr := a.syms.elem(a.elemBase(st, m), k, nil)
	if v := st.mem[addr]; v != nil {
		return v
	}
	if k.kind == kOpaque && (m.kind == kAlloc || ranged) {
		if v := a.visit(st, addr, ranged); v != nil {
			return v
		}
	}
	if m.root().kind == kAlloc && k.kind == kOpaque {
		// Some element of a container made here: if all that went in is one
		// value, that.
		var only *sym
		n := 0
		for _, x := range sortedKeys(st.mem) {
			if x.kind == kElem && x.a == a.elemBase(st, m) {
				only = st.mem[x]
				n++
			}
		}
		if n == 1 {
			return only
		}
	}
	return cmp.Or(a.keptPiece(st, addr, typ), a.syms.load(addr, st.epochOf(m), typ))
}

// unordered reports whether something went into a container made on the path
// at an index that may be the one at addr, which was not written itself.
func (a *analysis) unordered(st *state, addr *sym) bool {
	if addr.root().kind != kAlloc {
		return false
	}
	for x := range st.mem {
		if x.kind == kElem && x.a == addr.a && (x.b == nil || x.b.kind != kConst || addr.b.kind != kConst) {
			return true
		}
	}
	return false
}

// visit makes the first element that a loop looks at the one that was put in
// the container on the path, if that is one and its index is not known: the loop
// comes to it some time. Another index has another element.
func (a *analysis) visit(st *state, addr *sym, ranged bool) *sym {
	if v := st.mem[addr]; v != nil {
		return v
	}
	var v *sym
	for x := range st.mem {
		if x.kind != kElem || x.a != addr.a {
			continue
		}
		if v != nil && (v != st.mem[x] || !ranged) || x.b == nil || x.b.kind != kOpaque && !ranged {
			return nil
		}
		v = st.mem[x]
	}
	if v == nil && ranged && addr.a.kind == kLoad {
		v = a.endedElement(st, addr.a)
	}
	if v != nil {
		st.mem[addr] = v
	}
	return v
}

// endedElement is the element of a slice or map that the path found at some
// index and put, or put parts of: a loop over all of them comes to it.
func (a *analysis) endedElement(st *state, container *sym) *sym {
	var found *sym
	for x := range st.rel {
		for y := x; y != nil; y = y.a {
			if y.kind == kLoad && y.a.kind == kElem && y.a.a == container && stays(st, y) && st.epochOf(y.a) == y.idx {
				if found == nil || y.id < found.id {
					found = y
				}
			}
		}
	}
	return found
}

func (a *analysis) tuple(parts ...*sym) *sym {
	s := a.syms.fresh(kAgg, types.NewTuple())
	s.list = parts
	return s
}

func (a *analysis) slice(st *state, i *ssa.Slice) *sym {
	x := a.val(st, i.X)
	if x.kind == kNil || x.kind == kConst {
		return x
	}
	if b, ok := i.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		return a.syms.view(x, i.Type())
	}
	if literalSlice(i) && x.kind == kAlloc {
		return a.syms.intern(symKey{kind: kView, a: x, k: wholeLiteral}, i.Type())
	}
	if i.Low != nil {
		low := a.val(st, i.Low)
		if low.kind != kConst || low.val.ExactString() != "0" {
			return a.syms.intern(symKey{kind: kAdv, a: x, b: low, obj: i}, i.Type())
		}
	}
	if x.kind == kAdv {
		return x
	}
	if i.High != nil && x.kind != kNil {
		if h := a.val(st, i.High); h.kind == kConst && h.val.ExactString() == "0" {
			return a.syms.intern(symKey{kind: kView, a: x, idx: 1}, i.Type())
		} else if h.kind == kArith || h.kind == kLen || h.kind == kParam || h.kind == kLoad {
			return a.syms.intern(symKey{kind: kView, a: x, b: h}, i.Type())
		}
	}
	return a.syms.view(x, i.Type())
}

func (a *analysis) convert(st *state, i *ssa.Convert) *sym {
	x := a.val(st, i.X)
	from, to := i.X.Type().Underlying(), i.Type().Underlying()
	_, fromSlice := from.(*types.Slice)
	_, toSlice := to.(*types.Slice)
	if fromSlice || toSlice {
		// string(b) and []byte(s) copy.
		if fromSlice {
			a.use(st, i, x, "read")
			if x.kind == kConst || x.kind == kNil {
				return x
			}
			return a.opaque(st, i, 0, i.Type())
		}
		return a.make(st, kAlloc, i, 0, i.Type())
	}
	if !hasPointers(i.Type()) {
		if x.kind == kConst || x.kind == kArith || x.kind == kLen || x.kind == kCap || x.kind == kLoad || x.kind == kOpaque {
			return x
		}
		return a.opaque(st, i, 0, i.Type())
	}
	return x // unsafe.Pointer and back
}

func (a *analysis) unop(st *state, i *ssa.UnOp) {
	x := a.val(st, i.X)
	switch i.Op {
	case token.MUL:
		if !measuresOnly(i, x) {
			a.use(st, i, x, "read")
		}
		if a.takeFromList(st, i) {
			return
		}
		a.dereferenced(st, x)
		if v := a.wholeArray(st, x, i.Type()); v != nil {
			st.f.env.set(i, v)
			return
		}
		v := a.read(st, x, i.Type())
		if v.kind == kLoad && !a.ofNone(st, i.X) {
			v = cmp.Or(a.keptPiece(st, x, i.Type()), v)
		}
		st.f.env.set(i, a.asString(v, i.Type()))
		a.noteRead(st, i, x, st.f.env.get(i))
		a.noteScalarRead(st, i, st.f.env.get(i))
		a.noteTaken(st, st.f.env.get(i))
	case token.NOT:
		if x.kind == kConst {
			st.f.env.set(i, a.syms.boolean(x.val.ExactString() != "true"))
			return
		}
		if x.kind == kArith && x.idx == int(token.NOT) {
			st.f.env.set(i, x.a)
			return
		}
		st.f.env.set(i, a.syms.intern(symKey{kind: kArith, a: x, idx: int(token.NOT)}, i.Type()))
	case token.ARROW:
		v := a.takeFromChan(st, i, x)
		if v == nil {
			v = a.receive(st, i, x, i.X.Type().Underlying().(*types.Chan).Elem())
		}
		if i.CommaOk {
			st.f.env.set(i, a.tuple(v, a.syms.intern(symKey{kind: kOk, a: v}, types.Typ[types.Bool])))
		} else {
			st.f.env.set(i, v)
		}
	default:
		st.f.env.set(i, a.syms.intern(symKey{kind: kArith, a: x, idx: int(i.Op) + 1000}, i.Type()))
	}
}

func (a *analysis) binop(st *state, i *ssa.BinOp) *sym {
	x, y := a.val(st, i.X), a.val(st, i.Y)
	switch i.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		if i.Op == token.EQL || i.Op == token.NEQ {
			if x.kind == kNil || y.kind == kNil {
				x, y = plain(x), plain(y)
			}
		}
		c, neg := a.syms.compare(i.Op, x, y)
		if neg {
			return a.syms.intern(symKey{kind: kArith, a: c, idx: int(token.NOT)}, i.Type())
		}
		return c
	}
	if b, ok := i.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		return a.opaque(st, i, 0, i.Type())
	}
	if x.kind == kConst && y.kind == kConst && x.val.Kind() == constant.Int && y.val.Kind() == constant.Int && (i.Op == token.ADD || i.Op == token.SUB) {
		return a.syms.constant(constant.BinaryOp(x.val, i.Op, y.val), i.Type())
	}
	return a.syms.intern(symKey{kind: kArith, a: x, b: y, idx: int(i.Op)}, i.Type())
}

// typeAssert binds x.(T). It reports that the path ends when the assertion
// cannot hold.
func (a *analysis) typeAssert(st *state, i *ssa.TypeAssert) (dead bool) {
	x := a.val(st, i.X)
	v := x
	if x.kind == kIface && !types.IsInterface(i.AssertedType) {
		if !types.Identical(x.typ, i.AssertedType) {
			if _, generic := x.typ.(*types.TypeParam); !generic {
				if !i.CommaOk {
					return true
				}
				st.f.env.set(i, a.tuple(a.syms.zero(i.AssertedType), a.syms.boolean(false)))
				return false
			}
		}
		v = x.a
		if i.CommaOk {
			st.f.env.set(i, a.tuple(v, a.syms.boolean(true)))
		} else {
			st.f.env.set(i, v)
		}
		return false
	}
	if x.kind == kIface && i.CommaOk {
		// Whether a type has the methods is known, whatever the path.
		if it, ok := i.AssertedType.Underlying().(*types.Interface); ok && concrete(x.typ) {
			if types.Implements(x.typ, it) {
				st.f.env.set(i, a.tuple(x, a.syms.boolean(true)))
			} else {
				st.f.env.set(i, a.tuple(a.syms.null(), a.syms.boolean(false)))
			}
			return false
		}
	}
	if neverIs(x, i.AssertedType) {
		if !i.CommaOk {
			return true
		}
		st.f.env.set(i, a.tuple(a.syms.zero(i.AssertedType), a.syms.boolean(false)))
		return false
	}
	if x.kind == kToken {
		if x.typ == nil || types.IsInterface(x.typ) {
			x.typ = i.AssertedType
		}
	}
	if !i.CommaOk {
		if x.kind == kNil {
			return true
		}
		st.f.env.set(i, v)
		if v.kind == kToken {
			st.truth[a.syms.nilTest(v)] = false
		}
		return false
	}
	ok := a.syms.isOf(x, i.AssertedType)
	if a.onlyType(st, x, i) {
		st.truth[a.syms.nilTest(x)] = false
		ok = a.syms.boolean(true)
	}
	if is, known := a.assertedBefore(st, x, i.AssertedType); known {
		ok = a.syms.boolean(is)
		if !is {
			v = a.syms.zero(i.AssertedType)
		}
	}
	if t, known := st.truth[a.syms.nilTest(x)]; known && t || x.kind == kNil {
		ok = a.syms.boolean(false)
		v = a.syms.zero(i.AssertedType)
	}
	st.f.env.set(i, a.tuple(v, ok))
	return false
}

// onlyType reports whether what came from a pool, and is not nil, is asserted to have the one type that it may have there.
func (a *analysis) onlyType(st *state, x *sym, i *ssa.TypeAssert) bool {
	if x.kind != kToken || x.pool == nil || !concrete(i.AssertedType) || slices.ContainsFunc(referrers(i.X), func(r ssa.Instruction) bool {
		t, ok := r.(*ssa.TypeAssert)
		return ok && t != i
	}) {
		return false
	}
	if made := a.madeType(x.pool); made != nil {
		return types.Identical(made, i.AssertedType)
	}
	isNil, tested := st.truth[a.syms.nilTest(x)]
	return tested && !isNil
}

// takenIn is the function that took a token from its pool.
func takenIn(t *sym) *ssa.Function {
	if i, ok := t.obj.(ssa.Instruction); ok {
		return i.Parent()
	}
	return nil
}

// concrete reports whether t is a type without type parameters, and no interface.
func concrete(t types.Type) bool {
	if t == nil || types.IsInterface(t) {
		return false
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return t.TypeArgs().Len() == 0 && t.TypeParams().Len() == 0
	case *types.TypeParam:
		return false
	}
	return true
}

// signature summarises a state, so that two paths that arrive at a block
// knowing the same are followed once.
func (a *analysis) signature(st *state, b *ssa.BasicBlock) uint64 {
	var h, total uint64
	put := func(n int) { h = mix(h + uint64(n) + 0x9e3779b97f4a7c15) }
	put(b.Index)
	put(int(st.f.visits[b.Index]))
	st.f.env.live(b, func(index int, s *sym) {
		put(index)
		put(s.id)
	})
	// Maps are summed up, so that their order does not matter.
	sum := func(tag uint64, k *sym, v int) {
		total += mix(uint64(k.id)<<32 ^ uint64(uint32(v)) ^ tag<<58)
	}
	for k, v := range st.mem {
		sum(1, k, v.id)
	}
	for k, v := range st.truth {
		if v {
			sum(2, k, 1)
		} else {
			sum(2, k, 0)
		}
	}
	for k, v := range st.rel {
		sum(3, k, int(v.pos()))
	}
	for n, m := range []map[*sym]bool{st.gone, st.handed, st.detached, st.escaped, st.given} {
		for k := range m {
			sum(uint64(4+n), k, 1)
		}
	}
	for k := range st.joined {
		sum(30, k, 1)
	}
	for k, v := range st.measured {
		sum(9, k, int(v))
	}
	for k, v := range st.content {
		sum(10, k, int(v))
	}
	for k, v := range st.epoch {
		sum(11, k, v)
	}
	for k := range st.grown {
		sum(12, k, 1)
	}
	for k := range st.counted {
		sum(15, k, 1)
	}
	for k, v := range st.chosen {
		sum(13, k, v.id)
	}
	for k, v := range st.lent {
		sum(14, k, len(v))
	}
	for _, v := range st.recvs {
		put(v.id)
	}
	put(len(st.gos))
	put(len(st.running))
	put(len(st.f.defers))
	put(st.refcount)
	put(len(st.sent))
	put(len(st.filled))
	put(len(st.shared))
	for _, s := range st.skipped {
		put(s.Index)
	}
	return h ^ total
}

// mix spreads a word over 64 bits.
func mix(x uint64) uint64 {
	x ^= x >> 31
	x *= 0x9e3779b97f4a7c15
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return x ^ x>>32
}

// prune drops what a block and its successors cannot ask for.
func (a *analysis) prune(st *state, b *ssa.BasicBlock) {
	a.charge(len(st.mem) + len(st.truth))
	a.syms.marks++
	alive := a.syms.marks
	mark := func(x *sym) { x.markAll(alive) }
	st.f.env.drop(b)
	st.f.env.live(b, func(_ int, s *sym) { mark(s) })
	for f := st.f.parent; f != nil; f = f.parent {
		f.env.all(mark)
	}
	for k, v := range st.mem {
		mark(k)
		mark(v)
	}
	for _, t := range st.toks {
		mark(t)
	}
	for _, d := range st.f.defers {
		for _, x := range d.args {
			mark(x)
		}
		mark(d.callee.fn)
	}
	a.markFailing(alive)
	transient := func(x *sym) bool { return x.mark != alive && !(ofStruct(x) && x.a.mark == alive) }
	for c := range st.truth {
		if c.mentionsSome(setOf(kOpaque, kRecv, kAlloc, kAtomic, kClosure, kHold, kAgg), transient) {
			delete(st.truth, c)
		}
	}
}

// markFailing marks the errors of values that are marked: a value whose method failed stays one whose
// method failed when nobody has the error any more.
func (a *analysis) markFailing(mark int) {
	for more := true; more; {
		more = false
		for err, list := range a.failing {
			if err.mark != mark && slices.ContainsFunc(list, func(t *sym) bool { return t.mark == mark }) {
				err.markAll(mark)
				more = true
			}
		}
	}
}

// ofStruct reports whether x is a field of a struct value, which gives the same each time it
// is asked.
func ofStruct(x *sym) bool {
	if x.kind != kOpaque || x.a == nil || x.obj != nil || x.a.typ == nil {
		return false
	}
	_, ok := x.a.typ.Underlying().(*types.Struct)
	return ok
}
