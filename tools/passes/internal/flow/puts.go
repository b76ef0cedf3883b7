// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// The checks of this file look at each call of sync.Pool's methods where it
// stands, without a path: what is put, and as what type it is taken.

// A typedSite is a Put or an assertion on a Get, with its type.
type typedSite struct {
	pos   token.Pos
	typ   types.Type
	loose bool // a comma-ok assertion
}

type typedPool struct {
	name      string
	made      []typedSite
	puts      []typedSite
	taken     []typedSite
	mixed     bool                  // several types by design, or something not understood
	handedOn  bool                  // what a Get gives is not asserted where it stands
	boxes     []ssa.CallInstruction // Puts of what was an interface already
	viaHelper []typedSite           // what is put by functions that are given it as an interface
	asserted  []typedSite           // all that is asserted on what a Get gives
	given     []gift
	open      bool // something else is done with that
}

// staticPool identifies a pool by the variable or field that an SSA value names.
func (a *analysis) staticPool(v ssa.Value) types.Object {
	for {
		switch x := v.(type) {
		case *ssa.Global:
			return x.Object()
		case *ssa.FieldAddr:
			if s := structOf(x.X.Type()); s != nil {
				return s.Field(x.Field).Origin()
			}
			return nil
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.Alloc:
			return a.homes[x]
		case *ssa.FreeVar:
			return a.homes[x]
		default:
			return nil
		}
	}
}

func isSyncPool(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Pool" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync"
}

// checkPuts looks at every Put, Get and New.
func (a *analysis) checkPuts() {
	pools := map[types.Object]*typedPool{}
	at := func(v ssa.Value) *typedPool {
		obj := a.staticPool(v)
		if obj == nil {
			return nil
		}
		p := pools[obj]
		if p == nil {
			p = &typedPool{name: obj.Name()}
			pools[obj] = p
		}
		return p
	}
	for _, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.Store:
			fa, ok := i.Addr.(*ssa.FieldAddr)
			if !ok || !isSyncPool(fa.X.Type()) {
				continue
			}
			p := at(fa.X)
			if p == nil {
				continue
			}
			made, ok := newTypes(i.Val)
			if !ok {
				p.mixed = true
			}
			for _, t := range made {
				p.made = append(p.made, typedSite{i.Pos(), t, false})
			}
		case ssa.CallInstruction:
			if i.Common().IsInvoke() {
				continue
			}
			switch funcKey(calledMethod(i)) {
			case "sync.Pool.Put":
				p := at(i.Common().Args[0])
				v := i.Common().Args[1]
				if mi, ok := v.(*ssa.MakeInterface); ok {
					v = mi.X
				} else if types.IsInterface(v.Type()) {
					if p != nil && !isNilConst(i.Common().Args[1]) {
						p.mixed = true
						p.boxes = append(p.boxes, i)
						p.given = append(p.given, gift{i, offered(v)})
					}
					continue
				}
				a.checkBoxed(i, v, p)
				a.checkWrapping(i, v)
				if t := a.through[i]; t == nil || !t.NilSafe {
					a.checkTestedLater(i, v, p)
				}
				if p != nil {
					p.puts = append(p.puts, typedSite{instrPos(i), v.Type(), false})
					p.given = append(p.given, gift{i, v.Type()})
				}
			case "sync.Pool.Get":
				p := at(i.Common().Args[0])
				v, ok := i.(*ssa.Call)
				if p == nil || !ok {
					continue
				}
				understood := false
				if !types.IsInterface(v.Type()) { // of a typed wrapper
					p.taken = append(p.taken, typedSite{instrPos(v), v.Type(), false})
					p.asserted = append(p.asserted, typedSite{instrPos(v), v.Type(), false})
					understood = true
				} else {
					p.accepts(v, map[ssa.Value]bool{})
				}
				for _, r := range referrers(v) {
					if ta, ok := r.(*ssa.TypeAssert); ok {
						p.taken = append(p.taken, typedSite{instrPos(ta), ta.AssertedType, ta.CommaOk})
						understood = true
					}
				}
				if !understood {
					p.mixed, p.handedOn = true, true
				}
			}
		}
	}
	a.helperPuts(at)
	var list []*typedPool
	for _, p := range pools {
		list = append(list, p)
	}
	first := func(p *typedPool) token.Pos {
		var m token.Pos
		for _, s := range slices.Concat(p.made, p.puts, p.taken) {
			if m == 0 || s.pos < m {
				m = s.pos
			}
		}
		return m
	}
	slices.SortFunc(list, func(x, y *typedPool) int { return cmp.Compare(first(x), first(y)) })
	for _, p := range list {
		a.checkTypes(p, list)
		a.checkParts(p)
		a.checkAsserted(p, list)
		a.checkInterfaces(p)
	}
	for obj, p := range pools {
		a.checkUnaccepted(obj, p, list)
	}
}

// collectNews finds the functions that make the values of pools.
func (a *analysis) collectNews() {
	for _, fn := range a.fns {
		eachStore(fn, func(i *ssa.Store) {
			if fa, ok := i.Addr.(*ssa.FieldAddr); ok && isSyncPool(fa.X.Type()) {
				a.noteNew(fa.X, i.Val)
			} else if fn := a.makerOf(i.Val); fn != nil {
				a.noteNew(i.Addr, fn)
			}
		})
	}
}

// madeType is the one type of what a pool's New makes, or nil.
func (a *analysis) madeType(p *pool) types.Type {
	if p == nil || p.key == nil || len(a.news[p.key]) != 1 {
		return nil
	}
	if list, ok := newTypes(a.news[p.key][0]); ok && len(list) == 1 {
		return list[0]
	}
	return nil
}

// noteNew remembers the function that makes a pool's values.
func (a *analysis) noteNew(pool, v ssa.Value) {
	obj := a.staticPool(pool)
	if al, ok := pool.(*ssa.Alloc); ok && obj == nil {
		// One of a table's.
		for _, r := range referrers(al) {
			if st, ok := r.(*ssa.Store); ok && st.Val == pool {
				if at, ok := st.Addr.(*ssa.IndexAddr); ok {
					obj = a.staticPool(at)
				}
			}
		}
	}
	if obj == nil {
		return
	}
	if fn := writtenFunc(v); fn != nil {
		a.news[obj] = append(a.news[obj], fn)
	}
}

func isNilConst(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// newTypes are the types that a New function returns.
func newTypes(v ssa.Value) ([]types.Type, bool) {
	if _, isNil := v.(*ssa.Const); isNil {
		return nil, true
	}
	fn := writtenFunc(v)
	if fn == nil {
		return nil, false
	}
	var out []types.Type
	for i := range instrsOf(fn) {
		if r, ok := i.(*ssa.Return); ok && len(r.Results) == 1 {
			t := r.Results[0].Type() // of the function that a typed pool was given
			if mi, ok := r.Results[0].(*ssa.MakeInterface); ok {
				t = mi.X.Type()
			} else if types.IsInterface(t) {
				return nil, false
			}
			out = append(out, t)
		}
	}
	return out, len(out) > 0
}

func generic(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Pointer:
		return generic(t.Elem())
	case *types.Slice:
		return generic(t.Elem())
	case *types.Array:
		return generic(t.Elem())
	case *types.Chan:
		return generic(t.Elem())
	case *types.Map:
		return generic(t.Key()) || generic(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if generic(f.Type()) {
				return true
			}
		}
	case *types.Signature:
		for v := range t.Params().Variables() {
			if generic(v.Type()) {
				return true
			}
		}
		for v := range t.Results().Variables() {
			if generic(v.Type()) {
				return true
			}
		}
	case *types.Named:
		for x := range t.TypeArgs().Types() {
			if generic(x) {
				return true
			}
		}
	}
	return false
}

// checkTypes compares what a pool makes, takes in and is asked for.
func (a *analysis) checkTypes(p *typedPool, all []*typedPool) {
	if p.mixed {
		return
	}
	distinct := func(sites []typedSite) []types.Type {
		var out []types.Type
		for _, s := range sites {
			if !slices.ContainsFunc(out, func(t types.Type) bool { return types.Identical(t, s.typ) }) {
				out = append(out, s.typ)
			}
		}
		return out
	}
	made, taken := distinct(p.made), distinct(p.taken)
	for _, s := range slices.Concat(p.made, p.puts, p.taken) {
		if generic(s.typ) || types.IsInterface(s.typ) {
			return
		}
	}
	if len(made) > 1 || len(taken) > 1 {
		return
	}
	qual := types.RelativeTo(a.pkg.Pkg)
	name := func(t types.Type) string { return types.TypeString(t, qual) }
	for _, s := range p.puts {
		want, at := made, whereMade(p)
		what := "its New makes"
		if len(want) == 0 {
			want, at, what = taken, whereAsserted(p), "Get's caller asserts"
		}
		if len(want) == 0 || types.Identical(want[0], s.typ) {
			continue
		}
		if home := homeOf(s.typ, p, all); home != nil {
			a.reportFound(finding{
				pattern: wrongPool, pos: s.pos,
				message: fmt.Sprintf("%s is put in %s, but %s %s, and the pool of %s is %s", a.putSaid(s.pos, "a "+name(s.typ)), p.name, what, name(want[0]), name(s.typ), home.name),
				related: []goanalysis.RelatedInformation{{Pos: home.taken[0].pos, Message: "taken from " + home.name + " here"}},
			})
			continue
		}
		a.reportFound(finding{
			pattern: wrongType, pos: s.pos,
			message: fmt.Sprintf("%s is put in %s, but %s %s", a.putSaid(s.pos, "a "+name(s.typ)), p.name, what, name(want[0])),
			related: at,
			more:    append([]goanalysis.RelatedInformation{{Pos: s.pos, Message: "the Put"}}, whereAsserted(p)...),
		})
	}
	if len(made) == 1 {
		for _, s := range p.taken {
			if !types.Identical(s.typ, made[0]) && !slices.ContainsFunc(p.puts, func(q typedSite) bool { return types.Identical(q.typ, s.typ) }) {
				a.reportFound(assertedIn(s, p, all, finding{
					message: fmt.Sprintf("a %s is asserted on what comes from %s%s, but its New makes %s", name(s.typ), p.name, a.forName(s.pos), name(made[0])),
				}))
			}
		}
	}
}

// whereMade is the place where New makes what a pool holds.
func whereMade(p *typedPool) []goanalysis.RelatedInformation { return firstSite(p.made, "made here") }

// whereAsserted is the place where one of a pool's users says what it holds.
func whereAsserted(p *typedPool) []goanalysis.RelatedInformation {
	return firstSite(p.taken, "asserted here")
}

func firstSite(sites []typedSite, what string) []goanalysis.RelatedInformation {
	if len(sites) == 0 || !sites[0].pos.IsValid() {
		return nil
	}
	return []goanalysis.RelatedInformation{{Pos: sites[0].pos, Message: what}}
}

// reportFound keeps a finding that belongs to no root.
func (a *analysis) reportFound(f finding) {
	if !f.pos.IsValid() {
		return
	}
	k := findingKey{f.pattern, f.pos}
	if old, dup := a.found[k]; !dup || f.message < old.message {
		a.found[k] = f
	}
}

// checkBoxed looks at what a Put converts to an interface.
func (a *analysis) checkBoxed(i ssa.CallInstruction, v ssa.Value, p *typedPool) {
	t := v.Type()
	name := "the pool"
	if p != nil {
		name = p.name
	}
	if !pointerShaped(t) {
		if _, isConst := v.(*ssa.Const); isConst {
			return
		}
		a.reportFound(finding{
			pattern: putByValue, pos: instrPos(i),
			message: fmt.Sprintf("%s is put in %s by value: boxing it allocates on every Put; put a pointer that is kept with it", apposed(a.putNameAt(i), "a "+types.TypeString(t, types.RelativeTo(a.pkg.Pkg)), "a "+types.TypeString(t, types.RelativeTo(a.pkg.Pkg))), name),
			more:    a.usersOfStatic(i),
		})
		return
	}
	al, ok := v.(*ssa.Alloc)
	if !ok || !al.Heap || al.Comment == "new" || al.Comment == "complit" || al.Comment == "slicelit" {
		return
	}
	ptr, _ := al.Type().Underlying().(*types.Pointer)
	if ptr == nil {
		return
	}
	if _, isSlice := ptr.Elem().Underlying().(*types.Slice); !isSlice {
		return
	}
	// A header that was made here may be put for the first time; one that came
	// from elsewhere is boxed anew.
	for _, r := range referrers(al) {
		st, ok := r.(*ssa.Store)
		if !ok || st.Addr != al {
			continue
		}
		if foreign(st.Val, 0) {
			a.reportFound(finding{
				pattern: putLocalAddr, pos: instrPos(i),
				message: fmt.Sprintf("the address of the local variable %s is put in %s: its slice header is allocated on every call; keep the pointer that Get returned", al.Comment, name),
				related: []goanalysis.RelatedInformation{{Pos: al.Pos(), Message: "declared here"}},
				more:    a.usersOfStatic(i),
			})
			return
		}
	}
}

// foreign reports whether a slice was not made in this function.
func foreign(v ssa.Value, depth int) bool {
	if depth > 8 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		return true
	case *ssa.Slice:
		return foreign(v.X, depth+1)
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return false
		}
		if al, ok := v.X.(*ssa.Alloc); ok {
			return !al.Heap && false
		}
		return true
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return foreign(e, depth+1) })
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return foreign(v.Call.Args[0], depth+1)
		}
		f := v.Call.StaticCallee()
		return f == nil || len(f.Name()) < 3 || f.Name()[:3] != "New" && f.Name()[:3] != "mak"
	case *ssa.Extract:
		return true
	}
	return false
}

// pointerShaped reports whether a value fits in an interface's word as it is.
func pointerShaped(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer || u.Kind() == types.UntypedNil || u.Kind() == types.Bool || u.Kind() == types.Uint8 || u.Kind() == types.Int8
	case *types.Struct:
		switch u.NumFields() {
		case 0:
			return true
		case 1:
			return pointerShaped(u.Field(0).Type())
		}
		return false
	case *types.Array:
		return u.Len() == 0 || u.Len() == 1 && pointerShaped(u.Elem())
	case *types.TypeParam:
		return true
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return true
	}
	return false
}

// checkTestedLater reports a Put of a pointer that the function compares with
// nil only after it: it may be nil, then, and so may what a later Get returns.
func (a *analysis) checkTestedLater(i ssa.CallInstruction, x ssa.Value, p *typedPool) {
	if _, isCall := i.(*ssa.Call); !isCall {
		return
	}
	if _, isPtr := x.Type().Underlying().(*types.Pointer); !isPtr {
		return
	}
	switch x.(type) {
	case *ssa.Alloc, *ssa.Const, *ssa.FieldAddr, *ssa.IndexAddr:
		return
	}
	// Of v, ok := m[k], the ok tells as much.
	values := []ssa.Value{x}
	if e, ok := x.(*ssa.Extract); ok && e.Index == 0 {
		if l, ok := e.Tuple.(*ssa.Lookup); ok && l.CommaOk {
			for _, r := range referrers(l) {
				if e, ok := r.(*ssa.Extract); ok && e.Index == 1 {
					values = append(values, e)
				}
			}
		}
	}
	var late ssa.Instruction
	for _, v := range values {
		for _, r := range referrers(v) {
			switch r := r.(type) {
			case *ssa.BinOp:
				if r.Op != token.EQL && r.Op != token.NEQ || !isNilConst(r.X) && !isNilConst(r.Y) {
					continue
				}
			case *ssa.If, *ssa.UnOp, *ssa.Return:
				if v == x {
					continue
				}
			default:
				continue
			}
			if !precedes(i, r) {
				return // tested before, or on another way
			}
			late = r
		}
	}
	if late == nil {
		return
	}
	name := "the pool"
	if p != nil {
		name = p.name
	}
	a.reportFound(finding{
		pattern: putNil, pos: instrPos(i), fn: i.Parent(),
		message: fmt.Sprintf("%s may be nil, as it is compared with nil only later (%s): a later Get returns it", apposed(a.putNameAt(i), "put in "+name+" at "+a.line(instrPos(i)), "what is put in "+name), a.line(instrPos(late))),
		related: []goanalysis.RelatedInformation{{Pos: instrPos(late), Message: "compared with nil here"}},
		more:    a.usersOfStatic(i),
		fixes:   a.unlessNil(i),
	})
}
