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

// Who takes a struct from a pool, or fills the elements of a slice that a pooled value
// keeps, sets some fields always and others where they apply. Where these do not apply,
// and nobody empties them, they have what the last user set. That a field needs no
// setting shows by the reader, who asks another field first, or by the test, which asks
// the struct itself.

// A partlySet is what a function, from one instruction on, does with the fields of one struct.
type partlySet struct {
	at   map[*types.Var][]setAt
	open bool // others may set any of them
	lent bool // code out of view had it, which knows the exported ones
}

// A setAt is a store to a field.
type setAt struct {
	block  *ssa.BasicBlock // of the function
	here   ssa.Instruction // the store, or the call that leads to it
	store  ssa.Instruction
	val    ssa.Value
	maybe  bool // a callee does so on some paths
	asks   bool // the struct itself, or what was set in it, decides
	always bool
}

// judgePartlySet reports fields that are set where they apply and never emptied.
func (a *analysis) judgePartlySet() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		f.partlyTaken(p)
	}
	f.partlyFilled()
}

// partlyTaken looks at those who take values of one type.
func (f *forgotten) partlyTaken(p poolSite) {
	t := p.typ
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	region := f.region(t)
	if f.clearsAsBytes(region, t) {
		return
	}
	_, resets := f.resetOf(s, region)
	some := map[*types.Var][]setAt{}
	evident := map[*types.Var]bool{} // the field's siblings are set by the same taker
	boxed := false
	f.inputs = f.inputsOf(t)
	defer func() { f.inputs = nil }()
	for _, g := range f.gets {
		if g.typ != t || f.a.inTest(g.fn) {
			continue
		}
		bases := takenValues(g.instr)
		if len(bases) == 0 {
			continue
		}
		ps := f.setsOf(bases, g.instr, false, 0)
		if ps.open {
			continue
		}
		boxed = boxed || f.decoded(bases)
		if ps.lent {
			ps.dropExported()
		}
		f.sameForAll(ps, g)
		f.partly(ps, s, some, evident)
	}
	var told partlyTold
	for _, v := range sortedVars(some) {
		ff := f.facts[v]
		if !evident[v] && resets == 0 || f.a.toldOf[v] || !f.onlyThese(ff, some[v]) || f.putGuarded(ff, t) || f.inputs[v] || madeRoom(ff, some[v]) {
			continue
		}
		if f.a.shapes.own[v] {
			continue // it is only ever set to what is in it
		}
		if len(ff.tests) == 0 && (boxed || f.a.encodedBy(v, s) == nil) && (len(ff.reads) == 0 || f.asksSibling(ff) || f.askedByCallers(ff)) {
			continue
		}
		told.add(v, t, some[v])
	}
	told.report(f, "of the %s from a pool %s set only where %s, and never emptied: otherwise the next user finds what the last one left", nil)
}

// dropExported leaves the fields that only this package can set.
func (ps *partlySet) dropExported() {
	for v, list := range ps.at {
		if v.Exported() && !slices.ContainsFunc(list, func(x setAt) bool { return x.always }) {
			delete(ps.at, v)
		}
	}
}

// sameForAll marks what the owner of the pool decides by its own fields: these are set up
// once, and the values of its pool go to no other.
func (f *forgotten) sameForAll(ps partlySet, g poolSite) {
	i := g.instr
	if ta, ok := i.(*ssa.TypeAssert); ok {
		i, _ = ta.X.(ssa.Instruction)
	}
	c, ok := i.(ssa.CallInstruction)
	if !ok || len(c.Common().Args) == 0 {
		return
	}
	owner := rootOf(c.Common().Args[0])
	if owner == nil {
		return
	}
	others := func(v ssa.Value) bool {
		switch x := v.(type) {
		case *ssa.Parameter:
			return x != owner
		case *ssa.Call:
			_, isBuiltin := x.Call.Value.(*ssa.Builtin)
			return !isBuiltin
		case *ssa.Global, *ssa.FreeVar, *ssa.Phi, *ssa.Alloc, *ssa.Lookup, *ssa.Extract:
			return true
		}
		return false
	}
	for _, list := range ps.at {
		for k, x := range list {
			conds := deciders(x.here.Block(), g.instr.Block())
			own := len(conds) > 0 && x.store == x.here
			for _, c := range conds {
				own = own && !leadsFrom(c, 0, others)
			}
			list[k].asks = x.asks || own
		}
	}
}

// rootOf is the parameter that a pool, or what has the pool, is reached from.
func rootOf(v ssa.Value) *ssa.Parameter {
	for range 6 {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.Parameter:
			return x
		default:
			return nil
		}
	}
	return nil
}

// madeRoom reports whether a field has memory of basic elements that nobody asks for, and gets
// more where it was not enough: what is in it does not count.
func madeRoom(ff *fieldFacts, list []setAt) bool {
	sl, ok := ff.field.Type().Underlying().(*types.Slice)
	if !ok || len(ff.tests) > 0 {
		return false
	}
	if _, basic := sl.Elem().Underlying().(*types.Basic); !basic {
		return false
	}
	seen := map[ssa.Value]bool{}
	made := false
	var room func(v ssa.Value) bool
	room = func(v ssa.Value) bool {
		if seen[v] {
			return true
		}
		seen[v] = true
		switch x := v.(type) {
		case *ssa.MakeSlice:
			made = true
			return true
		case *ssa.Slice:
			return room(x.X)
		case *ssa.Phi:
			return !slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return !room(e) })
		case *ssa.UnOp:
			l, _ := fieldLoad(x)
			return l != nil && types.Identical(l.Type(), ff.field.Type())
		}
		return false
	}
	for _, s := range list {
		if !room(s.val) {
			return false
		}
	}
	return made
}

// partlyFilled looks at the elements of slices that pooled values keep and that are used again.
func (f *forgotten) partlyFilled() {
	kept := f.keptTypes()
	if len(kept) == 0 {
		return
	}
	some := map[*types.Var][]setAt{}
	evident := map[*types.Var]bool{}
	of := map[*types.Var]*types.Named{}
	for _, fn := range f.a.fns {
		if f.a.inTest(fn) {
			continue
		}
		type elem struct{ slice, index ssa.Value }
		groups := map[elem][]ssa.Value{}
		var order []elem
		for i := range instrsOf(fn) {
			if c, ok := i.(*ssa.Call); ok && f.givesElement(c) {
				if n := pointee(c.Type()); n != nil && kept[n.Origin()] != nil {
					e := elem{slice: c}
					order = append(order, e)
					groups[e] = []ssa.Value{c}
				}
			}
			x, ok := i.(*ssa.IndexAddr)
			if !ok {
				continue
			}
			n := pointee(x.Type())
			v := []ssa.Value{x}
			if n == nil {
				// A slice of pointers.
				if p, ok := x.Type().Underlying().(*types.Pointer); ok {
					n = pointee(p.Elem())
				}
				v = nil
				for _, r := range referrers(x) {
					if l, ok := r.(*ssa.UnOp); ok && l.Op == token.MUL {
						v = append(v, l)
					}
				}
			}
			if n == nil || len(v) == 0 || kept[n.Origin()] == nil || !f.lengthened(x.X, 0) || f.goesWithAll(x.X) {
				continue
			}
			e := elem{x.X, x.Index}
			if k := slices.IndexFunc(order, func(o elem) bool { return o.index == x.Index && readsAgain(o.slice, x.X) }); k >= 0 {
				e = order[k]
			}
			if groups[e] == nil {
				order = append(order, e)
			}
			groups[e] = append(groups[e], v...)
		}
		for _, e := range order {
			bases := groups[e]
			from := bases[0].(ssa.Instruction)
			top := aboveAll(bases)
			apart := top != from.Block()
			if apart {
				from = lastInstr(top)
			}
			ps := f.setsOf(bases, from, true, 0)
			if apart {
				ps.dropSkipped(top)
			}
			n := pointee(bases[0].Type())
			if s, ok := n.Underlying().(*types.Struct); ok && !ps.open && !ps.lent {
				f.partly(ps, s, some, evident)
				zero := f.zeroBeside(bases[0], n)
				for v := range ps.at {
					of[v] = n
					evident[v] = evident[v] || zero
				}
			}
		}
	}
	var told partlyTold
	for _, v := range sortedVars(some) {
		ff := f.facts[v]
		if !evident[v] || f.a.toldOf[v] || !f.onlyThese(ff, some[v]) || f.asksSibling(ff) || f.clearedWhole(of[v]) {
			continue
		}
		told.add(v, of[v], some[v])
	}
	told.report(f, "of the %s in a slice that is used again %s set only where %s, and never emptied: otherwise it has what the last use left", kept)
}

// partlyTold are the fields to report, by the functions that set them.
type partlyTold []partlyFields

type partlyFields struct {
	fn     *ssa.Function
	of     *types.Named
	at     token.Pos
	fields []*types.Var
	stores []setAt
}

func (p *partlyTold) add(v *types.Var, t *types.Named, list []setAt) {
	slices.SortFunc(list, func(x, y setAt) int { return cmp.Compare(instrPos(x.here), instrPos(y.here)) })
	fn := list[0].here.Parent()
	for k := range *p {
		if x := &(*p)[k]; x.fn == fn && x.of == t {
			x.at = min(x.at, instrPos(list[0].here))
			x.fields, x.stores = append(x.fields, v), append(x.stores, list[0])
			return
		}
	}
	*p = append(*p, partlyFields{fn, t, instrPos(list[0].here), []*types.Var{v}, list[:1:1]})
}

func (p *partlyTold) report(f *forgotten, format string, in map[*types.Named]*types.Named) {
	for _, x := range *p {
		var names []string
		var related []goanalysis.RelatedInformation
		for k, v := range x.fields {
			f.a.toldOf[v] = true
			names = append(names, v.Name())
			if s := x.stores[k].store; instrPos(s) != x.at {
				related = append(related, goanalysis.RelatedInformation{Pos: instrPos(s), Message: v.Name() + " is set here"})
			}
			if reads := slices.Concat(f.facts[v].tests, f.facts[v].reads); len(reads) > 0 && instrPos(reads[0]).IsValid() {
				related = append(related, goanalysis.RelatedInformation{Pos: instrPos(reads[0]), Message: v.Name() + " is read here"})
			}
		}
		put := f.putOf(x.of)
		if pooled := in[x.of.Origin()]; put == nil && pooled != nil {
			put = f.putOf(pooled)
		}
		if put != nil {
			related = append(related, goanalysis.RelatedInformation{Pos: instrPos(put), Message: "put as it is here"})
		}
		pos, fn := x.at, x.fn
		if get := f.setsUp(x.of); get != nil && get.Parent() != fn {
			// Where the other fields are made ready.
			pos, fn = instrPos(get), get.Parent()
			related = append(related, goanalysis.RelatedInformation{Pos: x.at, Message: "used here"})
		}
		what := "field " + names[0] + " "
		verb, pronoun := "is", "it applies"
		if len(names) > 1 {
			what = "fields " + strings.Join(names, ", ") + " "
			verb, pronoun = "are", "they apply"
		}
		f.a.reportFound(finding{pattern: missingReset, pos: pos, fn: fn, message: what + fmt.Sprintf(format, x.of.Obj().Name(), verb, pronoun), related: related})
	}
}

// setsUp is where the one function takes a struct from its pool that gives it to the others, and sets fields of it
// for them; nil if there is none, or several.
func (f *forgotten) setsUp(t *types.Named) (get ssa.Instruction) {
	for _, g := range f.gets {
		if g.typ != t || f.a.inTest(g.fn) || !f.getter[g.fn] {
			continue
		}
		bases := takenValues(g.instr)
		if len(bases) == 0 || len(f.setsOf(bases, g.instr, false, 0).at) == 0 {
			continue
		}
		if get != nil {
			return nil
		}
		get = g.instr
	}
	return get
}

func sortedVars(m map[*types.Var][]setAt) []*types.Var {
	var list []*types.Var
	for v := range m {
		list = append(list, v)
	}
	slices.SortFunc(list, func(x, y *types.Var) int { return cmp.Compare(x.Pos(), y.Pos()) })
	return list
}

// partly takes over the fields of which it is not sure that they are set.
func (f *forgotten) partly(ps partlySet, s *types.Struct, some map[*types.Var][]setAt, evident map[*types.Var]bool) {
	always := false
	isAlways := func(v *types.Var) bool {
		return slices.ContainsFunc(ps.at[v], func(x setAt) bool { return x.always })
	}
	for w := range s.Fields() {
		always = always || isAlways(w.Origin())
	}
	for v, list := range ps.at {
		if isAlways(v) || slices.ContainsFunc(list, func(x setAt) bool { return x.asks }) {
			continue
		}
		// A flag or number that goes with it tells whether it is set, unless it is the field itself that is asked.
		told := false
		asked := f.facts[v] != nil && len(f.facts[v].tests) > 0 && !f.asksSibling(f.facts[v])
		for w := range s.Fields() {
			w = w.Origin()
			ff := f.facts[w]
			if _, basic := w.Type().Underlying().(*types.Basic); !basic || w == v || ff == nil || isString(w.Type()) {
				continue
			}
			for _, x := range list {
				for _, y := range ps.at[w] {
					told = told || runTogether(x.store.Block(), y.store.Block()) && (isAlways(w) && !asked || slices.ContainsFunc(ff.stores, func(z fieldStore) bool { return z.what == wZero }))
				}
			}
		}
		if told {
			continue
		}
		some[v] = append(some[v], list...)
		evident[v] = evident[v] || always
	}
}

// onlyThese reports whether all that the package stores in a field is stored by these.
func (f *forgotten) onlyThese(ff *fieldFacts, list []setAt) bool {
	if ff == nil || ff.open {
		return false
	}
	// Keys that are set where the map was made belong to that.
	if slices.ContainsFunc(ff.keys, func(k ssa.Instruction) bool {
		return !slices.ContainsFunc(list, func(x setAt) bool { return x.store.Parent() == k.Parent() && precedes(x.store, k) })
	}) {
		return false
	}
	if ff.field.Exported() && ff.field.Pkg() != f.a.pkg.Pkg {
		return false
	}
	for _, s := range ff.stores {
		if s.what == wZero || s.what == wDerived || !slices.ContainsFunc(list, func(x setAt) bool { return x.store == s.instr }) {
			return false
		}
	}
	return len(ff.stores) > 0
}

// asksSibling reports whether all who read a field ask another one of the struct first, or those do who call them.
func (f *forgotten) asksSibling(ff *fieldFacts) bool {
	if len(ff.reads) == 0 {
		return false
	}
	asks := func(i ssa.Instruction) bool {
		return slices.ContainsFunc(deciders(i.Block(), nil), func(c ssa.Value) bool {
			return !f.asksFailure(c) && leadsFrom(c, 0, func(v ssa.Value) bool {
				switch x := v.(type) {
				case *ssa.FieldAddr:
					return types.Identical(structOf(x.X.Type()), ff.of) && fieldAt(x) != ff.field
				case *ssa.Field:
					return types.Identical(structOf(x.X.Type()), ff.of) && ff.of.Field(x.Field).Origin() != ff.field
				}
				return false
			})
		})
	}
	for _, r := range ff.reads {
		callers := f.callers[origin(r.Parent())]
		if !asks(r) && (len(callers) == 0 || slices.ContainsFunc(callers, func(c ssa.CallInstruction) bool { return !asks(c) })) {
			return false
		}
	}
	return true
}

// asksFailure reports whether a condition asks whether a call of code out of view failed, which says nothing of what
// the call was given.
func (f *forgotten) asksFailure(c ssa.Value) bool {
	o, ok := c.(*ssa.BinOp)
	if !ok || !isError(o.X.Type()) {
		return false
	}
	v := o.X
	if isNilConst(v) {
		v = o.Y
	}
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	call, ok := v.(*ssa.Call)
	return ok && f.a.calledFunction(call) == nil
}

// deciders are the conditions above a block, up to another.
func deciders(b, top *ssa.BasicBlock) []ssa.Value {
	var list []ssa.Value
	for d := b.Idom(); d != nil; d = d.Idom() {
		if i, ok := lastInstr(d).(*ssa.If); ok {
			// What follows either way was not decided here.
			if !slices.ContainsFunc(d.Succs, func(s *ssa.BasicBlock) bool { return len(s.Preds) == 1 && (s == b || s.Dominates(b)) }) {
				if d != b.Idom() {
					continue
				}
			}
			list = append(list, i.Cond)
		}
		if d == top {
			break
		}
	}
	return list
}

// leadsFrom reports whether a value is made from one that match accepts.
func leadsFrom(v ssa.Value, depth int, match func(ssa.Value) bool) bool {
	if v == nil || depth > 7 {
		return false
	}
	if match(v) {
		return true
	}
	i, ok := v.(ssa.Instruction)
	if !ok {
		return false
	}
	for _, o := range i.Operands(nil) {
		if *o != nil && leadsFrom(*o, depth+1, match) {
			return true
		}
	}
	return false
}

// takenValues are the values that an instruction that takes from a pool gives.
func takenValues(i ssa.Instruction) []ssa.Value {
	v, ok := i.(ssa.Value)
	if !ok {
		return nil
	}
	if _, tuple := v.Type().(*types.Tuple); tuple {
		if v = part(v, 0); v == nil {
			return nil
		}
	}
	bases := []ssa.Value{v}
	for k := 0; k < len(bases) && k < 8; k++ {
		for _, r := range referrers(bases[k]) {
			if p, ok := r.(*ssa.Phi); ok && !slices.Contains(bases, ssa.Value(p)) {
				bases = append(bases, p)
			}
		}
	}
	return bases
}

// setsOf finds what is stored in the fields of a struct after an instruction. In a loop
// over elements, what counts is that the loop goes on.
func (f *forgotten) setsOf(bases []ssa.Value, from ssa.Instruction, loop bool, depth int) partlySet {
	ps := partlySet{at: map[*types.Var][]setAt{}}
	start := from.Block()
	add := func(v *types.Var, x setAt) { ps.at[v] = append(ps.at[v], x) }
	isBase := func(v ssa.Value) bool { return slices.Contains(bases, v) }
	for _, base := range bases {
		for _, r := range referrers(base) {
			switch r := r.(type) {
			case *ssa.FieldAddr:
				v := fieldAt(r)
				for _, q := range referrers(r) {
					if st, ok := q.(*ssa.Store); ok && st.Addr == r {
						add(v, setAt{block: st.Block(), here: st, store: st, val: st.Val})
					}
				}
			case *ssa.Store:
				if r.Addr == base {
					ps.open = true
				}
			case *ssa.Call:
				k := slices.IndexFunc(r.Call.Args, isBase)
				fn := f.a.calledFunction(r)
				if r.Call.IsInvoke() || k < 0 {
					ps.lent = true
					continue
				}
				if b, ok := r.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
					continue
				}
				if fn == nil || len(fn.Blocks) == 0 || depth > 2 || k >= len(fn.Params) {
					if slices.ContainsFunc(f.puts, func(p poolSite) bool { return p.instr == r }) {
						continue
					}
					if fn == nil && calledMethod(r) != nil {
						ps.lent = true
					} else {
						ps.open = true
					}
					continue
				}
				if !writesTo(fn, f) {
					continue
				}
				in := f.setsOf([]ssa.Value{fn.Params[k]}, fn.Blocks[0].Instrs[0], false, depth+1)
				ps.open, ps.lent = ps.open || in.open, ps.lent || in.lent
				for v, list := range in.at {
					always := slices.ContainsFunc(list, func(x setAt) bool { return x.always })
					for _, x := range list {
						x.block, x.here, x.maybe = r.Block(), r, !always
						add(v, x)
					}
				}
			}
		}
	}
	var stored []ssa.Value // in fields that are set always
	for _, list := range ps.at {
		blocks := map[*ssa.BasicBlock]bool{}
		for _, x := range list {
			if !x.maybe {
				blocks[x.block] = true
			}
		}
		always := len(blocks) > 0 && !goesOn(start, blocks, loop, isBase) && !(depth > 0 && start.Parent().Signature.Results().Len() == 0 && returnsAround(start, blocks))
		for k := range list {
			list[k].always = always
			if always {
				stored = append(stored, list[k].val)
			}
		}
	}
	decides := map[ssa.Value]bool{} // whether a condition leads from the struct
	asks := func(c ssa.Value) bool {
		yes, known := decides[c]
		if !known {
			yes = leadsFromState(c, 0, f.inputs, func(x ssa.Value) bool {
				return isBase(x) || isBasic(x.Type()) && slices.ContainsFunc(stored, func(s ssa.Value) bool { return sameRead(x, s) })
			})
			decides[c] = yes
		}
		return yes
	}
	guarded := map[*ssa.BasicBlock]bool{}
	for _, list := range ps.at {
		for k, x := range list {
			yes, known := guarded[x.block]
			if !known {
				yes = slices.ContainsFunc(deciders(x.block, start), asks)
				guarded[x.block] = yes
			}
			list[k].asks = x.asks || yes
		}
	}
	return ps
}

// writesTo reports whether a function may store to a field.
func writesTo(fn *ssa.Function, f *forgotten) bool {
	if len(f.writes[fn]) > 0 {
		return true
	}
	for i := range instrsOf(fn) {
		if _, ok := i.(ssa.CallInstruction); ok {
			return true
		}
	}
	return false
}

func isBasic(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// sameRead reports whether two values are one, or read from one place.
func sameRead(x, y ssa.Value) bool {
	if _, ok := x.(*ssa.Const); ok {
		return false
	}
	if x == y {
		return true
	}
	switch x := x.(type) {
	case *ssa.UnOp:
		y, ok := y.(*ssa.UnOp)
		if !ok || x.Op != y.Op {
			return false
		}
		if x.X == y.X {
			return true
		}
		fx, ok1 := x.X.(*ssa.FieldAddr)
		fy, ok2 := y.X.(*ssa.FieldAddr)
		return ok1 && ok2 && fx.X == fy.X && fx.Field == fy.Field
	case *ssa.Call:
		y, ok := y.(*ssa.Call)
		if !ok || len(x.Call.Args) != 1 || len(y.Call.Args) != 1 {
			return false
		}
		bx, ok1 := x.Call.Value.(*ssa.Builtin)
		by, ok2 := y.Call.Value.(*ssa.Builtin)
		return ok1 && ok2 && bx.Name() == by.Name() && (x.Call.Args[0] == y.Call.Args[0] || sameRead(x.Call.Args[0], y.Call.Args[0]))
	}
	return false
}

// goesOn reports whether a main way on from a block, round the loop, to the last return or
// to one that gives the struct, leaves some blocks out.
func goesOn(from *ssa.BasicBlock, blocks map[*ssa.BasicBlock]bool, loop bool, isBase func(ssa.Value) bool) bool {
	if blocks[from] {
		return false
	}
	var last *ssa.BasicBlock
	seen := map[*ssa.BasicBlock]bool{}
	round, gives := false, false
	var walk func(b *ssa.BasicBlock, avoid bool)
	walk = func(b *ssa.BasicBlock, avoid bool) {
		if seen[b] || avoid && blocks[b] {
			return
		}
		seen[b] = true
		if loop && !from.Dominates(b) {
			round = true
			return
		}
		if r, ok := lastInstr(b).(*ssa.Return); ok && (last == nil || endOf(r) > endOf(lastInstr(last).(*ssa.Return))) {
			last = b
		}
		if r, ok := lastInstr(b).(*ssa.Return); ok && len(r.Results) == 1 {
			gives = gives || isBase(r.Results[0])
		}
		for _, s := range b.Succs {
			if s == from {
				round = true
			}
			walk(s, avoid)
		}
	}
	walk(from, false)
	looped, end := round, last
	clear(seen)
	round, gives, last = false, false, nil
	walk(from, true)
	if loop && looped {
		return round
	}
	return gives || end != nil && seen[end]
}

// keptTypes are the structs of the package that lie in slices which pooled values lead to, with what is pooled.
func (f *forgotten) keptTypes() map[*types.Named]*types.Named {
	kept := map[*types.Named]*types.Named{}
	var pooled *types.Named
	seen := map[*types.Named]bool{}
	var visit func(t types.Type, inSlice bool)
	visit = func(t types.Type, inSlice bool) {
		switch u := types.Unalias(t).(type) {
		case *types.Pointer:
			visit(u.Elem(), inSlice)
			return
		case *types.Named:
			u = u.Origin()
			if s, ok := u.Underlying().(*types.Struct); ok {
				if u.Obj().Pkg() != f.a.pkg.Pkg {
					return
				}
				if inSlice && kept[u] == nil {
					kept[u] = pooled
				}
				if seen[u] {
					return
				}
				seen[u] = true
				for v := range s.Fields() {
					visit(v.Type(), false)
				}
				return
			}
		}
		switch u := t.Underlying().(type) {
		case *types.Slice:
			visit(u.Elem(), true)
		case *types.Struct:
			for v := range u.Fields() {
				visit(v.Type(), false)
			}
		}
	}
	for _, p := range f.pooledHere() {
		pooled = p.typ
		visit(p.typ, false)
	}
	return kept
}

// lengthened reports whether a slice is what a field held, at another length.
func (f *forgotten) lengthened(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Slice:
		if x.High == nil {
			return false
		}
		if c, ok := x.High.(*ssa.Const); ok && c.Value != nil && isZero(c.Value) {
			return false
		}
		return fieldSlice(x.X, 0) || f.givenSlice(x.X) != nil || f.givenList(x.X) != nil
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return f.lengthened(e, depth+2) })
	case *ssa.UnOp:
		if p := f.givenSlice(x); p != nil {
			return f.cutThrough(p)
		}
		// A field that was set to such a slice before, in this function.
		fa, ok := x.X.(*ssa.FieldAddr)
		if !ok {
			return false
		}
		for i := range instrsOf(x.Parent()) {
			if st, ok := i.(*ssa.Store); ok && fieldAt(st.Addr) == fieldAt(fa) && f.lengthened(st.Val, depth+2) {
				return true
			}
		}
	case *ssa.Call:
		// A helper that gives its argument at another length.
		fn := x.Call.StaticCallee()
		if fn == nil {
			return false
		}
		if o := fn.Origin(); o != nil {
			fn = o
		}
		if !f.a.inPackage(fn) {
			return false
		}
		for _, b := range fn.Blocks {
			r, ok := lastInstr(b).(*ssa.Return)
			if !ok || len(r.Results) != 1 {
				continue
			}
			results := []ssa.Value{r.Results[0]}
			if p, ok := r.Results[0].(*ssa.Phi); ok {
				results = p.Edges
			}
			for _, v := range results {
				s, ok := v.(*ssa.Slice)
				if !ok || s.High == nil {
					continue
				}
				if p, ok := s.X.(*ssa.Parameter); ok {
					k := slices.Index(fn.Params, p)
					if k >= 0 && k < len(x.Call.Args) && fieldSlice(x.Call.Args[k], 0) {
						return true
					}
				}
			}
		}
	}
	return false
}

// givesElement reports whether a call gives the address of an element of a slice that the
// callee lengthened.
func (f *forgotten) givesElement(c *ssa.Call) bool {
	fn := f.a.calledFunction(c)
	if fn == nil || fn.Signature.Results().Len() != 1 {
		return false
	}
	n := 0
	for _, b := range fn.Blocks {
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok {
			continue
		}
		v := r.Results[0]
		if l, ok := v.(*ssa.UnOp); ok && l.Op == token.MUL {
			v = l.X // a slice of pointers
		}
		if x, ok := v.(*ssa.IndexAddr); ok && f.lengthened(x.X, 0) {
			n++
		}
	}
	return n > 0
}

// fieldSlice reports whether a slice was read from a field, and not made here.
func fieldSlice(v ssa.Value, depth int) bool {
	if depth > 5 {
		return false
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		_, ok := x.X.(*ssa.FieldAddr)
		return ok && x.Op == token.MUL
	case *ssa.Slice:
		return fieldSlice(x.X, depth+1)
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return fieldSlice(e, depth+2) })
	case *ssa.Call:
		return isGrow(x) && fieldSlice(x.Call.Args[0], depth+1)
	}
	return false
}

// goesWithAll reports whether a slice was read from a field, or from those that callers pass, that only grows while
// the struct is in use, and is dropped by itself or with all the others where the struct is emptied as a whole: there
// are no elements of the last use.
func (f *forgotten) goesWithAll(s ssa.Value) bool {
	from := f.listFields(s, 0)
	for _, fa := range from {
		if !f.onlyGrows(fieldAt(fa), fa.X.Type()) {
			return false
		}
	}
	return len(from) > 0
}

// onlyGrows reports whether a field, of what a value of the type holder points to, is never cut, but dropped.
func (f *forgotten) onlyGrows(v *types.Var, holder types.Type) bool {
	emptied := false
	for _, i := range f.a.instrs() {
		switch i := i.(type) {
		case *ssa.Store:
			c, ok := i.Val.(*ssa.Const)
			emptied = emptied || ok && c.Value == nil && (types.Identical(i.Addr.Type(), holder) || fieldAt(i.Addr) == v)
		case *ssa.Slice:
			if i.High == nil || !slices.ContainsFunc(f.listFields(i.X, 0), func(fa *ssa.FieldAddr) bool { return fieldAt(fa) == v }) {
				continue
			}
			if o, more := i.High.(*ssa.BinOp); !more || o.Op != token.ADD {
				return false
			}
		}
	}
	return emptied
}

// clearedWhole reports whether slices of a struct are cleared, or copied to, somewhere.
func (f *forgotten) clearedWhole(t *types.Named) bool {
	for c := range f.a.productCalls() {
		b, ok := c.Common().Value.(*ssa.Builtin)
		if !ok || b.Name() != "clear" && b.Name() != "copy" {
			continue
		}
		if s, ok := c.Common().Args[0].Type().Underlying().(*types.Slice); ok {
			if n, ok := types.Unalias(s.Elem()).(*types.Named); ok && n.Origin() == t.Origin() {
				return true
			}
		}
	}
	return false
}
