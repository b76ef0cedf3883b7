// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Where every function that takes a value of a type from its pool calls out with it and
// puts it itself, code out of view has such a value only on loan, in a callback. An
// exported function that calls out with its parameter in the same way, and then puts it,
// puts what its caller's caller will put again.

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
	for _, p := range s.puts {
		f := p.fn
		if len(owners[p.typ]) == 0 || owners[p.typ][f] || !exportedFunc(f) && !lentOnly(s, f) || s.taken[f] || a.inTest(f) || !p.instr.Pos().IsValid() {
			continue
		}
		shift := 0
		if f.Signature.Recv() != nil {
			shift = 1
		}
		given := -1
		for k := range s.putter[f] {
			if k >= shift && pointee(f.Params[k].Type()) != nil && pointee(f.Params[k].Type()).Origin() == p.typ {
				given = k
			}
		}
		if given < 0 || !a.callsOut(f, p.typ, map[*ssa.Function]bool{}) || !a.onLoan(s, f, p.typ, owners[p.typ]) {
			continue
		}
		var taken goanalysis.RelatedInformation
		for _, g := range s.gets {
			if g.typ == p.typ && !s.getter[g.fn] && g.instr.Pos().IsValid() {
				taken = goanalysis.RelatedInformation{Pos: g.instr.Pos(), Message: "taken here, and put by the same function"}
				break
			}
		}
		a.found[findingKey{doublePut, instrPos(p.instr)}] = finding{
			pattern: doublePut, pos: instrPos(p.instr), fn: f,
			message: fmt.Sprintf("%s puts %s, which its callers have on loan only: whoever took it from the pool calls them and puts it again", f.Name(), f.Params[given].Name()),
			related: []goanalysis.RelatedInformation{taken},
		}
	}
}

// onLoan reports whether all functions that take values of a type from the pool put them,
// and call out with them before, and none of them calls f.
func (a *analysis) onLoan(s *sites, f *ssa.Function, t *types.Named, owners map[*ssa.Function]bool) bool {
	lends := false
	for o := range owners {
		if s.getter[o] {
			if exportedFunc(o) || s.taken[o] {
				return false
			}
			continue
		}
		puts := false
		for _, p := range s.puts {
			puts = puts || p.fn == o && p.typ == t
		}
		if !puts {
			return false
		}
		lends = lends || a.callsOut(o, t, map[*ssa.Function]bool{})
	}
	for _, c := range s.callers[f] {
		for fn := c.Parent(); fn != nil; fn = fn.Parent() {
			if owners[fn] {
				return false
			}
		}
	}
	return lends
}

// callsOut reports whether a function, or one that it calls, passes a *t to a function that
// is not known here.
func (a *analysis) callsOut(f *ssa.Function, t *types.Named, seen map[*ssa.Function]bool) bool {
	if seen[f] || len(seen) > maxLoan {
		return false
	}
	seen[f] = true
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			c, ok := i.(*ssa.Call)
			if !ok {
				continue
			}
			if callee := a.calledFunction(c); callee != nil {
				if a.callsOut(callee, t, seen) {
					return true
				}
				continue
			}
			if _, builtin := c.Call.Value.(*ssa.Builtin); builtin || c.Call.StaticCallee() != nil {
				continue
			}
			for _, x := range c.Call.Args {
				if p := pointee(x.Type()); p != nil && p.Origin() == t {
					return true
				}
			}
		}
	}
	return false
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
