// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Who closes an object of another package that puts one of the object's fields must not call the methods that use what is in that
// field. Most of these do nothing else that other packages are told of, so that a fact tells of that alone.

// exportFieldUses tells of the exported methods of types of which a method puts a field which fields they always use.
func (a *analysis) exportFieldUses() {
	if a.pass.ExportObjectFact == nil {
		return
	}
	put := map[*types.TypeName]map[int]*Expr{}
	for _, fn := range a.fns {
		obj := a.toldOthers(fn)
		if obj == nil || a.inTest(fn) || fn.Signature.Recv() == nil || !isPtr(fn.Signature.Recv().Type()) {
			continue
		}
		s := new(Summary)
		if !a.pass.ImportObjectFact(obj, s) {
			continue
		}
		for _, o := range s.Outcomes {
			for _, p := range o.Puts {
				e := p.Value
				for e != nil && (e.Kind == "iface" || e.Kind == "view") {
					e = e.A
				}
				n := recvName(fn.Signature.Recv().Type())
				if n == nil || e == nil || e.Kind != "load" || e.A.Kind != "field" || e.A.A.Kind != "param" || e.A.A.Index != 0 {
					continue
				}
				if put[n] == nil {
					put[n] = map[int]*Expr{}
				}
				put[n][e.A.Index] = e
			}
		}
	}
	if len(put) == 0 {
		return
	}
	for _, fn := range a.fns {
		obj := a.toldOthers(fn)
		if obj == nil || a.inTest(fn) || fn.Signature.Recv() == nil || put[recvName(fn.Signature.Recv().Type())] == nil {
			continue
		}
		s := new(Summary)
		if a.pass.ImportObjectFact(obj, s) && (s.Unfollowed || s.pools()) {
			continue
		}
		for _, k := range slices.Sorted(maps.Keys(put[recvName(fn.Signature.Recv().Type())])) {
			if alwaysUses(fn, k) {
				s.Uses = append(s.Uses, put[recvName(fn.Signature.Recv().Type())][k])
			}
		}
		if len(s.Uses) > 0 {
			a.pass.ExportObjectFact(obj, s)
		}
	}
}

// alwaysUses reports whether a method uses what field k of its receiver leads to wherever it returns, and never sets the field.
func alwaysUses(fn *ssa.Function, k int) bool {
	if len(fn.Blocks) == 0 || len(fn.Params) == 0 {
		return false
	}
	found := false
	for _, r := range referrers(fn.Params[0]) {
		fa, ok := r.(*ssa.FieldAddr)
		if _, debug := r.(*ssa.DebugRef); !ok && !debug {
			return false // what has the object may set the field
		}
		if !ok || fa.Field != k {
			continue
		}
		for _, r := range referrers(fa) {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.UnOp:
				found = found || r.Op == token.MUL && usedOnAllWays(fn, r)
			default:
				return false // it is set, or its address goes elsewhere
			}
		}
	}
	return found
}

// usedOnAllWays reports whether some use of what a pointer, slice or map leads to comes before all returns of a function.
func usedOnAllWays(fn *ssa.Function, v ssa.Value) bool {
	for _, r := range referrers(v) {
		uses := false
		switch r := r.(type) {
		case *ssa.Call:
			m := calledMethod(r)
			uses = m != nil && m.Signature().Recv() != nil && m.Pkg() != nil && isStdPath(m.Pkg().Path()) && m.Name() != "Close" && argument(&r.Call, 0) == v
		case *ssa.FieldAddr:
			uses = r.X == v
		case *ssa.IndexAddr:
			uses = r.X == v
		case *ssa.UnOp:
			uses = r.Op == token.MUL
		}
		if !uses {
			continue
		}
		all := true
		for _, b := range fn.Blocks {
			if _, ok := lastInstr(b).(*ssa.Return); ok && b != fn.Recover && !r.Block().Dominates(b) {
				all = false
			}
		}
		if all {
			return true
		}
	}
	return false
}

// usesFields reports whether something is told of the fields that a method of another package uses.
func (a *analysis) usesFields(f *types.Func) bool {
	s := a.summaryOf(f)
	return s != nil && len(s.Uses) > 0
}

// usesOfPut reports the uses, by a method of another package, of what was put with another method of its object's.
func (a *analysis) usesOfPut(st *state, i ssa.CallInstruction, f *types.Func, args []*sym) {
	if f == nil || f.Pkg() == a.pkg.Pkg || len(st.rel) == 0 || len(args) == 0 {
		return
	}
	s := a.summaryOf(f)
	if s == nil {
		return
	}
	for _, e := range s.Uses {
		n := &instance{a: a, st: st, call: i, args: args, sig: f.Origin().Signature(), objects: map[int]*sym{}}
		x, _ := n.eval(e)
		if r := a.released(st, x); r != nil {
			a.reportUse(st, i, x, r, "used by "+f.Name())
			return
		}
	}
}
