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

// Who takes a pooled value out of a field, which is set to nil, has it alone. Where the
// function puts it after a call that it lent it to, it has to do so when the call fails, too.

// judgeMovedOut reports values that were taken out of a field and are put only where a call
// succeeds.
func (c *custody) judgeMovedOut() {
	a := c.a
	movers := map[*ssa.Function]*types.Var{} // functions that return what they take out of a field
	var found []finding
	for _, fn := range a.fns {
		if a.inTest(fn) || len(fn.Blocks) == 0 {
			continue
		}
		for _, l := range c.movedIn(fn) {
			if a.foundIn(missingPut, fn) {
				continue // told there
			}
			f := fieldOfValue(l)
			if returnedAs(l) && fn.Signature.Results().Len() == 1 {
				movers[fn] = f
			} else if r, ok := c.putIfGood(l, f); ok {
				found = append(found, r)
			}
		}
	}
	for _, fn := range a.fns {
		if len(movers) == 0 || a.inTest(fn) {
			continue
		}
		for i := range instrsOf(fn) {
			call, ok := i.(*ssa.Call)
			if !ok {
				continue
			}
			if f := movers[a.calledFunction(call)]; f != nil {
				if r, ok := c.putIfGood(call, f); ok {
					found = append(found, r)
				}
			}
		}
	}
	slices.SortFunc(found, func(x, y finding) int { return cmp.Compare(x.pos, y.pos) })
	for _, r := range found {
		if !a.foundIn(missingPut, r.fn) {
			a.reportFound(r)
		}
	}
}

// returnedAs reports whether a function returns a value, be it through the variable that
// holds the result where there are deferred calls.
func returnedAs(v ssa.Value) bool {
	return slices.ContainsFunc(referrers(v), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.Return:
			return true
		case *ssa.Store:
			res, ok := r.Addr.(*ssa.Alloc)
			if !ok || r.Val != v || res.Heap {
				return false
			}
			return slices.ContainsFunc(referrers(res), func(r ssa.Instruction) bool {
				l, ok := r.(*ssa.UnOp)
				return ok && slices.ContainsFunc(referrers(l), func(r ssa.Instruction) bool {
					_, ok := r.(*ssa.Return)
					return ok
				})
			})
		}
		return false
	})
}

// movedIn are the loads of fields of pooled values after which the field is set to nil.
func (c *custody) movedIn(fn *ssa.Function) (list []ssa.Value) {
	for _, b := range fn.Blocks {
		for n, i := range b.Instrs {
			l, ok := i.(*ssa.UnOp)
			if !ok || l.Op != token.MUL {
				continue
			}
			fa, ok := l.X.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			f := nthField(fa.X, fa.Field)
			if f == nil || f.Exported() || len(c.takesField[f]) == 0 {
				continue
			}
			if slices.ContainsFunc(b.Instrs[n+1:], func(i ssa.Instruction) bool {
				st, ok := i.(*ssa.Store)
				if !ok || !isNilConst(st.Val) {
					return false
				}
				to, ok := st.Addr.(*ssa.FieldAddr)
				return ok && to.X == fa.X && to.Field == fa.Field
			}) {
				list = append(list, l)
			}
		}
	}
	return list
}

// putIfGood looks for a call that a value is lent to, after which it is put, but not where
// the call gives an error and the function returns.
func (c *custody) putIfGood(v ssa.Value, f *types.Var) (finding, bool) {
	var lent []*ssa.Call
	var puts []ssa.Instruction
	for _, u := range derivedUses(v) {
		switch u := u.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.Lookup, *ssa.Range, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.UnOp, *ssa.MakeInterface, *ssa.ChangeType:
		case *ssa.MapUpdate:
			if u.Value == v || u.Key == v {
				return finding{}, false
			}
		case *ssa.Call:
			callee := c.a.calledFunction(u)
			switch {
			case len(c.putBy(u)) > 0:
				puts = append(puts, u)
			case isBuiltinCall(u):
			case callee != nil && len(c.keeps[callee]) > 0:
				return finding{}, false
			default:
				lent = append(lent, u)
			}
		default:
			return finding{}, false
		}
	}
	for _, call := range lent {
		good, bad := errorBranches(call)
		if good == nil || !call.Block().Dominates(good) || good == call.Block() || slices.ContainsFunc(puts, func(p ssa.Instruction) bool { return p.Block().Dominates(bad) }) {
			continue // or put before it is known how the call went
		}
		put := slices.IndexFunc(puts, func(p ssa.Instruction) bool { return good.Dominates(p.Block()) })
		if put < 0 || slices.ContainsFunc(lent, func(o *ssa.Call) bool { return bad.Dominates(o.Block()) }) {
			continue
		}
		ret := returnsWithout(bad, v)
		if ret == nil {
			continue
		}
		from := ""
		if p := c.a.fields0.holds[f]; p != nil {
			from = ", which was taken from " + p.label() + ","
		}
		return finding{
			pattern: missingPut, pos: instrPos(call), fn: call.Parent(), pool: c.a.fields0.holds[f],
			message: fmt.Sprintf("%s in field %s%s is put after this call, but not where it fails (%s)", c.movedName(v), f.Name(), from, c.a.line(instrPos(ret))),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(ret), Message: "lost at this return"}, {Pos: instrPos(puts[put]), Message: "put here otherwise"}},
		}, true
	}
	return finding{}, false
}

// derivedUses are the instructions that use a value, or the value in an interface or as
// another type.
func derivedUses(v ssa.Value) (list []ssa.Instruction) {
	for _, r := range referrers(v) {
		list = append(list, r)
		switch x := r.(type) {
		case *ssa.MakeInterface:
			list = append(list, derivedUses(x)...)
		case *ssa.ChangeType:
			list = append(list, derivedUses(x)...)
		}
	}
	return list
}

// errorBranches are the blocks that follow where a call's last result, an error, is nil and
// where it is not.
func errorBranches(call *ssa.Call) (good, bad *ssa.BasicBlock) {
	var err ssa.Value = call
	if t, ok := call.Type().(*types.Tuple); ok {
		err = nil
		for _, r := range referrers(call) {
			if e, ok := r.(*ssa.Extract); ok && e.Index == t.Len()-1 {
				err = e
			}
		}
	}
	if err == nil || !isError(err.Type()) {
		return nil, nil
	}
	for _, r := range referrers(err) {
		cmp, ok := r.(*ssa.BinOp)
		if !ok || !isNilConst(cmp.Y) && !isNilConst(cmp.X) {
			continue
		}
		for _, u := range referrers(cmp) {
			if branch, ok := u.(*ssa.If); ok {
				s := branch.Block().Succs
				if len(s[0].Preds) != 1 || len(s[1].Preds) != 1 && cmp.Op == token.EQL {
					continue
				}
				if cmp.Op == token.NEQ {
					return s[1], s[0]
				}
				return s[0], s[1]
			}
		}
	}
	return nil, nil
}

// returnsWithout is a return that is reached from a block without a use of a value.
func returnsWithout(from *ssa.BasicBlock, v ssa.Value) *ssa.Return {
	uses := derivedUses(v)
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock) *ssa.Return
	walk = func(b *ssa.BasicBlock) *ssa.Return {
		if seen[b] {
			return nil
		}
		seen[b] = true
		for _, i := range b.Instrs {
			if slices.Contains(uses, i) {
				return nil
			}
			if r, ok := i.(*ssa.Return); ok {
				return r
			}
		}
		for _, s := range b.Succs {
			if r := walk(s); r != nil {
				return r
			}
		}
		return nil
	}
	return walk(from)
}
