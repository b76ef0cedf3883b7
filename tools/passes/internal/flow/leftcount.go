// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A reader that lies in a pooled struct tells how long the next piece is; the struct counts that down, and
// asks the reader again when nothing is left. Each user brings a reader of his own. Who leaves in the middle
// of a piece, for an error or for he has enough, leaves the count: the next user's reader is
// taken to stand in the middle of a piece, too. The count belongs to the reader, so that it is none that is kept
// on purpose, as a size that was learned is.

// judgeLeftCounts reports counts of what is left that outlive their reader.
func (a *analysis) judgeLeftCounts() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		t := p.typ
		s, ok := t.Underlying().(*types.Struct)
		if !ok || f.ofTwoKinds(t) || t.TypeParams().Len() > 0 {
			continue
		}
		for v := range s.Fields() {
			ff := f.facts[v.Origin()]
			if ff == nil || ff.open || a.toldOf[ff.field] || !isInteger(v.Type()) || len(ff.tests) == 0 {
				continue
			}
			told, by := f.countsDown(ff, s, t)
			if told == nil || f.putGuarded(ff, t) || f.assignedOnTake(ff, t) || !f.putMidway(ff, t) || !f.asksFirst(ff) {
				continue
			}
			a.toldOf[ff.field] = true
			a.reportFound(finding{
				pattern: missingReset, pos: instrPos(p.instr), fn: p.fn,
				message: fmt.Sprintf("field %s of the pooled %s counts what is left of what %s told (%s), and is neither set for the next user nor set back, although he has another %s: he begins in the middle", v.Name(), t.Obj().Name(), by.Name(), a.line(instrPos(told)), by.Name()),
				typed:   t,
				related: []goanalysis.RelatedInformation{{Pos: instrPos(told), Message: v.Name() + " is set here"}, {Pos: instrPos(ff.tests[0]), Message: "asked here"}},
			})
		}
	}
}

// countsDown is a store that sets a field to what a call told that was given another field, which each user
// sets, if all stores are such or take something away, and some of both are there.
func (f *forgotten) countsDown(ff *fieldFacts, s *types.Struct, t *types.Named) (told ssa.Instruction, by *types.Var) {
	less := false
	for _, st := range ff.stores {
		store, ok := st.instr.(*ssa.Store)
		if !ok || f.a.inTest(store.Parent()) {
			return nil, nil
		}
		fa, ok := store.Addr.(*ssa.FieldAddr)
		if !ok {
			return nil, nil
		}
		if x, ok := store.Val.(*ssa.BinOp); ok && x.Op == token.SUB && readsField(x.X, fa, 5) {
			less = true
			continue
		}
		w := f.toldBy(store.Val, fa, s)
		if w == nil || by != nil && w != by {
			return nil, nil
		}
		if told == nil || instrPos(store) < instrPos(told) {
			told = store
		}
		by = w
	}
	if !less || by == nil {
		return nil, nil
	}
	wf := f.facts[by]
	if wf == nil || wf.open || !f.assignedOnTake(wf, t) || !slices.ContainsFunc(wf.stores, func(st fieldStore) bool { return st.given }) {
		return nil, nil
	}
	return told, by
}

// toldBy is the field of the same object that a call was given, or was a method of, whose result is stored.
func (f *forgotten) toldBy(v ssa.Value, to *ssa.FieldAddr, s *types.Struct) *types.Var {
	for {
		c, ok := v.(*ssa.Convert)
		if !ok {
			break
		}
		v = c.X
	}
	if x, ok := v.(*ssa.Extract); ok && x.Index == 0 {
		v = x.Tuple
	}
	c, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	for _, o := range c.Operands(nil) {
		w, base := fieldLoad(*o)
		if w == nil || base != to.X || !hasField(s, w) {
			continue
		}
		switch w.Type().Underlying().(type) {
		case *types.Pointer, *types.Interface:
			return w
		}
	}
	return nil
}

// asksFirst reports whether some function asks the field without having set it before.
func (f *forgotten) asksFirst(ff *fieldFacts) bool {
	return slices.ContainsFunc(ff.tests, func(t ssa.Instruction) bool {
		return !slices.ContainsFunc(ff.stores, func(s fieldStore) bool {
			return s.instr.Parent() == t.Parent() && precedes(s.instr, t)
		})
	})
}

// putMidway reports whether values are put whatever is left: by a deferred call, or after a call that may fail
// to read the rest, and whose error nobody asks.
func (f *forgotten) putMidway(ff *fieldFacts, t *types.Named) bool {
	midway := false
	for _, p := range f.puts {
		if p.typ != t || f.a.inTest(p.fn) {
			continue
		}
		if _, ok := p.instr.(*ssa.Defer); ok {
			midway = true
		}
		for i := range instrsOf(p.fn) {
			c, ok := i.(ssa.CallInstruction)
			if !ok || c == p.instr {
				continue
			}
			fn := f.a.calledFunction(c)
			if fn == nil || !f.setsWithin(fn, ff, 0) || !mayFollow(c, p.instr) {
				continue
			}
			// It uses the value, or reads the rest; where its error is asked, the rest was read.
			call, ok := c.(*ssa.Call)
			if !ok || !mayFail(fn) || errorAsked(call) {
				if _, deferred := p.instr.(*ssa.Defer); !deferred {
					return false
				}
				continue
			}
			midway = true
		}
	}
	return midway
}

// setsWithin reports whether a function, or one that it calls, sets a field.
func (f *forgotten) setsWithin(fn *ssa.Function, ff *fieldFacts, depth int) bool {
	if slices.Contains(f.writes[fn], ff.field) {
		return true
	}
	if depth > 2 {
		return false
	}
	for i := range instrsOf(fn) {
		if c, ok := i.(ssa.CallInstruction); ok {
			if g := f.a.calledFunction(c); g != nil && g != fn && f.setsWithin(g, ff, depth+1) {
				return true
			}
		}
	}
	return false
}

// mayFail reports whether a function has an error as its last result that is not always nil.
func mayFail(fn *ssa.Function) bool {
	n := fn.Signature.Results().Len()
	if n == 0 || !isError(fn.Signature.Results().At(n-1).Type()) {
		return false
	}
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		r, ok := lastInstr(b).(*ssa.Return)
		return ok && !isNilConst(r.Results[n-1])
	})
}

// errorAsked reports whether the error of a call is compared with something, or given to a function.
func errorAsked(c *ssa.Call) bool {
	err := ssa.Value(c)
	if t, ok := c.Type().(*types.Tuple); ok {
		if err = part(c, t.Len()-1); err == nil {
			return false
		}
	}
	seen := map[ssa.Value]bool{}
	var asked func(v ssa.Value) bool
	asked = func(v ssa.Value) bool {
		if seen[v] {
			return false
		}
		seen[v] = true
		return slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.Return:
				return false
			case *ssa.Phi:
				return asked(r)
			case *ssa.Store:
				return slices.ContainsFunc(readAgain(r, v), asked)
			}
			return true
		})
	}
	return asked(err)
}
