// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Who is given the address of a slice is to change it: to append to it, as who is given the slice cannot. A deferred Put
// whose argument was the variable before that puts the slice of before. What a function in view does with it is followed on
// the paths (checkBound); of a method of an interface, or a function in a variable, that is out of view, all that is known is
// that it asked for the address.

// judgeGrownByOthers reports deferred Puts of a slice whose variable's address is given to such a function later, and
// that is read after that.
func (a *analysis) judgeGrownByOthers() {
	var through map[*ssa.Function][]int
	for c := range a.productCalls() {
		d, ok := c.(*ssa.Defer)
		if !ok || d.Call.IsInvoke() {
			continue
		}
		for n, x := range d.Call.Args {
			bound, ok := wholeOf(unboxed(x)).(*ssa.UnOp)
			if !ok || !isSlice(bound.Type()) {
				continue
			}
			al, ok := bound.X.(*ssa.Alloc)
			v := a.variableAt(d, n)
			if !ok || v == nil {
				continue
			}
			given := a.givenOutOfView(d, al)
			if given == nil {
				continue
			}
			if through == nil {
				through = a.storers()
			}
			if !a.putsHere(d, n, through) || a.putElsewhere(d, v, through) {
				continue
			}
			to := calledName(given)
			if name := a.valueName(given.Call.Value); name != "" && !given.Call.IsInvoke() {
				to = name
			}
			a.reportFound(finding{
				pattern: staleHeader, pos: instrPos(d), fn: d.Parent(),
				message: fmt.Sprintf("the deferred call puts %s as it is here, but its address is passed to %s later (%s): where that makes it grow, the grown array is lost", v.Name(), to, a.line(instrPos(given))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(given), Message: "its address is passed here"}},
				fixes:   a.bindLate(d),
			})
		}
	}
}

// putsHere reports whether a call puts its n-th argument in a pool, or in a channel that serves as one.
func (a *analysis) putsHere(c ssa.CallInstruction, n int, through map[*ssa.Function][]int) bool {
	for _, k := range a.putValues(c, through) {
		if k == n {
			return true
		}
	}
	return a.putsPartOf(c, n, 0) || a.sendsPart(c, n)
}

// sendsPart reports whether a call sends its n-th argument to a channel that serves as a pool.
func (a *analysis) sendsPart(c ssa.CallInstruction, n int) bool {
	fn := a.calledFunction(c)
	if fn == nil || !a.chanPutters[fn] || n >= len(fn.Params) {
		return false
	}
	for i := range instrsOf(fn) {
		if s, ok := i.(*ssa.Select); ok {
			for _, st := range s.States {
				if st.Send != nil && derivedFrom(st.Send) == ssa.Value(fn.Params[n]) {
					return true
				}
			}
		}
	}
	return false
}

// givenOutOfView is a call after a defer that is given the address of a variable, of a function that is not in view, where
// the variable is read after the call.
func (a *analysis) givenOutOfView(d *ssa.Defer, al *ssa.Alloc) *ssa.Call {
	later := func(x, y ssa.Instruction) bool { return precedes(x, y) || reaches(x.Block(), y.Block()) }
	for _, r := range referrers(al) {
		c, ok := r.(*ssa.Call)
		if !ok || c.Parent() != d.Parent() || !later(d, c) {
			continue
		}
		if _, builtin := c.Call.Value.(*ssa.Builtin); builtin || c.Call.StaticCallee() != nil || a.calledFunction(c) != nil || c.Call.IsInvoke() && len(a.mayBeCalled(c)) > 0 {
			continue
		}
		for _, r := range referrers(al) {
			if l, ok := r.(*ssa.UnOp); ok && l.Parent() == d.Parent() && later(c, l) {
				return c
			}
		}
	}
	return nil
}
