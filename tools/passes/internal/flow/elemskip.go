// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A loop over the elements of a slice puts each element when it is done with it, but on one way
// round reads the element and goes on to the next without a Put. After the loop the slice
// is let go of. Which way an element takes depends on its length, say, and not on whose it is.

// judgeElemSkips reports the ways round a loop that lose an element.
func (c *custody) judgeElemSkips() {
	for _, fn := range c.a.fns {
		if !c.a.relevant[fn] || c.a.inTest(fn) {
			continue
		}
		seen := map[ssa.Value]bool{}
		for i := range instrsOf(fn) {
			if _, ok := i.(*ssa.Call); !ok {
				continue
			}
			for _, v := range c.putBy(i) {
				if ia := elementPut(v, 0); ia != nil && !seen[ia.Index] {
					seen[ia.Index] = true
					c.elemSkip(fn, ia, i)
				}
			}
		}
	}
}

// elementPut is the element that a value is all of.
func elementPut(v ssa.Value, depth int) *ssa.IndexAddr {
	if depth > 5 {
		return nil
	}
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return elementPut(x.X, depth+1)
	case *ssa.ChangeType:
		return elementPut(x.X, depth+1)
	case *ssa.SliceToArrayPointer:
		return elementPut(x.X, depth+1)
	case *ssa.Slice:
		return elementPut(x.X, depth+1)
	case *ssa.UnOp:
		if ia, ok := x.X.(*ssa.IndexAddr); ok && x.Op == token.MUL && isSlice(ia.X.Type()) {
			return ia
		}
	}
	return nil
}

// An elemRound is one loop over the elements of a slice.
type elemRound struct {
	header *ssa.BasicBlock
	index  ssa.Value
	slice  ssa.Value
	loads  map[ssa.Value]bool // the element
	puts   map[*ssa.BasicBlock]bool
}

// elemSkip looks at the loop around a put of an element.
func (c *custody) elemSkip(fn *ssa.Function, ia *ssa.IndexAddr, put ssa.Instruction) {
	phi, ok := ia.Index.(*ssa.Phi)
	if add, isAdd := ia.Index.(*ssa.BinOp); isAdd && add.Op == token.ADD {
		phi, ok = add.X.(*ssa.Phi)
	}
	if !ok || !inLoop(phi.Block()) {
		return
	}
	r := &elemRound{header: phi.Block(), index: ia.Index, slice: ia.X, loads: map[ssa.Value]bool{}, puts: map[*ssa.BasicBlock]bool{}}
	var first *ssa.BasicBlock
	for _, b := range fn.Blocks {
		if !r.header.Dominates(b) || !reaches(b, r.header) {
			continue
		}
		for _, i := range b.Instrs {
			if x, ok := i.(*ssa.IndexAddr); ok && x.Index == r.index && (x.X == r.slice || oneRead(x.X, r.slice, 0)) {
				for _, q := range referrers(x) {
					l, ok := q.(*ssa.UnOp)
					if !ok {
						return // set, or its address taken
					}
					r.loads[l] = true
					if first == nil || l.Block() != first && l.Block().Dominates(first) {
						first = l.Block()
					}
				}
			}
		}
	}
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			if call, ok := i.(ssa.CallInstruction); ok {
				for _, v := range c.putBy(call) {
					if x := elementPut(v, 0); x != nil && x.Index == r.index {
						r.puts[b] = true
					}
				}
			}
		}
	}
	if first == nil || r.puts[first] || !first.Dominates(put.Block()) || !c.letsGoOf(r) {
		return
	}
	// The blocks of a round from which it no longer comes to a put.
	round := r.blocks(first, nil)
	var used ssa.Instruction
	for _, b := range fn.Blocks {
		if !round[b] || r.puts[b] || b == first || r.comesToPut(b) {
			continue
		}
		for _, i := range b.Instrs {
			switch uses, fine := r.uses(i); {
			case !fine:
				return // somebody may have it
			case uses && used == nil && reaches(b, r.header):
				used = i
			}
		}
	}
	if used == nil || !r.decidedByLength(round) {
		return
	}
	c.a.reportFound(finding{
		pattern: missingPut, pos: instrPos(used), fn: fn,
		message: orElse(c.elementName(r), "the element") + " is used here and left for the next one without a Put, which the other way round the loop has (" + c.a.line(instrPos(put)) + ")",
		related: []goanalysis.RelatedInformation{{Pos: instrPos(put), Message: "put here on another way"}},
	})
}

// blocks are those that can be reached in one round.
func (r *elemRound) blocks(from *ssa.BasicBlock, seen map[*ssa.BasicBlock]bool) map[*ssa.BasicBlock]bool {
	if seen == nil {
		seen = map[*ssa.BasicBlock]bool{}
	}
	if seen[from] || from == r.header {
		return seen
	}
	seen[from] = true
	for _, s := range from.Succs {
		if reaches(s, r.header) {
			r.blocks(s, seen)
		}
	}
	return seen
}

// comesToPut reports whether a round may still come to a put from a block.
func (r *elemRound) comesToPut(b *ssa.BasicBlock) bool {
	for x := range r.blocks(b, nil) {
		if r.puts[x] {
			return true
		}
	}
	return false
}

// uses reports whether an instruction reads what is in the element, and whether it does no
// more with it.
func (r *elemRound) uses(i ssa.Instruction) (reads, fine bool) {
	has := func(v ssa.Value) bool {
		for depth := 0; depth < 5; depth++ {
			if r.loads[v] {
				return true
			}
			switch x := v.(type) {
			case *ssa.Slice:
				v = x.X
			case *ssa.ChangeType:
				v = x.X
			case *ssa.FieldAddr:
				v = x.X
			case *ssa.UnOp:
				v = x.X
			default:
				return false
			}
		}
		return false
	}
	switch i := i.(type) {
	case *ssa.Store:
		return false, !has(i.Val) || !hasPointers(i.Val.Type())
	case *ssa.Send:
		return false, !has(i.X)
	case *ssa.MapUpdate:
		return false, !has(i.Value)
	case *ssa.MakeInterface:
		return false, !has(i.X)
	case *ssa.MakeClosure:
		for _, v := range i.Bindings {
			if has(v) {
				return false, false
			}
		}
	case *ssa.Phi:
		for _, v := range i.Edges {
			if has(v) {
				return false, false
			}
		}
	case *ssa.Call:
		cc := i.Common()
		any := false
		for _, v := range cc.Args {
			any = any || has(v)
		}
		if !any {
			return false, true
		}
		if b, ok := cc.Value.(*ssa.Builtin); ok {
			switch b.Name() {
			case "len", "cap":
				return false, true
			case "copy", "append":
				s, ok := cc.Args[1].Type().Underlying().(*types.Slice)
				return true, has(cc.Args[1]) && !has(cc.Args[0]) && (!ok || !hasPointers(s.Elem()))
			}
			return false, false
		}
		m := calledMethod(i)
		return true, cc.IsInvoke() && m != nil && (m.Name() == "Write" || m.Name() == "WriteString")
	case ssa.CallInstruction:
		for _, v := range i.Common().Args {
			if has(v) {
				return false, false
			}
		}
	case *ssa.Return:
		for _, v := range i.Results {
			if has(v) {
				return false, false
			}
		}
	}
	return false, true
}

// decidedByLength reports whether the tests of a round that decide between the ways ask no more
// of the element than its length.
func (r *elemRound) decidedByLength(round map[*ssa.BasicBlock]bool) bool {
	var plainTest func(v ssa.Value, depth int) bool
	plainTest = func(v ssa.Value, depth int) bool {
		if depth > 6 || r.loads[v] {
			return false
		}
		switch x := v.(type) {
		case *ssa.BinOp:
			return plainTest(x.X, depth+1) && plainTest(x.Y, depth+1)
		case *ssa.Convert:
			return plainTest(x.X, depth+1)
		case *ssa.UnOp:
			if fa, ok := x.X.(*ssa.FieldAddr); ok {
				return !r.loads[fa.X]
			}
			return plainTest(x.X, depth+1)
		case *ssa.Call:
			b, ok := x.Call.Value.(*ssa.Builtin)
			if ok && b.Name() == "len" {
				return true
			}
			for _, arg := range x.Call.Args {
				if r.loads[arg] {
					return false
				}
			}
			return !ok // what else is true at the time
		}
		return true
	}
	for b := range round {
		i, ok := lastInstr(b).(*ssa.If)
		if !ok || !round[b.Succs[0]] || !round[b.Succs[1]] {
			continue
		}
		if r.leads(b.Succs[0]) != r.leads(b.Succs[1]) && !plainTest(i.Cond, 0) {
			return false
		}
	}
	return true
}

func (r *elemRound) leads(b *ssa.BasicBlock) bool { return r.puts[b] || r.comesToPut(b) }

// letsGoOf reports whether the slice is done with after the loop: the field that holds it is
// set, or it is a local one that is used in the loop alone.
func (c *custody) letsGoOf(r *elemRound) bool {
	v, _ := fieldLoad(r.slice)
	if v == nil {
		if _, ok := r.slice.(*ssa.Parameter); ok || r.slice.Referrers() == nil {
			return false
		}
		for _, q := range referrers(r.slice) {
			if ia, ok := q.(*ssa.IndexAddr); ok && ia.Index == r.index {
				continue
			}
			if call, ok := q.(*ssa.Call); ok && isBuiltinCall(call) && call.Call.Value.(*ssa.Builtin).Name() == "len" {
				continue
			}
			return false
		}
		return true
	}
	found := false
	load, _ := r.slice.(ssa.Instruction)
	for _, b := range r.header.Parent().Blocks {
		for _, i := range b.Instrs {
			s, ok := i.(*ssa.Store)
			if !ok || fieldAt(s.Addr) != v {
				continue
			}
			if inRound := r.header.Dominates(b) && reaches(b, r.header); inRound {
				return false
			}
			cut, isCut := s.Val.(*ssa.Slice)
			found = found || (emptied(s.Val) || isCut && emptyCut(cut)) && (r.header.Dominates(b) || precedes(load, s))
		}
	}
	return found
}
