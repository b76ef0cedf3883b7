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

// A decoder that remembers what it learned of a type is worth to be pooled. What it learned may
// hang on a setting: the tag it looks for, whether it is strict. Where each use sets that anew and
// the memory is kept, the next user gets what holds for another's setting.

// judgeMemoBy reports memories of pooled structs that hang on a setting which is not in the key.
func (a *analysis) judgeMemoBy() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		t := p.typ
		if f.manyPools(t) {
			continue
		}
		collectFields(t, 0, func(v *types.Var, s *types.Struct) {
			ff := f.facts[v]
			if _, isMap := v.Type().Underlying().(*types.Map); !isMap || ff == nil || a.toldOf[v] || len(ff.keys) == 0 || len(ff.stores) > 0 {
				return
			}
			for w := range s.Fields() {
				w = w.Origin()
				wf := f.facts[w]
				if !isBasic(w.Type()) || wf == nil || wf.open || !f.setting(wf, t) {
					continue
				}
				read := f.memoReads(ff, wf)
				if read == nil {
					continue
				}
				a.toldOf[v] = true
				a.reportFound(finding{
					pattern: missingReset, pos: instrPos(p.instr), fn: p.fn,
					message: fmt.Sprintf("the pooled %s keeps in %s what was worked out with %s (%s), which each use sets for itself (%s): the next user finds what holds for another's %s", t.Obj().Name(), v.Name(), w.Name(), a.line(instrPos(read)), a.line(instrPos(wf.stores[0].instr)), w.Name()),
					typed:   t,
					related: []goanalysis.RelatedInformation{{Pos: instrPos(read), Message: w.Name() + " is read here"}, {Pos: instrPos(ff.keys[0]), Message: "remembered here"}},
				})
				return
			}
		})
	}
}

// manyPools reports whether values of a type go to one of several pools: by the setting, it may be.
func (f *forgotten) manyPools(t *types.Named) bool {
	return slices.ContainsFunc(f.puts, func(p poolSite) bool {
		c, ok := p.instr.(ssa.CallInstruction)
		return ok && p.typ == t && !c.Common().IsInvoke() && len(c.Common().Args) > 1 && leadsFrom(c.Common().Args[0], 0, func(v ssa.Value) bool {
			switch v.(type) {
			case *ssa.Lookup, *ssa.IndexAddr, *ssa.Index:
				return true
			}
			return false
		})
	})
}

// setting reports whether a field is set, in use, to what a caller wants, and to nothing else.
func (f *forgotten) setting(wf *fieldFacts, t *types.Named) bool {
	given := false
	for _, s := range wf.stores {
		if s.more || s.what == wDerived || s.what == wFresh {
			return false
		}
		given = given || s.given && !f.inAny(s.instr.Parent(), wf)
	}
	return given
}

// inAny reports whether the function that sets a field asks it first: it may clear what hangs on it.
func (f *forgotten) inAny(fn *ssa.Function, wf *fieldFacts) bool {
	return slices.ContainsFunc(wf.reads, func(r ssa.Instruction) bool { return r.Parent() == fn })
}

// memoReads is a read of the setting in a function that looks a key up in the map, and fills it where it
// is not there, on the way on from there; nil if the setting is part of a key.
func (f *forgotten) memoReads(ff, wf *fieldFacts) (found ssa.Instruction) {
	var isSetting func(x ssa.Value) bool
	isSetting = func(x ssa.Value) bool {
		al, ok := x.(*ssa.Alloc)
		if !ok {
			v, _ := fieldLoad(x)
			return v == wf.field
		}
		return storedParts(al, func(v ssa.Value) bool {
			_, again := v.(*ssa.Alloc)
			return !again && leadsFrom(v, 3, isSetting)
		})
	}
	for _, k := range ff.keys {
		u, ok := k.(*ssa.MapUpdate)
		if !ok || leadsFrom(u.Key, 0, isSetting) {
			return nil
		}
		fn := u.Parent()
		for i := range instrsOf(fn) {
			l, ok := i.(*ssa.Lookup)
			if !ok || l.Index != u.Key && !oneRead(l.Index, u.Key, 0) {
				continue
			}
			if v, _ := fieldLoad(l.X); v != ff.field {
				continue
			}
			miss := missed(l)
			if miss == nil || !miss.Dominates(u.Block()) {
				continue
			}
			for _, r := range wf.reads {
				if below := r.Parent() == fn && (r.Block() == miss || miss.Dominates(r.Block())); below && mayFollow(r, u) || f.readBy(r, miss, u) {
					if found == nil || cmp.Compare(instrPos(r), instrPos(found)) < 0 {
						found = r
					}
				}
			}
		}
	}
	return found
}

// storedParts reports whether some part of a variable is set to a value that match accepts.
func storedParts(al *ssa.Alloc, match func(ssa.Value) bool) bool {
	for _, r := range referrers(al) {
		var parts *[]ssa.Instruction
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == al && match(r.Val) {
				return true
			}
		case *ssa.FieldAddr:
			parts = r.Referrers()
		case *ssa.IndexAddr:
			parts = r.Referrers()
		}
		if parts == nil {
			continue
		}
		for _, q := range *parts {
			if s, ok := q.(*ssa.Store); ok && s.Addr == r.(ssa.Value) && match(s.Val) {
				return true
			}
		}
	}
	return false
}

// readBy reports whether a function that is called for what is remembered, and returns it, reads.
func (f *forgotten) readBy(r ssa.Instruction, miss *ssa.BasicBlock, u *ssa.MapUpdate) bool {
	return leadsFrom(u.Value, 0, func(v ssa.Value) bool {
		c, ok := v.(*ssa.Call)
		return ok && f.a.calledFunction(c) == r.Parent() && (c.Block() == miss || miss.Dominates(c.Block()))
	})
}

// missed is the block that follows where a key was not found.
func missed(l *ssa.Lookup) *ssa.BasicBlock {
	var tests []ssa.Value
	if l.CommaOk {
		for _, r := range referrers(l) {
			if x, ok := r.(*ssa.Extract); ok && x.Index == 1 {
				tests = append(tests, x)
			}
		}
	} else {
		for _, r := range referrers(l) {
			if b, ok := r.(*ssa.BinOp); ok && isNilConst(b.Y) && (b.Op == token.EQL || b.Op == token.NEQ) {
				tests = append(tests, b)
			}
		}
	}
	for _, t := range tests {
		for _, r := range referrers(t) {
			i, ok := r.(*ssa.If)
			if !ok {
				continue
			}
			k := 1
			if b, ok := t.(*ssa.BinOp); ok && b.Op == token.EQL {
				k = 0
			}
			if to := i.Block().Succs[k]; len(to.Preds) == 1 {
				return to
			}
		}
	}
	return nil
}
