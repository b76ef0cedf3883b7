// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A field of a pooled struct that is set for each use, and never set back before
// the struct is put, keeps what the last user gave it alive. That the next user
// sets it anew does not help: the value may lie in the pool for long.
//
// Many such fields hold what lives as long as the program. A report needs one of
// these: the field's type says that it belongs to one request or connection;
// the field is set to nil, but only after Get; or those who put clear other
// references and forget this one, which a caller gave.

// retainedField is a field that is not cleared, and why that matters.
type retainedField struct {
	*fieldFacts
	set   ssa.Instruction
	clear ssa.Instruction // where it is cleared, after a Get
	why   string
}

// judgeRetained reports pooled structs that keep what their fields were set to.
func (a *analysis) judgeRetained() {
	f := a.uses()
	done := map[*types.Named]bool{}
	for _, p := range f.puts {
		if p.typ.Obj().Pkg() != a.pkg.Pkg || done[p.typ] || a.inTest(p.fn) {
			continue
		}
		done[p.typ] = true
		f.judgeRetained(p.typ)
	}
}

func (f *forgotten) judgeRetained(t *types.Named) {
	at := f.putOf(t)
	if at == nil || f.a.foundIn(retainedRefs, at.Parent()) {
		return
	}
	region := f.putRegion(t)
	if slices.ContainsFunc(region, func(fn *ssa.Function) bool { return f.asBytes(fn, t) }) {
		return
	}
	var kept []retainedField
	collectFields(t, 0, func(v *types.Var, s *types.Struct) {
		ff := f.facts[v]
		if ff == nil || ff.open || f.a.toldOf[v] || !refers(v.Type()) && !anyType(v.Type()) {
			return
		}
		r := retainedField{fieldFacts: ff}
		cut := false
		for _, z := range ff.stores {
			if v := valueOf(z, ff.field); z.what != wZero || inLiteral(z, v) {
				if v != nil && f.neutral(v, z.instr, ff, t) {
					return
				}
				continue
			}
			if !f.begun(z.instr, t, ff, 0) {
				return
			}
			if cutsOnly(z.instr) {
				cut = true
			} else if r.clear == nil {
				r.clear = z.instr
			}
		}
		if cut && r.clear == nil {
			return // what stays in the array is another matter
		}
		if r.set = f.setForUse(ff, t); r.set == nil || f.setForPut(ff, t) || f.putGuarded(ff, t) {
			return
		}
		switch {
		case ofOneUse(v.Type()):
			r.why = "holds what belongs to one use"
		case anyType(v.Type()):
			r.why = "may be anything that its user would let go"
		case r.clear != nil:
			r.why = "is cleared only after Get (" + f.a.line(instrPos(r.clear)) + ")"
		case f.clearsOther(v, t, region) && slices.ContainsFunc(ff.stores, func(s fieldStore) bool { return s.given }):
			r.why = "is not cleared although other fields are"
		default:
			return
		}
		kept = append(kept, r)
	})
	if len(kept) > 0 {
		f.reportRetained(t, at, kept)
	}
}

func (f *forgotten) reportRetained(t *types.Named, at ssa.Instruction, kept []retainedField) {
	var names []string
	var related []goanalysis.RelatedInformation
	for _, r := range kept {
		names = append(names, r.field.Name())
		related = append(related, goanalysis.RelatedInformation{Pos: instrPos(r.set), Message: r.field.Name() + " is set here"})
	}
	f.a.reportFound(finding{
		pattern: retainedRefs, pos: instrPos(at), fn: at.Parent(),
		message: fmt.Sprintf("%s still leads to what the last user set in %s, which %s: the pool keeps that alive; clear it before the Put", f.a.putIn(at, t), strings.Join(names, ", "), kept[0].why),
		typed:   t,
		related: related,
	})
}

// putOf is the first place that puts values of a type, in a sync.Pool itself where there is one.
func (f *forgotten) putOf(t *types.Named) ssa.CallInstruction {
	var best, through ssa.CallInstruction
	for _, p := range f.puts {
		c, ok := p.instr.(ssa.CallInstruction)
		if p.typ != t || !ok || f.a.inTest(p.fn) {
			continue
		}
		first := &through
		if !c.Common().IsInvoke() && funcKey(calledMethod(c)) == "sync.Pool.Put" {
			first = &best
		}
		if *first == nil || instrPos(c) < instrPos(*first) {
			*first = c
		}
	}
	if best == nil {
		return through
	}
	return best
}

// refers reports whether a field of that type can keep an object alive that its
// user would let go.
func refers(t types.Type) bool {
	if isError(t) || isSyncPool(t) || isTypeParam(t) {
		return false
	}
	if longLived(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		_, isStruct := u.Elem().Underlying().(*types.Struct)
		return isStruct && namedPkg(u) != "sync" && namedPkg(u) != "log/slog" && namedPkg(u) != "log" && namedPkg(u) != "time"
	case *types.Interface, *types.Map, *types.Signature:
		return namedPkg(t) != "reflect" // Type
	case *types.Slice:
		return leadsOut(u.Elem()) || isBytes(t)
	case *types.Struct:
		return namedPkg(t) == "reflect"
	}
	return false
}

// longLived reports whether a type's name says that its values live as long as the
// program, or what they serve.
func longLived(t types.Type) bool {
	name := ""
	if n := pointee(t); n != nil {
		name = n.Obj().Name()
	} else if n, ok := types.Unalias(t).(*types.Named); ok {
		name = n.Obj().Name()
	}
	name = strings.ToLower(name)
	for _, s := range []string{"logger", "config", "options", "server", "client", "pool", "registry", "engine", "router", "cache", "type", "schema"} {
		if strings.HasSuffix(name, s) {
			return true
		}
	}
	return false
}

// ofOneUse reports whether values of a type belong to one request, connection
// or operation.
func ofOneUse(t types.Type) bool {
	switch types.TypeString(t, nil) {
	case "context.Context", "*net/http.Request", "*net/http.Response", "net/http.ResponseWriter", "net.Conn", "*net.TCPConn", "*net.UnixConn", "*crypto/tls.Conn":
		return true
	}
	return false
}

// cutsOnly reports whether what empties a field keeps its elements.
func cutsOnly(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Store:
		_, ok := i.Val.(*ssa.Slice)
		return ok
	case ssa.CallInstruction:
		b, ok := i.Common().Value.(*ssa.Builtin)
		return !ok || b.Name() != "clear" // delete
	}
	return false
}

// valueOf is what a store gives a field, also as part of a composite literal; nil for
// the zero value.
func valueOf(s fieldStore, v *types.Var) ssa.Value {
	st, ok := s.instr.(*ssa.Store)
	if !ok {
		return nil
	}
	if fa, ok := st.Addr.(*ssa.FieldAddr); ok && structOf(fa.X.Type()).Field(fa.Field).Origin() == v {
		return st.Val
	}
	l, ok := st.Val.(*ssa.UnOp)
	if !ok {
		return nil
	}
	al, ok := l.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var found ssa.Value
	var search func(addr ssa.Value, depth int)
	search = func(addr ssa.Value, depth int) {
		for _, r := range referrers(addr) {
			fa, ok := r.(*ssa.FieldAddr)
			if !ok || fa.X != addr {
				continue
			}
			if structOf(addr.Type()).Field(fa.Field).Origin() != v {
				if depth < 3 {
					search(fa, depth+1)
				}
				continue
			}
			for _, q := range referrers(fa) {
				if st, ok := q.(*ssa.Store); ok && st.Addr == fa {
					found = st.Val
				}
			}
		}
	}
	search(al, 0)
	return found
}

// inLiteral reports whether a store gives a field a value as part of a composite literal.
func inLiteral(s fieldStore, v ssa.Value) bool {
	st, ok := s.instr.(*ssa.Store)
	return ok && v != nil && v != st.Val
}

// neutral reports whether a value that a field is given holds nothing of a user's, other than
// at the begin of a use: it is the package's own, or what a caller sets to nil.
func (f *forgotten) neutral(v ssa.Value, at ssa.Instruction, ff *fieldFacts, t *types.Named) bool {
	var nothing func(v ssa.Value, at ssa.Instruction, depth int) bool
	nothing = func(v ssa.Value, at ssa.Instruction, depth int) bool {
		if depth > 3 {
			return false
		}
		if x, ok := unboxed(v).(*ssa.Parameter); ok {
			fn := x.Parent()
			k := slices.Index(fn.Params, x)
			return slices.ContainsFunc(f.callers[fn], func(c ssa.CallInstruction) bool {
				return !f.a.inTest(c.Parent()) && !c.Common().IsInvoke() && k < len(c.Common().Args) && nothing(c.Common().Args[k], c, depth+1)
			})
		}
		if x, ok := v.(*ssa.Phi); ok {
			return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return nothing(e, at, depth+1) })
		}
		if c, ok := unboxed(v).(*ssa.Call); ok && funcKey(calledMethod(c)) == "context.Background" {
			return !f.begun(at, t, ff, 0)
		}
		_, isFunc := unboxed(v).(*ssa.Function)
		if _, isCall := unboxed(v).(*ssa.Call); isCall || !isFunc && !givesNothing(v) {
			return false
		}
		return !f.begun(at, t, ff, 0)
	}
	return nothing(v, at, 0)
}

// begun reports whether an instruction stands at the begin of a use: after a
// Get, before anything is done with the value.
func (f *forgotten) begun(i ssa.Instruction, t *types.Named, ff *fieldFacts, depth int) bool {
	if _, ok := i.(*ssa.Defer); ok {
		return false // it runs at the end
	}
	fn := i.Parent()
	for _, g := range f.gets {
		if g.typ == t && g.fn == fn && precedes(g.instr, i) && !f.usedBetween(g.instr, i, t, ff) {
			return true
		}
	}
	if slices.ContainsFunc(f.puts, func(p poolSite) bool { return p.typ == t && p.fn == fn }) {
		return false
	}
	if depth > 2 || f.taken[fn] || token.IsExported(fn.Name()) || fn.Parent() != nil {
		return false
	}
	n := 0
	for _, c := range f.callers[fn] {
		if f.a.inTest(c.Parent()) {
			continue
		}
		if n++; c.Common().IsInvoke() || !f.begun(c, t, ff, depth+1) {
			return false
		}
	}
	return n > 0
}

// usedBetween reports whether a value of the type may be used on the way from its
// Get to an instruction.
func (f *forgotten) usedBetween(get, to ssa.Instruction, t *types.Named, ff *fieldFacts) bool {
	for _, b := range to.Parent().Blocks {
		if b != get.Block() && !get.Block().Dominates(b) {
			continue
		}
		before := reaches(b, to.Block())
		for _, i := range b.Instrs {
			if i == get || i == to || !precedes(get, i) || !before && !precedes(i, to) {
				continue
			}
			switch i := i.(type) {
			case *ssa.Store:
				if slices.ContainsFunc(ff.stores, func(s fieldStore) bool { return s.instr == i && s.what != wZero }) {
					return true
				}
			case *ssa.MapUpdate:
				if slices.Contains(ff.keys, ssa.Instruction(i)) {
					return true
				}
			case ssa.CallInstruction:
				if _, ok := i.(*ssa.Defer); ok {
					continue
				}
				if _, ok := i.Common().Value.(*ssa.Builtin); ok {
					continue
				}
				if fn := f.a.calledFunction(i); fn == nil || !f.onlyEmpties(fn) {
					return true
				}
			}
		}
	}
	return false
}

// onlyEmpties reports whether a function stores nothing but zeros.
func (f *forgotten) onlyEmpties(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		if c, ok := i.(ssa.CallInstruction); ok {
			if _, ok := c.Common().Value.(*ssa.Builtin); !ok {
				return false
			}
		}
	}
	for _, v := range f.writes[fn] {
		for _, s := range f.facts[v].stores {
			if s.instr.Parent() == fn && s.what != wZero {
				return false
			}
		}
	}
	return true
}

// setForUse is a store that gives a field something that lives for one use.
func (f *forgotten) setForUse(ff *fieldFacts, t *types.Named) ssa.Instruction {
	if m, ok := ff.field.Type().Underlying().(*types.Map); ok && pointsOut(m.Elem()) && len(ff.keys) > 0 {
		return ff.keys[0]
	}
	arms := f.arms(ff)
	var best ssa.Instruction
	for _, s := range ff.stores {
		st, ok := s.instr.(*ssa.Store)
		if !ok || s.what == wSet || guardOf(arms, s) != nil {
			continue
		}
		v := valueOf(s, ff.field)
		if v == nil || s.what == wZero && !inLiteral(s, v) || s.what == wDerived && !s.more || s.what == wFresh {
			continue
		}
		if s.more {
			if _, elem := elementType(ff.field.Type()); elem == nil || !leadsOut(elem) || isString(elem) {
				continue
			}
		} else if !f.perUse(v, t, ofOneUse(ff.field.Type()), 0) {
			continue
		}
		if best == nil || instrPos(st) < instrPos(best) {
			best = st
		}
	}
	return best
}

// setForPut reports whether those who put a value, and did not take it themselves, give
// the field something first.
func (f *forgotten) setForPut(ff *fieldFacts, t *types.Named) bool {
	for _, p := range f.puts {
		if p.typ != t || slices.ContainsFunc(f.gets, func(g poolSite) bool { return g.typ == t && g.fn == p.fn && !f.a.exchanges(g, p) }) {
			continue
		}
		for i := range instrsOf(p.fn) {
			if i == p.instr || !precedes(i, p.instr) {
				continue
			}
			if slices.ContainsFunc(ff.stores, func(s fieldStore) bool { return s.instr == i }) {
				return true
			}
			if c, ok := i.(ssa.CallInstruction); ok {
				if fn := f.a.calledFunction(c); fn != nil && slices.Contains(f.writes[fn], ff.field) {
					return true
				}
			}
		}
	}
	return false
}

// exchanges reports whether what is taken at one place and put at another goes to another pool there, as
// with a pool of full boxes and one of empty ones.
func (a *analysis) exchanges(get, put poolSite) bool {
	from, to := a.syncPoolAt(get.instr), a.syncPoolAt(put.instr)
	return from != nil && to != nil && from != to
}

// syncPoolAt is the variable or field that holds the sync.Pool of a Get, with or without the assertion
// of its result, or of a Put.
func (a *analysis) syncPoolAt(i ssa.Instruction) types.Object {
	if ta, ok := i.(*ssa.TypeAssert); ok {
		if i, ok = ta.X.(ssa.Instruction); !ok {
			return nil
		}
	}
	c, ok := i.(ssa.CallInstruction)
	if !ok || c.Common().IsInvoke() || len(c.Common().Args) == 0 {
		return nil
	}
	switch funcKey(calledMethod(c)) {
	case "sync.Pool.Get", "sync.Pool.Put":
		return a.staticPool(c.Common().Args[0])
	}
	return nil
}

func elementType(t types.Type) (*types.Slice, types.Type) {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s, s.Elem()
	}
	return nil, nil
}

// perUse reports whether a value that is stored comes from the user: from a
// caller, or made for the purpose. Of one that belongs to one use by its type, only
// variables of the package are left out.
func (f *forgotten) perUse(v ssa.Value, t *types.Named, byType bool, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return f.perUse(x.X, t, byType || ofOneUse(x.X.Type()), depth+1)
	case *ssa.ChangeInterface:
		return f.perUse(x.X, t, byType || ofOneUse(x.X.Type()), depth+1)
	case *ssa.ChangeType:
		return f.perUse(x.X, t, byType, depth+1)
	case *ssa.TypeAssert:
		return f.perUse(x.X, t, byType, depth+1)
	case *ssa.Slice:
		return f.perUse(x.X, t, byType, depth+1)
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return f.perUse(e, t, byType, depth+2) })
	case *ssa.MakeClosure:
		return len(x.Bindings) > 0
	case *ssa.Alloc:
		return x.Heap
	case *ssa.Call:
		return byType && !strings.HasPrefix(funcKey(calledMethod(x)), "context.") // Background, TODO
	case *ssa.Extract:
		return byType
	case *ssa.UnOp:
		if _, ok := x.X.(*ssa.Global); ok {
			return false
		}
		return byType
	case *ssa.Parameter:
		fn := x.Parent()
		if fn.Signature.Recv() != nil && x == fn.Params[0] || f.ownsPool(x.Type(), t) {
			return false
		}
		if token.IsExported(fn.Name()) || f.taken[fn] || len(f.callers[fn]) == 0 {
			return true
		}
		k := slices.Index(fn.Params, x)
		for _, c := range f.callers[fn] {
			if f.a.inTest(c.Parent()) {
				continue
			}
			if c.Common().IsInvoke() || k >= len(c.Common().Args) || f.perUse(c.Common().Args[k], t, byType, depth+1) {
				return true
			}
		}
	}
	return false
}

// ownsPool reports whether a type is that of an object that has a pool in it.
func (f *forgotten) ownsPool(x types.Type, t *types.Named) bool {
	s := structOf(x)
	if s == nil {
		return false
	}
	found := false
	collectFields(s, 0, func(v *types.Var, _ *types.Struct) {
		if isSyncPool(v.Type()) {
			found = true
		}
	})
	return found
}

// clearsAsBytes reports whether one of the functions that deal with values of a type may clear many fields at once.
func (f *forgotten) clearsAsBytes(region []*ssa.Function, t *types.Named) bool {
	return slices.ContainsFunc(region, func(fn *ssa.Function) bool { return f.asBytes(fn, t) })
}

// asBytes reports whether a function goes through package unsafe at a value of the type: it may
// clear many fields at once.
func (f *forgotten) asBytes(fn *ssa.Function, t *types.Named) bool {
	for i := range instrsOf(fn) {
		if c, ok := i.(*ssa.Convert); ok && within(c.X, t) && types.Identical(c.Type(), types.Typ[types.UnsafePointer]) {
			return true
		}
	}
	return false
}

// clearsOther reports whether those who put clear another reference of the struct, or, of
// a field that holds a function or anything at all, two other fields.
func (f *forgotten) clearsOther(v *types.Var, t *types.Named, region []*ssa.Function) bool {
	refs, all := 0, 0
	collectFields(t, 0, func(w *types.Var, _ *types.Struct) {
		ff := f.facts[w]
		if w == v || ff == nil {
			return
		}
		if slices.ContainsFunc(ff.stores, func(s fieldStore) bool {
			return s.what == wZero && slices.Contains(region, s.instr.Parent()) && !f.begun(s.instr, t, ff, 0) && (!refers(w.Type()) || !cutsOnly(s.instr))
		}) {
			all++
			if refers(w.Type()) {
				refs++
			}
		}
	})
	return refs > 0 || all > 1 && (ofUser(v.Type()) || countsReferences(v.Type()))
}

// countsReferences reports whether a type's methods say that its objects count who has them: they
// end before what holds a pointer to one.
func countsReferences(t types.Type) bool {
	if pointee(t) == nil {
		return false
	}
	up, down := false, false
	set := types.NewMethodSet(t)
	for s := range set.Methods() {
		switch strings.ToLower(s.Obj().Name()) {
		case "incref", "addref", "ref", "retain", "incrrefs", "incrref", "acquire":
			up = true
		case "decref", "unref", "release", "decrrefs", "decrref", "delref", "free":
			down = true
		}
	}
	return up && down
}

// ofUser reports whether a field of that type holds what only its user knows.
func ofUser(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Interface:
		return u.NumMethods() == 0 || namedPkg(t) == "io"
	}
	return types.TypeString(t, nil) == "reflect.Value"
}
