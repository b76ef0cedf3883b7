// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A buffer in a pooled struct that is made anew when it is too small for what is asked
// for grows like one that is appended to.

// judgeRegrown reports the pools of structs whose buffers are made anew for larger input,
// where nobody who puts looks at their size.
func (a *analysis) judgeRegrown() {
	f := a.uses()
	seen := map[*types.Named]bool{}
	for _, s := range f.puts {
		t := s.typ
		if t.Obj().Pkg() != a.pkg.Pkg || seen[t] || a.inTest(s.fn) {
			continue
		}
		seen[t] = true
		at := f.putOf(t)
		if at == nil || a.foundIn(oversizeRetention, at.Parent()) {
			continue
		}
		field, made := a.regrows(t)
		if field == nil {
			continue
		}
		if slices.ContainsFunc(f.putRegion(t), func(fn *ssa.Function) bool { return fn != made.Parent() && a.testsSize(fn) }) ||
			slices.ContainsFunc(f.callers[at.Parent()], func(c ssa.CallInstruction) bool { return a.testsSize(c.Parent()) }) {
			continue
		}
		a.reportFound(finding{
			pattern: oversizeRetention, pos: instrPos(at), fn: at.Parent(),
			message: fmt.Sprintf("the pooled %s keeps %s of any size: what one large input made it grow to stays in the pool; drop what is above a limit before the Put", t.Obj().Name(), field.Name()),
			related: []goanalysis.RelatedInformation{{Pos: instrPos(made), Message: "made anew here"}},
		})
	}
}

// regrows finds a field of a struct that is made anew when its capacity is less than
// what a caller asks for, and is never let go of.
func (a *analysis) regrows(t *types.Named) (found *types.Var, made ssa.Instruction) {
	f := a.uses()
	collectFields(t, 0, func(v *types.Var, _ *types.Struct) {
		ff := f.facts[v]
		_, elem := elementType(v.Type())
		if found != nil || ff == nil || elem == nil {
			return
		}
		if _, basic := elem.Underlying().(*types.Basic); !basic {
			return
		}
		if slices.ContainsFunc(ff.stores, func(s fieldStore) bool { return s.what == wZero && !cutsOnly(s.instr) }) {
			return
		}
		for _, s := range ff.stores {
			st, ok := s.instr.(*ssa.Store)
			if !ok || s.what != wFresh {
				continue
			}
			m, ok := st.Val.(*ssa.MakeSlice)
			if ok && asksCap(st.Parent(), v) && (f.ofInput(m.Len, 0) || f.ofInput(m.Cap, 0)) {
				found, made = v, st
			}
		}
	})
	return found, made
}

// asksCap reports whether a function asks for the capacity of the slice in a field.
func asksCap(fn *ssa.Function, v *types.Var) bool {
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			c, ok := i.(*ssa.Call)
			if !ok {
				continue
			}
			of, ok := capOf(c)
			if !ok {
				continue
			}
			if l, ok := of.(*ssa.UnOp); ok {
				if fa, ok := l.X.(*ssa.FieldAddr); ok && structOf(fa.X.Type()).Field(fa.Field).Origin() == v {
					return true
				}
			}
		}
	}
	return false
}

// ofInput reports whether a size depends on what a caller gives: the length of data, or a
// number that is neither constant nor kept in a field.
func (f *forgotten) ofInput(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Convert:
		return f.ofInput(x.X, depth+1)
	case *ssa.BinOp:
		return f.ofInput(x.X, depth+1) || f.ofInput(x.Y, depth+1)
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return f.ofInput(e, depth+2) })
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "len" && isParam(x.Call.Args[0]) && (isBytes(x.Call.Args[0].Type()) || isString(x.Call.Args[0].Type()))
	case *ssa.Parameter:
		fn := x.Parent()
		if len(f.callers[fn]) == 0 || f.taken[fn] {
			return true
		}
		k := slices.Index(fn.Params, x)
		return slices.ContainsFunc(f.callers[fn], func(c ssa.CallInstruction) bool {
			return !f.a.inTest(c.Parent()) && !c.Common().IsInvoke() && k < len(c.Common().Args) && f.ofInput(c.Common().Args[k], depth+1)
		})
	}
	return false
}

func isParam(v ssa.Value) bool {
	_, ok := v.(*ssa.Parameter)
	return ok
}
