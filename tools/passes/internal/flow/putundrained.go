// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"go/types"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A pipe needs no reset of the pooled buffer that it gathers in, if it puts it when it was read to its end. Where it is also put on
// the way out, whatever is in it, that is in the next pipe.

// takesAway reports whether a method of a bytes.Buffer takes away what it gives.
func takesAway(f *types.Func) bool {
	switch funcKey(f) {
	case "bytes.Buffer.Read", "bytes.Buffer.Next", "bytes.Buffer.ReadByte", "bytes.Buffer.ReadBytes", "bytes.Buffer.ReadString", "bytes.Buffer.WriteTo":
		return true
	}
	return false
}

// putUndrained reports the functions that put what is in a field, in which others write to it, without the test for an empty one that
// other Puts of the field are under.
func (a *analysis) putUndrained(home types.Object, g *gathering) {
	type put struct {
		at    ssa.CallInstruction
		asked bool
	}
	s := a.uses().sites
	of := map[*types.Var][]put{}
	var fields []*types.Var
	for c := range a.productCalls() {
		for _, n := range s.putArgs(a, c) {
			v := unboxed(c.Common().Args[n])
			f := fieldOfValue(v)
			if f == nil || f.Pkg() != a.pkg.Pkg || !gathers(deref(f.Type())) {
				continue
			}
			asked := false
			for _, cond := range deciders(c.Block(), nil) {
				asked = asked || leadsFrom(cond, 0, func(x ssa.Value) bool {
					call, ok := x.(*ssa.Call)
					if !ok || len(call.Call.Args) == 0 || fieldOfValue(call.Call.Args[0]) != f {
						return false
					}
					m := calledMethod(call)
					return m != nil && m.Name() == "Len"
				})
			}
			if of[f] == nil {
				fields = append(fields, f)
			}
			of[f] = append(of[f], put{c, asked})
		}
	}
	for _, f := range fields {
		var drained ssa.CallInstruction
		for _, p := range of[f] {
			if p.asked {
				drained = p.at
			}
		}
		written := grownIn(g, f)
		if drained == nil || written == nil {
			continue
		}
		for _, p := range of[f] {
			if fn := p.at.Parent(); !p.asked && !drainsFirst(fn, f) {
				a.reportFound(finding{
					pattern: missingReset, pos: instrPos(p.at), fn: fn, cause: instrPos(drained),
					message: fmt.Sprintf("field %s goes to %s with what is left in it, without a reset; it is written (%s), and elsewhere put only when it was read to its end (%s): the next user finds the rest", f.Name(), home.Name(), a.line(instrPos(written)), a.line(instrPos(drained))),
					related: []goanalysis.RelatedInformation{{Pos: instrPos(written), Message: "written here"}, {Pos: instrPos(drained), Message: "put when it is empty here"}},
				})
			}
		}
	}
}

// grownIn is where something is added to the buffer in a field.
func grownIn(g *gathering, f *types.Var) ssa.Instruction {
	for _, i := range g.grown {
		if c, ok := i.(ssa.CallInstruction); ok && len(c.Common().Args) > 0 && fieldOfValue(c.Common().Args[0]) == f {
			return i
		}
	}
	return nil
}

// drainsFirst reports whether a function reads from the buffer in a field.
func drainsFirst(fn *ssa.Function, f *types.Var) bool {
	for i := range instrsOf(fn) {
		c, ok := i.(ssa.CallInstruction)
		if !ok || len(c.Common().Args) == 0 || fieldOfValue(c.Common().Args[0]) != f {
			continue
		}
		if m := calledMethod(c); m != nil && takesAway(m) {
			return true
		}
	}
	return false
}
