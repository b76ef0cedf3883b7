// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A depth, or a stack, goes up and comes down again. When an error ends a use between the
// two, nothing brings it down: it stays where it was, and the next user starts from there.
// All that the package does with the field shows that nobody sets it back.

// An upDown is what a package does with a field that goes up and down.
type upDown struct {
	*forgotten
	ff   *fieldFacts
	ups  []ssa.Instruction
	down map[*ssa.Function]bool // functions that bring it down, be it by a call
}

// judgeUnbalanced reports depths and stacks of pooled structs, and of what was made with
// them, that an error leaves up.
func (a *analysis) judgeUnbalanced() {
	f := a.uses()
	for _, p := range f.pooledHere() {
		if p.typ.TypeParams().Len() > 0 {
			continue
		}
		at := f.putOf(p.typ)
		for _, t := range a.madeWithin(p.typ) {
			collectFields(t, 0, func(v *types.Var, _ *types.Struct) {
				ff := f.facts[v]
				if ff == nil || a.toldOf[v] {
					return
				}
				u := &upDown{forgotten: f, ff: ff}
				if !u.goes() || f.onlyOnSuccess(p.typ) {
					return
				}
				left, end := u.leftUp()
				if left == nil {
					return
				}
				a.toldOf[v] = true
				a.reportFound(finding{
					pattern: missingReset, pos: instrPos(at), fn: at.Parent(),
					message: fmt.Sprintf("field %s of the %s stays up when an error ends the use (%s), and nothing sets it back: the next user of what is put here starts from there", v.Name(), t.Obj().Name(), a.line(instrPos(end))),
					related: []goanalysis.RelatedInformation{
						{Pos: instrPos(left), Message: v.Name() + " goes up here"},
						{Pos: instrPos(end), Message: "an error ends the use here"},
					},
				})
			})
		}
	}
}

// madeWithin is a pooled type and those of the objects that are made with it: behind fields
// that are set nowhere else.
func (a *analysis) madeWithin(t *types.Named) []*types.Named {
	f := a.uses()
	list := []*types.Named{t}
	add := func(x types.Type) {
		n := pointee(x)
		if n == nil || n.Obj().Pkg() != a.pkg.Pkg {
			return
		}
		n = n.Origin()
		if n.TypeParams().Len() == 0 && structOf(n) != nil && !slices.Contains(list, n) && len(list) < 8 {
			list = append(list, n)
		}
	}
	for k := 0; k < len(list); k++ {
		collectFields(list[k], 0, func(v *types.Var, _ *types.Struct) {
			ff := f.facts[v]
			if ff == nil || ff.open || len(ff.stores) > 0 {
				return
			}
			if _, ok := v.Type().Underlying().(*types.Interface); !ok {
				add(v.Type())
			} else if !isError(v.Type()) {
				for _, impl := range a.implementing(v.Type()) {
					add(impl)
				}
			}
		})
	}
	return list
}

// implementing are the pointers to structs of the package that implement an interface of
// its own.
func (a *analysis) implementing(t types.Type) (out []types.Type) {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() != a.pkg.Pkg {
		return nil
	}
	it, ok := n.Underlying().(*types.Interface)
	if !ok || it.NumMethods() == 0 {
		return nil
	}
	scope := a.pkg.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		if m, ok := tn.Type().(*types.Named); ok && m.TypeParams().Len() == 0 && structOf(m) != nil {
			if ptr := types.NewPointer(m); types.Implements(ptr, it) {
				out = append(out, ptr)
			}
		}
	}
	return out
}

// goes reports whether all that is stored in the field takes it one up or one down, and both
// are done.
func (u *upDown) goes() bool {
	if u.ff.open && !isSlice(u.ff.field.Type()) {
		return false
	}
	u.down = map[*ssa.Function]bool{}
	for _, s := range u.ff.stores {
		st, ok := s.instr.(*ssa.Store)
		if !ok {
			return false
		}
		fa, ok := st.Addr.(*ssa.FieldAddr)
		if !ok || fieldAt(fa) != u.ff.field {
			return false
		}
		switch {
		case s.more:
			u.ups = append(u.ups, s.instr)
		case lowers(st.Val, fa):
			u.down[st.Parent()] = true
		default:
			return false
		}
	}
	if len(u.ups) == 0 || len(u.down) == 0 {
		return false
	}
	for fn := range u.down {
		if slices.ContainsFunc(u.puts, func(p poolSite) bool { return p.fn == fn }) {
			return false // a count of references
		}
	}
	// What calls one that brings it down does so.
	for range 2 {
		for _, fn := range slices.Collect(maps.Keys(u.down)) {
			for _, c := range u.callers[fn] {
				u.down[c.Parent()] = true
			}
			for p := fn.Parent(); p != nil; p = p.Parent() {
				u.down[p] = true
			}
		}
	}
	return true
}

// lowers reports whether a value is what the field had less one.
func lowers(v ssa.Value, fa *ssa.FieldAddr) bool {
	had := func(x ssa.Value) bool {
		l, ok := x.(*ssa.UnOp)
		return ok && readsField(l, fa, 5)
	}
	one := func(x ssa.Value) bool {
		c, ok := x.(*ssa.Const)
		return ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Sign(c.Value) > 0
	}
	switch x := v.(type) {
	case *ssa.BinOp:
		return x.Op == token.SUB && had(x.X) && one(x.Y) && isInteger(x.Type())
	case *ssa.Slice:
		if x.Low != nil || x.High == nil || !had(x.X) {
			return false
		}
		b, ok := x.High.(*ssa.BinOp)
		if !ok || b.Op != token.SUB || !one(b.Y) {
			return false
		}
		c, ok := b.X.(*ssa.Call)
		return ok && sizeCall(c) == "len" && had(c.Call.Args[0])
	}
	return false
}

// leftUp is where the field goes up, or the call that takes it there, and the return of an
// error that follows before it comes down.
func (u *upDown) leftUp() (up, end ssa.Instruction) {
	for _, i := range u.ups {
		fn := i.Parent()
		if u.a.inTest(fn) || u.defersDown(fn) {
			continue
		}
		if r := u.errorAfter(i); r != nil {
			return i, r
		}
		if u.down[fn] || u.taken[fn] {
			continue
		}
		// A method of its own, for those who call it to undo.
		for _, c := range u.callers[fn] {
			if _, ok := c.(*ssa.Call); !ok || u.a.inTest(c.Parent()) || u.defersDown(c.Parent()) {
				continue
			}
			if r := u.errorAfter(c); r != nil {
				return c, r
			}
		}
	}
	return nil, nil
}

// defersDown reports whether a function defers something that may bring the field down.
func (u *upDown) defersDown(fn *ssa.Function) bool {
	for i := range instrsOf(fn) {
		if d, ok := i.(*ssa.Defer); ok {
			if callee := u.callee(d); callee != nil && u.down[callee] || callee == nil && d.Call.StaticCallee() == nil {
				return true
			}
		}
	}
	return false
}

func (u *upDown) callee(c ssa.CallInstruction) *ssa.Function {
	if m, ok := c.Common().Value.(*ssa.MakeClosure); ok {
		return m.Fn.(*ssa.Function)
	}
	return u.a.calledFunction(c)
}

// errorAfter is a return of an error that a path leads to from an instruction, on which the
// field does not come down.
func (u *upDown) errorAfter(from ssa.Instruction) (found *ssa.Return) {
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock, k int)
	walk = func(b *ssa.BasicBlock, k int) {
		for _, i := range b.Instrs[k:] {
			switch i := i.(type) {
			case *ssa.Store:
				if slices.ContainsFunc(u.ff.stores, func(s fieldStore) bool { return s.instr == i && !s.more }) {
					return
				}
			case *ssa.Call:
				if callee := u.callee(i); callee != nil && u.down[callee] {
					return
				}
			case *ssa.Return:
				if k := len(i.Results); k > 0 && isError(i.Results[k-1].Type()) && makesError(i.Results[k-1]) && (found == nil || instrPos(i) < instrPos(found)) {
					found = i
				}
			}
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				walk(s, 0)
			}
		}
	}
	walk(from.Block(), slices.Index(from.Block().Instrs, from)+1)
	return found
}

// makesError reports whether a returned error is one that the function makes, or that a call
// right there gives.
func makesError(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.UnOp:
		_, global := x.X.(*ssa.Global)
		return global
	case *ssa.Call:
		m := calledMethod(x)
		return m != nil && (strings.HasPrefix(m.Name(), "New") || m.Name() == "Errorf" || !isStdPath(pathOf(m)))
	}
	return false
}

func pathOf(m *types.Func) string {
	if m.Pkg() == nil {
		return ""
	}
	return m.Pkg().Path()
}

// onlyOnSuccess reports whether all Puts of a type stand where an error was found to be nil.
func (f *forgotten) onlyOnSuccess(t *types.Named) bool {
	onNil := func(i ssa.Instruction) bool {
		for d := i.Block().Idom(); d != nil; d = d.Idom() {
			c, ok := lastInstr(d).(*ssa.If)
			if !ok {
				continue
			}
			b, ok := c.Cond.(*ssa.BinOp)
			if !ok || !isError(b.X.Type()) || b.Op != token.EQL && b.Op != token.NEQ {
				continue
			}
			s := d.Succs[0]
			if b.Op == token.NEQ {
				s = d.Succs[1]
			}
			if s == i.Block() || len(s.Preds) == 1 && s.Dominates(i.Block()) {
				return true
			}
		}
		return false
	}
	for _, p := range f.puts {
		if p.typ == t && !f.a.inTest(p.fn) && len(f.putter[p.fn]) == 0 && !onNil(p.instr) {
			return false
		}
	}
	return true
}
