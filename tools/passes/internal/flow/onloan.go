// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Where every function that takes a value of a type from its pool calls out with it and
// puts it itself, whatever happens, other code has such a value only on loan, in a
// callback. A function that calls out with its parameter in the same way, and then puts
// it, puts what its caller's caller will put again; so does a callback that puts it.

// maxLoan bounds the functions that are searched for a call of one that is not known.
const maxLoan = 40

// judgeLoans reports such functions.
func (a *analysis) judgeLoans() {
	s := a.uses().sites
	owners := map[*types.Named]map[*ssa.Function]bool{}
	for _, g := range s.gets {
		if owners[g.typ] == nil {
			owners[g.typ] = map[*ssa.Function]bool{}
		}
		owners[g.typ][g.fn] = true
	}
	if len(owners) == 0 {
		return
	}
	for _, p := range s.puts {
		f := p.fn
		if len(owners[p.typ]) == 0 || owners[p.typ][f] || a.inTest(f) || !instrPos(p.instr).IsValid() {
			continue
		}
		given := -1
		for k := range s.putter[f] {
			if t := pointee(f.Params[k].Type()); t != nil && t.Origin() == p.typ && (k > 0 || f.Signature.Recv() == nil) {
				given = k
			}
		}
		callback := a.usedAsValue(s, f)
		if given < 0 || !callback && !exportedFunc(f) && (f.Parent() != nil || !lentOnly(s, f)) {
			continue
		}
		if !callback && a.callsOut(f, p.typ, nil, map[*ssa.Function]bool{}) == nil {
			continue
		}
		var sig *types.Signature
		if callback {
			sig = f.Signature
		}
		if !a.onLoan(s, f, p.typ, owners[p.typ], sig) {
			continue
		}
		var related []goanalysis.RelatedInformation
		if c, ok := p.instr.(ssa.CallInstruction); ok {
			if callee := a.calledFunction(c); callee != nil {
				for _, q := range s.puts {
					if q.fn == callee && instrPos(q.instr).IsValid() {
						related = append(related, goanalysis.RelatedInformation{Pos: instrPos(q.instr), Message: "the Put"})
					}
				}
			}
		}
		for _, g := range s.gets {
			if g.typ == p.typ && !s.getter[g.fn] && instrPos(g.instr).IsValid() {
				related = append(related, goanalysis.RelatedInformation{Pos: instrPos(g.instr), Message: "taken here, and put by the same function"})
				break
			}
		}
		a.found[findingKey{doublePut, instrPos(p.instr)}] = finding{
			pattern: doublePut, pos: instrPos(p.instr), fn: f,
			message: fmt.Sprintf("%s is put here and again by who took it from the pool, which only lends it: every function that takes one calls out with it and puts it afterwards", f.Params[given].Name()),
			related: related,
		}
	}
}

// onLoan reports whether all functions that take values of a type from the pool put them,
// and call out with them before, to functions of type sig unless that is nil, and none of
// them calls f.
func (a *analysis) onLoan(s *sites, f *ssa.Function, t *types.Named, owners map[*ssa.Function]bool, sig *types.Signature) bool {
	lends := false
	for o := range owners {
		if s.getter[o] {
			if exportedFunc(o) || s.taken[o] {
				return false
			}
			continue
		}
		if !alwaysPuts(s, o, t) {
			return false
		}
		lends = lends || a.callsOut(o, t, sig, map[*ssa.Function]bool{}) != nil
	}
	if !lends {
		return false
	}
	// A call that can be followed from an owner, the walk has seen.
	seen := map[*ssa.Function]bool{}
	var called func(f *ssa.Function) bool
	called = func(f *ssa.Function) bool {
		if seen[f] {
			return false
		}
		seen[f] = true
		for _, c := range s.callers[f] {
			for fn := c.Parent(); fn != nil; fn = fn.Parent() {
				if owners[fn] || called(fn) {
					return true
				}
			}
		}
		return false
	}
	return !called(f)
}

// alwaysPuts reports whether every path of a function from where it takes a *t goes by a Put
// of one, or defers it.
func alwaysPuts(s *sites, f *ssa.Function, t *types.Named) bool {
	puts := map[*ssa.BasicBlock]bool{}
	for _, p := range s.puts {
		if p.fn == f && p.typ == t {
			puts[p.instr.Block()] = true
		}
	}
	seen := map[*ssa.BasicBlock]bool{}
	var escapes func(b *ssa.BasicBlock) bool
	escapes = func(b *ssa.BasicBlock) bool {
		if seen[b] || puts[b] {
			return false
		}
		seen[b] = true
		if _, ok := lastInstr(b).(*ssa.Return); ok {
			return true
		}
		return slices.ContainsFunc(b.Succs, escapes)
	}
	for _, g := range s.gets {
		if g.fn == f && g.typ == t && escapes(g.instr.Block()) {
			return false
		}
	}
	return len(puts) > 0
}

// callsOut finds a call by which a function, or one that it calls, passes a *t to a function
// that is not known here, and is of type sig unless that is nil.
func (a *analysis) callsOut(f *ssa.Function, t *types.Named, sig *types.Signature, seen map[*ssa.Function]bool) ssa.CallInstruction {
	if seen[f] || len(seen) > maxLoan {
		return nil
	}
	seen[f] = true
	for i := range instrsOf(f) {
		c, ok := i.(*ssa.Call)
		if !ok {
			continue
		}
		if callee := a.calledFunction(c); callee != nil {
			if out := a.callsOut(callee, t, sig, seen); out != nil {
				return out
			}
			continue
		}
		if _, builtin := c.Call.Value.(*ssa.Builtin); builtin || c.Call.StaticCallee() != nil {
			continue
		}
		if sig != nil && (c.Call.IsInvoke() || !types.Identical(c.Call.Signature(), sig)) {
			continue
		}
		for _, x := range c.Call.Args {
			if p := pointee(x.Type()); p != nil && p.Origin() == t {
				return c
			}
		}
	}
	return nil
}

// usedAsValue reports whether a function is passed on or stored, not only called where it stands.
func (a *analysis) usedAsValue(s *sites, f *ssa.Function) bool {
	made := a.closures[f]
	for _, m := range made {
		for _, r := range referrers(m) {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case ssa.CallInstruction:
				if r.Common().Value != ssa.Value(m) {
					return true
				}
			default:
				return true
			}
		}
	}
	return len(made) == 0 && s.taken[f]
}

// lentOnly reports whether all callers of a function pass it what they were given.
func lentOnly(s *sites, f *ssa.Function) bool {
	for _, c := range s.callers[f] {
		given := false
		for _, x := range c.Common().Args {
			_, isParam := x.(*ssa.Parameter)
			given = given || isParam
		}
		if !given {
			return false
		}
	}
	return len(s.callers[f]) > 0
}

// exportedFunc reports whether code out of view can call a function by its name.
func exportedFunc(f *ssa.Function) bool {
	if f.Object() == nil || !f.Object().Exported() {
		return false
	}
	if r := f.Signature.Recv(); r != nil {
		n := recvName(r.Type())
		return n != nil && n.Exported()
	}
	return true
}
