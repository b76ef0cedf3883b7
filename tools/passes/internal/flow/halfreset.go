// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"maps"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that takes a struct, fills it and puts it empties it on the way that it was
// written for, and an error leaves by another. What is added to is then put with what the
// call that failed had added so far. All that empties the field must be in that function, or
// called by it alone: who empties on Get, or where it is put, does so on every way.

// judgeHalfReset reports Puts that some ways reach past the reset.
func (a *analysis) judgeHalfReset() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		t := p.typ
		if t.TypeParams().Len() > 0 || !slices.ContainsFunc(f.gets, func(g poolSite) bool { return g.typ == t && !zeroedAt(g) }) {
			continue
		}
		for _, put := range f.puts {
			if put.typ != t || a.inTest(put.fn) {
				continue
			}
			var told bool
			collectFields(t, 0, func(v *types.Var, _ *types.Struct) {
				ff := f.facts[v]
				if told || ff == nil || a.toldOf[v] || !f.addsOnly(ff) {
					return
				}
				h := &halfReset{forgotten: f, ff: ff, fn: put.fn}
				add, reset := h.past(put.instr, t)
				if add == nil {
					return
				}
				told, a.toldOf[v] = true, true
				a.reportFound(finding{
					pattern: missingReset, pos: instrPos(put.instr), fn: put.fn,
					message: fmt.Sprintf("field %s of the pooled %s is emptied on some ways only (%s), and one leads here without that from where it is added to (%s): the next user adds to what is left", v.Name(), t.Obj().Name(), a.line(instrPos(reset)), a.line(instrPos(add))),
					typed:   t,
					related: []goanalysis.RelatedInformation{
						{Pos: instrPos(add), Message: v.Name() + " is added to here"},
						{Pos: instrPos(reset), Message: "emptied here, on another way"},
					},
				})
			})
		}
	}
}

// addsOnly reports whether what is done with a field in use is to add to it: elements or keys.
func (f *forgotten) addsOnly(ff *fieldFacts) bool {
	switch ff.field.Type().Underlying().(type) {
	case *types.Map:
		return len(ff.keys) > 0 && !slices.ContainsFunc(ff.stores, func(s fieldStore) bool { return s.what != wZero })
	case *types.Slice:
		more := false
		for _, s := range ff.stores {
			if s.what != wZero && !s.more {
				return false
			}
			more = more || s.more
		}
		return more && !ff.open
	}
	return false
}

// A halfReset looks at one function that puts.
type halfReset struct {
	*forgotten
	ff *fieldFacts
	fn *ssa.Function
}

// past is an instruction that adds to the field, from which a way leads to the Put past the
// reset, and a reset that is passed.
func (h *halfReset) past(put ssa.Instruction, t *types.Named) (add, reset ssa.Instruction) {
	resets := map[ssa.Instruction]bool{}
	adders := map[*ssa.Function]bool{}
	emptiers := map[*ssa.Function]bool{}
	for _, s := range h.ff.stores {
		if s.what == wZero && !h.a.inTest(s.instr.Parent()) {
			emptiers[s.instr.Parent()] = true
		} else if s.more {
			adders[s.instr.Parent()] = true
		}
	}
	for _, k := range h.ff.keys {
		adders[k.Parent()] = true
	}
	if len(emptiers) == 0 {
		return nil, nil
	}
	for fn := range emptiers {
		if fn == h.fn {
			continue
		}
		if h.taken[fn] || len(h.callers[fn]) == 0 || fn.Parent() != nil {
			return nil, nil
		}
		for _, c := range h.callers[fn] {
			if _, ok := c.(*ssa.Call); !ok || c.Parent() != h.fn && !h.a.inTest(c.Parent()) {
				return nil, nil
			}
		}
	}
	for _, b := range h.fn.Blocks {
		for _, i := range b.Instrs {
			if h.empties(i, emptiers) {
				if byFlag(b) {
					return nil, nil
				}
				resets[i] = true
				if reset == nil {
					reset = i
				}
			}
		}
	}
	if reset == nil {
		return nil, nil
	}
	for i := range instrsOf(h.fn) {
		if resets[i] || !h.adds(i, adders) {
			continue
		}
		if slices.ContainsFunc(slices.Collect(maps.Keys(resets)), func(r ssa.Instruction) bool { return precedes(r, i) }) {
			return nil, nil // emptied before it is used
		}
		if h.leads(i, put, resets) && h.fromGet(i, t, resets) {
			return i, reset
		}
	}
	return nil, nil
}

// empties reports whether an instruction of the function empties the field.
func (h *halfReset) empties(i ssa.Instruction, emptiers map[*ssa.Function]bool) bool {
	if slices.ContainsFunc(h.ff.stores, func(s fieldStore) bool { return s.instr == i && s.what == wZero }) {
		return true
	}
	c, ok := i.(*ssa.Call)
	if !ok {
		return false
	}
	fn := h.a.calledFunction(c)
	return fn != nil && fn != h.fn && emptiers[fn]
}

// adds reports whether an instruction of the function adds to the field, in a callee on a
// way that goes on to an error.
func (h *halfReset) adds(i ssa.Instruction, adders map[*ssa.Function]bool) bool {
	if slices.ContainsFunc(h.ff.stores, func(s fieldStore) bool { return s.instr == i && s.more }) || slices.Contains(h.ff.keys, i) {
		return true
	}
	c, ok := i.(*ssa.Call)
	if !ok {
		return false
	}
	fn := h.a.calledFunction(c)
	if fn == nil || fn == h.fn || !adders[fn] {
		return false
	}
	n := fn.Signature.Results().Len()
	if n == 0 || !isError(fn.Signature.Results().At(n-1).Type()) {
		return true
	}
	for _, b := range fn.Blocks {
		for _, at := range b.Instrs {
			if !slices.ContainsFunc(h.ff.stores, func(s fieldStore) bool { return s.instr == at && s.more }) && !slices.Contains(h.ff.keys, at) {
				continue
			}
			for _, e := range fn.Blocks {
				if r, ok := lastInstr(e).(*ssa.Return); ok && !isNilConst(r.Results[n-1]) && (e == b || reaches(b, e)) {
					return true
				}
			}
		}
	}
	return false
}

// leads reports whether a way leads from one instruction to another past the resets, or, to
// a deferred call, to a return.
func (h *halfReset) leads(from, to ssa.Instruction, resets map[ssa.Instruction]bool) bool {
	_, deferred := to.(*ssa.Defer)
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock, k int) bool
	walk = func(b *ssa.BasicBlock, k int) bool {
		for _, i := range b.Instrs[k:] {
			if resets[i] {
				return false
			}
			if _, ends := i.(*ssa.Return); i == to || deferred && ends {
				return true
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
	return walk(from.Block(), slices.Index(from.Block().Instrs, from)+1)
}

// fromGet reports whether a value comes from a pool to an instruction past the resets.
func (h *halfReset) fromGet(to ssa.Instruction, t *types.Named, resets map[ssa.Instruction]bool) bool {
	for _, g := range h.gets {
		if g.typ == t && g.fn == h.fn && h.leads(g.instr, to, resets) {
			return true
		}
	}
	return false
}

// byFlag reports whether a flag decides whether a block is entered: it may tell which way was
// taken before.
func byFlag(b *ssa.BasicBlock) bool {
	for d := b.Idom(); d != nil; d = d.Idom() {
		c, ok := lastInstr(d).(*ssa.If)
		if !ok {
			continue
		}
		v := c.Cond
		if n, ok := v.(*ssa.UnOp); ok {
			v = n.X
		}
		switch x := v.(type) {
		case *ssa.Phi:
			if x.Comment != "&&" && x.Comment != "||" {
				return true
			}
		case *ssa.Alloc:
			return true
		}
	}
	return false
}
