// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// fixedFields finds the fields that no function sets but the one that makes
// the object: whoever gets the object afterwards finds there what was put in
// when it was made. Fields whose address is taken, or whose struct is assigned
// as a whole, are left out.
func (a *analysis) fixedFields() {
	a.fixed = map[types.Object]bool{}
	set := map[types.Object]bool{}   // stored to by the maker
	moves := map[types.Object]bool{} // anything else
	var all func(t types.Type, depth int)
	all = func(t types.Type, depth int) {
		if s := structOf(t); s != nil && depth < 8 {
			for f := range s.Fields() {
				moves[f.Origin()] = true
				if _, in := f.Type().Underlying().(*types.Struct); in {
					all(f.Type(), depth+1)
				}
			}
		}
	}
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.FieldAddr:
			s := structOf(i.X.Type())
			if s == nil {
				continue
			}
			f := s.Field(i.Field).Origin()
			if f.Pkg() != a.pkg.Pkg {
				continue
			}
			set[f] = true // one that is only read is what it always was, too
			for _, r := range referrers(i) {
				switch r := r.(type) {
				case *ssa.UnOp, *ssa.DebugRef:
				case *ssa.Store:
					if r.Addr == ssa.Value(i) && fieldRoot[*ssa.Alloc](i.X) != nil {
						set[f] = true
					} else {
						moves[f] = true
					}
				case *ssa.FieldAddr, *ssa.IndexAddr:
					moves[f] = true
				default:
					moves[f] = true
				}
			}
		case *ssa.Store:
			if fieldRoot[*ssa.Alloc](i.Addr) == nil {
				all(i.Addr.Type(), 0)
			}
		}
	}
	for f := range set {
		if v := f.(*types.Var); !moves[f] && !v.Exported() && (hasPointers(v.Type()) || isBool(v.Type())) {
			a.fixed[f] = true
		}
	}
}

// playStream runs methods that read on from an object after one that put, at
// the end of what there was to read, what a field holds, and left it there, or the object itself. That a
// caller stops there is the custom; Read may be asked once again, for nothing but
// the same answer, and a caller may go back.
func (a *analysis) playStream(fn *ssa.Function, e exit, play func(func())) bool {
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 || !hasPrefix(fn.Name(), streamNames) {
		return false
	}
	recv := a.syms.intern(symKey{kind: kParam, obj: fn.Params[0]}, fn.Params[0].Type())
	if recv.typ == nil {
		return false
	}
	itself := false
	if !a.leavesReleased(e.st, recv) {
		if itself = fn.Name() == "Read" && putItself(e.st, recv); !itself {
			return false
		}
	}
	tried := 0
	for sel := range types.NewMethodSet(recv.typ).Methods() {
		m := a.prog.MethodValue(sel)
		if m == nil || m.Pkg != a.pkg || len(m.Blocks) == 0 || tried >= maxMethods {
			continue
		}
		restarts := hasPrefix(m.Name(), restartNames) || a.takesMarkBack(e.st, recv, m)
		if !restarts && !strings.HasPrefix(m.Name(), "Read") {
			continue
		}
		if itself && m != fn {
			continue // whoever took it from the pool may start anew
		}
		tried++
		play(func() {
			a.methodOn(e.st, m, recv, func(exits []exit) {
				if !a.pendingIn(m) && restarts {
					a.readAgain(fn, m, recv, exits)
				}
			}, func(k findingKey, _ *finding) bool {
				return k.pattern == doublePut || k.pattern == useAfterPut && restarts
			})
		})
	}
	return tried > 0
}

// putItself reports whether a method put its own object.
func putItself(st *state, recv *sym) bool {
	r := st.rel[recv]
	return r != nil && !r.async && !st.gone[recv]
}

// pendingIn reports whether something was found in fn, on this way or on another.
func (a *analysis) pendingIn(fn *ssa.Function) bool {
	for _, f := range a.pending {
		if f.fn == fn {
			return true
		}
	}
	return false
}

// Methods by which an object is read to its end, and those by which one starts anew.
var (
	streamNames  = []string{"Read", "Next", "Scan", "Peek", "Skip", "WriteTo"}
	restartNames = []string{"Seek", "Reset", "Rewind"}
)

func hasPrefix(name string, list []string) bool {
	return slices.ContainsFunc(list, func(p string) bool { return strings.HasPrefix(name, p) })
}

// playBody closes the body of a request or response again. A handler, the
// middleware around it, clients and transports all close bodies.
func (a *analysis) playBody(fn *ssa.Function, e exit, play func(func())) bool {
	if fn.Name() != "Close" || fn.Signature.Recv() == nil || len(fn.Params) != 1 || !a.bodies[recvName(fn.Signature.Recv().Type())] {
		return false
	}
	recv := a.syms.intern(symKey{kind: kParam, obj: fn.Params[0]}, fn.Params[0].Type())
	if !a.leavesReleased(e.st, recv) {
		return false
	}
	play(func() {
		a.methodOn(e.st, fn, recv, nil, func(k findingKey, f *finding) bool {
			f.message = "each call of Close puts it in the pool again, and the body of a request or response is often closed more than once: by its user, by the middleware or transport around it, by a deferred call"
			if isResponse(recv.typ) {
				f.message = "each call of Close puts it in the pool again, and the handler that is given this writer may close it as well: set the field to nil, as Close and the other methods ask for"
			}
			return k.pattern == doublePut
		})
	})
	return true
}

// collectBodies finds the types that become the body of a request or response.
func (a *analysis) collectBodies() {
	a.bodies = map[*types.TypeName]bool{}
	if len(a.closers) == 0 || !slices.ContainsFunc(a.pkg.Pkg.Imports(), func(p *types.Package) bool { return p.Path() == "net/http" }) {
		return
	}
	a.collectWriters()
	for _, i := range a.instrs() {
		c, ok := i.(*ssa.Call)
		if !ok {
			continue
		}
		switch funcKey(calledMethod(c)) {
		case "net/http.NewRequest", "net/http.NewRequestWithContext", "net/http.Post", "net/http.Client.Post":
			// What has a Close is the body as it is. Where the package closes it as well, that call tells.
			for _, t := range a.flowTo(lastArg(&c.Call)) {
				if n := t.typ; n != nil && !a.closesItself(n) {
					a.bodies[recvName(n)] = true
				}
			}
		}
	}
	for _, fn := range a.fns {
		eachStore(fn, func(i *ssa.Store) {
			addr, ok := i.Addr.(*ssa.FieldAddr)
			if !ok || namedPkg(addr.X.Type()) != "net/http" {
				return
			}
			if s := structOf(addr.X.Type()); s == nil || s.Field(addr.Field).Name() != "Body" {
				return
			}
			for _, c := range a.flowTo(i.Val) {
				if n := c.typ; n != nil {
					a.bodies[recvName(n)] = true
				}
			}
		})
	}
}

// closesItself reports whether the package calls Close of a type.
func (a *analysis) closesItself(t types.Type) bool {
	sel := types.NewMethodSet(t).Lookup(a.pkg.Pkg, "Close")
	if sel == nil {
		return false
	}
	fn := a.prog.MethodValue(sel)
	return fn != nil && len(a.callsOf(fn)) > 0
}

// shelves finds the tokens that only elements of slices and maps lead to which
// were made on the path and that nobody else has, with the container.
func (a *analysis) shelves(st *state, kept map[*sym]bool) map[*sym]*sym {
	var found map[*sym]*sym
	for _, addr := range sortedKeys(st.mem) {
		if addr.kind != kElem || varargs(addr.a) {
			continue
		}
		c := shelfOf(addr)
		if c == nil || kept[c] || st.escaped[c] || st.handed[c] {
			continue
		}
		a.reach(st, st.mem[addr], func(x *sym) bool {
			if x.kind == kToken && !kept[x] {
				if found == nil {
					found = map[*sym]*sym{}
				}
				found[x] = c
			}
			return true
		})
	}
	return found
}

// noteEmptied sees of which containers a path puts elements, or passes them on.
func (a *analysis) noteEmptied(st *state) {
	note := func(x *sym) {
		for ; x != nil; x = x.a {
			if x.kind == kElem {
				if c := shelfOf(x); c != nil {
					a.unshelved[shelfKey(c)] = true
				}
			}
		}
	}
	for x := range st.rel {
		note(x)
	}
	for x := range st.gone {
		note(x)
	}
	for x := range st.handed {
		note(x)
	}
	for x := range st.sent {
		note(x)
	}
	for _, g := range st.gos {
		for _, h := range g.holds {
			note(h)
		}
	}
}

// playOwner ends an object that a method returned and that its receiver keeps,
// and then the receiver: what both put is put twice.
func (a *analysis) playOwner(fn *ssa.Function, e exit, play func(func())) bool {
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 {
		return false
	}
	if n := recvName(fn.Signature.Recv().Type()); n == nil || !n.Exported() || fn.Object() == nil || !fn.Object().Exported() {
		return false // callers in view tell
	}
	owner := a.syms.intern(symKey{kind: kParam, obj: fn.Params[0]}, fn.Params[0].Type())
	played := false
	for _, x := range e.results {
		if x = plain(x); x.kind != kAlloc || x.typ == nil {
			continue
		}
		if n := recvName(x.typ); n == nil || !n.Exported() {
			continue
		}
		kept := false
		a.reach(e.st, owner, func(y *sym) bool {
			kept = kept || y == x
			return !kept
		})
		if !kept {
			continue
		}
		for _, m := range a.lastMethods(x.typ) {
			for _, o := range a.lastMethods(owner.typ) {
				played = true
				play(func() {
					before := maps.Clone(a.pending)
					s := e.st.clone()
					s.f = nil
					for _, closed := range a.exec(s, m, []*sym{x}, nil, nil) {
						s := closed.st
						s.f = nil
						a.exec(s, o, []*sym{owner}, nil, nil)
					}
					for k := range a.pending {
						if _, old := before[k]; !old && k.pattern != doublePut {
							delete(a.pending, k)
						}
					}
				})
			}
		}
	}
	return played
}

// lastMethods are the methods without arguments that end the life of an object
// of type t and deal with pools.
func (a *analysis) lastMethods(t types.Type) []*ssa.Function {
	var list []*ssa.Function
	for sel := range types.NewMethodSet(t).Methods() {
		m := a.prog.MethodValue(sel)
		if f, ok := sel.Obj().(*types.Func); ok && m == nil && len(sel.Index()) == 1 {
			m = a.prog.FuncValue(f.Origin()) // of a generic type
		}
		if m != nil && m.Pkg == a.pkg && len(m.Blocks) > 0 && len(m.Params) == 1 && last(m.Name()) && a.relevant[m] {
			list = append(list, m)
		}
	}
	return list
}

// fromPackage reports whether a function is one of some packages.
func fromPackage(f *types.Func, paths ...string) bool {
	return f.Pkg() != nil && slices.Contains(paths, f.Pkg().Path())
}

// picksElement reports whether a function returns an element of the slice that it is given.
func picksElement(f *types.Func) bool {
	switch funcKey(f) {
	case "slices.MinFunc", "slices.MaxFunc", "slices.Min", "slices.Max":
		return true
	}
	return false
}

// callsBack reports whether a call is given a function that may deal with pools.
func (a *analysis) callsBack(args []*sym, c *ssa.CallCommon) bool {
	for n, x := range args {
		if _, isFunc := argType(c, n).Underlying().(*types.Signature); !isFunc {
			continue
		}
		if fn, _ := x.function(); fn == nil || a.relevant[fn] || isBound(fn) || len(fn.Blocks) == 0 && (fn.Pkg == nil || !isStdPath(fn.Pkg.Pkg.Path())) {
			return true
		}
	}
	return false
}

// notePassed sees which containers, and values in them, are given to code that was
// not followed: unlike a value alone, they are often given to be taken over.
func (a *analysis) notePassed(st *state, target callee, args []*sym, c *ssa.CallCommon) {
	if len(st.toks) == 0 {
		return
	}
	if f := target.method; target.fn != nil && f != nil && f.Pkg() != nil && f.Pkg() != a.pkg.Pkg && isStdPath(f.Pkg().Path()) && !a.callsBack(args, c) {
		if fn, _ := target.fn.function(); fn != nil && fn.Pkg != nil || picksElement(f) || !hasPointers(c.Signature().Results()) {
			return
		}
	}
	for n, x := range args {
		if n == 0 && (c.Signature().Recv() != nil || c.IsInvoke()) || !hasPointers0(x) || plainSlice(argType(c, n)) {
			continue // a receiver, or memory that is lent
		}
		a.reach(st, x, func(y *sym) bool {
			if a.borrowed(y) {
				return true
			}
			switch y.kind {
			case kToken:
				a.unshelved[y.stack[0]] = true
			case kAlloc:
				a.unshelved[y.obj] = true
			case kAppend:
				if c := shelfOf(y); c != nil {
					a.unshelved[shelfKey(c)] = true
				}
			case kElem, kLoad:
				if c := shelfOf(y); c != nil {
					a.unshelved[shelfKey(c)] = true
				} else if c := y.base(); c.kind == kAlloc {
					a.unshelved[c.obj] = true
				}
			}
			return true
		})
	}
}

// plainSlice reports whether t is a slice of numbers or strings.
func plainSlice(t types.Type) bool {
	if t == nil {
		return false
	}
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	_, ok = s.Elem().Underlying().(*types.Basic)
	return ok
}

// plainMap reports whether t is a map by numbers or strings, with such values, slices of them, or
// what has no type that would lead to another object.
func plainMap(t types.Type) bool {
	if t == nil {
		return false
	}
	m, ok := t.Underlying().(*types.Map)
	if !ok {
		return false
	}
	if _, ok := m.Key().Underlying().(*types.Basic); !ok {
		return false
	}
	switch e := m.Elem().Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Interface:
		return e.Empty()
	}
	return plainSlice(m.Elem())
}

// collectFinalizers finds the types whose objects get a finalizer that is never
// taken back, with the finalizer.
func (a *analysis) collectFinalizers() {
	a.finalizers = map[*types.TypeName]*ssa.Function{}
	if len(a.closers) == 0 || !slices.ContainsFunc(a.pkg.Pkg.Imports(), func(p *types.Package) bool { return p.Path() == "runtime" }) {
		return
	}
	for _, i := range a.instrs() {
		c, ok := i.(*ssa.Call)
		if !ok {
			continue
		}
		callee := c.Call.StaticCallee()
		if callee == nil || callee.Name() != "SetFinalizer" || callee.Pkg == nil || callee.Pkg.Pkg.Path() != "runtime" {
			continue
		}
		var f *ssa.Function
		if m, ok := c.Call.Args[1].(*ssa.MakeInterface); ok {
			f, _ = m.X.(*ssa.Function)
		}
		if f != nil && f.Synthetic != "" && f.Object() != nil {
			f = a.prog.FuncValue(f.Object().(*types.Func)) // a method's expression
		}
		if f == nil {
			clear(a.finalizers) // taken back, or not known
			return
		}
		if m, ok := c.Call.Args[0].(*ssa.MakeInterface); ok && len(f.Blocks) > 0 && len(f.Params) == 1 && a.relevant[f] {
			if n := recvName(m.X.Type()); n != nil {
				a.finalizers[n] = f
			}
		}
	}
}

// playFinalizer runs the finalizer of an object after the method that ended its life.
func (a *analysis) playFinalizer(fn *ssa.Function, e exit, play func(func())) bool {
	if fn.Signature.Recv() == nil || len(fn.Params) != 1 || !last(fn.Name()) {
		return false
	}
	f := a.finalizers[recvName(fn.Signature.Recv().Type())]
	recv := a.syms.intern(symKey{kind: kParam, obj: fn.Params[0]}, fn.Params[0].Type())
	if f == nil || !a.leavesReleased(e.st, recv) {
		return false
	}
	play(func() {
		before := maps.Clone(a.pending)
		s := e.st.clone()
		s.f = nil
		a.exec(s, f, []*sym{recv}, nil, nil)
		for k, r := range a.pending {
			if _, old := before[k]; old {
				continue
			}
			if k.pattern != doublePut {
				delete(a.pending, k)
				continue
			}
			r.message = "the finalizer puts it in the pool again after " + fn.Name() + " did; call runtime.SetFinalizer(x, nil) there"
			a.pending[k] = r
		}
	})
	return true
}
