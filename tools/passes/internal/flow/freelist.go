// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A buffered channel serves as a pool where one function receives from it without
// waiting and returns what it got, or something new, and another sends its parameter
// to it without waiting. Such channels are told from queues by this: nobody
// waits for them on either side, and nothing else is done with them.

// A freeUse is what a package does with one channel.
type freeUse struct {
	gets, puts []*ssa.Function
	tries      []*ssa.Function // receive and return nil if there is none
	byHand     []handUse
	other      bool
}

// collectFreeLists finds the channels that serve as pools, and the functions that take from
// them or put to them.
func (a *analysis) collectFreeLists() map[*ssa.Function]bool {
	a.freeLists, a.chanPutters = map[types.Object]*pool{}, map[*ssa.Function]bool{}
	uses := tally[freeUse]{}
	users := map[*ssa.Function][]types.Object{}
	for fn, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.Store:
			if obj := placeOf(i.Addr); obj != nil && isChan(obj.Type()) {
				if m, ok := i.Val.(*ssa.MakeChan); !ok || isZeroSize(m.Size) || !onlyFilled(m) {
					uses.of(obj).other = true
				}
			}
			if obj := placeOf(i.Val); obj != nil && isChan(obj.Type()) {
				uses.of(obj).other = true
			}
		case *ssa.UnOp:
			obj := placeOf(i.X)
			if i.Op != token.MUL || obj == nil || !isChan(obj.Type()) {
				continue
			}
			u := uses.of(obj)
			for _, r := range chosenUses(i) {
				switch freeUseOf(fn, r) {
				case freeGet:
					u.gets = append(u.gets, fn)
					users[fn] = append(users[fn], obj)
				case freeTry:
					u.tries = append(u.tries, fn)
					users[fn] = append(users[fn], obj)
				case freePut:
					u.puts = append(u.puts, fn)
					users[fn] = append(users[fn], obj)
				case freeByHand:
					u.byHand = append(u.byHand, handUse{fn, r.(*ssa.Select)})
					users[fn] = append(users[fn], obj)
				case freeNeither:
					u.other = true
				}
			}
		case *ssa.Field:
			if s := structOf(i.X.Type()); s != nil && isChan(i.Type()) {
				uses.of(s.Field(i.Field).Origin()).other = true
			}
		}
	}
	direct := map[*ssa.Function]bool{}
	a.tryLists(uses)
	for obj, u := range uses {
		if u.other || !a.takesAndPuts(u) || obj.Exported() || obj.Pkg() != a.pkg.Pkg {
			continue
		}
		if e := obj.Type().Underlying().(*types.Chan).Elem(); !pointery(e) {
			continue
		}
		for _, fn := range u.puts {
			a.chanPutters[fn] = true
		}
		a.freeLists[obj] = &pool{key: obj, name: "the channel " + obj.Name(), api: "channel", known: true, scarce: countsSlots(u.gets, u.puts), users: &listUsers{takers: u.gets, putters: u.puts}}
	}
	for fn, list := range users {
		direct[fn] = slices.ContainsFunc(list, func(o types.Object) bool { return a.freeLists[o] != nil })
	}
	a.collectLocalLists(direct)
	a.collectFilledLists(direct)
	a.collectSliceLists(direct)
	a.collectRings(direct)
	a.collectFreeChains(direct)
	return direct
}

// isList reports whether a pool is a channel, or a slice, that serves as one.
func (p *pool) isList() bool { return p.api == "channel" || p.api == "slice" }

func isChan(t types.Type) bool {
	if t == nil {
		return false // of a value that nothing told the type of
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

func isZeroSize(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return !ok && v == nil || ok && c.Int64() == 0
}

// chosenUses are the instructions that use a channel, or the one that was chosen out of it and
// others of the package, say by the size of what it is for.
func chosenUses(ch ssa.Value) []ssa.Instruction {
	var list []ssa.Instruction
	for _, r := range referrers(ch) {
		if phi, ok := r.(*ssa.Phi); ok && !slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool {
			l, ok := e.(*ssa.UnOp)
			return !ok || l.Op != token.MUL || placeOf(l.X) == nil
		}) {
			list = append(list, referrers(phi)...)
			continue
		}
		list = append(list, r)
	}
	return list
}

const (
	freeHarmless = iota // its length is asked for
	freeGet
	freePut
	freeByHand
	freeTry
	freeNeither
)

// freeUseOf tells what an instruction of fn does with a channel that it has.
func freeUseOf(fn *ssa.Function, r ssa.Instruction) int {
	switch r := r.(type) {
	case *ssa.DebugRef:
		return freeHarmless
	case *ssa.Call:
		if b, ok := r.Call.Value.(*ssa.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
			return freeHarmless
		}
	case *ssa.Send:
		if fillsNew(fn, r) {
			return freeHarmless
		}
	case *ssa.Select:
		if r.Blocking || len(r.States) != 1 {
			return freeNeither
		}
		s := r.States[0]
		if s.Dir == types.SendOnly {
			if givesParam(fn, s.Send) {
				return freePut
			}
			return freeByHand
		}
		if returnsReceived(r) {
			return freeGet
		}
		if receivedOrMade(r) != nil {
			return freeByHand
		}
		if receivesOrNil(r) {
			return freeTry
		}
	}
	return freeNeither
}

// givesParam reports whether a value is a parameter, or where that is not fit for a pool
// something new.
func givesParam(fn *ssa.Function, v ssa.Value) bool {
	isParam := func(v ssa.Value) bool {
		p, ok := derivedFrom(v).(*ssa.Parameter)
		return ok && slices.Contains(fn.Params, p)
	}
	phi, ok := derivedFrom(v).(*ssa.Phi)
	if !ok {
		return isParam(v)
	}
	n := 0
	for _, e := range phi.Edges {
		switch x := derivedFrom(e).(type) {
		case *ssa.Alloc, *ssa.MakeSlice, *ssa.Call:
		default:
			if !isParam(x) {
				return false
			}
			n++
		}
	}
	return n > 0
}

// derivedFrom strips slicing and conversions.
func derivedFrom(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.Slice:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		default:
			return v
		}
	}
}

// returnsReceived reports whether a receive without waiting is that of a function
// which returns what it received, or else something new.
func returnsReceived(sel *ssa.Select) bool {
	got := gotWithout(sel)
	return got != nil && returnsOrMakes(got)
}

// gotWithout is what a receive without waiting gives.
func gotWithout(sel *ssa.Select) ssa.Value {
	for _, r := range referrers(sel) {
		if x, ok := r.(*ssa.Extract); ok && x.Index == 2 {
			return x
		}
	}
	return nil
}

// returnsOrMakes reports whether a function returns a value that it got, or else something new.
func returnsOrMakes(got ssa.Value) bool {
	return returnsOr(got, func(v ssa.Value) bool {
		if x, ok := v.(*ssa.Extract); ok {
			v = x.Tuple // new, or the error that there is none
		}
		_, made := v.(*ssa.Call)
		return made || isNew(v)
	})
}

// returnsOr reports whether a function returns a value that it got, or one of another kind.
func returnsOr(got ssa.Value, kind func(ssa.Value) bool) bool {
	received, other := false, false
	eachReturned(got, func(v ssa.Value) {
		received, other = received || v == got, other || v != got && kind(v)
	})
	return received && other
}

// eachReturned visits what the function that got a value returns as its type.
func eachReturned(got ssa.Value, visit func(ssa.Value)) {
	var leaf func(v ssa.Value, depth int)
	leaf = func(v ssa.Value, depth int) {
		v = derivedFrom(v)
		if phi, ok := v.(*ssa.Phi); ok {
			if depth < 4 {
				for _, e := range phi.Edges {
					leaf(e, depth+1)
				}
			}
			return
		}
		if call, ok := v.(*ssa.Call); ok {
			// What is appended to an empty slice has its array where that is large enough.
			if cut, ok := appendedEmpty(call); ok {
				leaf(cut, depth+1)
				return
			}
		}
		visit(v)
	}
	for _, b := range got.Parent().Blocks {
		if ret, ok := lastInstr(b).(*ssa.Return); ok {
			for _, x := range ret.Results {
				if !types.Identical(x.Type(), got.Type()) {
					continue
				}
				for _, v := range valuesOf(x) {
					leaf(v, 0)
				}
			}
		}
	}
}

// appendedEmpty is the slice of which a call appends to an empty cut.
func appendedEmpty(call *ssa.Call) (ssa.Value, bool) {
	if !isBuiltin(call, "append") {
		return nil, false
	}
	cut, ok := call.Call.Args[0].(*ssa.Slice)
	if !ok || cut.High == nil || !isZeroSize(cut.High) {
		return nil, false
	}
	return cut.X, true
}

// listBehind is the list that a channel serves as, nil where it is none.
func (a *analysis) listBehind(ch *sym) *pool {
	if k := chanKey(ch); k != nil {
		return a.freeLists[k]
	}
	if p := a.freeLists[a.chanNamed(ch)]; p != nil && p.local {
		return p
	}
	return nil
}

// closesForGood sees a value from a list closed, or what a field of it holds: nobody puts it then, as who takes
// it next could do nothing with it.
func closesForGood(st *state, method *types.Func, args []*sym) {
	if method == nil || method.Name() != "Close" || len(args) == 0 {
		return
	}
	if t := plain(args[0]).base(); t.kind == kToken && t.pool.isList() {
		st.handOver(t)
	}
}

// takeFromChan follows a receive from a channel that serves as a pool; it is nil where the
// channel does not.
func (a *analysis) takeFromChan(st *state, i ssa.Instruction, ch *sym) *sym {
	p := a.listBehind(ch)
	if p == nil {
		return nil
	}
	if s, ok := i.(*ssa.Select); !p.filled && (!ok || s.Blocking) {
		return nil
	}
	typ := ch.typ.Underlying().(*types.Chan).Elem()
	t := a.makeFrom(st, kToken, i, 0, typ, nil, p)
	if t.stack == nil {
		for _, s := range append(slices.Clip(st.f.stack), i) {
			t.stack = append(t.stack, instrPos(s))
		}
		t.pool, t.obj = p, i
	}
	if _, isPtr := typ.Underlying().(*types.Pointer); isPtr {
		st.truth[a.syms.nilTest(t)] = false
	}
	st.toks = append(slices.Clip(st.toks), t)
	return t
}

// storedOutside reports whether memory that is not the path's own has a value.
func storedOutside(st *state, t *sym) bool {
	for addr, v := range st.mem {
		if v == t && addr.base().kind != kAlloc && addr.base().kind != kToken {
			return true
		}
	}
	return false
}

// giveToChan follows a send to a channel; it reports whether that serves as a pool.
func (a *analysis) giveToChan(st *state, i ssa.Instruction, ch, x *sym) bool {
	p := a.listBehind(ch)
	if p == nil {
		return false
	}
	if _, ok := i.(*ssa.Select); !ok && !p.filled {
		return false
	}
	if p.filled && memory(plain(x)).kind == kAlloc {
		return false // it is filled
	}
	a.shelve(st, i, x, p)
	return true
}

// decidedByPutter sees a function return that sends what it is given to a channel which serves
// as a pool, or else does something else with it: that has decided.
func (a *analysis) decidedByPutter(fn *ssa.Function, args []*sym, exits []exit) {
	if !a.chanPutters[fn] {
		return
	}
	for _, x := range args {
		x = memory(plain(x))
		if x.kind != kLoad && (x.kind != kToken || x.pool == nil || x.pool.api != "channel") {
			continue
		}
		for _, e := range exits {
			if e.st.rel[x] == nil {
				set(&e.st.handed, x, true)
				a.takeOver(e.st, x)
			}
		}
	}
}

// shelve follows a send to a channel that serves as a pool.
func (a *analysis) shelve(st *state, i ssa.Instruction, x *sym, p *pool) {
	x = plain(x)
	if x.kind == kNil || x.kind == kConst {
		return
	}
	ev := st.here(i)
	targets := a.targets(st, x)
	if a.quiet == 0 && st.f.inDefer {
		a.checkBound(st, x, ev)
	}
	a.noteShelved(st, x, p, ev)
	if st.refcount >= 0 || a.ofTurn(st) {
		a.checkStartedLast(st, targets, &ev, p)
		for _, t := range targets {
			set(&st.gone, t, true)
			a.takeOver(st, t)
		}
		return
	}
	for _, t := range targets {
		if r := a.released(st, t); r != nil {
			if !st.gone[t] && (r.pool0() == p || r.pool == nil && r.async && t.kind == kToken && t.pool == p) {
				a.reportDouble(st, t, r, &ev, p)
			}
			return
		}
	}
	a.checkGoroutines(st, targets, &ev, p)
	a.letGo(st, targets, p)
	r := &release{event: ev, flags: setFlags(st), pool: p, deferred: st.f.inDefer, value: x, received: a.received}
	for _, t := range targets {
		if t.kind == kConst || t.kind == kFunc || t.kind == kGlobal {
			continue
		}
		st.rel[t] = r
		a.takeOver(st, t)
		a.noteConsumer(t)
	}
}

// mayHaveFreeList reports whether a package sends and receives without waiting.
func mayHaveFreeList(pass *goanalysis.Pass) bool {
	sends, receives := false, false
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectStmt)
			if !ok || len(s.Body.List) != 2 {
				return !sends || !receives
			}
			comms := 0
			send := false
			for _, c := range s.Body.List {
				if c := c.(*ast.CommClause); c.Comm != nil {
					comms++
					_, send = c.Comm.(*ast.SendStmt)
				}
			}
			if comms == 1 {
				sends = sends || send
				receives = receives || !send
			}
			return true
		})
	}
	return sends && receives
}
