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

// fields gathers, over all roots, what happens to struct fields: those that
// hold pooled values, and those of pooled structs. What one function forgets
// shows only beside what the others do.
type fields struct {
	holds    map[types.Object]*pool     // a pooled value is stored in the field
	puts     map[types.Object]bool      // what the field holds is put back somewhere
	drops    map[types.Object]fieldDrop // the field is set to nil, its content unseen
	replaced map[types.Object]fieldDrop // the field is set to another pooled value, its content unseen
	born     map[types.Object]bool      // the field of a new object holds a pooled value
	reads    map[types.Object]token.Pos // read as the last user left it
	dirties  map[types.Object]token.Pos // written with something other than zero
	resets   map[*pool]map[types.Object]bool
	hidden   map[*pool]bool // the value went through code that is not in view
	takes    map[*pool][]*sym
	internal map[*ssa.Function]bool   // functions with callers in the package
	unseen   map[*types.TypeName]bool // a function that gives values of the type was not followed
	seen     map[*sym]bool            // fields, of the current root, whose overwritten content it had stored itself
	asCame   map[poolField]bool       // some path does not set the field to memory from elsewhere before all else

	kept      map[*types.Var]heldBack
	forGood   map[*types.Var]keptForGood
	leftThere map[*types.Var]*release // Puts of what a field still holds when the path ends
}

type fieldDrop struct {
	pos token.Pos
	fn  *ssa.Function
}

func newFields() fields {
	return fields{
		holds: map[types.Object]*pool{}, puts: map[types.Object]bool{}, drops: map[types.Object]fieldDrop{},
		replaced: map[types.Object]fieldDrop{}, born: map[types.Object]bool{},
		reads: map[types.Object]token.Pos{}, dirties: map[types.Object]token.Pos{}, resets: map[*pool]map[types.Object]bool{},
		hidden: map[*pool]bool{}, takes: map[*pool][]*sym{}, internal: map[*ssa.Function]bool{},
		asCame: map[poolField]bool{}, unseen: map[*types.TypeName]bool{},
	}
}

// fieldOfPath is the field through which a value was found: of f, f[i] and
// parts of these.
func fieldOfPath(x *sym) types.Object {
	for x != nil {
		switch x.kind {
		case kView, kAdv, kAppend, kIface, kElem, kLoad:
			x = x.a
		case kField:
			v, _ := x.obj.(*types.Var)
			if v == nil {
				return nil
			}
			return v
		default:
			return nil
		}
	}
	return nil
}

// notePutField sees what is put and where it was held.
func (a *analysis) notePutField(x *sym) {
	if f := fieldOfPath(plain(x)); f != nil && plain(x).kind != kField {
		a.fields0.puts[f] = true
	}
}

// fieldsAtExit looks at the fields of objects that outlive a root.
func (a *analysis) fieldsAtExit(e exit) {
	st := e.st
	a.noteLeftThere(st)
	for _, addr := range sortedKeys(st.mem) {
		if addr.kind != kField || addr.idx < 0 {
			continue
		}
		obj, ok := addr.obj.(*types.Var)
		if !ok {
			continue
		}
		v := st.mem[addr]
		if t := heldToken(st, v); t != nil && addr.base().kind != kToken {
			a.fields0.holds[obj] = t.pool
			a.noteCame(st, addr, obj, t)
			a.noteInField(e, obj, t)
			a.noteKeptForGood(e, addr, t)
		}
		if t := heldToken(st, v); t != nil && addr.a.kind == kAlloc && !ofLiteral(addr.a) {
			a.fields0.born[obj] = true
		}
		if t := plain(v); (t.kind == kNil || t.kind == kToken && !asksSibling(st, addr)) && (a.dropsField(st, addr) || t.kind == kToken && a.replacesRead(st, addr, t)) {
			// A struct that is part of another is not made by itself, with a value in it: nothing says that it has one.
			if ev := st.stores[addr]; ev != nil && (t.kind == kNil || addr.a.kind != kField) {
				drops := a.fields0.drops
				if t.kind == kToken {
					drops = a.fields0.replaced
				}
				if old, dup := drops[obj]; !dup || ev.pos() < old.pos {
					drops[obj] = fieldDrop{ev.pos(), ev.fn}
				}
			}
		}
		// Fields of values from a pool.
		if t := addr.base(); t.kind == kToken && !throughLoad(addr) {
			a.resetField(t.pool, obj)
		}
	}
	for _, t := range st.toks {
		for x := range st.epoch {
			if passes(x, t) {
				a.fields0.hidden[t.pool] = true
			}
		}
		if !slices.Contains(a.fields0.takes[t.pool], t) {
			a.fields0.takes[t.pool] = append(a.fields0.takes[t.pool], t)
		}
	}
}

// ofLiteral reports whether an address is that of a struct which is only written down to be copied.
func ofLiteral(x *sym) bool {
	al, ok := x.obj.(*ssa.Alloc)
	return x.kind == kAlloc && ok && !al.Heap
}

func (a *analysis) resetField(p *pool, obj types.Object) {
	if a.fields0.resets[p] == nil {
		a.fields0.resets[p] = map[types.Object]bool{}
	}
	a.fields0.resets[p][obj] = true
}

// notePutStruct sees which fields of a struct were assigned before it is put.
func (a *analysis) notePutStruct(st *state, x *sym, p *pool) {
	m := memory(x)
	for k := range st.mem {
		if k.kind == kField && inside(k, m) {
			if v, ok := k.obj.(*types.Var); ok {
				a.resetField(p, v)
			}
		}
	}
	for y := range st.epoch {
		if passes(y, m) {
			a.fields0.hidden[p] = true
		}
	}
}

func throughLoad(x *sym) bool {
	for ; x != nil; x = x.a {
		if x.kind == kLoad {
			return true
		}
	}
	return false
}

// heldToken is the token that a stored value is part of, or a slice of which
// it was appended to.
func heldToken(st *state, v *sym) *sym {
	if v.kind == kAppend {
		for _, k := range sortedKeys(st.mem) {
			if k.kind == kElem && k.a == v {
				if t := plain(st.mem[k]); t.kind == kToken {
					return t
				}
			}
		}
	}
	for y := v; y != nil; y = y.a {
		if y.kind == kToken {
			return y
		}
		if y.kind == kLoad && !owned(y.typ) && !(ownedBehind(y) && boxes(y.a, y.a.a)) {
			return nil
		}
	}
	return nil
}

// dropsField reports whether a root forgot what a field of its receiver held.
func (a *analysis) dropsField(st *state, addr *sym) bool {
	fn := a.root
	if linksOn(addr) {
		return false // who walks the list puts the next object
	}
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 || addr.a.base().kind != kParam || addr.a.base().obj != any(fn.Params[0]) {
		return false
	}
	if a.fields0.internal[fn] && !token.IsExported(fn.Name()) {
		return false
	}
	if a.released(st, addr) != nil || st.rel[addr.a.base()] != nil || st.epochOf(addr) > 0 {
		return false
	}
	// Read before, or its own: the function knew what was there.
	return !a.fields0.seen[addr] && a.syms.find(symKey{kind: kLoad, a: addr}) == nil
}

// linksOn reports whether a field of an object points to another one of its own type.
func linksOn(addr *sym) bool {
	v, ok := addr.obj.(*types.Var)
	if !ok {
		return false
	}
	n := pointee(v.Type())
	if n == nil {
		return false
	}
	for f := range n.Underlying().(*types.Struct).Fields() {
		if f.Origin() == v.Origin() {
			return true
		}
	}
	return false
}

// asksSibling reports whether the path looked at another field of the object: that may say
// that this one is empty, as the tail of a list does of its head.
func asksSibling(st *state, addr *sym) bool {
	for c := range st.truth {
		if c.mentions(func(x *sym) bool { return x.kind == kLoad && x.a.kind == kField && x.a.a == addr.a && x.a != addr }) {
			return true
		}
	}
	return false
}

// readsTwin reports whether a function reads another field of the same struct and type that
// holds values of the same pool: both may have the one value, as where a slice and
// its start are kept. One whose content the function gives away may lead to a part of the value.
func (a *analysis) readsTwin(fn *ssa.Function, obj types.Object) bool {
	for i := range instrsOf(fn) {
		u, ok := i.(*ssa.UnOp)
		if !ok {
			continue
		}
		fa, ok := u.X.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		f := nthField(fa.X, fa.Field)
		if f == nil || f == obj || !hasField(structOf(fa.X.Type()), obj.(*types.Var)) {
			continue
		}
		if types.Identical(f.Type(), obj.Type()) && a.fields0.holds[f] == a.fields0.holds[obj] || isPartOf(f.Type(), obj.Type()) && returnsType(fn, f.Type()) {
			return true
		}
	}
	return false
}

// isPartOf reports whether a pointer may lead to a field of the struct that another one leads to, or an element of
// an array in it.
func isPartOf(p, of types.Type) bool {
	to, ok := p.Underlying().(*types.Pointer)
	if _, isPtr := of.Underlying().(*types.Pointer); !ok || !isPtr {
		return false
	}
	s := structOf(of)
	if s == nil {
		return false
	}
	for f := range s.Fields() {
		t := f.Type()
		if l, ok := t.Underlying().(*types.Array); ok {
			t = l.Elem()
		}
		if types.Identical(t, to.Elem()) {
			return true
		}
	}
	return false
}

func returnsType(fn *ssa.Function, t types.Type) bool {
	for r := range fn.Signature.Results().Variables() {
		if types.Identical(r.Type(), t) {
			return true
		}
	}
	return false
}

// judgeFields draws the conclusions.
func (a *analysis) judgeFields() {
	f := &a.fields0
	for obj, d := range f.drops {
		p := f.holds[obj]
		if p == nil || !f.puts[obj] || a.readsTwin(d.fn, obj) {
			continue
		}
		a.reportFound(finding{
			pattern: missingPut, pos: d.pos, fn: d.fn,
			message: fmt.Sprintf("field %s is set to nil while it may hold a value taken from %s%s, which is then not put back", obj.Name(), p.label(), a.takenLine(obj)),
			more:    a.cameAt(obj, p),
		})
	}
	for obj, d := range f.replaced {
		p := f.holds[obj]
		if p == nil || !f.puts[obj] || !f.born[obj] {
			continue
		}
		a.reportFound(finding{
			pattern: missingPut, pos: d.pos, fn: d.fn,
			message: fmt.Sprintf("field %s is set while it may hold another value taken from %s%s, which is then not put back: new objects have one", obj.Name(), p.label(), a.takenLine(obj)),
			more:    a.cameAt(obj, p),
		})
	}
	for _, p := range a.poolList {
		if f.hidden[p] || len(f.resets[p]) == 0 || len(f.takes[p]) == 0 || len(p.puts) == 0 {
			continue
		}
		typ := p.puts[0].typ
		n := pointee(typ)
		if n == nil || n.Obj().Pkg() != a.pkg.Pkg || f.unseen[n.Obj()] {
			continue
		}
		var missing []*types.Var
		collectFields(n, 0, func(v *types.Var, s *types.Struct) {
			sibling := false
			for w := range s.Fields() {
				sibling = sibling || f.resets[p][w.Origin()]
			}
			if !sibling {
				return
			}
			if f.resets[p][v] || !resettable(v.Type()) || !f.reads[v].IsValid() || !f.dirties[v].IsValid() {
				return
			}
			if ff := a.uses().facts[v]; ff != nil && a.uses().putGuarded(ff, n.Origin()) {
				return // a value with the field set is never put
			}
			if a.answers(v) {
				return
			}
			missing = append(missing, v)
		})
		if len(missing) == 0 {
			continue
		}
		slices.SortFunc(missing, func(x, y *types.Var) int { return a.inOrder(x.Pos(), y.Pos()) })
		slices.SortFunc(f.takes[p], func(x, y *sym) int { return cmp.Compare(x.stack[0], y.stack[0]) })
		v := missing[0]
		for _, m := range missing {
			a.toldOf[m] = true
		}
		a.reportFound(finding{
			pattern: missingReset, pos: f.takes[p][0].stack[0],
			message: fmt.Sprintf("field %s of %s is reset neither here nor before a Put, although other fields are: the next user sees what the last one left (read at %s)", v.Name(), a.gotValue(f.takes[p][0].stack[0], p), a.line(f.reads[v])),
			related: []goanalysis.RelatedInformation{
				{Pos: f.dirties[v], Message: "written here"},
				{Pos: f.reads[v], Message: "read here"},
				{Pos: p.puts[0].ev.pos(), Message: "put here"},
			},
			more: a.acquired(f.takes[p][0]),
		})
	}
}

func pointee(t types.Type) *types.Named {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return nil
	}
	n, _ := types.Unalias(p.Elem()).(*types.Named)
	if n == nil {
		return nil
	}
	if _, ok := n.Underlying().(*types.Struct); !ok {
		return nil
	}
	return n
}

// collectFields visits the fields of a struct and of the structs in it.
func collectFields(t types.Type, depth int, visit func(*types.Var, *types.Struct)) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 2 {
		return
	}
	for v := range s.Fields() {
		visit(v.Origin(), s)
		if namedPkg(v.Type()) != "sync" {
			collectFields(v.Type(), depth+1, visit)
		}
	}
}

// resettable reports whether a field of that type carries what one user wants
// and no other: an error, a flag. Numbers and pointers are often kept on purpose.
func resettable(t types.Type) bool {
	if isError(t) {
		return true
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// noteRead sees a load.
func (a *analysis) noteRead(st *state, i *ssa.UnOp, addr, v *sym) {
	if addr.kind != kField || v.kind != kLoad || v.a != addr {
		return
	}
	obj, ok := addr.obj.(*types.Var)
	if !ok || addr.base().kind == kToken || addr.base().kind == kAlloc {
		return
	}
	if old := a.fields0.reads[obj]; !old.IsValid() || instrPos(i) < old {
		a.fields0.reads[obj] = instrPos(i)
	}
}

// noteDirty sees a store to a field of an object that somebody else took.
func (a *analysis) noteDirty(i ssa.Instruction, addr, v *sym) {
	if addr.kind != kField || v.kind == kNil {
		return
	}
	if v.kind == kConst {
		switch v.val.ExactString() {
		case "false", "0", `""`:
			return
		}
	}
	obj, ok := addr.obj.(*types.Var)
	if !ok || addr.base().kind == kToken || addr.base().kind == kAlloc {
		return
	}
	if old := a.fields0.dirties[obj]; !old.IsValid() || instrPos(i) < old {
		a.fields0.dirties[obj] = instrPos(i)
	}
}
