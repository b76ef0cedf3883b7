// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// The arguments of a deferred Put are evaluated at the defer. When the variable is set to
// what comes back from elsewhere, a channel or a call, with the slice grown there, the Put
// still gives back the slice of before.

// judgeRebound reports deferred Puts of a slice in a struct variable that is set anew later.
func (a *analysis) judgeRebound() {
	var through map[*ssa.Function][]int
	for c := range a.productCalls() {
		d, ok := c.(*ssa.Defer)
		if !ok {
			continue
		}
		if through == nil {
			through = a.storers()
		}
		for _, n := range a.putValues(d, through) {
			field, at := a.setAnew(d, unboxed(d.Call.Args[n]))
			if at == nil {
				continue
			}
			ff := a.uses().facts[field]
			if ff == nil {
				continue
			}
			k := slices.IndexFunc(ff.stores, func(s fieldStore) bool { return s.more })
			grown := ff.moreStores()
			if k < 0 && grown == nil {
				continue
			}
			if grown == nil {
				grown = ff.stores[k].instr
			}
			a.reportFound(finding{
				pattern: staleHeader, pos: instrPos(d), fn: d.Parent(),
				message: fmt.Sprintf("the deferred call puts field %s as it is here, but the variable is set anew later (%s), with the slice appended to elsewhere (%s): when that allocates, the grown array is lost", field.Name(), a.line(instrPos(at)), a.line(instrPos(grown))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(at), Message: "set anew here"}, {Pos: instrPos(grown), Message: "appended to here"}},
				fixes:   a.bindLate(d),
			})
		}
	}
}

// moreStores is an append to the field, in a copy of the struct as well.
func (ff *fieldFacts) moreStores() ssa.Instruction {
	for _, r := range ff.reads {
		v, ok := r.(ssa.Value)
		if !ok || v.Referrers() == nil {
			continue
		}
		for _, q := range referrers(v) {
			c, ok := q.(*ssa.Call)
			if !ok {
				continue
			}
			if b, ok := c.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" && c.Call.Args[0] == v {
				return c
			}
		}
	}
	return nil
}

// setAnew is the field of a struct variable that a slice was read from, and a store to all of
// the variable that follows the defer, of what came from elsewhere.
func (a *analysis) setAnew(d *ssa.Defer, v ssa.Value) (*types.Var, ssa.Instruction) {
	l, ok := v.(*ssa.UnOp)
	if !ok || !isSlice(v.Type()) {
		return nil, nil
	}
	fa, ok := l.X.(*ssa.FieldAddr)
	if !ok {
		return nil, nil
	}
	al, ok := fa.X.(*ssa.Alloc)
	if !ok {
		return nil, nil
	}
	for _, r := range referrers(al) {
		st, ok := r.(*ssa.Store)
		if !ok || st.Addr != al || !precedes(d, st) && !reaches(d.Block(), st.Block()) {
			continue
		}
		switch x := st.Val.(type) {
		case *ssa.Extract, *ssa.Call:
			return fieldAt(fa), st
		case *ssa.UnOp:
			if _, isLoad := x.X.(*ssa.Alloc); !isLoad {
				return fieldAt(fa), st
			}
		}
	}
	return nil, nil
}
