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

// A function that clears the elements of a slice and puts it goes by the slice's length. A deferred call of it
// that bound the slice when that was empty clears nothing, whatever is appended before it runs, and
// what the elements lead to stays in the pool; that the slice has room for all of them is no help.

// judgeClearsBound reports deferred calls that clear and put a slice that was empty where they bound it.
func (a *analysis) judgeClearsBound() {
	var through map[*ssa.Function][]int
	for c := range a.productCalls() {
		d, ok := c.(*ssa.Defer)
		if !ok || d.Call.IsInvoke() {
			continue
		}
		fn := a.calledFunction(d)
		if fn == nil || len(fn.Blocks) == 0 {
			continue
		}
		for n, x := range d.Call.Args {
			list, ok := x.Type().Underlying().(*types.Slice)
			if !ok || n >= len(fn.Params) || !leadsOut(list.Elem()) || !a.isEmptyHere(x, 0) {
				continue
			}
			param, ok := fn.Params[n].Type().Underlying().(*types.Slice)
			if !ok || reachesTail(fn, param.Elem()) {
				continue
			}
			if through == nil {
				through = a.storers()
			}
			if !slices.Contains(a.putValues(d, through), n) && !a.putsPartOf(d, n, 0) {
				continue
			}
			clears := clearsLength(fn, fn.Params[n])
			v := a.variableAt(d, n)
			if clears == nil || v == nil {
				continue
			}
			at := a.appendedAfter(d, x, v)
			if at == nil || a.putElsewhere(d, v, through) {
				continue
			}
			a.reportFound(finding{
				pattern: staleHeader, pos: instrPos(d), fn: d.Parent(),
				message: fmt.Sprintf("the deferred call puts %s as it is here, with no elements: what is appended later (%s) is not cleared (%s) and stays alive in the pool", v.Name(), a.line(instrPos(at)), a.line(instrPos(clears))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(at), Message: "appended to here"}, {Pos: instrPos(clears), Message: "clears what is within the length"}},
				fixes:   a.bindLate(d),
			})
		}
	}
}

// isEmptyHere reports whether a slice has length 0, as far as how it was made tells.
func (a *analysis) isEmptyHere(x ssa.Value, depth int) bool {
	switch x := x.(type) {
	case *ssa.Slice:
		return x.High != nil && isZeroNumber(x.High)
	case *ssa.MakeSlice:
		return isZeroNumber(x.Len)
	case *ssa.Phi:
		return depth < 3 && !slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return !a.isEmptyHere(e, depth+1) })
	case *ssa.Call:
		fn := a.calledFunction(x)
		if depth >= 3 || fn == nil || len(fn.Blocks) == 0 {
			return false
		}
		for _, b := range fn.Blocks {
			if r, ok := lastInstr(b).(*ssa.Return); ok && (len(r.Results) != 1 || !a.isEmptyHere(r.Results[0], depth+1)) {
				return false
			}
		}
		return true
	}
	return false
}

// clearsLength is where a function clears the elements within the length of a parameter, by clear or one by one.
func clearsLength(fn *ssa.Function, p *ssa.Parameter) ssa.Instruction {
	isParam := func(x ssa.Value) bool {
		if l, ok := x.(*ssa.UnOp); ok && l.Op == token.MUL {
			for _, r := range referrers(l.X) {
				if st, ok := r.(*ssa.Store); ok && st.Addr == l.X && st.Val == p {
					return true
				}
			}
		}
		return x == p
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Call:
			if isBuiltin(i, "clear") && isParam(i.Call.Args[0]) {
				return i
			}
		case *ssa.Store:
			ia, ok := i.Addr.(*ssa.IndexAddr)
			if !ok || !isParam(ia.X) || !inLoop(i.Block()) {
				continue
			}
			if c, ok := i.Val.(*ssa.Const); ok && c.Value == nil {
				return i
			}
		}
	}
	return nil
}

// appendedAfter is where, after a defer that bound a slice, that is appended to, here or by a function that is given
// it, with the variable set to what comes back.
func (a *analysis) appendedAfter(d *ssa.Defer, bound ssa.Value, v *types.Var) ssa.Instruction {
	if _, at := a.givenBackGrown(d, bound, v); at != nil {
		return at
	}
	for i := range instrsOf(d.Parent()) {
		c, ok := i.(*ssa.Call)
		if ok && isBuiltin(c, "append") && (precedes(d, c) || reaches(d.Block(), c.Block())) && cameFrom(c.Call.Args[0], bound, 0) && a.resultSetTo(c, v) == 0 {
			return c
		}
	}
	return nil
}
