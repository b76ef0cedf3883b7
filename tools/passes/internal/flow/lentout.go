// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A method that returns what a field holds, and leaves it there, lends it. Who releases
// what it was lent, and then calls a method of the lender that releases what the field
// holds, releases twice, whether references are counted or not: the lender's reference is
// one. The walk does not count beyond an object's own release; this looks at the calls.

// A lender is a method that returns the content of a field of its receiver.
type lender struct {
	fn     *ssa.Function
	result int
	field  *types.Var
}

// judgeLenders reports what is released by the lender and by who it was lent to.
func (a *analysis) judgeLenders() {
	s := a.uses().sites
	if len(s.puts) == 0 {
		return
	}
	var lenders []lender
	for _, fn := range a.fns {
		if !a.inTest(fn) {
			lenders = append(lenders, a.lends(s, fn)...)
		}
	}
	told := map[*types.Var]bool{}
	for _, l := range lenders {
		owners := a.releasesOf(s, l.field)
		if len(owners) == 0 || told[l.field] || a.lendsRef(s, l.field, owners) {
			continue
		}
		for c := range a.productCalls() {
			call, ok := c.(*ssa.Call)
			if !ok || !a.mayCall(c, l.fn) || recvType(c.Parent()) == recvType(l.fn) || a.stores(c.Parent(), l.field) {
				continue
			}
			rel := a.releasedResult(s, call, l.result)
			if rel == nil {
				continue
			}
			m := a.laterOwner(call, rel, owners)
			if m == nil {
				continue
			}
			told[l.field] = true
			at := owners[m]
			a.reportFound(finding{
				pattern: doublePut, pos: instrPos(at), fn: m,
				message: fmt.Sprintf("%s releases what field %s holds, which %s lent to %s, which released it already (%s)", m.Name(), l.field.Name(), l.fn.Name(), c.Parent().Name(), a.line(instrPos(rel))),
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(call), Message: "lent here"},
					{Pos: instrPos(rel), Message: "released here"},
				},
			})
			break
		}
	}
}

// lends finds the results of a method that are what fields of its receiver hold.
func (a *analysis) lends(s *sites, fn *ssa.Function) (list []lender) {
	if fn.Signature.Recv() == nil || len(fn.Blocks) == 0 || len(fn.Blocks) > 4 || len(fn.Params) == 0 {
		return nil
	}
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			if _, ok := i.(*ssa.Store); ok {
				return nil
			}
		}
		r, ok := lastInstr(b).(*ssa.Return)
		if !ok {
			continue
		}
		for k, v := range r.Results {
			l, ok := v.(*ssa.UnOp)
			if !ok || l.Op != token.MUL || pointee(l.Type()) == nil || fieldRoot[*ssa.Parameter](l.X) != fn.Params[0] || len(referrers(l)) > 1 {
				continue
			}
			if t := pointee(l.Type()).Origin(); !slices.ContainsFunc(s.puts, func(p poolSite) bool { return p.typ == t }) {
				continue
			}
			if f := fieldAt(l.X); f != nil {
				list = append(list, lender{fn, k, f})
			}
		}
	}
	return list
}

// releasesOf are the methods that put what the field of their receiver holds, unless
// something else than the field decides, and where they do.
func (a *analysis) releasesOf(s *sites, f *types.Var) map[*ssa.Function]ssa.Instruction {
	out := map[*ssa.Function]ssa.Instruction{}
	for c := range a.productCalls() {
		fn := c.Parent()
		if fn.Signature.Recv() == nil || len(fn.Params) == 0 || out[fn] != nil {
			continue
		}
		for _, n := range s.putArgs(a, c) {
			l, ok := unboxed(c.Common().Args[n]).(*ssa.UnOp)
			if !ok || fieldAt(l.X) != f || fieldRoot[*ssa.Parameter](l.X) != fn.Params[0] {
				continue
			}
			other := slices.ContainsFunc(deciders(c.Block(), nil), func(v ssa.Value) bool {
				return leadsFrom(v, 0, func(x ssa.Value) bool {
					fa, ok := x.(*ssa.FieldAddr)
					return ok && fieldAt(fa) != f && types.Identical(fa.X.Type(), l.X.(*ssa.FieldAddr).X.Type())
				})
			})
			if !other {
				out[fn] = c
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	// And those that call them on themselves.
	for range 2 {
		for c := range a.productCalls() {
			fn := c.Parent()
			if fn.Signature.Recv() == nil || len(fn.Params) == 0 || out[fn] != nil || receiverOf(c) != ssa.Value(fn.Params[0]) {
				continue
			}
			if m := a.calledFunction(c); m != nil && out[m] != nil && len(deciders(c.Block(), nil)) == 0 {
				out[fn] = c
			}
		}
	}
	return out
}

// lendsRef reports whether a reference goes with the loan: what is stored in the field
// was counted up, or somebody takes it out without a release.
func (a *analysis) lendsRef(s *sites, f *types.Var, owners map[*ssa.Function]ssa.Instruction) bool {
	for fn, i := range a.instrs() {
		st, ok := i.(*ssa.Store)
		if !ok || fieldAt(st.Addr) != f {
			continue
		}
		if c, ok := st.Val.(*ssa.Const); ok && c.Value == nil && owners[fn] == nil && fieldRoot[*ssa.Alloc](st.Addr) == nil {
			return true
		}
		if refs := st.Val.Referrers(); refs != nil {
			for _, r := range *refs {
				if c, ok := r.(ssa.CallInstruction); ok && a.countsUp(c) {
					return true
				}
			}
		}
	}
	return false
}

// countsUp reports whether a call calls a function that adds to a count.
func (a *analysis) countsUp(c ssa.CallInstruction) bool {
	fn := a.calledFunction(c)
	if fn == nil {
		f := calledMethod(c)
		return f == nil || slices.ContainsFunc([]string{"Ref", "Retain", "Acquire", "Inc", "Add"}, func(p string) bool { return strings.Contains(f.Name(), p) })
	}
	for i := range instrsOf(fn) {
		switch i := i.(type) {
		case *ssa.Call:
			f := calledMethod(i)
			if f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync/atomic" || !strings.HasPrefix(f.Name(), "Add") {
				continue
			}
			n, ok := i.Call.Args[len(i.Call.Args)-1].(*ssa.Const)
			if !ok || n.Value == nil || constant.Sign(n.Value) > 0 {
				return true
			}
		case *ssa.Store:
			if o, ok := i.Val.(*ssa.BinOp); ok && o.Op == token.ADD && isInteger(o.Type()) {
				if _, ok := i.Addr.(*ssa.FieldAddr); ok {
					return true
				}
			}
		}
	}
	return false
}

// mayCall reports whether a call calls a method, also through an interface.
func (a *analysis) mayCall(c ssa.CallInstruction, m *ssa.Function) bool {
	if fn := a.calledFunction(c); fn != nil {
		return fn == m
	}
	if !c.Common().IsInvoke() || c.Common().Method.Name() != m.Name() {
		return false
	}
	it, ok := c.Common().Value.Type().Underlying().(*types.Interface)
	return ok && types.Implements(m.Params[0].Type(), it)
}

// stores reports whether a function stores to a field.
func (a *analysis) stores(fn *ssa.Function, f *types.Var) bool {
	return slices.Contains(a.uses().writes[fn], f)
}

// releasedResult finds where what a call gave is put by who called, who does not count
// it up and leaves it nowhere.
func (a *analysis) releasedResult(s *sites, call *ssa.Call, n int) ssa.Instruction {
	var v ssa.Value = call
	if _, tuple := call.Type().(*types.Tuple); tuple {
		v = part(call, n)
	}
	if v == nil || v.Referrers() == nil {
		return nil
	}
	var rel ssa.Instruction
	for _, r := range referrers(v) {
		switch r := r.(type) {
		case ssa.CallInstruction:
			puts := slices.ContainsFunc(s.putArgs(a, r), func(k int) bool { return unboxed(r.Common().Args[k]) == v })
			if _, isGo := r.(*ssa.Go); puts && !isGo {
				rel = r
			} else if a.countsUp(r) {
				return nil
			}
		case *ssa.Store, *ssa.Phi, *ssa.Return, *ssa.Send, *ssa.MakeClosure:
			return nil
		}
	}
	return rel
}

// laterOwner is the method that releases the lender's field and that is called on it after,
// at a return or in the next turn of a loop.
func (a *analysis) laterOwner(call *ssa.Call, rel ssa.Instruction, owners map[*ssa.Function]ssa.Instruction) *ssa.Function {
	obj := receiverOf(call)
	for i := range instrsOf(call.Parent()) {
		c, ok := i.(ssa.CallInstruction)
		if !ok || i == ssa.Instruction(call) || receiverOf(c) == nil || receiverOf(c) != obj && !sameRead(receiverOf(c), obj) {
			continue
		}
		if _, isDefer := c.(*ssa.Defer); !isDefer && !mayFollow(rel, i) {
			continue
		}
		for _, m := range sortedFuncs(owners) {
			if a.mayCall(c, m) && recvType(m) != nil {
				return m
			}
		}
	}
	return nil
}

func sortedFuncs(m map[*ssa.Function]ssa.Instruction) []*ssa.Function {
	var list []*ssa.Function
	for fn := range m {
		list = append(list, fn)
	}
	slices.SortFunc(list, func(x, y *ssa.Function) int { return int(x.Pos()) - int(y.Pos()) })
	return list
}

// receiverOf is the object whose method is called.
func receiverOf(c ssa.CallInstruction) ssa.Value {
	if c.Common().IsInvoke() {
		return c.Common().Value
	}
	if f := c.Common().StaticCallee(); f != nil && f.Signature.Recv() != nil && len(c.Common().Args) > 0 {
		return c.Common().Args[0]
	}
	return nil
}

// fieldRoot is the parameter, or the variable, that an address is a field of; nil if it is
// of something else.
func fieldRoot[T ssa.Value](addr ssa.Value) (root T) {
	for range 4 {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case T:
			return x
		default:
			return root
		}
	}
	return root
}
