// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A callee is what a call resolves to on a path.
type callee struct {
	builtin *ssa.Builtin
	fn      *sym         // function or closure; nil when unknown
	of      *sym         // the function value or object that candidates are chosen for
	from    *sym         // the function value that alts are for
	alts    []*sym       // candidates, when a variable or field may hold several
	method  *types.Func  // static callee's or interface method's object
	iface   bool         // an interface method that could not be resolved
	dynamic bool         // a function value that could not be resolved
	open    bool         // alts may not be all
	types   []types.Type // of the receiver of iface, as far as known
}

// An outcome is one way in which a call returns.
type outcome struct {
	st     *state
	result *sym
}

// resolve finds the callee and evaluates the arguments, the receiver first.
func (a *analysis) resolve(st *state, c *ssa.CallCommon) (callee, []*sym) {
	var args []*sym
	if c.IsInvoke() {
		recv := a.val(st, c.Value)
		a.notNil(st, recv)
		args = append(args, recv)
		for _, x := range c.Args {
			args = append(args, a.val(st, x))
		}
		if m := a.concreteMethod(recv, c); m != nil {
			args[0] = plain(recv)
			method := c.Method
			if obj, ok := m.Object().(*types.Func); ok && a.told(obj) {
				method = obj
			}
			return callee{fn: a.syms.intern(symKey{kind: kFunc, obj: m}, m.Type()), method: method}, args
		}
		if isHandler(c.Value.Type()) && c.Method.Name() == "ServeHTTP" {
			if alts := a.dynamicFuncs(c.Value, nil); len(alts) > 0 {
				return callee{alts: alts, open: true, method: c.Method, iface: true}, args
			}
		}
		if types := a.dynamicTypes(c); len(types) > 0 {
			return callee{method: c.Method, iface: true, types: types}, args
		}
		return callee{method: c.Method, iface: true, alts: a.alternatives(st, c, recv, args), of: recv}, args
	}
	for _, x := range c.Args {
		args = append(args, a.val(st, x))
	}
	switch v := c.Value.(type) {
	case *ssa.Builtin:
		return callee{builtin: v}, args
	case *ssa.Function:
		obj, _ := v.Object().(*types.Func)
		return callee{fn: a.val(st, v), method: obj}, args
	}
	f := a.val(st, c.Value)
	if _, ok := f.obj.(*lentEnds); ok {
		return callee{dynamic: true, of: f}, args
	}
	if fn, _ := f.function(); fn != nil {
		return a.ofFunction(f, args)
	}
	if alts := a.candidates(f); len(alts) > 0 {
		return callee{alts: alts, from: f}, args
	}
	if alts := a.alternatives(st, c, f, args); len(alts) > 0 {
		return callee{dynamic: true, alts: alts, of: f, from: f}, args
	}
	if alts := a.dynamicFuncs(c.Value, owner(f)); len(alts) > 0 {
		return callee{alts: alts, open: true, dynamic: true}, args
	}
	return callee{dynamic: true, of: f}, args
}

// told reports whether something is known of a function that is not in view.
func (a *analysis) told(f *types.Func) bool {
	if _, ok := poolFuncOf(f); ok {
		return true
	}
	return a.named(f).effect != 0 || f.Pkg() != nil && strings.HasPrefix(f.Pkg().Path(), codec+"/") || a.hasSummary(f) || a.leavesSomething(f)
}

// concreteMethod resolves an interface call whose receiver's type is known on
// the path, or that only one type in view can implement.
func (a *analysis) concreteMethod(recv *sym, c *ssa.CallCommon) *ssa.Function {
	var t types.Type
	switch {
	case recv.kind == kIface:
		t = recv.typ
	case recv.kind == kToken && recv.typ != nil && !types.IsInterface(recv.typ):
		t = recv.typ
	case recv.kind == kToken && a.madeType(recv.pool) != nil:
		t = a.madeType(recv.pool)
	case recv.kind == kAlloc && concrete(recv.typ) && isTypeParam(c.Value.Type()):
		t = recv.typ
	default:
		t = a.onlyBehind(c.Value)
	}
	if t == nil || types.IsInterface(t) {
		return nil
	}
	if _, generic := types.Unalias(t).(*types.TypeParam); generic {
		return nil
	}
	return a.methodNamed(t, c.Method)
}

// methodNamed is a type's method of the name of m, or nil.
func (a *analysis) methodNamed(t types.Type, m *types.Func) *ssa.Function {
	key := methodKey{t, m}
	fn, ok := a.methods[key]
	if !ok {
		if sel := types.NewMethodSet(t).Lookup(m.Pkg(), m.Name()); sel != nil {
			fn = a.prog.MethodValue(sel)
		}
		a.methods[key] = fn
	}
	return fn
}

type methodKey struct {
	of     types.Type
	method *types.Func
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// call follows a call instruction.
func (a *analysis) call(st *state, i *ssa.Call, c *ssa.CallCommon) []outcome {
	target, args := a.resolve(st, c)
	outs := a.invoke(st, i, target, args, c)
	a.noteFailing(target, args, c, outs)
	if c.IsInvoke() {
		a.errAfterEnd(c, args[0], outs)
	}
	return outs
}

// invoke follows a call of target, now or when deferred.
func (a *analysis) invoke(st *state, i ssa.CallInstruction, target callee, args []*sym, c *ssa.CallCommon) []outcome {
	if target.builtin != nil {
		return []outcome{{st, a.builtin(st, i, target.builtin, args, c)}}
	}
	if len(target.alts) > 0 {
		var outs []outcome
		if target.alts[len(target.alts)-1] == nil && slices.ContainsFunc(target.alts, func(f *sym) bool { return f != nil && a.relevant[f.obj.(*ssa.Function)] }) {
			// One of them may put it: which one is called is not known.
			for _, x := range args {
				a.reach(st, x, func(y *sym) bool {
					if tracked(y) {
						st.handOver(y)
					}
					return true
				})
			}
		}
		if target.open {
			rest := target
			rest.alts = nil
			outs = a.invoke(st.clone(), i, rest, args, c)
			if target.iface {
				args = args[1:] // the handler is the function
			}
		}
		for n, f := range target.alts {
			s := st
			if n < len(target.alts)-1 {
				s = st.clone()
			}
			if target.of != nil {
				of := choiceFor(target.of)
				set(&s.chosen, of, f)
				if f == nil {
					set(&s.chosen, of, of) // stands for code out of view
				}
			}
			if f != nil && target.from != nil && !a.takesWith(s, target.from, f) || f != nil && a.ranBefore(s, i, f) {
				continue
			}
			if f != nil && len(target.alts) > 1 && a.comesBack(s, f.obj.(*ssa.Function)) {
				continue
			}
			if f == nil {
				other := target
				other.alts = nil
				outs = append(outs, a.invoke(s, i, other, args, c)...)
				continue
			}
			one, all := a.ofFunction(f, args)
			outs = append(outs, a.invoke(s, i, one, a.withReceiver(one.fn, all, c), c)...)
		}
		return outs
	}
	if len(target.types) > 0 {
		return a.invokeDynamic(st, i, target, args, c)
	}
	if target.method != nil {
		a.leaseUse(st, i, target.method, args)
		if pf, ok := poolFuncOf(target.method); ok {
			return a.poolCall(st, i, pf, target, args, c)
		}
		a.listCall(st, i, target.method, args)
		if ways, ok := a.throughBuffer(st, i, target.method, args); ok {
			var outs []outcome
			for _, w := range ways {
				after := a.invokeKnown(w.st, i, target, args, c)
				for _, o := range after {
					if err := lastGiven(o); w.failed && err != nil {
						o.st.truth[a.syms.nilTest(err)] = false
					}
				}
				outs = append(outs, after...)
			}
			return outs
		}
	}
	return a.tellSeqs(target, args, a.tellErrors(target, args, a.invokeKnown(st, i, target, args, c)))
}

// comesBack reports whether a function, one of several that a call may be of, calls one that the path is in: that round
// shows nothing that this one does not.
func (a *analysis) comesBack(st *state, fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		callee := c.Common().StaticCallee()
		for f := st.f; f != nil && callee != nil; f = f.parent {
			if f.fn == callee && fn != callee {
				return true
			}
		}
	}
	return false
}

// invokeKnown follows a call of one function.
func (a *analysis) invokeKnown(st *state, i ssa.CallInstruction, target callee, args []*sym, c *ssa.CallCommon) []outcome {
	if a.ofNil(target, args, c) {
		return nil
	}
	a.forgetFar(st, args)
	closesForGood(st, target.method, args)
	if outs, ok := a.callEnds(st, i, target, c); ok {
		return outs
	}
	if target.method != nil {
		if fromPackage(target.method, "slices", "maps", "sort") && a.callsBack(args, c) {
			a.notePassed(st, target, args, c)
		}
		if outs, ok := a.known0(st, i, target, args, c); ok {
			return outs
		}
	}
	if target.fn != nil {
		fn, free := target.fn.function()
		a.noteByInput(st, i, fn, args)
		if outs, ok := a.inline(st, i, fn, args, free); ok {
			return outs
		}
		if fn.Parent() != nil && a.relevant[fn] {
			// It may put what its variables held before, and what was made of that.
			for _, t := range st.toks {
				set(&st.handed, t, true)
			}
		}
		if obj := target.method; obj != nil {
			if a.hasSummary(obj) {
				a.notePassed(st, target, args, c)
			}
			if outs, ok := a.applySummary(st, i, obj, args, c); ok {
				a.storeFar(outs, i, obj, args)
				return outs
			}
		}
	}
	outs := a.unknownCall(st, i, target, args, c)
	if target.fn != nil {
		if fn, _ := target.fn.function(); a.inPackage(fn) {
			a.givesItself(outs, fn, args)
		}
	}
	if f := a.farCallee(st, target, args, c); f != nil {
		outs = a.leaveRunning(outs, i, f, args)
		a.storeFar(outs, i, f, args)
	}
	return outs
}

// inline follows a callee's body in place, if it can matter.
func (a *analysis) inline(st *state, i ssa.CallInstruction, fn *ssa.Function, args, free []*sym) ([]outcome, bool) {
	if o := fn.Origin(); o != nil && len(fn.Blocks) == 0 || fn.Origin() != nil {
		if o := fn.Origin(); o != nil && len(o.Blocks) > 0 {
			fn = o
		}
	}
	if len(fn.Blocks) == 0 || !a.inPackage(fn) || a.refused[fn] {
		return nil, false
	}
	depth := len(st.f.stack)
	if depth >= a.maxDepth {
		return nil, false
	}
	a.partAtDepth(depth)
	if a.wide[fn] >= maxWide && !a.onceAll {
		a.refused[fn] = true
		return nil, false
	}
	active := 0
	for f := st.f; f != nil; f = f.parent {
		if f.fn == fn {
			active++
		}
	}
	if active > 0 && !a.relevant[fn] || !a.matters(st, fn, args, free) {
		return nil, false
	}
	if active > 1 {
		return nil, true // recursion that ends at once, or one call deeper, shows what there is to see
	}
	a.closesToo(st, i, fn, args)
	caller := st.f
	born := len(st.toks)
	refcount := st.refcount
	exits := a.exec(st, fn, args, free, i)
	a.decidedByPutter(fn, args, exits)
	if fn.Signature.Results().Len() == 0 {
		// A function that puts its argument on some paths only has decided.
		for _, x := range exits {
			for t := range x.st.rel {
				for _, e := range exits {
					if e.st.rel[t] == nil && !putsInArms(fn, exits, t) && !putsFailed(fn, exits, t) && !putsAside(fn, exits, t) && !sendsElse(fn, exits, t) {
						a.takeOver(e.st, t)
						delete(e.st.lent, t) // who only borrowed it before does not matter
					}
				}
			}
			for t := range x.st.gone {
				for _, e := range exits {
					if !e.st.gone[t] && e.st.rel[t] == nil {
						a.takeOver(e.st, t)
					}
				}
			}
		}
	}
	outs := make([]outcome, 0, len(exits))
	for _, e := range exits {
		a.conventional(e.st, fn.Signature, e.results)
		a.givenOn(e.st, e.results)
		var result *sym
		switch len(e.results) {
		case 0:
			result = a.syms.null()
		case 1:
			result = e.results[0]
		default:
			result = a.tuple(e.results...)
		}
		a.closeFrame(e.st, caller, born, e.results)
		if takesSize(fn, args) {
			for _, t := range e.st.toks[min(born, len(e.st.toks)):] {
				if !takesAny(e.st, fn, args, t) {
					t.val = constant.MakeBool(true)
				}
			}
		}
		e.st.f = caller.clone()
		e.st.refcount = refcount
		e.st.returned = e.ret
		outs = append(outs, outcome{e.st, result})
	}
	return outs, true
}

// closeFrame ends an inlined activation: tokens taken in it that neither its
// results nor memory of the caller's lead to are its own affair.
func (a *analysis) closeFrame(st *state, caller *frame, born int, results []*sym) {
	if len(st.toks) == born {
		return
	}
	visible := map[*sym]bool{}
	roots := slices.Clone(results)
	for f := caller; f != nil; f = f.parent {
		f.env.all(func(x *sym) { roots = append(roots, x) })
	}
	for k, v := range st.mem {
		if b := k.base(); b.kind != kAlloc && !(b.kind == kToken && slices.Contains(st.toks[born:], b)) {
			roots = append(roots, v)
		}
	}
	a.reachAll(st, roots, func(x *sym) bool { visible[x] = true; return true })
	kept := st.toks[:born:born]
	for _, t := range st.toks[born:] {
		if visible[t] || st.sent[t] != nil {
			kept = append(kept, t)
		}
	}
	st.toks = kept
}

// matters reports whether following fn's body can change what is known of a
// pooled value.
func (a *analysis) matters(st *state, fn *ssa.Function, args, free []*sym) bool {
	if a.relevant[fn] || a.leavesHere(fn) || a.makesUser(fn) {
		return true
	}
	for _, list := range [][]*sym{args, free} {
		for _, x := range list {
			if !hasPointers0(x) {
				continue
			}
			hit := false
			a.reach(st, x, func(y *sym) bool {
				if hit {
					return false
				}
				switch {
				case y.kind == kToken, y.kind == kClosure, st.rel[y] != nil, y.kind == kRecv && slices.Contains(st.recvs, y):
					hit = true
				case (y.kind == kParam || y.kind == kFree || y.kind == kLoad || y.kind == kGlobal || y.kind == kAlloc) && a.smallBody(fn):
					hit = true
				case a.syms.fedBack[y] != nil && a.smallBody(fn):
					hit = true
				case fieldOfReceived(y) && a.relevant[a.root] && a.smallBody(fn):
					hit = true
				}
				return !hit
			})
			if hit {
				return true
			}
		}
	}
	return false
}

// makesUser reports whether a function only makes an object whose methods deal with pools: the object is
// known where its making is.
func (a *analysis) makesUser(fn *ssa.Function) bool {
	if len(fn.Blocks) == 0 || len(fn.Blocks) > 4 || fn.Signature.Results().Len() == 0 || !a.smallBody(fn) {
		return false
	}
	n := recvName(fn.Signature.Results().At(0).Type())
	return n != nil && a.siblings[n]
}

// fieldOfReceived reports whether a value was found in a struct that came from a channel.
func fieldOfReceived(x *sym) bool {
	return x.kind == kOpaque && x.a != nil && x.a.kind == kRecv && x.typ != nil && isPtr(x.typ)
}

// takesSize reports whether a function is told a size that was worked out: a
// constant one is a guess, which what is appended may go beyond.
func takesSize(fn *ssa.Function, args []*sym) bool {
	for n, p := range fn.Params {
		if isInteger(p.Type()) && (n >= len(args) || args[n].kind != kConst) {
			return true
		}
	}
	return false
}

// takesAny reports whether a function that is asked for a size gives what the one pool of that size and all
// others has, and never asked how large that is: nothing is promised.
func takesAny(st *state, fn *ssa.Function, args []*sym, t *sym) bool {
	i, ok := t.obj.(ssa.CallInstruction)
	if !ok || i.Parent() != fn || st.measured[t] != 0 || st.fitted[t] || len(i.Common().Args) == 0 {
		return false
	}
	v := i.Common().Args[0]
	for {
		fa, ok := v.(*ssa.FieldAddr)
		if !ok {
			break
		}
		v = fa.X
	}
	switch v := v.(type) {
	case *ssa.Global:
		return true
	case *ssa.Parameter:
		n := slices.Index(fn.Params, v)
		if n < 0 || n >= len(args) {
			return false
		}
		x := args[n]
		for x.kind == kField {
			x = x.a
		}
		return x.kind == kGlobal
	}
	return false
}

// workedOut reports whether one of the arguments of a call is a number that is
// not a constant.
func workedOut(c *ssa.CallCommon, args []*sym) bool {
	for n, x := range args {
		if isInteger(argType(c, n)) && x.kind != kConst {
			return true
		}
	}
	return false
}

func isInteger(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func hasPointers0(x *sym) bool { return x.typ == nil || hasPointers(x.typ) }

// smallBody reports whether a body is cheap to follow.
func (a *analysis) smallBody(fn *ssa.Function) bool {
	n := 0
	for _, b := range fn.Blocks {
		n += len(b.Instrs)
	}
	most := 1
	if a.nilFails {
		most = 2 // one method, of which the path is known by what it left
	}
	return n <= 80*most && len(fn.Blocks) <= 12*most
}

func (a *analysis) inPackage(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	return fn.Pkg == a.pkg || fn.Pkg == nil && fn.Synthetic != ""
}

// unknownCall follows a call into code that is not in view: it borrows its
// arguments, may change what they point to, and may call closures.
func (a *analysis) unknownCall(st *state, i ssa.CallInstruction, target callee, args []*sym, c *ssa.CallCommon) []outcome {
	name := ""
	if target.method != nil {
		name = target.method.Name()
	}
	for n, x := range args {
		if !hasPointers0(x) {
			continue
		}
		r := a.released(st, x)
		if r == nil {
			r = a.releasedVararg(st, x)
		}
		if r == nil && mayRead(target, n) && (target.method != nil || isSlice(argType(c, n)) || structOf(argType(c, n)) != nil) {
			if r = a.stringsWithin(st, x); r == nil {
				r = a.streamOver(st, x, argType(c, n))
			}
		}
		if r == nil {
			r = a.heldOut(st, target, x, argType(c, n), n)
		}
		if r == nil {
			r = a.heldByReflection(st, target, x, n)
		}
		if t := argType(c, n); r == nil && name != "Close" && (streams(t) || plain(x).kind == kHold) {
			r = a.leaseEnded(st, x)
		}
		if r != nil {
			a.reportUse(st, i, x, r, "passed to "+calleeName(target, c))
		}
		a.noteWriter(st, i, x, argType(c, n), name)
		a.noteLastUsers(st, i, x)
	}
	if target.dynamic || target.iface || name == "Wait" {
		st.running = nil // who knows what it waits for
	}
	if name == "Wait" {
		st.gos = nil
	}
	a.closed(st, name, args)
	if target.dynamic {
		a.stopped(st, target.of)
		a.noteHook(st, c, args)
	}
	lending := map[int]*borrower{}
	for n, x := range args {
		if b := a.onlyBorrows(st, i, target, plain(x)); b != nil {
			lending[n] = b
			a.lenders = append(a.lenders, b)
		}
	}
	a.notePassed(st, target, args, c)
	a.giveUp(st, target, args)
	a.written(st, i, target, args)
	states := []*state{st}
	for n, x := range args {
		x = plain(x)
		if fn, free := x.function(); fn != nil && len(fn.Blocks) > 0 && x.kind == kClosure && a.inPackage(fn) {
			// The callee may call the closure, or not.
			var after []*state
			for _, s := range states {
				params := make([]*sym, len(fn.Params))
				for k, p := range fn.Params {
					params[k] = a.syms.fresh(kOpaque, p.Type())
				}
				a.bodyParams(s, target, params)
				other := s.clone()
				if b := lending[n]; b != nil {
					for _, y := range sortedKeys(b.holds) {
						set(&other.uncalled, y, b.call)
					}
				}
				if outs, ok := a.inline(s, i, fn, params, free); ok {
					for _, o := range outs {
						// A closure that puts a value takes it over: it may run
						// now or much later.
						puts := false
						a.reach(o.st, o.result, func(y *sym) bool {
							if tracked(y) {
								o.st.handOver(y) // returned to the callee
							}
							return true
						})
						for _, k := range sortedKeys(o.st.rel) {
							if other.rel[k] == nil {
								set(&other.gone, k, true)
								a.takeOver(other, k)
								puts = true
							}
						}
						if !puts {
							after = append(after, o.st)
						}
					}
				}
				after = append(after, other)
			}
			states = after
			if len(states) > a.mostExits() {
				panic(overBudget{})
			}
		}
		t := argType(c, n)
		for _, s := range states {
			if pointsToStruct(t) || x.kind == kAlloc || filledIn(x, t) {
				a.havoc(s, x)
			}
			if h := plain(x); h.kind == kHold {
				for _, y := range h.list {
					if y = plain(y); y.kind == kAlloc {
						a.havoc(s, y) // an encoder writes to what it was made for
					}
				}
			}
			if x.kind != kClosure && a.putsItsFields(args[n], t) {
				a.reach(s, x, func(y *sym) bool {
					if y != plain(x) && tracked(y) {
						s.handOver(y)
					}
					return true
				})
			}
			if x.kind != kClosure && (mayKeep(target, t, n) && !(target.iface && isSlice(t) && readsInto(target.method) && shelfOf(x) == nil) || a.mayPutArg(target, c, n) || keepsArgs(target.method) || mayReturn(target, t, c) || a.putsItself(args[n], t) || n == 0 && target.iface && a.mayPutReceiver(target.method)) {
				a.reach(s, x, func(y *sym) bool {
					switch {
					case !tracked(y), y != x && (plainSlice(t) || plainMap(t)) && structOf(y.typ) != nil:
						// Whoever has the bytes of a struct does not have the struct, nor who has its entries.
					case y.kind == kRecv && isSlice(t) && y != plain(x) && y == plain(x).base():
						// Nor who has a list that was read from a field of what was received.
					case (y == x || inOwnSlice(s, x, y)) && (n > 0 && target.iface || target.dynamic):
						s.lend(y, i)
					default:
						s.handOver(y)
					}
					if y.kind == kAlloc || firstAppend(y) {
						s.escapesBy(y, i, y == shelfOf(x) && isSlice(t) && (n > 0 && target.iface || target.dynamic))
					}
					return true
				})
			}
		}
	}
	a.lenders = a.lenders[:len(a.lenders)-len(lending)]
	outs := make([]outcome, 0, len(states))
	if k := measure(name); k != kOpaque && len(args) == 1 && c.Signature().Results().Len() == 1 {
		for _, s := range states {
			m := a.makeOf(s, k, i, 0, c.Signature().Results().At(0).Type(), plain(args[0]))
			outs = append(outs, outcome{s, m})
		}
		return outs
	}
	for _, s := range states {
		x := a.appendLike(s, i, target, args, c)
		if x == nil {
			x = a.opaqueResult(s, i, c)
			for _, part := range append(slices.Clip(x.list), x) {
				a.noteFedBack(part, args, c)
			}
		}
		outs = append(outs, outcome{s, x})
	}
	return outs
}

// filledIn reports whether a value is part of an array that the path made, of numbers that a
// callee may have read into it.
func filledIn(x *sym, t types.Type) bool {
	if x.kind != kView && x.kind != kAdv || x.root().kind != kAlloc || !addrOnly(x) {
		return false
	}
	s, ok := t.Underlying().(*types.Slice)
	return ok && !hasPointers(s.Elem())
}

// releasedVararg finds released memory among the variable arguments of a call.
func (a *analysis) releasedVararg(st *state, x *sym) *release {
	base := a.elemBase(st, x)
	if !varargs(base) {
		return nil
	}
	for _, k := range sortedKeys(st.mem) {
		if k.kind == kElem && k.a == base {
			if r := a.released(st, st.mem[k]); r != nil && !a.empty(st, plain(st.mem[k])) {
				return r
			}
		}
	}
	return nil
}

// giveUp stops following what is passed to a function that could have been
// followed but was not, or that may pass its argument on in its result.
func (a *analysis) giveUp(st *state, target callee, args []*sym) {
	if target.fn == nil {
		return
	}
	fn, free := target.fn.function()
	lose := func(x *sym, all bool) {
		a.reach(st, x, func(y *sym) bool {
			if tracked(y) {
				st.handOver(y)
			}
			if y.kind == kToken {
				a.fields0.hidden[y.pool] = true
			}
			if all && (y.kind == kToken || y.kind == kParam || y.kind == kLoad) {
				set(&st.gone, y, true)
			}
			return true
		})
	}
	if len(fn.Blocks) > 0 && a.inPackage(fn) {
		if o := fn.Origin(); a.relevant[fn] || o != nil && a.relevant[o] {
			for _, x := range append(slices.Clone(args), free...) {
				lose(x, true)
			}
			// What it takes from a pool and returns is used here, unseen.
			for v := range fn.Signature.Results().Variables() {
				if t := pointee(v.Type()); t != nil {
					a.fields0.unseen[t.Obj()] = true
				}
			}
			return
		}
		for n, x := range args {
			if n < len(fn.Params) && a.storesParam(fn, n) {
				lose(x, false)
			}
		}
	} else if fn.Pkg == nil || isStdPath(fn.Pkg.Pkg.Path()) {
		return
	}
	// Code of other modules, or such as is too much to follow, may keep an argument
	// in what it returns.
	keeps := false
	for v := range fn.Signature.Results().Variables() {
		switch v.Type().Underlying().(type) {
		case *types.Pointer, *types.Interface, *types.Struct, *types.Slice:
			if v.Type().String() != "error" {
				keeps = true
			}
		}
	}
	if !keeps {
		return
	}
	for _, x := range args {
		if hasPointers0(x) && (x.typ == nil || !isBytes(x.typ)) {
			lose(x, false)
		}
	}
}

// storesParam reports whether a function of the package stores or sends its n-th parameter somewhere, itself or
// by functions of the package that it gives it to.
func (a *analysis) storesParam(fn *ssa.Function, n int) bool {
	p := fn.Params[n]
	known, ok := a.storing[p]
	if !ok {
		if a.storing == nil {
			a.storing = map[*ssa.Parameter]bool{}
		}
		known = a.stored(p, map[ssa.Value]bool{})
		a.storing[p] = known
	}
	return known
}

func (a *analysis) stored(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Val == v {
				return true
			}
		case *ssa.MapUpdate:
			if r.Value == v || r.Key == v {
				return true
			}
		case *ssa.Send, *ssa.MakeClosure, *ssa.Go, *ssa.Select:
			return true
		case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Slice, *ssa.Phi, *ssa.TypeAssert:
			if a.stored(r.(ssa.Value), seen) {
				return true
			}
		case ssa.CallInstruction:
			callee := a.calledFunction(r)
			if callee == nil || !a.inPackage(callee) {
				continue
			}
			for k, x := range r.Common().Args {
				if x == v && k < len(callee.Params) && a.stored(callee.Params[k], seen) {
					return true
				}
			}
		}
	}
	return false
}

// opaqueResult is the unknown result of a call.
func (a *analysis) opaqueResult(st *state, i ssa.CallInstruction, c *ssa.CallCommon) *sym {
	res := c.Signature().Results()
	switch res.Len() {
	case 0:
		return a.syms.null()
	case 1:
		x := a.opaque(st, i, 0, res.At(0).Type())
		a.noteInstance(st, x, c)
		return x
	}
	parts := make([]*sym, res.Len())
	for k := range parts {
		parts[k] = a.opaque(st, i, k, res.At(k).Type())
	}
	return a.tuple(parts...)
}

func argType(c *ssa.CallCommon, n int) types.Type {
	if c.IsInvoke() {
		if n == 0 {
			return c.Value.Type()
		}
		n--
	}
	if n < len(c.Args) {
		return c.Args[n].Type()
	}
	return types.Typ[types.Invalid]
}

func pointsToStruct(t types.Type) bool {
	if t == nil {
		return false
	}
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return types.IsInterface(t)
	}
	_, ok = p.Elem().Underlying().(*types.Struct)
	return ok
}

// mayKeep reports whether a callee out of view may have taken over a value
// passed as type t. Plain memory and readers are lent; a pointer to a type of
// this program's, given to code that is chosen at run time, may be put back there.
func mayKeep(target callee, t types.Type, n int) bool {
	if !target.dynamic && !target.iface {
		return false
	}
	if target.iface && n == 0 {
		switch target.method.Name() {
		case "Close", "Release", "Free", "Stop", "Put", "Recycle":
			return true
		}
		return false
	}
	if _, generic := types.Unalias(t).(*types.TypeParam); generic {
		return true // its constraint does not say what a caller makes of it
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return !fromStd(u.Elem())
	case *types.Interface:
		if u.NumMethods() == 0 {
			return true
		}
		for m := range u.Methods() {
			switch m.Name() {
			case "Close", "Release", "Free", "Unref", "Recycle", "Put":
				return true
			}
		}
		return false
	case *types.Chan, *types.Signature, *types.Map:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Slice:
		_, basic := u.Elem().Underlying().(*types.Basic)
		return !basic
	case *types.Struct:
		return true
	}
	return false
}

// readsInto reports whether an interface's method fills what it is given, and tells how much, as io.Reader's
// does: such a method keeps nothing of it.
func readsInto(m *types.Func) bool {
	if m == nil || !strings.HasPrefix(m.Name(), "Read") {
		return false
	}
	r := m.Signature().Results()
	return r.Len() == 2 && isInteger(r.At(0).Type()) && isError(r.At(1).Type())
}

// mayPutArg reports whether a call that was not resolved may be one of a function of the package that deals with
// pools and is given the argument.
func (a *analysis) mayPutArg(target callee, c *ssa.CallCommon, n int) bool {
	switch {
	case target.iface && n > 0:
	case target.dynamic && !c.IsInvoke():
	default:
		return false
	}
	if n >= len(c.Args) && !target.iface || !isPtr(argType(c, n)) {
		return false
	}
	return slices.ContainsFunc(a.fns, func(fn *ssa.Function) bool {
		if !a.relevant[fn] || (fn.Signature.Recv() != nil) != target.iface || target.iface && fn.Name() != target.method.Name() {
			return false
		}
		return n < len(fn.Params) && len(referrers(fn.Params[n])) > 0 && types.Identical(fn.Signature, c.Signature())
	})
}

// mayPutReceiver reports whether an interface's method may be one of the
// package's that deals with pools.
func (a *analysis) mayPutReceiver(m *types.Func) bool {
	return slices.ContainsFunc(a.fns, func(fn *ssa.Function) bool {
		return fn.Signature.Recv() != nil && fn.Name() == m.Name() && a.relevant[fn]
	})
}

// mayReturn reports whether code chosen at run time may give a slice back in
// its result, grown or not, as append does, or a pointer, bare or behind an interface.
func mayReturn(target callee, t types.Type, c *ssa.CallCommon) bool {
	if !target.dynamic && !target.iface {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Pointer:
	default:
		return false
	}
	for v := range c.Signature().Results().Variables() {
		if types.Identical(v.Type(), t) {
			return true
		}
		if it, ok := v.Type().Underlying().(*types.Interface); ok && isPtr(t) && it.NumMethods() > 0 && types.Implements(t, it) {
			return true
		}
	}
	return false
}

func fromStd(t types.Type) bool {
	if t == nil {
		return false
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		_, basic := t.Underlying().(*types.Basic)
		return basic
	}
	if n.Obj().Pkg() == nil {
		return true
	}
	return isStdPath(n.Obj().Pkg().Path())
}

func isStdPath(path string) bool {
	for i := 0; i < len(path) && path[i] != '/'; i++ {
		if path[i] == '.' {
			return false
		}
	}
	switch first, _, _ := cut(path, '/'); first {
	case "bufio", "bytes", "compress", "container", "context", "crypto", "database", "encoding", "errors", "fmt", "hash", "html", "image", "io",
		"log", "math", "mime", "net", "os", "path", "reflect", "regexp", "runtime", "slices", "sort", "strconv", "strings", "sync", "text", "time",
		"unicode", "unsafe", "archive", "bits", "maps", "iter", "testing":
		return true
	}
	return false
}

func cut(s string, c byte) (before, after string, found bool) {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

func calleeName(target callee, c *ssa.CallCommon) string {
	if target.method != nil {
		return target.method.Name()
	}
	if target.fn != nil {
		if fn, _ := target.fn.function(); fn != nil {
			return fn.Name()
		}
	}
	return "a function"
}

// goStmt starts a goroutine.
func (a *analysis) goStmt(st *state, i *ssa.Go) {
	target, args := a.resolve(st, i.Common())
	a.start(st, i, target, args)
}

// start follows what starts a goroutine: a go statement, or a call that does so.
func (a *analysis) start(st *state, i ssa.CallInstruction, target callee, args []*sym) {
	held := slices.Clone(args)
	var fn *ssa.Function
	var free []*sym
	if target.fn != nil {
		fn, free = target.fn.function()
		held = append(held, free...)
	}
	for _, x := range held {
		if r := a.releasedWithin(st, x); r != nil && hasPointers0(x) {
			a.reportUse(st, i, x, r, "passed to a goroutine")
		}
	}
	// What the goroutine puts on every path it takes over.
	took := map[*sym]int{}
	waits := map[*sym]bool{}
	count := 0
	before := a.received
	var ends []outcome
	if fn != nil && len(fn.Blocks) > 0 && a.inPackage(fn) && len(st.f.stack) < a.maxDepth {
		a.partAtDepth(len(st.f.stack))
		s := st.clone()
		s.f.defers = nil
		a.quiet++
		func() {
			defer func() { a.quiet-- }()
			if outs, ok := a.inline(s, i, fn, args, free); ok {
				ends = outs
				for _, o := range outs {
					count++
					for x, r := range o.st.rel {
						if st.rel[x] == nil {
							took[x]++
							waits[x] = waits[x] || r.received > before || r.async && a.received > before
						}
					}
					for x := range o.st.gone {
						if !st.gone[x] {
							took[x] += 0
						}
					}
				}
			}
		}()
	}
	a.lostInGo(st, i, ends, args)
	left := a.leftValues(st, ends)
	a.noteLeftRunning(st, i, ends)
	// What the goroutine finds in shared memory it may find there much later.
	direct := map[*sym]bool{}
	within := slices.Clone(held)
	for n := 0; n < len(within) && n < 64; n++ {
		for _, x := range []*sym{plain(within[n]), st.mem[plain(within[n])]} {
			if x != nil && x.kind == kClosure {
				within = append(within, x.list...) // what a function that it was given to call has
			}
		}
	}
	for _, x := range within {
		for _, y := range []*sym{plain(x), memory(plain(x)), st.mem[plain(x)]} {
			if y != nil {
				direct[y], direct[memory(y)] = true, true
			}
		}
	}
	keys := sortedKeys(took)
	for _, x := range keys {
		// A goroutine that waits for something first, or serves a channel of
		// the value's, puts it back when its time has come.
		if took[x] == count && count > 0 && !waits[x] && !hasChan(x) && direct[x] {
			a.letGo(st, []*sym{x}, nil)
			st.rel[x] = &release{event: st.here(i), async: true, value: x}
		} else {
			set(&st.gone, x, true)
			if took[x] == count && a.keptIn(st, within, x) {
				a.noteGoPut(st, i, x, ends)
			}
		}
		set(&st.handed, x, true)
		a.takeOver(st, x)
		a.noteTurns(st.here(i), x)
	}
	var holds []*sym
	for _, x := range held {
		if hasPointers0(x) {
			holds = append(holds, x)
		}
		a.reach(st, x, func(y *sym) bool {
			// What was not followed may put it, and be waited for.
			if tracked(y) && (fn == nil || count == 0 && a.relevant[fn]) {
				st.handOver(y)
			}
			return true
		})
	}
	g := &spawn{event: st.here(i), holds: holds, leaves: left, had: a.partsOf(st, holds), last: st.refcount >= 0}
	if fn != nil && len(fn.Blocks) > 0 && a.inPackage(fn) {
		g.body, g.args, g.free = fn, args, free
	}
	st.gos = append(slices.Clip(st.gos), g)
	a.changedByGo(st, g)
	a.errorsSet(st, g, ends)
}

// hasChan reports whether a value is a struct with a channel, or a channel.
func hasChan(x *sym) bool {
	if x.typ == nil {
		return false
	}
	if _, ok := x.typ.Underlying().(*types.Chan); ok {
		return true
	}
	if s := structOf(x.typ); s != nil {
		for f := range s.Fields() {
			if _, ok := f.Type().Underlying().(*types.Chan); ok {
				return true
			}
		}
	}
	return false
}

// takeOver marks the tokens that x is part of as somebody else's to put back.
func (a *analysis) takeOver(st *state, x *sym) {
	for y := x; y != nil; y = y.a {
		if tracked(y) {
			set(&st.handed, y, true)
		}
	}
}

// send gives a value to a channel's receiver.
func (a *analysis) send(st *state, i ssa.Instruction, ch, v *sym) {
	a.use(st, i, ch, "sent on")
	if r := a.releasedWithin(st, v); r != nil && (a.released(st, v) != nil || !a.keptUnread(st, r)) {
		a.reportUse(st, i, v, r, "sent on a channel")
	}
	e := st.here(i)
	a.takesSlot(st, ch, v)
	a.noteSender(st, ch, plain(v))
	a.noteSignal(st, ch)
	path, consumed := a.consumers[a.chanNamed(ch)]
	consumed = consumed && !a.signalled[a.chanNamed(ch)]
	a.reach(st, v, func(y *sym) bool {
		if y.kind == kToken || y.kind == kLoad || y.kind == kRecv {
			set(&st.sent, y, &e)
			a.noteSent(st, &e, ch, y)
		}
		if y.kind == kAlloc || firstAppend(y) {
			st.escape(y)
		}
		return true
	})
	if holds, parts := a.heldByReceiver(st, v, consumed); len(holds) > 0 {
		// Unless something is received or awaited before a Put, the receiver may
		// still be at it.
		st.gos = append(slices.Clip(st.gos), &spawn{event: e, holds: holds, sink: receiver, on: a.chanField(ch), with: parts})
	}
	if consumed {
		x := v
		if path >= 0 && v.kind == kAgg && path < len(v.list) {
			x = v.list[path]
		}
		if y := plain(v); path >= 0 && y.kind == kAlloc {
			x = a.sentField(st, y, path)
		}
		if x = plain(x); x.kind == kToken || x.kind == kLoad || x.kind == kParam {
			if st.rel[x] == nil {
				a.sentWithout(st, x)
				st.rel[x] = &release{event: e, async: true, value: x}
				set(&st.handed, x, true)
			}
		}
	}
}

// receive takes a value from a channel, and waits for whoever sends it.
func (a *analysis) receive(st *state, i ssa.Instruction, ch *sym, typ types.Type) *sym {
	a.use(st, i, ch, "received from")
	if st.timedOut = isTimer(ch); !st.timedOut && !a.givesSlot(st, ch) {
		left := a.unanswered(st, i, ch)
		a.awaited(st, i, ch)
		st.gos = append(slices.Clip(st.gos), left...)
		a.noteReply(st, ch)
		st.join(ch)
	}
	a.noteEnded(st, ch)
	a.noteFired(st, ch)
	a.comesBackBy(st, ch)
	s, ok := i.(*ssa.Select)
	st.walkedOff = ok && a.besideReply(st, s, ch)
	if !ok || s.Blocking {
		st.running = nil // the sender may have waited
	}
	set(&st.vers, i, st.vers[i]+1)
	a.received++
	v := a.syms.intern(symKey{kind: kRecv, a: ch, obj: i, k: st.vers[i]}, typ)
	if _, isPtr := typ.Underlying().(*types.Pointer); isPtr && a.chanField(ch) != nil {
		st.recvs = append(slices.Clip(st.recvs), v)
	}
	if ch.kind == kLoad && ch.a.kind == kField {
		a.noteDrained(st, ch.a.a)
		a.takenOutBySender(st, ch)
	}
	return v
}

// isTimer reports whether a channel is a clock's or a context's: receiving from
// it waits for no goroutine of this program's.
func isTimer(ch *sym) bool {
	switch ch.kind {
	case kOpaque:
		if i, ok := ch.obj.(ssa.CallInstruction); ok {
			c := i.Common()
			if c.IsInvoke() {
				return c.Method.Name() == "Done" && c.Method.Pkg() != nil && c.Method.Pkg().Path() == "context"
			}
			if f := c.StaticCallee(); f != nil && f.Object() != nil {
				switch funcKey(f.Object().(*types.Func)) {
				case "time.After", "time.Tick":
					return true
				}
			}
		}
	case kLoad:
		if c, ok := ch.typ.Underlying().(*types.Chan); ok {
			if n, ok := types.Unalias(c.Elem()).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" {
				return true
			}
		}
	}
	return false
}

// selectStates forks a select into its cases.
func (a *analysis) selectStates(st *state, i *ssa.Select) []*state {
	tup := i.Type().(*types.Tuple)
	var states []*state
	n := len(i.States)
	if !i.Blocking {
		n++
	}
	for k := range n {
		s := st
		if k < n-1 {
			s = st.clone()
		}
		parts := make([]*sym, tup.Len())
		index := k
		if k == len(i.States) {
			index = -1
		}
		parts[0] = a.syms.constant(constInt(index), types.Typ[types.Int])
		parts[1] = a.syms.fresh(kOpaque, types.Typ[types.Bool])
		for m := 2; m < len(parts); m++ {
			parts[m] = a.syms.fresh(kOpaque, tup.At(m).Type())
		}
		if index >= 0 {
			c := i.States[k]
			ch := a.val(s, c.Chan)
			if c.Dir == types.SendOnly {
				if x := a.val(s, c.Send); !a.giveToChan(s, i, ch, x) {
					a.send(s, i, ch, x)
				}
			} else {
				at := 2
				for m := range k {
					if i.States[m].Dir == types.RecvOnly {
						at++
					}
				}
				v := a.takeFromChan(s, i, ch)
				if v == nil {
					v = a.receive(s, i, ch, c.Chan.Type().Underlying().(*types.Chan).Elem())
				}
				parts[1] = a.syms.intern(symKey{kind: kOk, a: v}, types.Typ[types.Bool])
				if at < len(parts) {
					parts[at] = v
				}
			}
		}
		s.f.env.set(i, a.tuple(parts...))
		states = append(states, s)
	}
	return states
}
