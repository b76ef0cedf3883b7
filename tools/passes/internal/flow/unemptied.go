// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A pooled struct may gather in a field: in a map, a buffer, a digest, a builder of
// somebody else's. When all that the package does with the field is in view, and it
// fills it and nowhere empties it, each user finds what all before it left.

// A gathering is what a package does with what is in one field.
type gathering struct {
	a       *analysis
	field   *types.Var
	grown   []ssa.Instruction // something is added
	read    ssa.Instruction
	emptied bool
	open    bool // more may be done with it than is seen
	seen    map[ssa.Value]bool
	taker   func(*ssa.Function) bool
	bare    bool                // what a pool gives, rather than what a field of that has
	drained ssa.CallInstruction // a part of it is read, and gone then
}

// ofMap reports whether it is a map that the field holds.
func (g *gathering) ofMap() bool { return g.field != nil && isMapType(g.field.Type()) }

// judgeUnemptied reports the fields of pooled structs that are filled and never emptied.
func (a *analysis) judgeUnemptied() {
	f := a.uses()
	done := map[*types.Named]bool{}
	for _, p := range f.puts {
		t := p.typ
		if t.Obj().Pkg() != a.pkg.Pkg || done[t] || a.inTest(p.fn) {
			continue
		}
		done[t] = true
		if !slices.ContainsFunc(f.gets, func(g poolSite) bool { return g.typ == t }) {
			continue
		}
		collectFields(t, 0, func(v *types.Var, s *types.Struct) {
			if accumulates(v.Type()) && !a.toldOf[v] {
				f.unemptied(t, v, s)
			}
		})
	}
}

// accumulates reports whether a field of the type is one to gather in.
func accumulates(t types.Type) bool {
	if _, isMap := t.Underlying().(*types.Map); isMap {
		return true
	}
	if digests(t) {
		return true
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return gathers(t) || builds(t)
}

// builds reports whether a type of another package is a buffer or builder: it says so,
// and can be reset.
func builds(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || !strings.HasSuffix(n.Obj().Name(), "Buffer") && !strings.HasSuffix(n.Obj().Name(), "Builder") {
		return false
	}
	m, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, n.Obj().Pkg(), "Reset")
	r, ok := m.(*types.Func)
	return ok && r.Signature().Params().Len() == 0 && r.Signature().Results().Len() == 0
}

// unemptied judges one field.
func (f *forgotten) unemptied(t *types.Named, v *types.Var, s *types.Struct) {
	if v.Exported() && t.Obj().Exported() && f.leavesPackage(t) {
		return // its users may see to it
	}
	g := &gathering{a: f.a, field: v, seen: map[ssa.Value]bool{}, taker: func(fn *ssa.Function) bool {
		at := func(p poolSite) bool { return p.typ == t && p.fn == fn }
		return slices.ContainsFunc(f.puts, at) || slices.ContainsFunc(f.gets, at)
	}}
	aside := f.usersResets(t)
	if ff := f.facts[v]; ff != nil {
		for _, st := range ff.stores {
			if at, ok := st.instr.(*ssa.Store); !st.more && !(ok && g.ofMap() && underNilTest(at, v)) && !slices.Contains(aside, st.instr.Parent()) {
				return // set anew
			}
		}
	}
	for _, fn := range f.a.fns {
		if f.a.inTest(fn) || slices.Contains(aside, fn) || f.unusedReset(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.FieldAddr:
				if x := structOf(i.X.Type()); x != nil && x.Field(i.Field).Origin() == v {
					g.address(i, f.isFresh(i.X))
				}
			case *ssa.Field:
				if x := structOf(i.X.Type()); x != nil && x.Field(i.Field).Origin() == v {
					g.follow(i, 0)
				}
			}
			if g.open || g.emptied {
				return
			}
		}
	}
	if len(g.grown) == 0 || g.read == nil && !builds(deref(v.Type())) {
		return
	}
	slices.SortFunc(g.grown, func(x, y ssa.Instruction) int { return cmp.Compare(instrPos(x), instrPos(y)) })
	var past *roundTrip
	if len(aside) > 0 {
		if past = f.roundWithout(t, g, aside); past == nil {
			return
		}
	}
	var put *poolSite
	for i := range f.puts {
		if p := &f.puts[i]; p.typ == t && !f.a.inTest(p.fn) && (put == nil || instrPos(p.instr) < instrPos(put.instr)) {
			put = p
		}
	}
	pos, fn := instrPos(put.instr), put.fn
	related := []goanalysis.RelatedInformation{{Pos: instrPos(g.grown[0]), Message: v.Name() + " is filled here"}}
	if g.read != nil && instrPos(g.read).IsValid() {
		related = append(related, goanalysis.RelatedInformation{Pos: instrPos(g.read), Message: v.Name() + " is read here"})
	}
	f.a.toldOf[v] = true
	message := fmt.Sprintf("field %s of the pooled %s is filled in use (%s) and never emptied: the next user finds what the last ones left", v.Name(), t.Obj().Name(), f.a.line(instrPos(g.grown[0])))
	if past != nil {
		message = fmt.Sprintf("field %s of the pooled %s is filled (%s) and put here without %s, which %s does not call: the next user finds what the last one left", v.Name(), t.Obj().Name(), f.a.line(instrPos(past.filled)), aside[0].Name(), past.put.Parent().Name())
		related = append([]goanalysis.RelatedInformation{{Pos: instrPos(past.put), Message: "through this call: the Put"}}, related...)
	}
	f.a.reportFound(finding{
		pattern: missingReset, pos: pos, fn: fn,
		message: message,
		typed:   t,
		related: related,
	})
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// leavesPackage reports whether code elsewhere is given values of a pooled type
// before they are put: an exported function returns or takes them.
func (f *forgotten) leavesPackage(t *types.Named) bool {
	for _, list := range [][]poolSite{f.gets, f.puts} {
		for _, p := range list {
			if p.typ == t && (f.getter[p.fn] || len(f.putter[p.fn]) > 0) && callableElsewhere(p.fn) {
				return true
			}
		}
	}
	return false
}

// callableElsewhere reports whether other packages can call a function.
func callableElsewhere(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	if !ok || !obj.Exported() {
		return false
	}
	if n := recvType(fn); n != nil {
		return n.Exported()
	}
	return true
}

// address follows the field at an address.
func (g *gathering) address(fa *ssa.FieldAddr, fresh bool) {
	if _, isPtr := fa.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Pointer); !isPtr {
		if _, isStruct := fa.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct); isStruct {
			g.follow(fa, 0)
			return
		}
	}
	for _, r := range referrers(fa) {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != fa {
				g.open = true
			} else if fresh {
				g.made(r)
			}
		case *ssa.UnOp:
			n := len(g.grown)
			g.follow(r, 0)
			if fresh && !g.taker(fa.Parent()) {
				g.grown = g.grown[:n] // what it is made with
			}
		case *ssa.DebugRef:
		case *ssa.MakeInterface:
			if !g.decoded(r) {
				g.open = true
			}
		default:
			g.open = true
		}
	}
}

// decoded sees the address of a map go to decoders, which add to it what their input has.
func (g *gathering) decoded(box *ssa.MakeInterface) bool {
	for _, r := range referrers(box) {
		c, ok := r.(ssa.CallInstruction)
		if !ok || !g.ofMap() {
			return false
		}
		if f := calledMethod(c); f == nil || !decodes(g.a, f) || lastArg(c.Common()) != box {
			return false
		}
		g.grown = append(g.grown, r)
	}
	return true
}

// decodes reports whether a function fills its last argument, and leaves alone what its input does not mention.
func decodes(a *analysis, f *types.Func) bool {
	_, ok := decoders[a.named(f).key]
	return ok
}

// made sees the field set where its struct is made: what it is set to may be used by
// other names.
func (g *gathering) made(st *ssa.Store) {
	v := st.Val
	switch x := v.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.Call:
		for _, r := range referrers(x.(ssa.Value)) {
			switch r := r.(type) {
			case *ssa.Store, *ssa.DebugRef:
				if r == ssa.Instruction(st) {
					continue
				}
				if _, isDebug := r.(*ssa.DebugRef); !isDebug {
					g.open = true
				}
			case *ssa.Call:
				g.call(r, v, 0)
			case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.MapUpdate:
				if m, isMap := r.(*ssa.MapUpdate); isMap {
					if m.Map != v {
						g.open = true
					}
					continue
				}
				g.follow(r.(ssa.Value), 1)
			default:
				g.open = true
			}
		}
	case *ssa.Const:
	case *ssa.MakeInterface:
		if _, isCall := x.X.(*ssa.Call); !isCall {
			g.open = true
		}
	default:
		g.open = true
	}
}

// follow sees what is done with a value that leads to what the field holds.
func (g *gathering) follow(v ssa.Value, depth int) {
	if g.seen[v] {
		return
	}
	if depth > 8 || v.Referrers() == nil {
		g.open = true
		return
	}
	g.seen[v] = true
	for _, r := range referrers(v) {
		if g.open || g.emptied {
			return
		}
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.If:
		case *ssa.Phi, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.ChangeType, *ssa.TypeAssert:
			g.follow(r.(ssa.Value), depth+1)
		case *ssa.Extract:
			if r.Index == 0 {
				g.follow(r, depth+1)
			}
		case *ssa.Range:
			g.read = r
		case *ssa.Lookup:
			if r.X == v {
				g.looked(r)
			}
		case *ssa.MapUpdate:
			if r.Map != v {
				g.open = true
				continue
			}
			g.updated(r)
		case *ssa.UnOp:
			// The struct itself is copied.
			g.open = true
		case *ssa.Return:
			if !g.bare || !g.returned(r, v, depth) {
				g.open = true
			}
		case *ssa.Store:
			al, ok := r.Addr.(*ssa.Alloc)
			switch {
			case g.bare && r.Val == v && g.keptIn(r):
			case r.Val != v:
				g.open = true
			case ok:
				g.variable(al, depth)
			case !g.ofMap() || !g.givenInside(r):
				g.open = true
			}
		case *ssa.Call:
			g.call(r, v, depth)
		case *ssa.Defer:
			g.call(r, v, depth)
		default:
			g.open = true
		}
	}
}

// variable follows a local variable, also into closures.
func (g *gathering) variable(x ssa.Value, depth int) {
	if g.seen[x] {
		return
	}
	g.seen[x] = true
	for _, q := range referrers(x) {
		switch q := q.(type) {
		case *ssa.UnOp:
			g.follow(q, depth+1)
		case *ssa.MakeClosure:
			fn := q.Fn.(*ssa.Function)
			for k, b := range q.Bindings {
				if b == x {
					g.variable(fn.FreeVars[k], depth+1)
				}
			}
		case *ssa.Store, *ssa.DebugRef:
		default:
			g.open = true
		}
	}
}

// looked sees a search in the map.
func (g *gathering) looked(l *ssa.Lookup) {
	if g.read == nil {
		g.read = l
	}
}

// updated sees a key set. A map that is searched where it is filled is a memory of
// what was worked out, unless something is added to what was found, and keys that are always the same are overwritten by the next user.
func (g *gathering) updated(u *ssa.MapUpdate) {
	fn := u.Parent()
	if u.Key == u.Value {
		g.open = true
		return
	}
	for i := range instrsOf(fn) {
		l, ok := i.(*ssa.Lookup)
		if !ok || !types.Identical(l.X.Type(), u.Map.Type()) {
			continue
		}
		if !addsToFound(u, l) && (!marks(u) || l.Index != u.Key) {
			g.open = true
			return
		}
	}
	if _, isConst := unboxed(u.Key).(*ssa.Const); isConst && g.taker(fn) || g.setForAll(u) {
		return
	}
	if fn.Signature.Recv() == nil && len(fn.Params) == 0 && !g.taker(fn) {
		g.open = true // set up once
		return
	}
	g.grown = append(g.grown, u)
}

// addsToFound reports whether what a search in a map gave serves only to be set again, with something added.
func addsToFound(u *ssa.MapUpdate, l *ssa.Lookup) bool {
	if l.CommaOk || l.Index != u.Key || len(referrers(l)) == 0 {
		return false
	}
	for _, r := range referrers(l) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.BinOp:
			if r != u.Value || r.Op != token.ADD {
				return false
			}
		case *ssa.Call:
			if r != u.Value || !isBuiltin(r, "append") || r.Call.Args[0] != l {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// marks reports whether a map is a set.
func marks(u *ssa.MapUpdate) bool {
	switch e := u.Map.Type().Underlying().(*types.Map).Elem().Underlying().(type) {
	case *types.Struct:
		return e.NumFields() == 0
	case *types.Basic:
		_, isConst := u.Value.(*ssa.Const)
		return e.Kind() == types.Bool && isConst
	}
	return false
}

// call sees the value used in a call.
func (g *gathering) call(c ssa.CallInstruction, v ssa.Value, depth int) {
	cc := c.Common()
	if b, ok := cc.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "len":
		case "clear", "delete":
			g.emptied = true
		default:
			g.open = true
		}
		return
	}
	f := calledMethod(c)
	isRecv := cc.IsInvoke() && cc.Value == v || !cc.IsInvoke() && f != nil && f.Signature().Recv() != nil && len(cc.Args) > 0 && cc.Args[0] == v
	if callee := g.a.calledFunction(c); callee != nil && len(callee.Blocks) > 0 {
		k := slices.Index(cc.Args, v)
		if cc.IsInvoke() {
			k++
		}
		if k >= 0 && k < len(callee.Params) && !(isRecv && cc.IsInvoke()) {
			g.follow(callee.Params[k], depth+1)
			return
		}
		g.open = true
		return
	}
	if f == nil {
		g.open = true
		return
	}
	if isRecv {
		g.method(c, f)
		return
	}
	k := slices.Index(cc.Args, v)
	if k < 0 {
		g.open = true
		return
	}
	if g.bare && isPut(c) {
		return
	}
	t := argType(cc, k)
	std := f.Pkg() != nil && isStdPath(f.Pkg().Path())
	switch {
	case g.ofMap() && readsMap(c, k):
		if g.read == nil {
			g.read = c
		}
	case g.ofMap() && fillsMap(c, k):
		g.grown = append(g.grown, c)
	case isWriter(t):
		g.grown = append(g.grown, c)
	case f.Signature().Recv() == nil && !cc.IsInvoke() && !std && builds(deref(v.Type())):
		g.grown = append(g.grown, c)
	case f.Signature().Recv() != nil && !std && builds(deref(v.Type())):
		g.grown = append(g.grown, c)
	default:
		g.open = true
	}
}

// method sees a method of the value called that is not in view.
func (g *gathering) method(c ssa.CallInstruction, f *types.Func) {
	name := f.Name()
	switch {
	case keyed[funcKey(f)] != 0:
		g.keyedMethod(c, keyed[funcKey(f)])
	case name == "Len", name == "Cap", name == "Size", name == "Grow", name == "Available", name == "BlockSize":
	case name == "String", name == "Bytes", name == "Sum", name == "Sum32", name == "Sum64":
		if g.read == nil {
			g.read = c
		}
	case strings.HasPrefix(name, "Write") && name != "WriteTo", strings.HasPrefix(name, "Append"), strings.HasPrefix(name, "Add"), name == "ReadFrom",
		strings.HasPrefix(name, "Prepend"), strings.HasPrefix(name, "Create"):
		g.grown = append(g.grown, c)
	case g.bare && takesAway(f):
		if g.drained == nil {
			g.drained = c
		}
	case strings.HasPrefix(name, "Finish") && builds(deref(f.Signature().Recv().Type())):
	default:
		g.emptied = true // it may well be
	}
}
