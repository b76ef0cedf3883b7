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

// A number, flag, string or time in a pooled struct that a user works with is carried over
// to the next when nobody sets it back and the next one looks at it before it is set again:
// a scanner that is at its end already, a deadline that seems to be set. What tells it from
// what is kept on purpose: other fields of the struct are set back; it is not set along with
// memory that is kept, nor by those who put, nor compared with what it is set to; and no
// size is made from it.

// judgeCarried reports such fields.
func (a *analysis) judgeCarried() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		t := p.typ
		if t.TypeParams().Len() > 0 || f.ofTwoKinds(t) || a.madeOutside(t) || f.ofTwoPools(t) {
			continue
		}
		region := f.region(t)
		collectFields(t, 0, func(v *types.Var, s *types.Struct) {
			ff := f.facts[v]
			if ff == nil || ff.open || a.toldOf[v] || !stateful(v.Type()) || v.Exported() && t.Obj().Exported() && f.leavesPackage(t) {
				return
			}
			reset, n := f.resetOf(s, region)
			if n == 0 || !f.setInUse(ff, t, region) || f.sizes(ff) {
				return
			}
			read := f.readAsCame(ff, t)
			if read == nil || f.putGuarded(ff, t) || f.lazy(ff, t, region) {
				return
			}
			a.toldOf[v] = true
			set := slices.MinFunc(ff.stores, func(x, y fieldStore) int { return cmp.Compare(instrPos(x.instr), instrPos(y.instr)) }).instr
			a.reportFound(finding{
				pattern: missingReset, pos: reset.Pos(), fn: reset,
				message: fmt.Sprintf("field %s of the pooled %s is set in use (%s) and never set back, as other fields are: the next user reads what the last one left (%s)",
					v.Name(), t.Obj().Name(), a.line(instrPos(set)), a.line(instrPos(read))),
				typed: t,
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(set), Message: v.Name() + " is set here"},
					{Pos: instrPos(read), Message: v.Name() + " is read here"},
					{Pos: instrPos(p.instr), Message: "put here"},
				},
			})
		})
	}
}

// ofTwoPools reports whether values of a type come from several pools: those of one may be set where
// those of another are read.
func (f *forgotten) ofTwoPools(t *types.Named) bool {
	var first types.Object
	for _, g := range f.gets {
		if g.typ != t {
			continue
		}
		v, _ := g.instr.(ssa.Value)
		if ta, ok := v.(*ssa.TypeAssert); ok {
			v = ta.X
		}
		c, ok := v.(*ssa.Call)
		if !ok || funcKey(calledMethod(c)) != "sync.Pool.Get" {
			continue
		}
		pool := f.a.staticPool(c.Call.Args[0])
		if first == nil {
			first = pool
		} else if pool != nil && pool != first {
			return true
		}
	}
	return false
}

// stateful reports whether a field of that type says how far a use has come.
func stateful(t types.Type) bool {
	if types.TypeString(t, nil) == "time.Time" {
		return true
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsBoolean|types.IsInteger|types.IsString) != 0
}

// setInUse reports whether all stores to a field are made in use, and none makes it from
// what it was, or along with memory that the struct keeps.
func (f *forgotten) setInUse(ff *fieldFacts, t *types.Named, region []*ssa.Function) bool {
	for _, s := range ff.stores {
		if f.inAnother(s, t) || putsBackNoted(s, t) {
			return false
		}
		if s.what == wZero || s.what == wDerived || s.what == wFresh || s.cas || f.givenZero(s) || f.ofOwner(s, t) || f.sameAsBefore(ff, s) || f.ofKey(ff, s) || f.setsUpMemory(ff, s, region) {
			return false
		}
		if fn := s.instr.Parent(); !f.callsGet(fn, t) && slices.ContainsFunc(f.puts, func(p poolSite) bool { return p.typ == t && p.fn == fn }) {
			return false // left to the next user on purpose
		}
	}
	// What new ones get from the owner, all of them have.
	for _, fn := range f.a.fns {
		configured := false
		eachStore(fn, func(st *ssa.Store) {
			configured = configured || fieldAt(st.Addr) == ff.field && f.ofOwner(fieldStore{instr: st}, t)
		})
		if configured {
			return false
		}
	}
	return slices.ContainsFunc(ff.stores, func(s fieldStore) bool { return f.maySet(s, t) })
}

// inAnother reports whether what a store sets a field of lies in an object that is neither a
// pooled one nor a part of one.
func (f *forgotten) inAnother(s fieldStore, t *types.Named) bool {
	st, ok := s.instr.(*ssa.Store)
	if !ok {
		return false
	}
	fa, ok := st.Addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	root := fa.X
	for {
		up, ok := root.(*ssa.FieldAddr)
		if !ok {
			break
		}
		root = up.X
	}
	return !within(root, t)
}

// putsBackNoted reports whether a store puts back what an object that leads to the pooled one had
// noted before.
func putsBackNoted(s fieldStore, t *types.Named) bool {
	st, ok := s.instr.(*ssa.Store)
	if !ok {
		return false
	}
	var of types.Type
	switch v := st.Val.(type) {
	case *ssa.Field:
		of = v.X.Type()
	case *ssa.UnOp:
		if fa, ok := v.X.(*ssa.FieldAddr); ok {
			of = fa.X.Type().Underlying().(*types.Pointer).Elem()
		}
	}
	if of == nil {
		return false
	}
	note, ok := of.Underlying().(*types.Struct)
	if !ok || types.Identical(note, t.Underlying()) {
		return false
	}
	for v := range note.Fields() {
		if n := pointee(v.Type()); n != nil && n.Origin() == t {
			return true
		}
	}
	return false
}

// setsUpMemory reports whether a store to a field goes with one that gives another field of
// the struct memory which nothing in the region lets go of.
func (f *forgotten) setsUpMemory(ff *fieldFacts, s fieldStore, region []*ssa.Function) bool {
	for i := range alongside(s.instr.Block()) {
		st, ok := i.(*ssa.Store)
		if !ok || i == s.instr {
			continue
		}
		w := fieldAt(st.Addr)
		if w == nil || w == ff.field || isBasic(w.Type()) {
			continue
		}
		switch x := unboxed(st.Val).(type) {
		case *ssa.Call, *ssa.MakeSlice, *ssa.MakeMap, *ssa.Alloc, *ssa.Slice, *ssa.Extract:
			if types.TypeString(x.Type(), nil) != "time.Time" && !f.isReset(w, region) {
				return true
			}
		}
	}
	return false
}

// sizes reports whether the size of something is made from a field.
func (f *forgotten) sizes(ff *fieldFacts) bool {
	if b, ok := ff.field.Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
		return false
	}
	seen := map[ssa.Value]bool{}
	var sized func(v ssa.Value, depth int) bool
	sized = func(v ssa.Value, depth int) bool {
		if v == nil || seen[v] || depth > 4 || v.Referrers() == nil {
			return false
		}
		seen[v] = true
		return slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
				return true
			case *ssa.Convert:
				return sized(r, depth+1)
			case *ssa.Phi:
				return sized(r, depth+1)
			case *ssa.BinOp:
				if _, isCap := capOf(r.X); isCap {
					return true
				}
				if _, isCap := capOf(r.Y); isCap {
					return true
				}
				return r.Op != token.LSS && isInteger(r.Type()) && sized(r, depth+1)
			case ssa.CallInstruction:
				m := calledMethod(r)
				return m != nil && (strings.HasPrefix(m.Name(), "Grow") || strings.HasPrefix(m.Name(), "New") || strings.HasPrefix(m.Name(), "new"))
			}
			return false
		})
	}
	return slices.ContainsFunc(ff.reads, func(r ssa.Instruction) bool {
		v, _ := r.(ssa.Value)
		return sized(v, 0)
	})
}

// readAsCame is a read of a field that a taker's way leads to before the field is set.
func (f *forgotten) readAsCame(ff *fieldFacts, t *types.Named) ssa.Instruction {
	c := &comesTo{forgotten: f, ff: ff, typ: t, sets: map[*ssa.Function]bool{}, seen: map[*ssa.Function]bool{}}
	var best ssa.Instruction
	for _, r := range ff.reads {
		if f.a.inTest(r.Parent()) || best != nil && instrPos(best) < instrPos(r) {
			continue
		}
		clear(c.seen)
		if c.unset(r, 0) {
			best = r
		}
	}
	return best
}

// A comesTo asks whether a value that was taken comes to a place with a field as it was.
type comesTo struct {
	*forgotten
	ff   *fieldFacts
	typ  *types.Named
	sets map[*ssa.Function]bool
	seen map[*ssa.Function]bool
}

// unset reports whether a way from a Get to an instruction does not set the field.
func (c *comesTo) unset(to ssa.Instruction, depth int) bool {
	fn := to.Parent()
	if depth > 4 {
		return false
	}
	taken := false
	for _, g := range c.gets {
		if g.typ != c.typ || g.fn != fn || ofParameter(to) {
			continue
		}
		taken = true
		if c.leftBy(g.instr, 0) && c.way(g.instr, to) {
			return true
		}
	}
	if taken || c.seen[fn] || len(fn.Blocks) == 0 || !c.way(nil, to) {
		return false
	}
	c.seen[fn] = true
	if p := fn.Parent(); p != nil {
		for i := range instrsOf(p) {
			if m, ok := i.(*ssa.MakeClosure); ok && m.Fn == fn && c.unset(i, depth+1) {
				return true
			}
		}
		return false
	}
	for _, call := range c.callers[fn] {
		if !c.a.inTest(call.Parent()) && c.unset(call, depth+1) {
			return true
		}
	}
	return false
}

// ofParameter reports whether an instruction reads a field of what its function was given: that is no value which the
// function took.
func ofParameter(read ssa.Instruction) bool {
	switch i := read.(type) {
	case *ssa.UnOp:
		return fieldRoot[*ssa.Parameter](i.X) != nil
	case *ssa.FieldAddr:
		return fieldRoot[*ssa.Parameter](i) != nil
	}
	return false
}

// leftBy reports whether an instruction that takes a value may leave the field as it was.
func (c *comesTo) leftBy(i ssa.Instruction, depth int) bool {
	call, ok := i.(*ssa.Call)
	if !ok || depth > 3 {
		return true
	}
	fn := c.a.calledFunction(call)
	if fn == nil || !c.getter[fn] {
		return true
	}
	n := 0
	for _, g := range c.gets {
		if g.typ != c.typ || g.fn != fn {
			continue
		}
		n++
		if !c.leftBy(g.instr, depth+1) {
			continue
		}
		for _, b := range fn.Blocks {
			if r, ok := lastInstr(b).(*ssa.Return); ok && !c.givesNone(r) && c.way(g.instr, r) {
				return true
			}
		}
	}
	return n == 0
}

// givesNone reports whether a return has nil where a value of the type would be.
func (c *comesTo) givesNone(r *ssa.Return) bool {
	return slices.ContainsFunc(r.Results, func(v ssa.Value) bool {
		n := pointee(v.Type())
		return n != nil && n.Origin() == c.typ && (isNilConst(v) || setToNil(v, r.Block()))
	})
}

// setToNil reports whether a result is read from the variable in which a function with deferred calls
// keeps it, and a block stores nil there.
func setToNil(v ssa.Value, b *ssa.BasicBlock) bool {
	l, ok := v.(*ssa.UnOp)
	return ok && l.Op == token.MUL && slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool {
		st, ok := i.(*ssa.Store)
		return ok && st.Addr == l.X && isNilConst(st.Val)
	})
}

// way reports whether a path leads from one instruction, or from the start of the function,
// to another, and does not set the field between.
func (c *comesTo) way(from, to ssa.Instruction) bool {
	fn := to.Parent()
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock, k int) bool
	walk = func(b *ssa.BasicBlock, k int) bool {
		for _, i := range b.Instrs[k:] {
			if i == to {
				return true
			}
			if c.setsIt(i) {
				return false
			}
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				if walk(s, 0) {
					return true
				}
			}
		}
		return false
	}
	if from == nil {
		return walk(fn.Blocks[0], 0)
	}
	return walk(from.Block(), slices.Index(from.Block().Instrs, from)+1)
}

// setsIt reports whether an instruction sets the field, or may as far as is seen.
func (c *comesTo) setsIt(i ssa.Instruction) bool {
	if slices.ContainsFunc(c.ff.stores, func(s fieldStore) bool { return s.instr == i }) {
		return true
	}
	switch x := i.(type) {
	case *ssa.Alloc:
		n := pointee(x.Type())
		return n != nil && n.Origin() == c.typ // a new one
	case *ssa.Store:
		return fieldAt(x.Addr) == c.ff.field
	}
	call, ok := i.(*ssa.Call)
	if !ok {
		return false
	}
	fn := c.a.calledFunction(call)
	if fn == nil || len(fn.Blocks) == 0 || c.getter[fn] {
		return false
	}
	sets, known := c.sets[fn]
	if !known {
		c.sets[fn] = false
		sets = c.setAfter(c.ff, fn.Blocks[0].Instrs[0], c.typ, 0)
		c.sets[fn] = sets
	}
	return sets
}

// ofKey reports whether a store gives a field what belongs to a key: beside it, another field
// is set to what it was compared with.
func (f *forgotten) ofKey(ff *fieldFacts, s fieldStore) bool {
	for i := range alongside(s.instr.Block()) {
		st, ok := i.(*ssa.Store)
		if !ok || i == s.instr {
			continue
		}
		w := fieldAt(st.Addr)
		if w == nil || w == ff.field || f.facts[w] == nil {
			continue
		}
		if f.sameAsBefore(f.facts[w], fieldStore{instr: st}) {
			return true
		}
	}
	return false
}

// givenZero reports whether a store gives a field what some caller sets to zero.
func (f *forgotten) givenZero(s fieldStore) bool {
	st, ok := s.instr.(*ssa.Store)
	if !ok {
		return false
	}
	var zero func(v ssa.Value, depth int) bool
	zero = func(v ssa.Value, depth int) bool {
		switch x := v.(type) {
		case *ssa.Const:
			return x.Value == nil || isZero(x.Value)
		case *ssa.Phi:
			return depth < 3 && slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return zero(e, depth+1) })
		case *ssa.Parameter:
			k := slices.Index(x.Parent().Params, x)
			return depth < 3 && slices.ContainsFunc(f.callers[x.Parent()], func(c ssa.CallInstruction) bool {
				return !f.a.inTest(c.Parent()) && !c.Common().IsInvoke() && k < len(c.Common().Args) && zero(c.Common().Args[k], depth+1)
			})
		}
		return false
	}
	return zero(st.Val, 0)
}

// ofOwner reports whether a store gives a field what is read from an object that has a pool, or
// from a variable of the package: the same for all values.
func (f *forgotten) ofOwner(s fieldStore, t *types.Named) bool {
	var owned func(v ssa.Value, depth int) bool
	owned = func(v ssa.Value, depth int) bool {
		if depth > 6 {
			return false
		}
		switch x := v.(type) {
		case *ssa.Global:
			return true
		case *ssa.FieldAddr:
			return f.ownsPool(x.X.Type(), t) && !within(x.X, t) || owned(x.X, depth+1)
		case *ssa.UnOp:
			return owned(x.X, depth+1)
		case *ssa.Convert:
			return owned(x.X, depth+1)
		case *ssa.BinOp:
			return owned(x.X, depth+1) || owned(x.Y, depth+1)
		case *ssa.Phi:
			return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return owned(e, depth+2) })
		case *ssa.Parameter:
			k := slices.Index(x.Parent().Params, x)
			return slices.ContainsFunc(f.callers[x.Parent()], func(c ssa.CallInstruction) bool {
				return !c.Common().IsInvoke() && k < len(c.Common().Args) && owned(c.Common().Args[k], depth+2)
			})
		}
		return false
	}
	st, ok := s.instr.(*ssa.Store)
	return ok && owned(st.Val, 0)
}
