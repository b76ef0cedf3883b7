// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Some misuse shows only when functions run one after another on the same
// object: a constructor and then Close, a method and then another, a function
// and then the closure that it returned. The harness plays such sequences.

// Bounds on the sequences tried after one root.
const (
	maxSequenceExits = 6
	maxMethods       = 12
)

// sequences plays what may follow each exit of a root. It runs within the
// budget of the root; being over it ends the sequences, not the root.
func (a *analysis) sequences(fn *ssa.Function, exits []exit) {
	play := func(run func()) {
		steps := a.steps
		a.limit = steps + maxSteps/8
		pending := map[findingKey]finding{}
		for k, v := range a.pending {
			pending[k] = v
		}
		defer func() {
			if x := recover(); x != nil {
				if _, over := x.(overBudget); !over {
					panic(x)
				}
				a.pending = pending
			}
			a.steps = steps
		}()
		run()
	}
	seen := a.contents
	defer func() { a.contents = seen }()
	a.playReturned(fn, exits, play)
	if len(exits) > 4*maxSequenceExits {
		return
	}
	n := 0
	for _, e := range exits {
		if n >= maxSequenceExits {
			return
		}
		if a.playClosures(e, play) {
			n++
		}
		if a.playMethods(fn, e, play) {
			n++
		}
		if a.playKept(fn, e, play) {
			n++
		}
		if a.playLast(fn, e, play) {
			n++
		}
		if a.playOwner(fn, e, play) {
			n++
		}
		if a.playStream(fn, e, play) {
			n++
		}
		if a.playBody(fn, e, play) || a.playClose(fn, e, play) {
			n++
		}
		if a.playNil(fn, e, play) || a.playString(fn, e, play) {
			n++
		}
		if a.playReopened(fn, e, play) || a.playRestarted(fn, e, play) {
			n++
		}
		if a.playFinalizer(fn, e, play) {
			n++
		}
		if a.playList(fn, e, play) {
			n++
		}
	}
}

// playClosures runs the closures that a root returned.
func (a *analysis) playClosures(e exit, play func(func())) bool {
	var closures []*sym
	for _, r := range e.results {
		if r = plain(r); r.kind == kClosure {
			closures = append(closures, r)
		} else if r.kind == kAlloc {
			for _, k := range sortedKeys(e.st.mem) {
				if v := e.st.mem[k]; inside(k, r) && v.kind == kClosure && !a.calledAfterWait(k) {
					closures = append(closures, v)
				}
			}
		}
	}
	for _, k := range sortedKeys(e.st.mem) {
		switch k.base().kind {
		case kParam, kGlobal:
			if v := plain(e.st.mem[k]); v.kind == kClosure && a.holdsReleased(e.st, v) {
				closures = append(closures, v)
			}
		}
	}
	for _, c := range closures {
		fn, free := c.function()
		var recv []*sym
		if isBound(fn) && slices.Contains(e.results, c) {
			target, all, ok := a.ofMethodValue(fn, free, nil)
			if !ok {
				continue
			}
			fn, _ = target.fn.function()
			free, recv = nil, all
		}
		if len(fn.Blocks) == 0 || !a.inPackage(fn) || !a.relevant[fn] && !a.holdsReleased(e.st, c) {
			continue
		}
		play(func() {
			st := e.st.clone()
			st.f = nil
			params := slices.Clip(recv)
			for _, p := range fn.Params[len(recv):] {
				params = append(params, a.syms.fresh(kOpaque, p.Type()))
			}
			ended := a.exec(st, fn, params, free, nil)
			a.noteClosureEnds(e.st, c, len(params)-len(recv), ended, func(st *state) { a.exec(st, fn, params, free, nil) })
		})
	}
	return len(closures) > 0
}

// calledAfterWait reports whether an address is that of a field of the package's own, with a function that all who call it wait for
// a group before.
func (a *analysis) calledAfterWait(k *sym) bool {
	f, ok := k.obj.(*types.Var)
	if !ok || k.kind != kField || f.Exported() {
		return false
	}
	some, all := false, true
	for fn, i := range a.instrs() {
		c, ok := i.(ssa.CallInstruction)
		if !ok || c.Common().IsInvoke() || fieldOfValue(c.Common().Value) != f.Origin() {
			continue
		}
		some = true
		waits := false
		for w := range instrsOf(fn) {
			call, ok := w.(*ssa.Call)
			waits = waits || ok && funcKey(calledMethod(call)) == "sync.WaitGroup.Wait" && precedes(call, c)
		}
		all = all && waits
	}
	return some && all
}

func (a *analysis) holdsReleased(st *state, c *sym) bool {
	for _, b := range c.list {
		if a.releasedWithin(st, b) != nil {
			return true
		}
	}
	return false
}

// playMethods runs methods on an object that a constructor returned with
// pooled values in it, or that a method left with an alias of its own field.
func (a *analysis) playMethods(fn *ssa.Function, e exit, play func(func())) bool {
	st := e.st
	var objects []*sym
	for _, r := range e.results {
		if r = plain(r); r.kind == kAlloc && a.holdsTwice(st, r) {
			objects = append(objects, r)
		}
	}
	if fn.Signature.Recv() != nil && len(fn.Params) > 0 {
		if recv := a.syms.intern(symKey{kind: kParam, obj: fn.Params[0]}, fn.Params[0].Type()); a.aliasesItself(st, recv) {
			objects = append(objects, recv)
		}
	}
	for _, x := range objects {
		t := x.typ
		if t == nil {
			continue
		}
		methods := types.NewMethodSet(t)
		tried := 0
		for sel := range methods.Methods() {
			m := a.prog.MethodValue(sel)
			if m == nil || m.Pkg != a.pkg || len(m.Blocks) == 0 || !a.relevant[m] && !returnsMemory(m) || tried >= maxMethods {
				continue
			}
			tried++
			play(func() {
				s := st.clone()
				s.f = nil
				args := []*sym{x}
				for _, p := range m.Params[1:] {
					args = append(args, a.syms.fresh(kOpaque, p.Type()))
				}
				a.exec(s, m, args, nil, nil)
			})
		}
	}
	return len(objects) > 0
}

func returnsMemory(m *ssa.Function) bool {
	for v := range m.Signature.Results().Variables() {
		if hasPointers(v.Type()) {
			return true
		}
	}
	return false
}

// holdsTwice reports whether two fields of an object made here, or of those made here that
// it leads to, lead to one token.
func (a *analysis) holdsTwice(st *state, x *sym) bool {
	seen := map[*sym]bool{}
	twice := false
	var look func(x *sym, depth int)
	look = func(x *sym, depth int) {
		for _, k := range sortedKeys(st.mem) {
			if !inside(k, x) {
				continue
			}
			switch v := plain(st.mem[k]); {
			case v.kind == kToken && seen[v]:
				twice = true
			case v.kind == kToken:
				seen[v] = true
			case v.kind == kAlloc && v != x && depth < 2 && !seen[v] && v.typ != nil && structOf(v.typ) != nil:
				seen[v] = true
				look(v, depth+1)
			}
		}
	}
	look(x, 0)
	return twice
}

// aliasesItself reports whether a method left, in one field of its receiver,
// part of the memory that another pointer field leads to.
func (a *analysis) aliasesItself(st *state, recv *sym) bool {
	for _, k := range sortedKeys(st.mem) {
		v := st.mem[k]
		if k.base() != recv || v.kind != kView && v.kind != kAppend && v.kind != kAdv {
			continue
		}
		// The memory is reached through a pointer in another field.
		hops := 0
		for y := memory(v); y != nil; y = y.a {
			if y.kind == kLoad || y.kind == kToken {
				hops++
			}
			if y.kind == kLoad && y.a == k {
				hops = 0
				break
			}
		}
		if hops < 2 {
			continue
		}
		if !passes(k, pathPointer(memory(v))) {
			return true
		}
	}
	return false
}

// pathPointer is the innermost pointer through which memory is reached.
func pathPointer(m *sym) *sym {
	for y := m.a; y != nil; y = y.a {
		if y.kind == kLoad || y.kind == kToken {
			return y
		}
	}
	return m
}

// playLast runs the method that ends the life of an object after another one
// that put what a field holds and left it there. Only a second Put counts: that
// an object is used no more after its last method is the caller's duty.
func (a *analysis) playLast(fn *ssa.Function, e exit, play func(func())) bool {
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 || !token.IsExported(fn.Name()) || last(fn.Name()) || givesUp(fn.Name()) {
		return false
	}
	recv := a.syms.intern(symKey{kind: kParam, obj: fn.Params[0]}, fn.Params[0].Type())
	if recv.typ == nil || !a.leavesReleased(e.st, recv) {
		return false
	}
	played := false
	for sel := range types.NewMethodSet(recv.typ).Methods() {
		m := a.prog.MethodValue(sel)
		if m == nil || m.Pkg != a.pkg || len(m.Blocks) == 0 || len(m.Params) != 1 || !last(m.Name()) && !givesUp(m.Name()) || !a.relevant[m] {
			continue
		}
		played = true
		play(func() {
			before := map[findingKey]bool{}
			for k := range a.pending {
				before[k] = true
			}
			s := e.st.clone()
			s.f = nil
			a.exec(s, m, []*sym{recv}, nil, nil)
			for k := range a.pending {
				if !before[k] && k.pattern != doublePut {
					delete(a.pending, k)
				}
			}
		})
	}
	return played
}

// last reports whether a method of that name is the last to be called on an object.
func last(name string) bool {
	return slices.ContainsFunc(lastNames, func(p string) bool { return strings.HasPrefix(name, p) })
}

// ends is last, for methods that only the package calls, too.
func ends(name string) bool {
	return name != "" && last(strings.ToUpper(name[:1])+name[1:])
}

var lastNames = []string{"Close", "Release", "Free", "Stop", "Destroy", "Recycle", "Dispose", "Shutdown", "Put", "Unref", "Deref", "Discard", "Finalize", "Finish", "Done"}

// givesUp reports whether a method of that name is called where something did not succeed.
func givesUp(name string) bool { return name == "Abort" || name == "Rollback" }

// leavesReleased reports whether a field of an object still holds what was put, or a closure in one does.
func (a *analysis) leavesReleased(st *state, obj *sym) bool {
	for x, r := range st.rel {
		if x.kind == kLoad && x.a.kind == kFree && x.a == a.syms.find(symKey{kind: kFree, obj: x.a.obj, k: obj.id}) && !r.async && !st.gone[x] && stays(st, x) {
			return true
		}
		if x.kind == kLoad && (x.a.kind == kField || x.a.kind == kElem) && x.base() == obj && !r.async && !st.gone[x] && stays(st, x) {
			return true
		}
	}
	return false
}

// stays reports whether nothing on the way to a value was written since.
func stays(st *state, x *sym) bool {
	for ; x != nil; x = x.a {
		if x.kind == kLoad && st.mem[x.a] != nil && st.mem[x.a] != x {
			return false
		}
	}
	return true
}

// methodOn follows a method on an object as a path left it, with arguments that nobody knows. keep is asked of
// each finding that is new, and may change it; it sees them after then, which gets the exits.
func (a *analysis) methodOn(st *state, m *ssa.Function, recv *sym, then func(exits []exit), keep func(k findingKey, f *finding) bool) {
	before := maps.Clone(a.pending)
	s := st.clone()
	s.f = nil
	args := []*sym{recv}
	for _, p := range m.Params[1:] {
		args = append(args, a.syms.fresh(kOpaque, p.Type()))
	}
	exits := a.exec(s, m, args, nil, nil)
	if then != nil {
		then(exits)
	}
	for k, f := range a.pending {
		if _, old := before[k]; old {
			continue
		}
		if !keep(k, &f) {
			delete(a.pending, k)
			continue
		}
		a.pending[k] = f
	}
}
