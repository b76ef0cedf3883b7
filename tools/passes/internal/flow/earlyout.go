// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A user of a pooled struct may empty what it gathered in a field at the end of its function,
// and put the struct in a defer. A return before the end puts it with what is in the field.

// judgeEarlyOut reports such returns, where nobody else empties the field.
func (a *analysis) judgeEarlyOut() {
	f := a.uses()
	for _, p := range f.puts {
		if d := deferOf(p.fn); d != nil {
			p.fn, p.instr = d.Parent(), d
		}
		if p.typ.Obj().Pkg() != a.pkg.Pkg || a.inTest(p.fn) || !slices.ContainsFunc(f.gets, func(g poolSite) bool { return g.typ == p.typ && g.fn == p.fn }) {
			continue
		}
		told := false
		collectFields(p.typ, 0, func(v *types.Var, _ *types.Struct) {
			if !told && !a.toldOf[v] {
				told = f.emptiedLate(p, v)
			}
		})
	}
}

// emptiedLate judges one field for one put.
func (f *forgotten) emptiedLate(p poolSite, v *types.Var) bool {
	switch v.Type().Underlying().(type) {
	case *types.Map, *types.Slice:
	default:
		return false
	}
	ff := f.facts[v]
	if ff == nil {
		return false
	}
	// Where the function empties the field, itself or by a helper of its own.
	ends := map[*ssa.BasicBlock]ssa.Instruction{}
	for _, s := range ff.stores {
		if s.what != wZero {
			continue
		}
		fn := s.instr.Parent()
		if fn == p.fn {
			ends[wholeLoop(s.instr)] = s.instr
			continue
		}
		if fn.Parent() != nil || f.taken[fn] || len(f.callers[fn]) == 0 {
			return false
		}
		for _, c := range f.callers[fn] {
			if _, isCall := c.(*ssa.Call); !isCall || c.Parent() != p.fn {
				return false
			}
			ends[c.Block()] = c
		}
	}
	if len(ends) == 0 {
		return false
	}
	// Where it is filled.
	var fills []ssa.Instruction
	for _, i := range f.fillsIn(ff) {
		if i.Parent() == p.fn {
			fills = append(fills, i)
		} else {
			for _, c := range f.callers[i.Parent()] {
				if c.Parent() == p.fn {
					fills = append(fills, c)
				}
			}
		}
	}
	_, deferred := p.instr.(*ssa.Defer)
	final := func(b *ssa.BasicBlock) bool {
		_, isReturn := lastInstr(b).(*ssa.Return)
		return isReturn && (deferred || b == p.instr.Block() || p.instr.Block().Dominates(b))
	}
	// The function empties it on its way to some end, not only where it likes.
	var end ssa.Instruction
	for _, b := range p.fn.Blocks {
		for _, e := range p.fn.Blocks {
			if _, isReturn := lastInstr(b).(*ssa.Return); ends[e] != nil && isReturn && e.Dominates(b) && (end == nil || instrPos(ends[e]) < instrPos(end)) {
				end = ends[e]
			}
		}
	}
	if end == nil {
		return false
	}
	for _, e := range ends {
		if slices.ContainsFunc(fills, func(fill ssa.Instruction) bool { return precedes(e, fill) }) {
			return false // it is emptied before it is used
		}
	}
	for _, fill := range fills {
		if ends[fill.Block()] != nil || deferred && !precedes(p.instr, fill) {
			continue
		}
		out := around(fill.Block(), ends, final)
		if out == nil {
			continue
		}
		if c, ok := fill.(*ssa.Call); ok {
			if failed := failureArm(c); failed != nil && failed.Dominates(out.Block()) {
				continue // it has added nothing
			}
		}
		f.a.toldOf[v] = true
		f.a.reportFound(finding{
			pattern: missingReset, pos: instrPos(p.instr), fn: p.fn,
			message: fmt.Sprintf("field %s of the pooled %s is filled (%s) and emptied only at the end (%s): a return before that puts it with what is in it (%s)", v.Name(), p.typ.Obj().Name(), f.a.line(instrPos(fill)), f.a.line(instrPos(end)), f.a.line(instrPos(out))),
			typed:   p.typ,
			related: []goanalysis.RelatedInformation{{Pos: instrPos(fill), Message: v.Name() + " is filled here"}, {Pos: instrPos(out), Message: "returns with it filled"}, {Pos: instrPos(end), Message: "emptied only here"}},
		})
		return true
	}
	return false
}

// fillsIn are where something is added to a field.
func (f *forgotten) fillsIn(ff *fieldFacts) []ssa.Instruction {
	out := slices.Clone(ff.keys)
	for _, s := range ff.stores {
		if s.more {
			out = append(out, s.instr)
		}
	}
	return out
}

// wholeLoop is the block from which a map is emptied key by key, or else that of the
// instruction: a loop that has nothing to do empties as well. So does a test of the length.
func wholeLoop(i ssa.Instruction) *ssa.BasicBlock {
	b := i.Block()
	if c, ok := i.(ssa.CallInstruction); ok {
		if bi, ok := c.Common().Value.(*ssa.Builtin); ok && bi.Name() == "delete" {
			for d := b; d != nil; d = d.Idom() {
				for _, x := range d.Instrs {
					if r, ok := x.(*ssa.Range); ok && types.Identical(r.X.Type(), c.Common().Args[0].Type()) {
						return d
					}
				}
			}
		}
	}
	if len(b.Preds) == 1 {
		if t, ok := lastInstr(b.Preds[0]).(*ssa.If); ok {
			if o, ok := t.Cond.(*ssa.BinOp); ok && (sizeCall(o.X) != "" || sizeCall(o.Y) != "") {
				return b.Preds[0]
			}
		}
	}
	return b
}

// around finds a return, of those that count, that a function comes to from a block without
// passing others.
func around(from *ssa.BasicBlock, stop map[*ssa.BasicBlock]ssa.Instruction, counts func(*ssa.BasicBlock) bool) *ssa.Return {
	seen := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || stop[b] != nil {
			continue
		}
		seen[b] = true
		if counts(b) {
			return lastInstr(b).(*ssa.Return)
		}
		work = append(work, b.Succs...)
	}
	return nil
}

// deferOf is the defer statement that a closure is made for, or nil.
func deferOf(fn *ssa.Function) *ssa.Defer {
	if fn.Parent() == nil {
		return nil
	}
	for i := range instrsOf(fn.Parent()) {
		if d, ok := i.(*ssa.Defer); ok && writtenFunc(d.Call.Value) == fn {
			return d
		}
	}
	return nil
}
