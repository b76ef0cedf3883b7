// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// The fields of a pooled struct are judged one by one: a path that uses a field
// as the last user left it is wrong when another path puts the value with
// something in that field.

// A poolField is a field of the values of a pool.
type poolField struct {
	pool  *pool
	field *types.Var
}

// A fieldEvent is a use of a field as it came, or a Put with something in it.
type fieldEvent struct {
	poolField
	pos   token.Pos
	taken token.Pos
	what  string
}

// fieldUse keeps, for each field, the first of its events in the order of the file.
type fieldUse map[poolField]fieldEvent

func (u fieldUse) add(list []fieldEvent) {
	for _, e := range list {
		if old, dup := u[e.poolField]; !dup || e.pos < old.pos {
			u[e.poolField] = e
		}
	}
}

// tokenField is the pooled value that an address is a field of, directly or
// through structs within it and objects that were made with it.
func (a *analysis) tokenField(addr *sym) (t *sym, field *types.Var) {
	field, _ = addr.obj.(*types.Var)
	if field == nil {
		return nil, nil
	}
	for x := addr; x.kind == kField; x = x.a {
		if x.a.kind == kToken {
			return x.a, field
		}
		if a.madeWith(x.a) {
			x = x.a
		}
	}
	return nil, nil
}

// noteFieldUse sees v, which was read from memory, used.
func (a *analysis) noteFieldUse(st *state, i ssa.Instruction, v *sym, what string) {
	if a.quiet > 0 || v.kind != kLoad || v.idx != 0 {
		return
	}
	t, f := a.tokenField(v.a)
	if t == nil || !ofSync(t.pool) || st.content[t] == isReset {
		return
	}
	a.fieldUses = append(a.fieldUses, fieldEvent{poolField{t.pool, f}, instrPos(i), t.stack[len(t.stack)-1], what})
}

// noteScalarRead sees a number, flag, string or error read from a field of a
// pooled value that the path did not write before.
func (a *analysis) noteScalarRead(st *state, i ssa.Instruction, v *sym) {
	if v.kind != kLoad || v.idx != 0 || v.a.kind != kField || !scalar(v.typ) {
		return
	}
	if t, _ := a.tokenField(v.a); t == nil {
		return
	}
	st.reads = append(slices.Clip(st.reads), v.a)
	a.noteFieldUse(st, i, v, "read")
}

func scalar(t types.Type) bool {
	if t == nil {
		return false
	}
	if isError(t) {
		return true
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() != types.UnsafePointer
}

var typeError = types.Universe.Lookup("error").Type()

func isError(t types.Type) bool { return types.Identical(t, typeError) }

func ofSync(p *pool) bool { return p != nil && p.known && p.api == "sync.Pool" }

// noteLeft sees which fields of a value have something in them when it is put.
func (a *analysis) noteLeft(st *state, m *sym, p *pool, ev event) {
	if m.kind != kToken || m.pool != p || !ofSync(p) || st.content[m] == isReset {
		return
	}
	a.noteInnerLeft(st, m, p, ev)
	for _, k := range sortedKeys(st.mem) {
		if k.kind != kField || !passes(k, m) {
			continue
		}
		t, f := a.tokenField(k)
		if t != nil && !isError(f.Type()) && slices.Contains(st.reads, k) && !st.mem[k].mentions(asCame(k)) {
			// Looked at and then set: it tells the next user something.
			a.fieldKept = append(a.fieldKept, fieldEvent{poolField: poolField{p, f}})
		}
		if v := st.mem[k]; t != nil && (v.kind == kView && v.idx != 1 || v.kind == kAdv) && asCame(k)(memory(v)) {
			// Something was taken out of it: a free list.
			a.fieldKept = append(a.fieldKept, fieldEvent{poolField: poolField{p, f}})
		}
		if t != nil && lengthTested(st, st.mem[k]) {
			// How full it is decides what becomes of it: it gathers for several users.
			a.fieldKept = append(a.fieldKept, fieldEvent{poolField: poolField{p, f}})
		}
		if t == nil || !a.leaves(st, k, st.mem[k], f.Type()) || a.asMade(p, f, st.mem[k]) {
			continue
		}
		a.fieldLefts = append(a.fieldLefts, fieldEvent{poolField{p, f}, ev.pos(), m.stack[0], ""})
	}
}

// asMade reports whether a constant in a field is the one that new objects of the pool have there.
func (a *analysis) asMade(p *pool, f *types.Var, v *sym) bool {
	if v.kind != kConst {
		return false
	}
	for _, fn := range a.news[p.key] {
		for i := range instrsOf(fn) {
			st, ok := i.(*ssa.Store)
			if !ok {
				continue
			}
			fa, ok := st.Addr.(*ssa.FieldAddr)
			c, isConst := st.Val.(*ssa.Const)
			if ok && isConst && c.Value != nil && fieldAt(fa) == f && constant.Compare(c.Value, token.EQL, v.val) {
				return true
			}
		}
	}
	return false
}

// lengthTested reports whether the path tested the length of what it appended to, other than by going through it: a
// loop asks whether there is a first element, a second one, and so on until there is none.
func lengthTested(st *state, v *sym) bool {
	if v.kind != kAppend {
		return false
	}
	length := func(x *sym) bool { return x != nil && x.kind == kLen && x.a == v }
	first, end := false, false // there is a first element; there is no further one
	for c, is := range st.truth {
		switch {
		case c.kind != kCmp || !c.mentions(length):
		case token.Token(c.idx) != token.LSS || !length(c.b):
			return true
		case c.a.kind == kConst && isZero(c.a.val):
			first = is
		case c.a.kind == kArith:
			end = end || !is
		default:
			return true
		}
	}
	return first && !end
}

// leaves reports whether v, which the path stored at address k, is something
// that the next user would take for its own.
func (a *analysis) leaves(st *state, k, v *sym, typ types.Type) bool {
	if _, ok := typ.Underlying().(*types.Slice); ok {
		// Appended to, and not cut since.
		if isNil, known := a.known(st, a.syms.nilTest(v)); known && isNil {
			return false // there was nothing to append
		}
		for ; v != nil; v = v.a {
			switch v.kind {
			case kAppend:
				if !appendsZeros(v) {
					return true
				}
			case kView:
				if v.idx == 1 {
					return false
				}
			default:
				return false
			}
		}
		return false
	}
	if lendsUse(typ) {
		return a.passedIn(v) && !slices.Contains(st.reads, k)
	}
	if !scalar(typ) {
		return false
	}
	asLeft := asCame(k)
	if isError(typ) {
		// Nobody keeps an error for the next user.
		isNil, known := a.known(st, a.syms.nilTest(v))
		return !asLeft(v) && !(known && isNil)
	}
	switch {
	case v.kind == kNil, v.kind == kConst && isZero(v.val):
		return false
	case v.kind == kArith && v.idx == int(token.OR):
		return v.a.mentions(asLeft) || !slices.Contains(st.reads, k)
	}
	// What a path looked at before it wrote is kept on purpose: a flag that says
	// what was done once, a size that was learned.
	return !slices.Contains(st.reads, k) && !v.mentions(asLeft)
}

// appendsZeros reports whether what was appended is append(s, make([]T, n)...): room, and no content.
func appendsZeros(v *sym) bool {
	c, ok := v.obj.(*ssa.Call)
	if !ok || !isBuiltin(c, "append") || len(c.Call.Args) != 2 {
		return false
	}
	m, ok := c.Call.Args[1].(*ssa.MakeSlice)
	return ok && len(referrers(m)) == 1
}

// asCame tells the value that memory at k had when it came from the pool.
func asCame(k *sym) func(*sym) bool {
	return func(x *sym) bool { return x.kind == kLoad && x.idx == 0 && x.a == k }
}

func isZero(v constant.Value) bool {
	switch v.Kind() {
	case constant.Bool:
		return !constant.BoolVal(v)
	case constant.String:
		return constant.StringVal(v) == ""
	case constant.Int, constant.Float:
		return constant.Sign(v) == 0
	}
	return false
}

// judgeStale draws the conclusions.
func (a *analysis) judgeStale() {
	var wrong []fieldEvent
	for k, use := range a.used {
		_, left := a.left[k]
		if _, kept := a.kept[k]; left && !kept && !a.keyed(k.field) {
			wrong = append(wrong, use)
		}
	}
	slices.SortFunc(wrong, func(x, y fieldEvent) int {
		return cmp.Or(cmp.Compare(x.pos, y.pos), cmp.Compare(x.field.Pos(), y.field.Pos()))
	})
	for _, use := range wrong {
		left := a.left[use.poolField]
		a.toldOf[use.field] = true
		a.reportFound(finding{
			pattern: missingReset, pos: use.pos,
			message: fmt.Sprintf("field %s of %s is %s as the last user left it, and a Put at %s returns it with something in that field",
				use.field.Name(), a.gotValue(use.taken, use.pool), use.what, a.line(left.pos)),
			related: []goanalysis.RelatedInformation{
				{Pos: use.taken, Message: "taken here"},
				{Pos: left.pos, Message: "put with something in the field here"},
			},
			fixes: a.afterGet(use.taken, "empty the field after Get", a.emptiedField(use.poolField)),
		})
	}
}

// keyed reports whether all that is stored in a field belongs to a key beside it.
func (a *analysis) keyed(v *types.Var) bool {
	f := a.uses()
	ff := f.facts[v]
	return ff != nil && len(ff.stores) > 0 && !slices.ContainsFunc(ff.stores, func(s fieldStore) bool { return !f.ofKey(ff, s) })
}

// checkKept reports a field of a pooled struct that still leads to what a
// caller passed in, when the function that puts the value clears other fields.
func (a *analysis) checkKept(st *state, i ssa.CallInstruction, m *sym, p *pool, typ types.Type, ev event) {
	n := pointee(typ)
	if m.kind != kToken || n == nil || n.Obj().Pkg() != a.pkg.Pkg || st.content[m] == isReset {
		return
	}
	cleans := false
	var resets []ssa.Instruction // calls, where the value is put, of what cleans it
	var kept []*sym
	for _, k := range sortedKeys(st.mem) {
		if k.kind != kField || k.a != m || k.idx < 0 {
			continue
		}
		v := st.mem[k]
		e := st.stores[k]
		if e == nil {
			continue
		}
		if v.kind == kNil || v.kind == kConst && isZero(v.val) || v.kind == kView && v.idx == 1 {
			cleans = cleans || e.fn == ev.fn
			if n := len(ev.stack); e.fn != ev.fn && v.kind == kNil && keepsAlive(fieldType(k)) && len(e.stack) > n && e.stack[n-1].Parent() == ev.fn && precedes(e.stack[n-1], i) {
				resets = append(resets, e.stack[n-1])
			}
			continue
		}
		if a.passedIn(v) && keepsAlive(fieldType(k)) && !holdsPool(fieldType(k), p) {
			kept = append(kept, k)
		}
	}
	kept = slices.DeleteFunc(kept, func(k *sym) bool {
		e := st.stores[k]
		if cleans && e.fn != ev.fn {
			return false
		}
		n := len(ev.stack)
		return len(e.stack) < n || !slices.ContainsFunc(resets, func(r ssa.Instruction) bool { return precedes(e.stack[n-1], r) && e.stack[n-1] != r })
	})
	if len(kept) == 0 {
		return
	}
	f := kept[0].obj.(*types.Var)
	a.report(finding{
		pattern: retainedRefs, pos: ev.pos(), fn: ev.fn,
		message: fmt.Sprintf("field %s still leads to what it was given when %s goes to %s (%s), although other fields are cleared: the pool keeps that alive", f.Name(), orElse(a.putName(&ev, ev.fn), "the value"), p.label(), a.line(ev.pos())),
		more:    a.related(rel("the Put", &ev)),
		related: append(a.related(rel("set here", st.stores[kept[0]])), a.acquired(m)...),
		fixes:   a.setNilFirst(i, p, kept),
	})
}

// passedIn reports whether a value is what the root was called with, or part of
// it, but not its receiver's: that lives as long as the pool.
func (a *analysis) passedIn(v *sym) bool {
	b := plain(v).base()
	if b.kind != kParam {
		return false
	}
	prm, ok := b.obj.(*ssa.Parameter)
	return ok && (prm.Parent().Signature.Recv() == nil || prm != prm.Parent().Params[0])
}

// keepsAlive reports whether a field of that type holds on to what it was set to.
func keepsAlive(t types.Type) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		_, isStruct := u.Elem().Underlying().(*types.Struct)
		return isStruct && namedPkg(u) != "sync" && namedPkg(u) != "log/slog" && namedPkg(u) != "log"
	case *types.Interface, *types.Map, *types.Slice:
		return true
	}
	return false
}

// holdsPool reports whether a type is that of the object that the pool is a
// field of: a value may well lead back to it.
func holdsPool(t types.Type, p *pool) bool {
	s := structOf(t)
	if s == nil {
		return false
	}
	for f := range s.Fields() {
		if any(f.Origin()) == p.key {
			return true
		}
	}
	return false
}
