// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/token"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// The address of an element of a slice that a field keeps goes to a pool, and the field
// keeps the slice: who takes the element from the pool shares it with the next that uses
// the slice, be it cut to length 0 and appended to.

// judgePutInPlace reports such Puts.
func (a *analysis) judgePutInPlace() {
	f := a.uses()
	for c := range a.productCalls() {
		fn := c.Parent()
		if len(fn.Params) == 0 || fn.Signature.Recv() == nil || ends(fn.Name()) {
			continue
		}
		for _, n := range f.putArgs(a, c) {
			ia, ok := unboxed(c.Common().Args[n]).(*ssa.IndexAddr)
			if !ok || pointee(ia.Type()) == nil {
				continue
			}
			l, ok := ia.X.(*ssa.UnOp)
			if !ok || l.Op != token.MUL {
				continue
			}
			field := fieldAt(l.X)
			if field == nil || fieldRoot[*ssa.Parameter](l.X) != fn.Params[0] || slices.Contains(f.writes[fn], field) || a.storedByCallers(f, fn) {
				continue
			}
			use := a.elementUse(fn, l)
			if use == nil {
				continue
			}
			a.reportFound(finding{
				pattern: useAfterPut, pos: instrPos(c), fn: fn,
				message: fmt.Sprintf("an element of field %s goes to the pool in place, and the field keeps it: %s uses it afterwards (%s)", field.Name(), use.Parent().Name(), a.line(instrPos(use))),
				related: []goanalysis.RelatedInformation{{Pos: instrPos(use), Message: "used here"}},
			})
		}
	}
}

// storedByCallers reports whether the callers of a method, or a helper of its own, may empty
// a field of its receiver's, or drop the receiver.
func (a *analysis) storedByCallers(f *forgotten, fn *ssa.Function) bool {
	for c := range a.productCalls() {
		if m := a.calledFunction(c); m != nil && c.Parent() == fn && recvType(m) == recvType(fn) && len(f.writes[m]) > 0 {
			return true // by its own helper
		}
	}
	for _, c := range f.callers[fn] {
		if len(f.writes[c.Parent()]) > 0 || ends(c.Parent().Name()) {
			return true
		}
	}
	return false
}

// elementUse finds a method of the same type that changes an element of the field, or a
// part of it, without having stored there before.
func (a *analysis) elementUse(fn *ssa.Function, l *ssa.UnOp) ssa.Instruction {
	field := fieldAt(l.X)
	for _, m := range a.fns {
		if m == fn || recvType(m) == nil || recvType(m) != recvType(fn) || a.inTest(m) || ends(m.Name()) {
			continue
		}
		for i := range instrsOf(m) {
			ia, ok := i.(*ssa.IndexAddr)
			if !ok {
				continue
			}
			x, ok := ia.X.(*ssa.UnOp)
			if !ok || fieldAt(x.X) != field || fieldRoot[*ssa.Parameter](x.X) != m.Params[0] || precededByStore(x, field) {
				continue
			}
			return ia
		}
	}
	return nil
}

// precededByStore reports whether a method stored to a field before it read it.
func precededByStore(x *ssa.UnOp, field any) bool {
	for _, b := range x.Parent().Blocks {
		if !b.Dominates(x.Block()) {
			continue
		}
		for _, i := range b.Instrs {
			if i == ssa.Instruction(x) {
				break
			}
			if st, ok := i.(*ssa.Store); ok && any(fieldAt(st.Addr)) == field {
				return true
			}
		}
	}
	return false
}
