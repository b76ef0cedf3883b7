// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A function that takes a value into a variable and starts a goroutine, the only one to have that variable, leaves the
// value to it. Where the goroutine puts what is in the variable when it is done with it, it must do so when
// it ends as well: a way through it that does not touch the variable loses what its starter took.

// judgeHeldByGo reports such ways.
func (a *analysis) judgeHeldByGo() {
	s := a.uses().sites
	for fn, i := range a.instrs() {
		g, ok := i.(*ssa.Go)
		if !ok || a.inTest(fn) {
			continue
		}
		mc, ok := g.Call.Value.(*ssa.MakeClosure)
		if !ok || len(referrers(mc)) != 1 {
			continue
		}
		for k, b := range mc.Bindings {
			cell, ok := b.(*ssa.Alloc)
			if !ok {
				continue
			}
			get := a.takenInto(s, cell, mc, g)
			if get == nil {
				continue
			}
			body := mc.Fn.(*ssa.Function)
			put := a.putsLike(s, body, get, deref(cell.Type()))
			ret := a.untouchedWay(body, body.FreeVars[k])
			if put == nil || ret == nil {
				continue
			}
			at := instrPos(ret)
			a.reportFound(finding{
				pattern: missingPut, pos: instrPos(get), fn: fn,
				message: apposed(a.valueName(cell), "taken at "+a.line(instrPos(get)), "the value taken here") + " is not put back by the goroutine that alone has it, on the way on which that ends (" + a.line(at) + ")",
				related: []goanalysis.RelatedInformation{
					{Pos: at, Message: "ends here"}, {Pos: instrPos(put), Message: "the goroutine puts what it has"},
				},
			})
		}
	}
}

// takenInto is the call that takes the value from a pool which a variable is set to, where but for one goroutine nobody
// else has either: before it is started both may be used.
func (a *analysis) takenInto(s *sites, cell *ssa.Alloc, mc *ssa.MakeClosure, g *ssa.Go) *ssa.Call {
	var taken ssa.Value
	d := &droppedSearch{a: a, s: s, fn: g.Parent(), seen: map[ssa.Value]bool{}}
	for _, r := range referrers(cell) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if taken != nil || r.Addr != cell || !precedes(r, g) {
				return nil
			}
			taken = r.Val
		case *ssa.UnOp:
			if !precedes(r, g) || !d.only(r) {
				return nil
			}
		case *ssa.MakeClosure:
			if r != mc {
				return nil
			}
		default:
			return nil
		}
	}
	if taken == nil || !pointery(taken.Type()) {
		return nil
	}
	// What was made of the value on the way to the variable may be used, too.
	for v, on := taken, ssa.Instruction(nil); ; {
		for _, r := range referrers(v) {
			if st, ok := r.(*ssa.Store); ok && st.Addr == cell || r == on {
				continue
			}
			if !d.borrows(r, v) {
				return nil
			}
		}
		switch x := v.(type) {
		case *ssa.Call:
			if !s.gets0(a, x) {
				return nil
			}
			return x
		case *ssa.TypeAssert:
			if x.CommaOk {
				return nil
			}
			v, on = x.X, x
		default:
			return nil
		}
	}
}

// putsLike is a Put in a function, or one of the literals in it, of a value like one that was taken.
func (a *analysis) putsLike(s *sites, fn *ssa.Function, get *ssa.Call, t types.Type) ssa.Instruction {
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		for _, n := range s.putArgs(a, c) {
			if !types.Identical(unboxed(c.Common().Args[n]).Type(), t) {
				continue
			}
			if isPut(c) && funcKey(calledMethod(get)) == "sync.Pool.Get" && a.staticPool(c.Common().Args[0]) != a.staticPool(get.Call.Args[0]) {
				continue
			}
			return i
		}
	}
	for _, lit := range fn.AnonFuncs {
		if i := a.putsLike(s, lit, get, t); i != nil {
			return i
		}
	}
	return nil
}

// untouchedWay is the return of a function that a way leads to on which nothing is done with a captured variable.
func (a *analysis) untouchedWay(fn *ssa.Function, v *ssa.FreeVar) *ssa.Return {
	seen := map[*ssa.BasicBlock]bool{}
	work := fn.Blocks[:min(1, len(fn.Blocks))]
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		if seen[b] {
			continue
		}
		seen[b] = true
		if slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool { return a.touchedAt(i, v) }) {
			continue
		}
		if r, ok := lastInstr(b).(*ssa.Return); ok {
			return r
		}
		work = append(slices.Clip(work), b.Succs...)
	}
	return nil
}

// touchedAt reports whether an instruction has to do with a value, or ends the goroutine in another way.
func (a *analysis) touchedAt(i ssa.Instruction, v ssa.Value) bool {
	if c, ok := i.(ssa.CallInstruction); ok {
		if m := calledMethod(c); m != nil && effects[funcKey(m)] == eFatal {
			return true
		}
	}
	return slices.ContainsFunc(i.Operands(nil), func(o *ssa.Value) bool { return *o == v })
}
