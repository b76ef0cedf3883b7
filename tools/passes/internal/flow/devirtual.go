// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Interfaces with several implementations, and functions in maps and slices:
// which types and functions of the package get where they are called is found
// by following them through the package, without regard to order, by variable,
// field, parameter and result. Only those that deal with pools are followed.

// maxDynamic is the number of types or functions up to which a call is
// followed into each of them.
const maxDynamic = 4

// A place is where values flow: an ssa.Value, the types.Object of a field or
// global, or a result of a function.
type place any

type resultOf struct {
	fn *ssa.Function
	n  int
}

// A comer is what arrives at places: a type in an interface, or a function.
type comer struct {
	typ types.Type
	fn  *ssa.Function
}

type flows struct {
	to    map[place][]place
	here  map[place][]comer
	calls map[place][]ssa.CallInstruction // dynamic calls of a value
	work  []place
}

// flowTo is what arrives at a value; computed when first asked for.
func (a *analysis) flowTo(v ssa.Value) []comer {
	if a.flows == nil {
		a.flows = &flows{to: map[place][]place{}, here: map[place][]comer{}, calls: map[place][]ssa.CallInstruction{}}
		for _, fn := range a.fns {
			a.flowEdges(fn)
		}
		a.flows.run(a)
	}
	return a.flows.here[v]
}

func (f *flows) edge(from, to place) {
	if from != to && !slices.Contains(f.to[from], to) {
		f.to[from] = append(f.to[from], to)
		if len(f.here[from]) > 0 {
			f.work = append(f.work, from)
		}
	}
}

func (f *flows) add(p place, c comer) {
	for _, o := range f.here[p] {
		if o.fn == c.fn && (o.typ == nil) == (c.typ == nil) && (c.typ == nil || types.Identical(o.typ, c.typ)) {
			return
		}
	}
	if len(f.here[p]) > 2*maxDynamic {
		return
	}
	f.here[p] = append(f.here[p], c)
	f.work = append(f.work, p)
}

func (f *flows) run(a *analysis) {
	for len(f.work) > 0 {
		p := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		for _, c := range f.here[p] {
			if c.fn != nil {
				for _, call := range f.calls[p] {
					a.flowCall(call, c.fn)
				}
			}
			for _, q := range f.to[p] {
				f.add(q, c)
			}
		}
	}
}

// memoryPlace is the place of the memory at an address.
func memoryPlace(addr ssa.Value) place {
	switch x := addr.(type) {
	case *ssa.FieldAddr:
		if s := structOf(x.X.Type()); s != nil {
			return s.Field(x.Field).Origin()
		}
	case *ssa.IndexAddr:
		return x.X
	case *ssa.Global:
		if x.Object() != nil {
			return x.Object()
		}
	}
	return addr
}

// into makes what goes into the elements of a container arrive where the
// container came from.
func (a *analysis) into(container ssa.Value, from place) {
	a.flows.edge(from, container)
	if l, ok := container.(*ssa.UnOp); ok && l.Op == token.MUL {
		a.flows.edge(from, memoryPlace(l.X))
	}
}

func (a *analysis) flowEdges(fn *ssa.Function) {
	f := a.flows
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.MakeInterface:
				if a.closes(i.X.Type()) || a.usesLate(i.X.Type()) {
					f.add(i, comer{typ: i.X.Type()})
				}
				f.edge(i.X, i)
				a.flowFunc(i.X)
			case *ssa.ChangeType:
				f.edge(i.X, i)
				a.flowFunc(i.X)
			case *ssa.ChangeInterface:
				f.edge(i.X, i)
			case *ssa.TypeAssert:
				f.edge(i.X, i)
			case *ssa.Slice:
				f.edge(i.X, i)
			case *ssa.Range:
				f.edge(i.X, i)
			case *ssa.Next:
				f.edge(i.Iter, i)
			case *ssa.Lookup:
				f.edge(i.X, i)
			case *ssa.Index:
				f.edge(i.X, i)
			case *ssa.Field:
				if s := structOf(i.X.Type()); s != nil {
					f.edge(s.Field(i.Field).Origin(), i)
				}
			case *ssa.Phi:
				for _, e := range i.Edges {
					f.edge(e, i)
					a.flowFunc(e)
				}
			case *ssa.Extract:
				if c, ok := i.Tuple.(*ssa.Call); ok {
					if callee := c.Call.StaticCallee(); callee != nil {
						f.edge(resultOf{origin(callee), i.Index}, i)
					}
					continue
				}
				f.edge(i.Tuple, i)
			case *ssa.UnOp:
				switch i.Op {
				case token.MUL:
					f.edge(memoryPlace(i.X), i)
				case token.ARROW:
					f.edge(i.X, i)
				}
			case *ssa.Store:
				a.flowFunc(i.Val)
				f.edge(i.Val, memoryPlace(i.Addr))
				if x, ok := i.Addr.(*ssa.IndexAddr); ok {
					a.into(x.X, i.Val)
				}
			case *ssa.MapUpdate:
				a.flowFunc(i.Value)
				a.into(i.Map, i.Value)
			case *ssa.Send:
				a.into(i.Chan, i.X)
			case *ssa.MakeClosure:
				callee := i.Fn.(*ssa.Function)
				a.flowFunc(i)
				for k, x := range i.Bindings {
					f.edge(x, callee.FreeVars[k])
					f.edge(callee.FreeVars[k], x)
				}
			case *ssa.Return:
				for k, x := range i.Results {
					a.flowFunc(x)
					f.edge(x, resultOf{origin(fn), k})
				}
			case ssa.CallInstruction:
				c := i.Common()
				for _, x := range c.Args {
					a.flowFunc(x)
				}
				switch {
				case c.IsInvoke():
					for _, m := range a.fns {
						if m.Name() == c.Method.Name() && m.Signature.Recv() != nil && m.Signature.Params().Len() == len(c.Args) {
							a.flowCall(i, m)
						}
					}
					if c.Method.Name() == "ServeHTTP" {
						f.calls[c.Value] = append(f.calls[c.Value], i)
					}
				case c.StaticCallee() != nil:
					a.flowCall(i, origin(c.StaticCallee()))
				default:
					if b, ok := c.Value.(*ssa.Builtin); ok {
						if v := i.Value(); b.Name() == "append" && v != nil {
							for _, x := range c.Args {
								f.edge(x, v)
							}
						}
						continue
					}
					f.calls[c.Value] = append(f.calls[c.Value], i)
				}
			}
		}
	}
}

func origin(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		return o
	}
	return fn
}

// flowFunc starts a function where it is named.
func (a *analysis) flowFunc(v ssa.Value) {
	switch x := v.(type) {
	case *ssa.Function:
		if a.relevant[x] {
			a.flows.add(v, comer{fn: x})
		}
	case *ssa.MakeClosure:
		if fn := x.Fn.(*ssa.Function); a.relevant[fn] {
			a.flows.add(v, comer{fn: fn})
		}
	}
}

// flowCall binds the arguments and results of a call that may be of fn.
func (a *analysis) flowCall(i ssa.CallInstruction, fn *ssa.Function) {
	if len(fn.Blocks) == 0 || !a.inPackage(fn) {
		return
	}
	c := i.Common()
	params := fn.Params
	if c.IsInvoke() && fn.Signature.Recv() != nil && len(params) > 0 {
		params = params[1:]
	}
	for k, x := range c.Args {
		if k < len(params) {
			a.flows.edge(x, params[k])
		}
	}
	if v := i.Value(); v != nil && fn.Signature.Results().Len() == 1 {
		a.flows.edge(resultOf{origin(fn), 0}, v)
	} else if v != nil && (c.StaticCallee() == nil) {
		for _, r := range referrers(v) {
			if x, ok := r.(*ssa.Extract); ok {
				a.flows.edge(resultOf{origin(fn), x.Index}, x)
			}
		}
	}
}

// closes reports whether a type of the package has a method that ends an
// object's life and deals with pools.
func (a *analysis) closes(t types.Type) bool {
	if !concrete(t) {
		return false
	}
	if _, isFunc := t.Underlying().(*types.Signature); isFunc {
		return false
	}
	n := recvName(t)
	return n != nil && a.closers[n]
}

// recvName is the defined type behind t or *t.
func recvName(t types.Type) *types.TypeName {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

// collectClosers finds the types that closes asks for.
func (a *analysis) collectClosers() {
	a.closers = map[*types.TypeName]bool{}
	scope := a.pkg.Pkg.Scope()
	local := func(n *types.TypeName) {
		for sel := range types.NewMethodSet(types.NewPointer(n.Type())).Methods() {
			m, ok := sel.Obj().(*types.Func)
			if !ok || !ends(m.Name()) {
				continue
			}
			if fn := a.prog.FuncValue(m); fn != nil && a.relevant[fn] {
				a.closers[n] = true
			}
		}
	}
	for _, name := range scope.Names() {
		if tn, ok := scope.Lookup(name).(*types.TypeName); ok && !tn.IsAlias() && !types.IsInterface(tn.Type()) {
			if n, ok := tn.Type().(*types.Named); ok && n.TypeParams().Len() == 0 {
				local(tn)
			}
		}
	}
}

// dynamicTypes are the types that the receiver of an interface's method may
// have, as far as their method is worth following.
func (a *analysis) dynamicTypes(c *ssa.CallCommon) []types.Type {
	if !ends(c.Method.Name()) || len(a.closers) == 0 {
		return nil
	}
	var list []types.Type
	for _, x := range a.flowTo(c.Value) {
		if x.typ == nil {
			continue
		}
		if it, ok := c.Value.Type().Underlying().(*types.Interface); ok && !types.Implements(x.typ, it) {
			continue
		}
		if m := a.methodOf(x.typ, c.Method); m != nil && a.reallyRelevant(m) {
			list = append(list, x.typ)
		}
	}
	if len(list) > maxDynamic {
		return nil
	}
	return list
}

func (a *analysis) methodOf(t types.Type, m *types.Func) *ssa.Function {
	sel := types.NewMethodSet(t).Lookup(m.Pkg(), m.Name())
	if sel == nil {
		return nil
	}
	return a.prog.MethodValue(sel)
}

// reallyRelevant reports whether a method, or what it is promoted from, deals
// with pools.
func (a *analysis) reallyRelevant(m *ssa.Function) bool {
	if a.relevant[m] {
		return true
	}
	if obj, ok := m.Object().(*types.Func); ok {
		if fn := a.prog.FuncValue(obj); fn != nil && a.relevant[fn] {
			return true
		}
	}
	return false
}

// dynamicFuncs are the functions that a value of function type may be, where it
// comes out of a map or slice, and those that a handler is made of.
func (a *analysis) dynamicFuncs(v ssa.Value, owner *sym) []*sym {
	switch x := v.(type) {
	case *ssa.Lookup:
	case *ssa.Extract:
		if _, ok := x.Tuple.(*ssa.Lookup); !ok {
			if _, ok := x.Tuple.(*ssa.Next); !ok {
				return nil
			}
		}
	case *ssa.UnOp:
		if _, ok := x.X.(*ssa.IndexAddr); !ok && !isHandler(v.Type()) {
			return nil
		}
	default:
		return nil
	}
	var list []*sym
	for _, c := range a.flowTo(v) {
		if c.fn == nil {
			continue
		}
		if len(c.fn.FreeVars) > 0 {
			made := a.made[c.fn]
			if len(made) != 1 {
				return nil
			}
			list = append(list, a.unbound(made[0], owner))
			continue
		}
		list = append(list, a.syms.intern(symKey{kind: kFunc, obj: c.fn}, c.fn.Type()))
	}
	if len(list) > maxDynamic {
		return nil
	}
	return list
}

// isHandler reports whether t is http.Handler.
func isHandler(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "net/http" && n.Obj().Name() == "Handler"
}

// invokeDynamic follows a call of an interface's method for each type that the
// receiver may have, and for one that is not known. Which one it is holds for
// the rest of the path.
func (a *analysis) invokeDynamic(st *state, i ssa.CallInstruction, target callee, args []*sym, c *ssa.CallCommon) []outcome {
	recv := plain(args[0])
	is := func(t types.Type) *sym {
		return a.syms.isOf(recv, t)
	}
	call := func(s *state, t types.Type) []outcome {
		m := a.methodOf(t, target.method)
		method := target.method
		if obj, ok := m.Object().(*types.Func); ok {
			method = obj
		}
		return a.invoke(s, i, callee{fn: a.syms.intern(symKey{kind: kFunc, obj: m}, m.Type()), method: method}, append([]*sym{recv}, args[1:]...), c)
	}
	open := a.asChosen(st, args[0], target.method, a.typesFoundIn(recv, target.types))
	target.types = nil
	for _, t := range open {
		if v, ok := st.truth[is(t)]; ok && v {
			return call(st, t)
		}
	}
	if isNil, ok := a.known(st, a.syms.nilTest(recv)); ok && isNil {
		return a.invoke(st, i, target, args, c)
	}
	var outs []outcome
	for _, t := range open {
		if _, ok := st.truth[is(t)]; ok {
			continue
		}
		s := st.clone()
		for _, u := range open {
			s.truth[is(u)] = types.Identical(t, u)
		}
		s.truth[a.syms.nilTest(recv)] = false
		outs = append(outs, call(s, t)...)
	}
	for _, t := range open {
		st.truth[is(t)] = false
	}
	return append(outs, a.invoke(st, i, target, args, c)...)
}

// asChosen are those of the types that an interface may have which a path, where it chose the callee of another method
// of that, took it to have.
func (a *analysis) asChosen(st *state, of *sym, method *types.Func, list []types.Type) []types.Type {
	of = choiceFor(of)
	f := st.chosen[of]
	if f == nil {
		return list
	}
	if f == of {
		return nil
	}
	fn := f.obj.(*ssa.Function)
	return slices.DeleteFunc(slices.Clone(list), func(t types.Type) bool {
		m := a.methodOf(t, method)
		return m == nil || recvType(m) != recvType(fn)
	})
}
